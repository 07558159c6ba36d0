import ModelTestSupport
import Pallium
import Testing

/// What holds for merges of whatever models, as models and as documents.
///
/// Domain of all: models of one schema with a property for every policy, nested twice, as trees; documents of which any
/// part is missing or null. Where a law says nothing about it, no property appends or is added up by a merger.
struct MergeLawTests {
    private static let seeds = Trials(1)

    /// Merges a document both ways, which must be the same, and answers what changed.
    private func merge(
        _ document: JSONValue, into model: DynamicModel, _ adapter: JSONAdapter<DynamicModel>
    ) throws -> ModelChanges {
        let (copy, tree) = (model.deepCopy(), model.deepCopy())
        // Bytes are compared with the model while they are read; trees and models are not.
        let changes = try adapter.merge(document.bytes(), into: model)
        let others = try copy.merge(from: adapter.model(from: document))
        #expect(differingLines(picture(of: copy), picture(of: model)) == [])
        #expect(others.map(\.description) == changes.map(\.description))
        try adapter.merge(document, into: tree)
        #expect(differingLines(picture(of: tree), picture(of: model)) == [])
        return changes
    }

    @Test(.trials) func bytesTreesAndModelsMergeAlikeWhateverThePolicies() throws {
        for seed in Self.seeds {
            var things = try GeneratedThings(seed: seed, accumulating: true)
            let model = try things.model()
            for _ in 0..<3 {
                let document = things.document()
                for _ in 0..<2 { _ = try merge(document, into: model, things.adapter) }
            }
        }
    }

    @Test(.trials) func mergingAModelWithItselfOrItsEqualIsNothing() throws {
        for seed in Self.seeds {
            var things = try GeneratedThings(seed: seed)
            let model = try things.model()
            let before = picture(of: model)
            #expect(try model.merge(from: model.deepCopy()).isEmpty, "\(seed)")
            #expect(try model.merge(from: model).isEmpty, "\(seed)")
            #expect(differingLines(picture(of: model), before) == [], "\(seed)")
        }
    }

    @Test(.trials) func mergingTwiceIsMergingOnce() throws {
        for seed in Self.seeds {
            var things = try GeneratedThings(seed: seed)
            let model = try things.model()
            let document = things.document()
            _ = try merge(document, into: model, things.adapter)
            let once = picture(of: model)
            #expect(try merge(document, into: model, things.adapter).isEmpty, "\(seed)")
            #expect(differingLines(picture(of: model), once) == [], "\(seed)")
        }
    }

    /// Appending and mergers included.
    @Test(.trials) func theChangesAreTheDifference() throws {
        for seed in Self.seeds {
            var things = try GeneratedThings(seed: seed, accumulating: true)
            let model = try things.model()
            let before = model.deepCopy()
            let changes = try things.adapter.merge(things.document(), into: model)
            #expect(differingLines(told(changes), told(before.difference(to: model))) == [], "\(seed)")
            #expect(changes.isEmpty == (before == model), "\(seed)")
        }
    }

    /// Domain: every document says what goes by a stamp, each at another time; collections that are united are sets; no
    /// lists, of which none has an order that does not depend on that of the documents; no models.
    @Test(.trials) func theOrderOfDocumentsDoesNotMatterUnderNewestMaxMinAndUnionOfSets() throws {
        let registry = SchemaRegistry()
        let schema = ModelSchema(
            "Stamped",
            [
                "stamp": .integer, "newest": .string.merge(.newest(by: "stamp")), "most": .integer.merge(.max),
                "least": .double.merge(.min), "tags": .set(of: .string).merge(.union),
            ])
        try registry.register(schema)
        let adapter = try JSONAdapter(schema: schema, registry: registry)
        for seed in Self.seeds {
            var numbers = SeededGenerator(seed: seed)
            let documents = (1...6).map { stamp in
                var object: JSONObject = ["stamp": .number(JSONNumber(stamp))]
                object["newest"] =
                    Bool.random(using: &numbers) ? .null : .string("s\(Int.random(in: 0..<3, using: &numbers))")
                for key in ["most", "least"] where Bool.random(using: &numbers) {
                    object[key] = .number(JSONNumber(Int.random(in: 0..<9, using: &numbers)))
                }
                if Bool.random(using: &numbers) {
                    object["tags"] = .array(["a", "b", "c"].shuffled(using: &numbers).prefix(2).map { .string($0) })
                }
                return JSONValue.object(object)
            }
            let results = try (0..<6).map { _ in
                let model = DynamicModel(schema: schema, registry: registry)
                for document in documents.shuffled(using: &numbers) { try adapter.merge(document, into: model) }
                return model
            }
            #expect(
                results.allSatisfy { $0 == results[0] && $0["newest"] as? String == results[0]["newest"] as? String })
        }
    }

    // MARK: Refusals

    /// Models that are refused where a text says so: by a validator, a rule or a hook.
    private func refusing(_ seed: Int) throws -> GeneratedThings {
        try GeneratedThings(seed: seed, accumulating: true) { schema in
            switch seed % 3 {
            case 0:
                var schema = schema
                schema.properties = schema.properties.map { property in
                    guard property.key == "plain" else { return property }
                    return ModelSchema.Property(
                        "plain",
                        property.schema.validate { (text: inout String?, _) in
                            if text == "b" { throw FixtureError.refused }
                            // What a validator corrects is taken back, too.
                            if text == "a" { text = "A" }
                        })
                }
                return schema
            case 1:
                return schema.validate { model in
                    let text = model["plain", as: String.self]
                    model["plain"] = "changed"
                    if text == "b" { throw FixtureError.refused }
                }
            default:
                return schema.didDecode { model in
                    let text = model["plain", as: String.self]
                    model["plain"] = "changed"
                    if text == "b" { throw FixtureError.refused }
                }
            }
        }
    }

    /// Slots, their states, objects, what is tracked and what is pending. Appending and mergers included.
    @Test(.trials) func whatIsRefusedLeavesEverythingAsItWas() throws {
        let trials = Trials(16)
        var refused = 0
        for seed in trials {
            var things = try refusing(seed)
            let registry = things.adapter
            guard let model = try? things.model() else { continue }
            if things.number(below: 3) > 0 {
                model.trackChanges()
                // An edit that puts in what is refused ends there.
                try? things.edit(model)
            }
            let before = snapshot(of: model)
            let document = things.document()
            let isRebase = things.number(below: 2) == 0
            do {
                if isRebase {
                    try registry.rebase(model, onto: document)
                } else {
                    try registry.merge(document, into: model)
                }
            } catch {
                refused += 1
                #expect(error.problems.allSatisfy { $0.pointer != nil }, "\(error)")
                #expect(differingLines(snapshot(of: model), before) == [], "\(seed)")
            }
        }
        #expect(refused > trials.count / 15)
    }
}
