import ModelTestSupport
import Pallium
import Testing

/// What holds for rebases of whatever models that were edited.
///
/// Domain of all: as of ``MergeLawTests``, appending and mergers included, and any edits.
struct RebaseLawTests {
    private static let seeds = Trials(1)

    /// A tracked model as it was decoded, and what it was.
    private func tracked(_ things: inout GeneratedThings) throws -> (model: DynamicModel, base: DynamicModel) {
        let model = try things.model()
        model.trackChanges()
        return (model, model.deepCopy())
    }

    @Test(.trials) func rebasingOntoTheBaseIsNothing() throws {
        for seed in Self.seeds {
            var things = try GeneratedThings(seed: seed, accumulating: true)
            let (model, base) = try tracked(&things)
            try things.edit(model)
            let before = picture(of: model)
            let pending = told(model.pendingChanges)
            let changes = try model.rebase(onto: base)
            #expect(changes.isEmpty && changes.kept.isEmpty, "\(seed): \(changes)")
            #expect(differingLines(picture(of: model), before) == [], "\(seed)")
            #expect(told(model.pendingChanges) == pending, "\(seed)")
        }
    }

    /// Policies decide about conflicts only: a model without edits becomes what a merge without policies makes of it. Models
    /// are merged in place as ever, and a null that a policy ignores is ignored.
    @Test(.trials) func rebasingWithoutEditsIsMergingWithoutPolicies() throws {
        for seed in Self.seeds {
            var things = try GeneratedThings(seed: seed)
            let plain = try GeneratedThings(seed: seed, Self.withoutPolicies)
            let (model, base) = try tracked(&things)
            let copy = try plain.adapter.model(from: things.adapter.data(from: base))
            let document = things.document()
            let changes = try things.adapter.rebase(model, onto: document)
            try plain.adapter.merge(document, into: copy)
            let (text, expected) = try (
                canonicalText(things.adapter.jsonValue(from: model)), canonicalText(plain.adapter.jsonValue(from: copy))
            )
            #expect(text == expected, "\(seed): \(document)")
            #expect(changes.conflicts.isEmpty, "\(seed)")
            #expect(!model.hasChanges, "\(seed): \(model.pendingChanges)")
        }
    }

    private static func withoutPolicies(_ schema: ModelSchema) -> ModelSchema {
        var schema = schema
        for index in schema.properties.indices {
            let property = schema.properties[index]
            let plain: PropertySchema
            // What `newest` goes by merges by `max`.
            switch property.key == "stamp" ? "max" : property.schema.merge?.name {
            case "max", "min", "skipNull": plain = property.schema.merge(.skipNull)
            case "union":
                if case .dictionary = property.schema.kind { continue }
                plain = property.schema.merge(.skipNull)
            case "keep", "newest": plain = property.schema.merge(.replace)
            default: continue
            }
            schema.properties[index] = ModelSchema.Property(property.key, plain)
        }
        return schema
    }

    @Test(.trials) func theChangesAreTheDifference() throws {
        for seed in Self.seeds {
            var things = try GeneratedThings(seed: seed, accumulating: true)
            let (model, _) = try tracked(&things)
            try things.edit(model)
            let before = model.deepCopy()
            let changes = try things.adapter.rebase(model, onto: things.document())
            #expect(differingLines(told(changes), told(before.difference(to: model))) == [], "\(seed)")
        }
    }

    /// Domain: the incoming documents say everything and no null, so that what came is the new base as a whole, but for
    /// lists and dictionaries that keep what a document does not mention.
    @Test(.trials) func afterwardsWhatIsPendingIsTheDifferenceFromWhatCame() throws {
        for seed in Self.seeds {
            var things = try GeneratedThings(seed: seed, accumulating: true)
            things.isComplete = true
            things.hasNull = false
            let (model, _) = try tracked(&things)
            try things.edit(model)
            let other = try things.model()
            let new = other.deepCopy()
            try model.rebase(onto: other)
            // What is not mentioned stays in the base.
            func told(_ changes: ModelChanges) -> [String] {
                PalliumMergingTests.told(
                    changes.filter { Set($0.pointer.tokens).isDisjoint(with: ["items", "peers", "table"]) })
            }
            #expect(differingLines(told(model.pendingChanges), told(new.difference(to: model))) == [], "\(seed)")
        }
    }

    /// What the program changed where the policy does not decide between values: no policy, keep, skipNull, and models
    /// that are merged in place. Domain: elements of lists are told apart by their identity; a model that one side
    /// replaced by another one is one value.
    @Test(.trials) func noEditIsLost() throws {
        for seed in Self.seeds {
            var things = try GeneratedThings(seed: seed)
            let (model, base) = try tracked(&things)
            try things.edit(model)
            let (old, edited) = (facts(of: base), facts(of: model))
            try things.adapter.rebase(model, onto: things.document())
            let after = facts(of: model)
            for (path, value) in edited where old[path] != value { #expect(after[path] == value, "\(seed) \(path)") }
            for path in old.keys where edited[path] == nil { #expect(after[path] == nil, "\(seed) \(path)") }
        }
    }

    /// What a model says in properties whose edits survive, by paths in which elements have their identity.
    private func facts(of model: DynamicModel) -> [String: String] {
        var facts: [String: String] = [:]
        collect(model, "", into: &facts)
        return facts
    }

    private func collect(_ model: DynamicModel, _ path: String, into facts: inout [String: String]) {
        let values = model.values.compactMapValues { $0 }
        func id(_ model: DynamicModel) -> String { model.values["id"].map { "\($0 ?? 0)" } ?? "a value" }
        for (key, value) in values["named"] as? [String: DynamicModel] ?? [:] {
            facts["\(path)/named/\(key)"] = text(of: value)
        }
        for key in ["plain", "size", "extra", "own", "skipped", "list", "other", "value", "things"] {
            guard let value = values[key] else { continue }
            facts["\(path)/\(key)"] = text(of: value)
        }
        for key in ["inner", "child"] {
            guard let value = values[key] as? DynamicModel else { continue }
            facts["\(path)/\(key)"] = id(value)
            collect(value, "\(path)/\(key)", into: &facts)
        }
        for key in ["items", "strict", "peers"] {
            guard let value = values[key] as? [DynamicModel] else { continue }
            facts["\(path)/\(key)"] = "is a list"
            for element in value {
                let place = "\(path)/\(key)/\(id(element))"
                facts[place] = "is there"
                collect(element, place, into: &facts)
            }
        }
    }
}
