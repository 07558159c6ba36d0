import Foundation
import PalliumCore
import TestSupport
import Testing

@Suite("URLs as text")
struct URLTextTests {
    private func isPlain(_ bytes: some Collection<UInt8>) -> Bool {
        withExactMemory(bytes) { $0.isPlainURL }
    }

    static let plain = [
        "http://a", "https://a", "http://a/", "https://api.github.com/users/octocat", "http://www.github.com/",
        "http://a.b-c.D9:8080/x", "http://a:1", "http://a:65535?q", "http://a:80#f", "http://127.0.0.1/",
        "http://a?q=1&r=2",
        "http://a#f", "http://a/b?c#d", "https://a/%2B%aF%00", "https://a/?q=%20", "https://a/#%41", "http://a//b///",
        "http://a/!$&'()*+,;=:@-._~", "http://a/?/?:@", "http://a/#/?:@", "http://a/..",
        "http://xn--bcher-kva.example/",
        "http://-/", "http://./", "http://a/x:y@z",
    ]

    static let notPlain = [
        "", "a", "http:", "http:/", "http://", "https://", "https:///", "http:///x", "http:a", "HTTP://a/", "Http://a",
        "ftp://a/",
        "//a/b", "/a/b", "httpss://a", "http//a/bcd", " http://a", "http://a ", "http://a/\n", "http://a/\0",
        "http://a b/", "http://a_b/",
        "http://user@a/", "http://u:p@a/", "http://[::1]/", "http://a:/", "http://a:b/", "http://a:123456/",
        "http://a:80:80/", "http://a:8o",
        "http://a%41/", "http://é/", "http://a/é", "http://a/b c", "http://a/{b}", "http://a/[b]", "http://a/b|c",
        "http://a/b\\c",
        "http://a\\b", "http://a/^", "http://a/`", "http://a/\"", "http://a/<b>", "http://a/#b#c", "http://a/%",
        "http://a/%4",
        "http://a/%zz", "http://a/%4g", "http://a/%g4", "http://a/%%41", "http://a/\u{7F}", "not a valid URL",
    ]

    @Test("Plain texts are URLs for Foundation, unchanged", arguments: plain)
    func acceptsPlainTexts(text: String) {
        #expect(isPlain(text.utf8))
        #expect(URLText.strict(text)?.absoluteString == text)
    }

    @Test("Other texts are left to Foundation", arguments: notPlain)
    func leavesOtherTexts(text: String) {
        #expect(!isPlain(text.utf8))
    }

    @Test("The limit of length is inclusive")
    func limitsLength() {
        let text = "http://a/" + String(repeating: "x", count: URLText.maximumPlainByteCount - 9)
        #expect(isPlain(text.utf8))
        #expect(URLText.strict(text)?.absoluteString == text)
        #expect(!isPlain((text + "x").utf8))
    }

    @Test("Each byte at each place, word by word, is judged by the definition")
    func judgesEveryByteAtEveryPlace() {
        var failures: [[UInt8]] = []
        for template in ["http://abcdefghijklmnopqrs", "https://a/bcdefghijklmnopq", "http://a:80?%41bcdefgh#ijk"] {
            forEachReplacement(in: template) { changed, _ in
                if isPlain(changed) != PlainURLReference.contains(changed) {
                    failures.append(changed)
                }
            }
        }
        #expect(failures.isEmpty)
    }

    @Test("Whatever is plain after random changes is a URL for Foundation, unchanged", .trials)
    func agreesWithFoundationOnMutations() {
        let templates = Self.plain + Self.plain + Self.notPlain
        let alphabet = Array("aZ09%%%4fG:/?#@[]{}|\\^`\"<> _-.~!$&'()*+,;=é\n\u{0}\u{7F}".utf8)
        let trials = Trials(4000)
        var failures: [String] = []
        var plainCount = 0
        for seed in trials {
            var generator = SeededGenerator(seed: seed)
            let bytes = mutated(Array(templates[seed % templates.count].utf8), alphabet: alphabet, using: &generator)
            let text = String(decoding: bytes, as: UTF8.self)
            let answer = isPlain(bytes)
            if answer {
                plainCount += 1
            }
            if answer != PlainURLReference.contains(bytes)
                || answer && URLText.strict(text)?.absoluteString.utf8.elementsEqual(bytes) != true
            {
                failures.append(text)
            }
        }
        #expect(failures.isEmpty)
        #expect((trials.count * 3 / 40..<trials.count * 9 / 10).contains(plainCount))
    }

    @Test(
        "The strict reading takes RFC 3986 and repairs nothing (C258, C262)",
        arguments: [
            ("http://user:secret@host:80/a?b#c", true), ("relative/path", true), ("mailto:a@b.c", true), ("", false),
            ("not a valid URL", false), ("http://x/加法", false), ("http://x/?q={a}", false), ("http://x/%zz", false),
            ("http://x/%2B", true),
        ]
    )
    func readsStrictly(text: String, isAccepted: Bool) {
        #expect(URLText.strict(text)?.absoluteString == (isAccepted ? text : nil))
    }

