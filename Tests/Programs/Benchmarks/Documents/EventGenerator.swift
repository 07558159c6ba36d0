import RunSupport

/// Events of five types in one array, as activity feeds have them; the type decides how the payload looks.
struct EventGenerator {
    private var random = SeededGenerator(seed: 5)
    private var identifier = 30_000_000_000

    /// An array of events.
    static func document(_ count: Int) -> DocumentValue {
        var generator = EventGenerator()
        return .array((0..<count).map { _ in generator.next(generator.random.integer(0...4)) })
    }

    /// An event with a payload of several levels.
    static func complete() -> DocumentValue {
        var generator = EventGenerator()
        return generator.next(0)
    }

    private mutating func next(_ kind: Int) -> DocumentValue {
        identifier += random.integer(1...50)
        let name = "account-\(random.integer(1...999))"
        let repository = "acme/project-\(random.integer(1...99))"
        let (type, payload) = payload(kind, repository)
        return .object([
            ("id", .string(String(identifier))),
            ("type", .string(type)),
            (
                "actor",
                .object([
                    ("id", .integer(random.integer(1...90_000_000))), ("login", .string(name)),
                    ("url", .string("https://api.github.com/users/\(name)")),
                ])
            ),
            (
                "repo",
                .object([
                    ("id", .integer(random.integer(1...90_000_000))), ("name", .string(repository)),
                    ("url", .string("https://api.github.com/repos/\(repository)")),
                ])
            ),
            ("payload", payload),
            ("public", .bool(true)),
            ("created_at", .string("2025-0\(random.integer(1...9))-1\(random.integer(0...9))T10:20:30Z")),
        ])
    }

    private mutating func payload(_ kind: Int, _ repository: String) -> (type: String, DocumentValue) {
        let number = random.integer(1...9999)
        let interface = "https://api.github.com/repos/\(repository)"
        switch kind {
        case 0:
            let commits = (0..<random.integer(1...3)).map { _ -> DocumentValue in
                let hash = String(random.next(), radix: 16)
                return .object([
                    ("sha", .string(hash)), ("message", .string("Correct the reading of \"\(hash)\"\n\nIt was wrong.")),
                    ("url", .string("\(interface)/commits/\(hash)")),
                ])
            }
            return (
                "PushEvent",
                .object([
                    ("size", .integer(commits.count)), ("ref", .string("refs/heads/main")),
                    ("commits", .array(commits)),
                ])
            )
        case 1:
            return (
                "IssuesEvent",
                .object([
                    ("action", .string("opened")), ("number", .integer(number)),
                    ("title", .string("It stops when a value is missing")),
                    ("url", .string("\(interface)/issues/\(number)")),
                ])
            )
        case 2: return ("WatchEvent", .object([("action", .string("started"))]))
        case 3:
            return (
                "CreateEvent",
                .object([
                    ("ref", .string("feature-\(number)")), ("ref_type", .string("branch")),
                    ("description", .string("A library for models")),
                ])
            )
        default:
            return (
                "IssueCommentEvent",
                .object([
                    ("action", .string("created")), ("id", .integer(number)),
                    ("body", .string("I see this too, since the last release \u{2014} any news?")),
                    ("url", .string("\(interface)/issues/comments/\(number)")),
                ])
            )
        }
    }
}
