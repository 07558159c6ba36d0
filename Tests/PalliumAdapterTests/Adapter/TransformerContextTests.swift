import Foundation
import ModelTestSupport
import Pallium
import Synchronization
import Testing

/// Contexts that your code keeps, or reads on another thread, describe the value they were made for.
struct TransformerContextTests {
    /// A context together with what it said while its value was converted.
    private struct Seen: Sendable {
        let text: String
        let context: Transformer.Context

        init(_ context: Transformer.Context) {
            text = Self.text(of: context)
            self.context = context
        }

        static func text(of context: Transformer.Context) -> String {
            "\(context.direction) \(context.schema ?? "-").\(context.property ?? "-") "
                + "\(context.pointer?.description ?? "-") \(context.userInfo["tenant"] as? String ?? "-")"
        }
    }

    private static let schemas = [
        ModelSchema(
            "Parent",
            [
                "name": .string.transformer("Note"), "list": .array(of: .string.transformer("Note")),
                "map": .dictionary(of: .string.transformer("Note")), "deep": .string.json("x.y").transformer("Note"),
                "late": .string.json("l[1].z").transformer("Note").readOnly,
                "children": .array(of: .model("Child")), "child": .model("Child"),
                "whole": .string.transformer("Whole"),
            ]),
        ModelSchema("Child", ["name": .string.transformer("Note"), "texts": .array(of: .string.transformer("Both"))]),
    ]

    private static let document = """
        {"name":"a","list":["b","c"],"map":{"k/1":"d","k2":"e"},"x":{"y":"f"},"l":[0,{"z":"g"}],
        "children":[{},{"name":"h","texts":["i","j"]}],"child":{"name":"k"},"whole":["l","m"]}
        """

    private static let expected = [
        "Parent.name /name", "Parent.list /list/0", "Parent.list /list/1", "Parent.map /map/k~11", "Parent.map /map/k2",
        "Parent.deep /x/y", "Child.name /children/1/name", "Child.texts /children/1/texts/0",
        "Child.texts /children/1/texts/1", "Child.name /child/name", "Parent.whole /whole", "Parent.late /l/1/z",
    ].map { "forward \($0) acme" }

    /// Decodes the document with transformers that convert as they are told.
    private func decode(_ note: @escaping @Sendable (Transformer.Context) -> Void) throws {
        let adapter = try Plain.adapter(
            Self.schemas, options: .with { $0.userInfo = ["tenant": "acme"] },
            transformers: [
                // Converted directly from slot to slot, by way of values, and by way of a tree.
                "Note": Transformer(from: String.self, to: String.self) { text, context in
                    note(context)
                    return text
                },
                "Both": Transformer(handlingNullFrom: String.self, to: String.self) { text, context in
                    note(context)
                    return text
                },
                "Whole": Transformer(from: [String].self, to: String.self) { texts, context in
                    note(context)
                    return texts.joined()
                },
            ])
        _ = try adapter.adapter.model(from: Self.document)
    }

    /// A report, whose elements are decoded one by one.
    @Test func eachElementOfAReportHasItsOwnPointer() throws {
        let pointers = Mutex<[String]>([])
        let note = Transformer(from: String.self, to: String.self) { text, context in
            pointers.withLock { $0.append(context.pointer?.description ?? "-") }
            return text
        }
        let adapter = try Plain.adapter(["name": .string.transformer("Note")], transformers: ["Note": note]).adapter
        #expect(adapter.report(from: #"[{"name":"a"},{"name":"b"},{"name":"c"}]"#).models.count == 3)
        #expect(pointers.withLock { $0 } == ["/0/name", "/1/name", "/2/name"])
    }

    @Test func aKeptContextSaysTheSameAfterDecodingWentOn() throws {
        let seen = Mutex<[Seen]>([])
        try decode { context in seen.withLock { $0.append(Seen(context)) } }
        #expect(seen.withLock { $0 }.map(\.text) == Self.expected)
        // The adapter, its plans and its schemas are gone.
        #expect(seen.withLock { $0 }.map { Seen.text(of: $0.context) } == Self.expected)
    }

    @Test func aContextThatIsReadOnlyLaterSaysTheSame() throws {
        let kept = Mutex<[Transformer.Context]>([])
        try decode { context in kept.withLock { $0.append(context) } }
        #expect(kept.withLock { $0 }.map { Seen.text(of: $0) } == Self.expected)
    }

    @Test func keepingOneContextOfManyLeavesTheOthersAlone() throws {
        let seen = Mutex<(texts: [String], kept: Transformer.Context?)>(([], nil))
        try decode { context in
            seen.withLock {
                $0.texts.append(Seen.text(of: context))
                if $0.texts.count == 3 { $0.kept = context }
            }
        }
        #expect(seen.withLock { $0.texts } == Self.expected)
        #expect(seen.withLock { $0.kept }.map { Seen.text(of: $0) } == Self.expected[2])
    }

    @Test func aContextMayBeReadOnOtherThreadsMeanwhileAndLater() async throws {
        let tasks = Mutex<[Task<Set<String>, Never>]>([])
        try decode { context in
            let task = Task.detached { Set((0..<100).map { _ in Seen.text(of: context) }) }
            tasks.withLock { $0.append(task) }
        }
        var texts: [Set<String>] = []
        for task in tasks.withLock({ $0 }) { texts.append(await task.value) }
        #expect(texts == Self.expected.map { [$0] })
    }

    @Test func aChangedContextKeepsItsOtherValues() throws {
        let changed = Mutex<[Transformer.Context]>([])
        try decode { context in
            var context = context
            switch context.property {
            case "name": context.pointer = nil
            case "list": context.schema = "Other"
            case "map": context.property = nil
            case "deep": context.userInfo["tenant"] = "other"
            default: context.direction = .reverse
            }
            changed.withLock { $0.append(context) }
        }
        #expect(
            changed.withLock { $0 }.map { Seen.text(of: $0) } == [
                "forward Parent.name - acme", "forward Other.list /list/0 acme", "forward Other.list /list/1 acme",
                "forward Parent.- /map/k~11 acme", "forward Parent.- /map/k2 acme", "forward Parent.deep /x/y other",
                "forward Child.name - acme", "reverse Child.texts /children/1/texts/0 acme",
                "reverse Child.texts /children/1/texts/1 acme", "forward Child.name - acme",
                "reverse Parent.whole /whole acme", "reverse Parent.late /l/1/z acme",
            ])
    }

    @Test func aContextThatIsKeptByCodeThatThrowsKeepsItsPlace() throws {
        let kept = Mutex<[Transformer.Context]>([])
        let adapter = try Plain.adapter(
            ["a": .array(of: .string.transformer("Refusing"))],
            transformers: [
                "Refusing": Transformer(from: String.self, to: String.self) { _, context in
                    kept.withLock { $0.append(context) }
                    throw FixtureError.refused
                }
            ])
        _ = adapter.adapter.report(from: Data(#"{"a":["x","y"]}"#.utf8))
        #expect(kept.withLock { $0 }.map { $0.pointer?.description } == ["/a/0", "/a/1"])
    }
}
