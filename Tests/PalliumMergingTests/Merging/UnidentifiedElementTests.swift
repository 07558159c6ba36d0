import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Elements of lists that have no identifier, and elements that could not be decoded.
@Suite("Elements without identifiers")
struct UnidentifiedElementTests {
    private func adapter(
        _ missing: MergePolicy.MissingElements, options: JSONAdapterOptions = JSONAdapterOptions()
    ) throws -> JSONAdapter<DynamicModel> {
        try Plain.adapter(
            [
                ModelSchema(
                    "Holder",
                    ["number": .integer, "items": .array(of: .model("Item")).merge(.byIdentifier(missing: missing))],
                    identity: ["number"]),
                ModelSchema("Item", ["id": .integer, "name": .string, "rank": .integer.default(5)], identity: ["id"]),
            ], options: options
        ).adapter
    }

    private func items(_ model: DynamicModel) -> [String] {
        model.models("items").map {
            "\($0["id", as: Int.self].map { "\($0)" } ?? "-")\($0["name", as: String.self] ?? "")"
        }
    }

    private static let list = #"{"number":1,"items":[{"name":"a"},{"id":1,"name":"b"},{"name":"c"},{"name":"a"}]}"#

    @Test(arguments: [MergePolicy.MissingElements.keep, .remove])
    func aModelIsMergedWithItsOwnDocumentAsOftenAsYouLike(_ missing: MergePolicy.MissingElements) throws {
        let adapter = try adapter(missing)
        let model = try adapter.model(from: Self.list)
        let elements = model.models("items")
        let map = IdentityMap()
        try map.import(Self.list, using: adapter)
        let instance = try map.import(Self.list, using: adapter)[0]
        for _ in 0..<2 {
            #expect(try adapter.merge(Self.list, into: model).isEmpty)
            #expect(try adapter.merge(adapter.data(from: model), into: model).isEmpty)
            #expect(try model.merge(from: adapter.model(from: Self.list)).isEmpty)
            #expect(try map.import("[\(Self.list),\(Self.list)]", using: adapter).changes.isEmpty)
        }
        #expect(zip(model.models("items"), elements).allSatisfy { $0 === $1 })
        #expect(items(model) == ["-a", "1b", "-c", "-a"] && items(instance) == items(model))
        model.trackChanges()
        #expect(try adapter.rebase(model, onto: Self.list).isEmpty && !model.hasChanges)
    }

    @Test(arguments: [
        // Another value, or another position among those without an identifier, is another element.
        (#"[{"name":"x"},{"name":"c"}]"#, ["-a", "1b", "-c", "-a", "-x"], ["-x", "-c"]),
        (#"[{"id":1},{"name":"a"}]"#, ["-a", "1b", "-c", "-a"], ["1b", "-a"]),
        (#"[{"name":"c"},{"name":"a"}]"#, ["-a", "1b", "-c", "-a", "-c", "-a"], ["-c", "-a"]),
        (#"[{"name":"a","rank":6}]"#, ["-a", "1b", "-c", "-a", "-a"], ["-a"]),
        ("[{}]", ["-a", "1b", "-c", "-a", "-"], ["-"]),
    ])
    func positionAndValuesDecide(_ document: String, _ kept: [String], _ removed: [String]) throws {
        for (missing, expected) in [(MergePolicy.MissingElements.keep, kept), (.remove, removed)] {
            let adapter = try adapter(missing)
            let model = try adapter.model(from: Self.list)
            try adapter.merge(#"{"items":\#(document)}"#, into: model)
            #expect(items(model) == expected)
        }
    }

    @Test func anEditOfAnElementWithoutAnIdentifierSurvives() throws {
        for missing in [MergePolicy.MissingElements.keep, .remove] {
            let adapter = try adapter(missing)
            let model = try adapter.model(from: Self.list)
            model.trackChanges()
            model.models("items")[2]["name"] = "edited"
            let changes = try adapter.rebase(
                model, onto: #"{"items":[{"name":"a"},{"id":1,"name":"b"},{"name":"c"},{"name":"a"},{"id":2}]}"#)
            #expect(items(model) == ["-a", "1b", "-edited", "-a", "2"], "\(missing)")
            #expect(changes.conflicts.isEmpty && model.pendingChanges.pointers.count == 1, "\(model.pendingChanges)")
        }
    }

    // MARK: Elements that could not be decoded

    private let skipping = JSONAdapterOptions.with { $0.elements = .skip }
    private static let known = #"{"number":1,"items":[{"id":1,"name":"a"},{"id":2,"name":"b"},{"id":3,"name":"c"}]}"#

    @Test(arguments: [
        // Its identifier is known: that element stays, others go.
        (#"[{"id":1,"name":5},{"id":3,"name":"C"}]"#, ["1a", "3C"], ["/items/0"]),
        (#"[{"name":5,"id":2}]"#, ["2b"], ["/items/0"]),
        (#"[{"id":3,"name":"C"},{"id":2,"name":[]}]"#, ["2b", "3C"], ["/items/0"]),
        // It is new, and is left out.
        (#"[{"id":9,"name":5},{"id":1}]"#, ["1a"], []),
        // Its identifier cannot be read: nothing is removed.
        (#"[{"id":"x","name":"C"},{"id":1}]"#, ["1a", "2b", "3c"], ["/items/1", "/items/2"]),
        (#"[7,{"id":3,"name":"C"}]"#, ["1a", "2b", "3C"], ["/items/0", "/items/1"]),
        ("[null,true]", ["1a", "2b", "3c"], ["/items/0", "/items/1", "/items/2"]),
    ])
    func theElementOfABadOneStays(_ document: String, _ expected: [String], _ kept: [String]) throws {
        let adapter = try adapter(.remove, options: skipping)
        let full = #"{"number":1,"items":\#(document)}"#
        let map = IdentityMap()
        let instance = try map.import(Self.known, using: adapter)[0]
        let (merged, tree) = (try adapter.model(from: Self.known), try adapter.model(from: Self.known))
        let rebased = try adapter.model(from: Self.known)
        rebased.trackChanges()
        let outcomes = try [
            (merged, adapter.merge(full, into: merged)), (tree, adapter.merge(JSONValue(parsing: full), into: tree)),
            (rebased, adapter.rebase(rebased, onto: full)), (instance, map.import(full, using: adapter).changes),
        ]
        for (number, (model, changes)) in outcomes.enumerated() {
            #expect(items(model).sorted() == expected.sorted(), "\(number)")
            #expect(changes.kept.pointers.sorted() == kept, "\(number): \(changes)")
            #expect(!model.hasChanges && changes.conflicts.isEmpty, "\(number): \(model.pendingChanges)")
        }
    }
}
