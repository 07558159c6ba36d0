/// A form of files that are no JSON but are taken for it.
enum OtherForm {
    /// Returns what a file is and how it becomes JSON, by its first bytes; nil if it may be JSON.
    static func advice(about start: [UInt8], called name: String) -> String? {
        if start.starts(with: [0x1F, 0x8B]) { return "\(name) is compressed: gunzip -c \(name) | pallium … -" }
        if start.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) {
            return "\(name) is compressed: zstd -dc \(name) | pallium … -"
        }
        if start.starts(with: [0x89, 0x50, 0x41, 0x4C, 0x0D, 0x0A]) {
            return "\(name) is an archive: use pallium unarchive, inspect or upgrade"
        }
        return isYAML(start) ? "\(name) is YAML: convert it, for example with yq -o=json . \(name)" : nil
    }

    /// Whether the first line that is no comment is a directive, the beginning of a document, or a key with a colon.
    private static func isYAML(_ start: [UInt8]) -> Bool {
        let lines = start.split(separator: UInt8(ascii: "\n")).lazy.map { $0.filter { $0 != UInt8(ascii: "\r") } }
        guard let line = lines.first(where: { !$0.isEmpty && $0.first != UInt8(ascii: "#") }) else { return false }
        if line.starts(with: "%YAML".utf8) || line.elementsEqual("---".utf8) { return true }
        let key = line.prefix { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "_-.".utf8.contains(byte)
        }
        let rest = line.dropFirst(key.count)
        return !key.isEmpty && rest.first == UInt8(ascii: ":")
            && [nil, UInt8(ascii: " ")].contains(rest.dropFirst().first)
    }
}