    @Test(
        "The lenient reading percent-encodes what the strict one refuses",
        arguments: [
            ("http://x/a b", "http://x/a%20b"), ("http://x/加法", "http://x/%E5%8A%A0%E6%B3%95"),
            ("http://x/?q={a}", "http://x/?q=%7Ba%7D"), ("http://x/%2B", "http://x/%2B"),
            ("http://x/%20 y", "http://x/%20%20y"),
            ("http://x/%20?q=%41 é#%2f|#", "http://x/%20?q=%41%20%C3%A9#%2f%7C%23"),
            ("a b", "a%20b"), ("é/%20", "%C3%A9/%20"), ("http://x/[1]", "http://x/%5B1%5D"),
            ("http://x/\n\0", "http://x/%0A%00"),
            ("http://é.example/", "http://xn--9ca.example/"), ("//é.example/%20 ", "//xn--9ca.example/%20%20"),
            ("http://u%20é@é.example:8/ ", "http://u%20%C3%A9@xn--9ca.example:8/%20"),
            ("http://[::1]:80/ ", "http://[::1]:80/%20"),
            ("mailto:é@ü.example", "mailto:%C3%A9@%C3%BC.example"), ("", nil), ("http://x/%zz", nil),
            ("http://x/100%", nil),
            ("http://x/%4", nil), ("http://a b/", nil), ("http://[::1", nil), ("http://%41é/", nil), ("a b:c", nil),
            ("mailto::a b", "mailto::a%20b"), ("//u@{@x/@", "//u%40%7B@x/@"),
            ("//x#%20#b", "//x#%20%23b"), ("//u@x#%20#b", "//u@x#%20%23b"),
        ] as [(String, String?)]
    )
    func readsLeniently(text: String, expected: String?) {
        #expect(URLText.percentEncoded(text)?.absoluteString == expected)
    }
}

extension URLTextTests {
    /// Except that Foundation, once it repairs, also encodes colons that may stand in a path and drops an empty port.
    @Test("Without escapes in the text, a lenient reading is Foundation's", .trials)
    func repairsLikeFoundation() {
        let templates = [
            "http://x/a b?c d#e f", "https://é.example:80/ö/{x}", "//u@x/y", "../a b/c:d", "mailto:a b", "x:y",
        ]
        let alphabet = Array("aZ09:/?#@[]{}|\\^`\"<> _-.~!$&'()*+,;=\n\u{0}\u{7F}".utf8)
        let trials = Trials(400)
        var failures: [String] = []
        var acceptedCount = 0
        for seed in trials {
            var generator = SeededGenerator(seed: seed)
            let template = Array(templates[seed % templates.count].utf8)
            let text = String(decoding: mutated(template, alphabet: alphabet, using: &generator), as: UTF8.self)
            guard let url = URLText.percentEncoded(text) else { continue }
            acceptedCount += 1
            func withoutExceptions(_ text: String?) -> String? {
                ["/", "?", "#"].reduce(text?.replacingOccurrences(of: "%3A", with: ":")) {
                    $0?.replacingOccurrences(of: ":" + $1, with: $1)
                }
            }
            let expected = URL(string: text, encodingInvalidCharacters: true)?.absoluteString
            if withoutExceptions(url.absoluteString) != withoutExceptions(expected) {
                failures.append(text)
            }
        }
        #expect(failures.isEmpty)
        #expect(acceptedCount > trials.count / 2)
    }

    @Test("The lenient reading leaves alone what the strict one takes", .trials)
    func leavesStrictTextsAlone() {
        let trials = Trials(400)
        let alphabet = Array("aZ09%:/?#@[] é".utf8)
        var failures: [String] = []
        var acceptedCount = 0
        for seed in trials {
            var generator = SeededGenerator(seed: seed)
            let template = Array(Self.plain[seed % Self.plain.count].utf8)
            let text = String(decoding: mutated(template, alphabet: alphabet, using: &generator), as: UTF8.self)
            if let url = URLText.strict(text) {
                acceptedCount += 1
                if URLText.percentEncoded(text)?.absoluteString != url.absoluteString {
                    failures.append(text)
                }
            }
        }
        #expect(failures.isEmpty)
        #expect(acceptedCount > trials.count / 4)
    }
}

/// The plain set by its grammar, one byte after the other.
private enum PlainURLReference {
    private static let alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    private static let hexadecimal = table("0123456789abcdefABCDEF")
    private static let host = table(alphanumeric + ".-")
    private static let rest = table(alphanumeric + "-._~!$&'()*+,;=:@/?")

    private static func table(_ members: String) -> [Bool] {
        (0..<256).map { members.utf8.contains(UInt8($0)) }
    }

    static func contains(_ bytes: [UInt8]) -> Bool {
        var left = bytes[...]
        guard let scheme = ["http://", "https://"].first(where: { left.starts(with: $0.utf8) }) else { return false }
        left = left.dropFirst(scheme.utf8.count)
        let afterHost = left.drop { host[Int($0)] }
        guard afterHost.startIndex > left.startIndex else { return false }
        left = afterHost
        if left.first == UInt8(ascii: ":") {
            let port = left.dropFirst().prefix { (48...57).contains($0) }
            guard (1...5).contains(port.count) else { return false }
            left = left.dropFirst(1 + port.count)
        }
        guard let delimiter = left.first else { return true }
        guard "/?#".utf8.contains(delimiter) else { return false }
        var numberSigns = 0
        while let byte = left.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard left.prefix(2).count == 2, left.prefix(2).allSatisfy({ hexadecimal[Int($0)] }) else {
                    return false
                }
            } else if byte == UInt8(ascii: "#") {
                numberSigns += 1
            } else if !rest[Int(byte)] {
                return false
            }
        }
        return numberSigns <= 1
    }
}
