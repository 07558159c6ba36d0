import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Hooks after decoding run once, in models that a merge attaches or changes, whatever the form of the document.
@Suite("Hooks of merged documents")
struct AttachedHookTests {
    private struct Negative: Error {}

    private let ran = Journal()
    private let registry: SchemaRegistry
    private let adapter: JSONAdapter<DynamicModel>

    init() throws {
        let ran = ran
        func hooked(_ schema: ModelSchema) -> ModelSchema {
            schema.didDecode { model in ran.add("\(model.schema.name) \(model["id", as: Int.self] ?? 0)") }
        }
        let schemas = [
            hooked(
                ModelSchema(
                    "Outer",
                    [
                        "id": .integer, "a": .model("Inner"), "b": .model("Inner").merge(.recurse),
                        "list": .array(of: .model("Inner")),
                        "items": .array(of: .model("Inner")).merge(.byIdentifier()),
                        "named": .dictionary(of: .model("Inner")),
                        "keyed": .dictionary(of: .model("Inner")).merge(.recurse),
                        "set": .set(of: .model("Inner")).merge(.union), "next": .model("Outer"), "title": .string,
                    ])),
            hooked(
                ModelSchema(
                    "Inner",
                    [
                        "id": .integer,
                        "number": .double.validate { (number: inout Double?, _) in
                            if (number ?? 0) < 0 { throw Negative() }
                        }, "leaf": .model("Inner"),
                    ], identity: ["id"])),
        ]
        registry = try .of(schemas)
        adapter = try JSONAdapter(schema: schemas[0], registry: registry)
    }

    /// What runs when a document is merged in all its forms, into a model of a document; the same for each.
    private func hooks(_ document: String, into known: String, sourceLocation: SourceLocation = #_sourceLocation) throws
        -> [String]
    {
        let object = try JSONSerialization.jsonObject(with: Data(document.utf8)) as? [String: Any] ?? [:]
        let forms: [(DynamicModel) throws -> Void] = [
            { try adapter.merge(document, into: $0) }, { try adapter.merge(JSONValue(parsing: document), into: $0) },
            { try adapter.merge(object, into: $0) },
            { try adapter.with { $0.elements = .skip }.merge(document, into: $0) },
            { try adapter.with { $0.reading.duplicateMembers = .error }.merge(document, into: $0) },
            {
                $0.trackChanges()
                try adapter.rebase($0, onto: document)
            },
        ]
        let all = try forms.map { merge in
            let model = try adapter.model(from: known)
            ran.clear()
            try merge(model)
            return ran.all
        }
        for other in all.dropFirst() { #expect(other.sorted() == all[0].sorted(), sourceLocation: sourceLocation) }
        return all[0]
    }

    private static let deep = (0..<13).reversed().reduce(#"{"id":99,"number":1}"#) {
        #"{"id":\#($1),"number":1,"leaf":\#($0)}"#
    }

    @Test(arguments: [
        #"{"a":{"id":1,"number":1},"title":"x"}"#, #"{"b":{"id":1,"number":1}}"#,
        #"{"list":[{"id":1},{"id":2,"number":2}]}"#,
        #"{"items":[{"id":1},{"id":2,"number":2}]}"#, #"{"named":{"x":{"id":1}}}"#, #"{"keyed":{"x":{"id":1}}}"#,
        #"{"set":[{"id":1},{"id":2}]}"#, #"{"next":{"id":5,"a":{"id":1}}}"#, #"{"a":\#(deep)}"#,
    ])
    func modelsThatStayRunNone(_ document: String) throws {
        #expect(try hooks(document, into: document) == [])
        // Another spelling of a number says the same.
        #expect(try hooks(document.replacing(#""number":1"#, with: #""number":1e0"#), into: document) == [])
    }

    @Test(arguments: [
        (#"{"a":{"id":2}}"#, ["Inner 2", "Outer 7"]), (#"{"a":{"id":1,"number":2}}"#, ["Inner 1", "Outer 7"]),
        (#"{"b":{"number":2}}"#, ["Inner 1"]), (#"{"b":{"id":2,"leaf":{"id":3}}}"#, ["Inner 3", "Inner 2", "Outer 7"]),
        (#"{"items":[{"id":1,"number":2},{"id":4}]}"#, ["Inner 4", "Inner 1", "Outer 7"]),
        (#"{"list":[{"id":1},{"id":4}]}"#, ["Inner 4", "Inner 1", "Outer 7"]),
        (#"{"keyed":{"x":{"number":5},"y":{"id":6}}}"#, ["Inner 6", "Inner 1", "Outer 7"]),
        (#"{"title":"new"}"#, ["Outer 7"]),
        (#"{"next":{"id":5,"a":{"id":6}}}"#, ["Inner 6", "Outer 5", "Outer 7"]),
    ])
    func modelsThatAreNewOrChangedRunTheirs(_ document: String, _ expected: [String]) throws {
        let known = #"""
            {"id":7,"a":{"id":1,"number":1},"b":{"id":1},"items":[{"id":1},{"id":2}],"list":[{"id":1}],
             "keyed":{"x":{"id":1}},"set":[{"id":1}]}
            """#
        #expect(try hooks(document, into: known).sorted() == expected.sorted())
        #expect(ran.all.last == expected.last)
    }

    @Test(arguments: [
        #"{"a":{"id":2},"b":{"number":-1}}"#, #"{"a":{"id":2,"number":-1}}"#,
        #"{"items":[{"id":3},{"id":4,"number":-1}]}"#,
        #"{"named":{"x":{"id":4,"number":-1}},"title":"t"}"#,
    ])
    func aMergeThatIsRefusedRunsNone(_ document: String) throws {
        let model = try adapter.model(from: #"{"id":7,"b":{"id":1}}"#)
        ran.clear()
        for merge in [
            { try adapter.merge(document, into: model) },
            { try adapter.merge(JSONValue(parsing: document), into: model) },
        ] {
            let error = #expect(throws: ModelError.self) { try merge() }
            #expect(error?.pointer?.description.hasSuffix("/number") == true)
        }
        #expect(ran.all == [])
    }

    @Test func importsAndPatchesRunThemOnce() throws {
        let map = IdentityMap()
        let inner = try JSONAdapter(schema: registry.schema(named: "Inner"), registry: registry)
        try map.import(#"[{"id":1,"leaf":{"id":2}},{"id":1,"number":3}]"#, using: inner)
        #expect(ran.all.sorted() == ["Inner 1", "Inner 2"])
        let model = try adapter.model(from: #"{"id":7,"list":[{"id":1}]}"#)
        ran.clear()
        try adapter.apply(JSONPatch(parsing: #"[{"op":"add","path":"/list/-","value":{"id":3}}]"#), to: model)
        #expect(ran.all == ["Inner 3", "Inner 1", "Outer 7"])
    }
}
