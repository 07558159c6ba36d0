import Foundation
import RunSupport

/// Issues like those of GitHub: about 1.1 kB and 4.2 objects each, the same for every run.
///
/// An issue has 29 members on the average, among them 5.5 URLs, 2.9 dates, 6.1 other texts, 6.2 integers, 2.7
/// enumeration cases and a bool. 1,000 accounts and 12 milestones occur again and again; text holds escapes and letters
/// outside of ASCII.
struct IssueGenerator {
    private static let words = """
        crash when parsing the nested model after a refresh value mapping key path nil transformer returns wrong type on \
        background thread memory grows while syncing please expose an option to skip unknown keys documentation typo in \
        the example server sends empty string instead of null support generic adapters performance regression since \
        last release
        """.split(separator: " ").map(String.init)
    private static let foreignWords = [
        "caf\u{e9}", "na\u{ef}ve", "\u{2014}", "\u{201c}quoted\u{201d}", "\u{65e5}\u{672c}\u{8a9e}",
        "\u{440}\u{443}\u{441}\u{441}\u{43a}\u{438}\u{439}", "\u{1F680}", "\u{1F41B}", "\u{fc}\u{f1}\u{ee}",
    ]
    private static let escapedWords = [
        "\"null\"", "C:\\temp\\log", "a\tb", "`x != y`", "{\"id\": 1}", "https://example.com/a?b=1&c=2",
    ]
    private static let labels = [
        ("bug", "d73a4a"), ("enhancement", "a2eeef"), ("question", "d876e3"), ("good first issue", "7057ff"),
        ("help wanted", "008672"), ("wontfix", "ffffff"), ("documentation", "0075ca"), ("duplicate", "cfd3d7"),
    ]
    private static let repositories = ["octo-org/hello-world", "acme/model-kit", "acme/sync-engine", "initech/reports"]

    private var random = SeededGenerator(seed: 20_120_917)
    private var accounts: [DocumentValue] = []
    private var milestones: [DocumentValue] = []
    private var number = 0

    init() {
        for _ in 0..<1000 {
            let login = random.choice(Self.words) + "-" + random.choice(Self.words) + String(random.integer(1...999))
            let identifier = random.integer(1...90_000_000)
            accounts.append(
                .object([
                    ("login", .string(login)), ("id", .integer(identifier)),
                    ("html_url", .string("https://github.com/\(login)")),
                    ("avatar_url", .string("https://avatars.githubusercontent.com/u/\(identifier)?v=4")),
                    ("type", .string(random.happens(0.03) ? "Bot" : "User")),
                ]))
        }
        for index in 0..<12 {
            milestones.append(
                .object([
                    ("id", .integer(random.integer(1...9_000_000))), ("number", .integer(index + 1)),
                    ("title", .string("v\(1 + index / 4).\(index % 4)")),
                    ("state", .string(random.choice(["open", "closed"]))), ("due_on", date(from: 2018)),
                ]))
        }
    }

    /// The text of the first issues as one array.
    static func document(_ count: Int) -> Data {
        var generator = IssueGenerator()
        return Data(joined(count) { generator.next() })
    }

    /// The same issues with the members of every object in an order of their own.
    static func shuffledDocument(_ count: Int) -> Data {
        var generator = IssueGenerator()
        var order = SeededGenerator(seed: 7)
        return Data(joined(count) { generator.next().shuffled(&order) })
    }

    /// Each of the first issues as a document of its own.
    static func documents(_ count: Int) -> [Data] {
        var generator = IssueGenerator()
        return (0..<count).map { _ in generator.next().data }
    }

    /// The same documents as some time later: of every issue comments came, of some the title or the labels changed.
    static func laterDocuments(_ count: Int) -> [Data] {
        var generator = IssueGenerator()
        return (0..<count).map { generator.next().later(number: $0).data }
    }

    /// An issue in which every optional part is present.
    static func complete() -> DocumentValue {
        var generator = IssueGenerator()
        return generator.next(complete: true)
    }

    /// Writes issue after issue, so that a document of 100,000 never exists as a tree.
    private static func joined(_ count: Int, _ next: () -> DocumentValue) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count * 1200)
        bytes.append(UInt8(ascii: "["))
        for index in 0..<count {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            next().write(to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
        return bytes
    }

    /// The next issue.
    mutating func next(complete: Bool = false) -> DocumentValue {
        number += 1
        let repository = random.choice(Self.repositories)
        let isClosed = random.happens(0.6) || complete
        let isPullRequest = random.happens(0.35) || complete
        let interface = "https://api.github.com/repos/\(repository)"
        let page = "https://github.com/\(repository)"
        var members: [(name: String, value: DocumentValue)] = [
            ("url", .string("\(interface)/issues/\(number)")),
            ("html_url", .string("\(page)/\(isPullRequest ? "pull" : "issues")/\(number)")),
            ("id", .integer(random.integer(1_000_000...2_800_000_000))),
            ("number", .integer(number)),
            ("state", .string(isClosed ? "closed" : "open")),
            ("title", .string(text(20...70, lineEnd: ". "))),
            ("body", .string(text(200...400, lineEnd: ".\r\n\r\n"))),
            ("user", account()),
            ("assignee", random.happens(0.4) || complete ? account() : .null),
            ("labels", someLabels(complete: complete)),
            ("milestone", random.happens(0.3) || complete ? random.choice(milestones) : .null),
            ("comments", .integer(min(Int(random.exponential(mean: 4)), 200))),
            ("locked", .bool(random.happens(0.04))),
            ("created_at", date(from: 2012)),
            ("updated_at", date(from: 2016)),
            ("closed_at", isClosed ? date(from: 2016) : .null),
        ]
        if isPullRequest {
            members.append(
                (
                    "pull_request",
                    .object([
                        ("url", .string("\(interface)/pulls/\(number)")),
                        ("html_url", .string("\(page)/pull/\(number)")),
                    ])
                ))
        }
        return .object(members)
    }

    /// An account; few of them account for most issues.
    private mutating func account() -> DocumentValue {
        accounts[min(Int(random.exponential(mean: 120)), accounts.count - 1)]
    }

    private mutating func someLabels(complete: Bool) -> DocumentValue {
        let count = complete ? 2 : random.choice([0, 0, 1, 1, 2, 3])
        return .array(
            random.shuffled(Array(Self.labels.indices)).prefix(count).map { index in
                .object([
                    ("id", .integer(208_045_946 + index)), ("name", .string(Self.labels[index].0)),
                    ("color", .string(Self.labels[index].1)),
                ])
            })
    }

    private mutating func date(from year: Int) -> DocumentValue {
        func padded(_ range: ClosedRange<Int>) -> String {
            let number = random.integer(range)
            return number < 10 ? "0\(number)" : "\(number)"
        }
        let day = "\(padded(year...2025))-\(padded(1...12))-\(padded(1...28))"
        return .string("\(day)T\(padded(0...23)):\(padded(0...59)):\(padded(0...59))Z")
    }

    private mutating func text(_ lengths: ClosedRange<Int>, lineEnd: String) -> String {
        let length = random.integer(lengths)
        var result = ""
        var count = 0
        while count < length {
            let kind = random.fraction()
            let word =
                switch kind {
                case ..<0.03: random.choice(Self.foreignWords)
                case ..<0.06: random.choice(Self.escapedWords)
                case ..<0.09: random.choice(Self.words) + lineEnd
                default: random.choice(Self.words)
                }
            if count > 0 { result += " " }
            result += word
            count += word.unicodeScalars.count + 1
        }
        return result
    }
}
