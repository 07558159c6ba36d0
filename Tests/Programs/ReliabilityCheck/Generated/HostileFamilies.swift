/// Inputs that are small to describe and hard to bear, in any size.
struct HostileFamily: Sendable {
    let name: String
    /// Whether the text is JSON within the default limits.
    let isValid: Bool
    /// A size at which reading takes about a millisecond and four times the input still fits the caches, whose misses
    /// would look like more than linear time.
    let size: Int
    let bytes: @Sendable (_ size: Int) -> [UInt8]

    init(_ name: String, valid: Bool = true, size: Int = 20_000, _ bytes: @escaping @Sendable (_ size: Int) -> [UInt8])
    {
        self.name = name
        isValid = valid
        self.size = size
        self.bytes = bytes
    }

    private static func repeated(_ begin: String, _ part: String, _ end: String, _ count: Int) -> [UInt8] {
        var bytes = Array(begin.utf8)
        let part = Array(part.utf8)
        bytes.reserveCapacity(bytes.count + part.count * count + end.utf8.count)
        for _ in 0..<count { bytes += part }
        return bytes + Array(end.utf8)
    }

    private static func joined(_ begin: String, _ end: String, _ count: Int, _ part: (Int) -> String) -> [UInt8] {
        var bytes = Array(begin.utf8)
        for number in 0..<count {
            if number > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += Array(part(number).utf8)
        }
        return bytes + Array(end.utf8)
    }

    /// As deep as the default limit allows, with room for the entrances that put the input into an object.
    private static let depth = 511

    static let all: [HostileFamily] = [
        HostileFamily("open brackets", valid: false) { repeated("", "[", "", $0) },
        HostileFamily("open objects", valid: false) { repeated("", #"{"a":"#, "", $0) },
        HostileFamily("mixed brackets", valid: false) { repeated("", #"[{"a":"#, "", $0) },
        HostileFamily("deep again and again", size: 50) { count in
            let nested = String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1)
            return joined("[", "]", count) { _ in nested }
        },
        HostileFamily("empty arrays") { joined("[", "]", $0) { _ in "[]" } },
        HostileFamily("empty objects") { joined("[", "]", $0) { _ in "{}" } },
        HostileFamily("different names", size: 4000) { joined("{", "}", $0) { #""k\#($0)":0"# } },
        HostileFamily("equal names") { joined("{", "}", $0) { _ in #""k":0"# } },
        HostileFamily("names with equal beginnings", size: 2000) { count in
            let beginning = String(repeating: "x", count: 500)
            return joined("{", "}", count) { #""\#(beginning)\#($0)":0"# }
        },
        HostileFamily("escaped names", size: 4000) { joined("{", "}", $0) { #""\u006b\#($0)":0"# } },
        HostileFamily("disordered marks in names", size: 10_000) { count in
            let marks = "\u{0316}\u{0301}"
            let left = String(repeating: marks, count: count)
            return Array("{\"a\(left)\":1,\"a\(left)b\":2}".utf8)
        },
        HostileFamily("disordered marks in text") { repeated("\"a", "\u{0316}\u{0301}", "\"", $0) },
        HostileFamily("flags in text") { repeated("\"", "🇦", "\"", $0) },
        HostileFamily("one long string", size: 200_000) { repeated("\"", "a", "\"", $0) },
        HostileFamily("escapes", size: 100_000) { repeated("\"", #"\n"#, "\"", $0) },
        HostileFamily("surrogate pairs") { repeated("\"", #"\ud83d\ude00"#, "\"", $0) },
        HostileFamily("backslashes without an end", valid: false) { repeated("\"", #"\\"#, "", $0) },
        HostileFamily("long integer", valid: false, size: 200_000) { repeated("", "1", "", $0) },
        HostileFamily("long fraction", valid: false, size: 200_000) { repeated("0.", "1", "", $0) },
        HostileFamily("long exponent", valid: false, size: 200_000) { repeated("1e", "1", "", $0) },
        HostileFamily("numbers of many digits", size: 1000) { count in
            joined("[", "]", count) { "0.\(String(repeating: "7", count: 900))\($0)" }
        },
        HostileFamily("halfway numbers", size: 2000) { count in
            joined("[", "]", count) { _ in "9007199254740993." + String(repeating: "0", count: 700) + "1" }
        },
        HostileFamily("doubles") { joined("[", "]", $0) { "\($0).5e-\($0 % 300)" } },
        HostileFamily("white space", size: 200_000) { repeated("", " \n", "0", $0) },
        HostileFamily("white space behind commas") { repeated("[0", " ,\t0", "]", $0) },
        HostileFamily("bytes that are not UTF-8", valid: false) {
            [0x22] + [UInt8](repeating: 0xFF, count: $0) + [0x22]
        },
        HostileFamily("commas", valid: false) { repeated("[", ",", "]", $0) },
        HostileFamily("trailing text", valid: false) { repeated("0", " 0", "", $0) },
    ]
}
