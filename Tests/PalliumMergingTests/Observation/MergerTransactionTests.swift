import ModelTestSupport
import Pallium
import Testing

/// A merger that itself merges: into a model that the merge around it writes before, later or never.
struct MergerTransactionTests {
    private let registry: SchemaRegistry
    private let adapter: JSONAdapter<DynamicModel>
    private let root: DynamicModel
    private let next: DynamicModel
    private let other: DynamicModel
    private let action = Carried<() throws -> Void>(nil)
    private let notices = Notices()

    init() throws {
        let action = action
        registry = try .of(
            ModelSchema(
                "Node",
                [
                    "first": .integer, "sum": .integer.merge(MergePolicy("busy")),
                    "next": .model("Node").merge(.recurse), "a": .integer, "b": .integer,
                    "last": .integer.validate { (number: inout Int?, _) in
                        if number == -1 { throw FixtureError.refused }
                    },
                ], isObserved: true),
            mergers: [
                "busy": Merger(Int.self) { values in
                    try action.content?()
                    return (values.target ?? 0) + (values.source ?? 0)
                }
            ])
        adapter = try JSONAdapter(schema: registry.schema(named: "Node"), registry: registry)
        root = try adapter.model(from: #"{"first": 0, "sum": 1, "next": {"a": 1, "b": 2}}"#)
        next = try #require(root.model("next"))
        other = try adapter.model(from: #"{"a": 3, "b": 4}"#)
    }

    private func observations() throws -> [ModelObservation] {
        [
            try root.observe("first", "sum", "next.a", "next.b") { [notices] changes in
                notices.add("root " + changes.map(\.description).sorted().joined(separator: ", "))
            }, try other.observe { [notices] in notices.add("other \($0)") },
        ]
    }

    /// Whether a write stands before the merger's property in the document, or not.
    private static let documents = [
        (#"{"first": 5, "sum": 2, "next": {"a": 5}}"#, "/first: 0 → 5, "), (#"{"sum": 2, "next": {"a": 5}}"#, ""),
    ]

    @Test func whatAMergerMergesBelongsToTheMerge() throws {
        for (document, first) in Self.documents {
            let test = try Self()
            let (adapter, root, next, other) = (test.adapter, test.root, test.next, test.other)
            let observations = try test.observations()
            test.action.content = {
                try adapter.merge(#"{"b": 8, "a": 7}"#, into: next)
                try adapter.merge(#"{"a": 9}"#, into: other)
            }
            let changes = try adapter.merge(document, into: root)
            test.action.content = nil
            func change(_ pointer: String) -> String? {
                changes.first { $0.pointer.description == pointer }?.description
            }
            #expect(change("/next/a") == "/next/a: 1 → 5 (taken)")
            #expect(change("/sum") == "/sum: 1 → 3 (combined)")
            #expect(change("/first") == (first.isEmpty ? nil : "/first: 0 → 5 (taken)"))
            #expect(Set(changes.map(\.pointer)).count == changes.count)
            #expect(next["a", as: Int.self] == 5 && next["b", as: Int.self] == 8 && root["sum", as: Int.self] == 3)
            #expect(
                Set(test.notices.take()) == [
                    "root \(first)/next/a: 1 → 5, /next/b: 2 → 8, /sum: 1 → 3", "other /a: 3 → 9",
                ])
            withExtendedLifetime(observations) {}
        }
    }

    @Test func aRefusalTakesBackWhatAMergerMerged() throws {
        for end in [#", "last": -1}"#, #", "next": {"a": 5, "last": -1}}"#, #", "next": {"a": 5}, "last": -1}"#] {
            for (beginning, _) in [(#"{"first": 5, "sum": 2"#, 0), (#"{"sum": 2"#, 0)] {
                let test = try Self()
                let (adapter, next, other) = (test.adapter, test.next, test.other)
                let models = [test.root, next, other]
                let before = models.map { snapshot(of: $0) }
                let observations = try test.observations()
                test.action.content = {
                    try adapter.merge(#"{"b": 8, "a": 7}"#, into: next)
                    try adapter.merge(#"{"a": 9}"#, into: other)
                }
                #expect(throws: ModelError.self) { try adapter.merge(beginning + end, into: test.root) }
                test.action.content = nil
                for (model, former) in zip(models, before) {
                    #expect(differingLines(former, snapshot(of: model)) == [], "\(beginning)\(end)")
                }
                #expect(test.notices.take() == [])
                withExtendedLifetime(observations) {}
            }
        }
    }
}
