import Pallium
import TestSupport
import Testing

@testable import PalliumStore

/// An import into a store is an import into an identity map that has all rows: both then have the same models.
struct StoreAndMapTests {
    /// A reference to a user must be complete, one to a team may be a stub.
    private static func schemas(_ bits: inout SeededGenerator) -> [ModelSchema] {
        func policy(_ policies: [MergePolicy?]) -> MergePolicy? {
            policies[Int.random(in: 0..<policies.count, using: &bits)]
        }
        func property(_ property: PropertySchema, _ policies: [MergePolicy?]) -> PropertySchema {
            policy(policies).map { property.merge($0) } ?? property
        }
        let scalars: [MergePolicy?] = [nil, nil, .replace, .keep, .skipNull]
        let models: [MergePolicy?] = [nil, .recurse, .skipNull, .replace]
        return [
            ModelSchema(
                "User",
                [
                    "id": .integer.required, "login": property(.string.required, [nil, .replace]),
                    "score": property(.integer.default(3), scalars + [.max]), "note": property(.string, scalars),
                    "flag": property(.bool.nullable, scalars),
                ], identity: ["id"]),
            ModelSchema(
                "Team", ["name": .string.required, "lead": property(.model("User"), models), "size": .integer],
                identity: ["name"]),
            ModelSchema("Part", ["owner": property(.model("User"), models), "size": property(.integer, scalars)]),
            ModelSchema(
                "Item",
                [
                    "number": .integer.required, "title": property(.string, scalars),
                    "level": property(.integer.default(1), scalars), "assignee": property(.model("User"), models),
                    "watchers": property(.array(of: .model("User")), [nil, .union, .append]),
                    "byRole": property(.dictionary(of: .model("User")), [nil, .union]),
                    "part": property(.model("Part"), models), "team": property(.model("Team"), models),
                    "next": property(.model("Item"), models),
                ], identity: ["number"],
                cluster: .discriminator("kind", ["bug": "Bug", 5: "Task"], default: "Item")),
            ModelSchema("Bug", ["severity": .integer], extends: "Item"),
            ModelSchema("Task", ["due": .date, "parent": property(.model("Item"), models)], extends: "Item"),
        ]
    }

    /// Documents about a few identities, so that they meet again. No value equals a default: a reference with nothing else is a
    /// stub for a store.
    private struct Documents {
        var bits: SeededGenerator

        mutating func once(in count: Int) -> Bool { Int.random(in: 0..<count, using: &bits) == 0 }
        mutating func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &bits)] }

        /// Adds a member to some objects, null in a few.
        private mutating func add(_ name: String, to object: inout JSONObject, _ value: (inout Documents) -> JSONValue)
        {
            if !once(in: 3) { return }
            object[name] = once(in: 6) ? .null : value(&self)
        }

        mutating func user() -> JSONValue {
            var object: JSONObject = ["id": .number(JSONNumber(Int64(pick([1, 2, 3]))))]
            if once(in: 8) { return .object(object) }
            object["login"] = pick(["ada", "grace", "linus"])
            add("score", to: &object) { $0.pick([1, 4, 5]) }
            add("note", to: &object) { $0.pick(["a", "b"]) }
            add("flag", to: &object) { $0.pick([true, false]) }
            return .object(object)
        }

        mutating func team() -> JSONValue {
            var object: JSONObject = ["name": pick(["red", "blue"])]
            add("lead", to: &object) { $0.user() }
            add("size", to: &object) { $0.pick([1, 2]) }
            return .object(object)
        }

        mutating func part() -> JSONValue {
            var object = JSONObject()
            add("owner", to: &object) { $0.user() }
            add("size", to: &object) { $0.pick([1, 2]) }
            return .object(object)
        }

        mutating func item(depth: Int) -> JSONValue {
            let number = pick([1, 2, 3])
            var object: JSONObject = ["number": .number(JSONNumber(Int64(number)))]
            // Each number has a class; some documents do not say it.
            if number > 1, !once(in: 4) { object["kind"] = number == 2 ? "bug" : 5 }
            add("title", to: &object) { $0.pick(["a", "b"]) }
            add("level", to: &object) { $0.pick([2, 4]) }
            add("assignee", to: &object) { $0.user() }
            add("watchers", to: &object) { documents in
                .array((0..<documents.pick([0, 1, 2])).map { _ in documents.user() })
            }
            add("byRole", to: &object) { [$0.pick(["qa", "dev"]): $0.user()] }
            add("part", to: &object) { $0.part() }
            add("team", to: &object) { $0.team() }
            if depth > 0 { add("next", to: &object) { $0.item(depth: depth - 1) } }
            if object["kind"] == "bug" { add("severity", to: &object) { $0.pick([1, 2]) } }
            if object["kind"] == 5 {
                add("due", to: &object) { _ in "2026-01-31T12:00:00Z" }
                if depth > 0 { add("parent", to: &object) { $0.item(depth: depth - 1) } }
            }
            return .object(object)
        }
    }

    /// All models that a graph leads to, by identity.
    private static func collect(_ models: [DynamicModel], into found: inout [ModelIdentity: DynamicModel]) {
        var pending = models
        var visited: Set<ObjectIdentifier> = []
        while let model = pending.popLast() {
            guard visited.insert(ObjectIdentifier(model)).inserted else { continue }
            if let identity = ModelIdentity(model) { found[identity] = model }
            for index in model.holderIndices { model.slot(at: index).forEachModel { pending.append($0) } }
        }
    }

    /// The unequal models in two graphs.
    private static func unequal(_ row: DynamicModel, _ instance: DynamicModel) -> String {
        var (rows, instances): ([ModelIdentity: DynamicModel], [ModelIdentity: DynamicModel]) = ([:], [:])
        collect([row], into: &rows)
        collect([instance], into: &instances)
        return rows.compactMap { identity, row in
            guard let instance = instances[identity] else { return "\(identity) only in the row" }
            return row == instance ? nil : "row \(row)\ninstance \(instance)"
        }.joined(separator: "\n")
    }

    private func difference(seed: Int) throws -> String? {
        var bits = SeededGenerator(seed: UInt64(seed))
        let registry = SchemaRegistry()
        let schemas = Self.schemas(&bits)
        try registry.register(schemas)
        let store = try ModelStore(at: nil, registry: registry)
        let adapter = try JSONAdapter(schema: schemas[3], registry: registry)
        let map = IdentityMap()
        var held: [ModelIdentity: DynamicModel] = [:]
        var documents = Documents(bits: bits)
        var log = ""
        for _ in 0..<8 {
            let count = documents.pick([1, 1, 2, 3])
            let text = try JSONValue.array((0..<count).map { _ in documents.item(depth: 2) }).text()
            log += text + "\n"
            var errors: [String] = []
            do { try store.import(text, using: adapter) } catch { errors.append("store: \(error)") }
            do {
                let imported = try map.import(text, using: adapter)
                // A store keeps what nothing refers to, too.
                Self.collect(imported + imported.new, into: &held)
            } catch { errors.append("map: \(error)") }
            // A stub of a map has a class. What a row refers to has only an identity.
            if errors.count == 1, held.values.contains(where: \.isStub) { return nil }
            if held.values.contains(where: { $0.isStub && $0.layout.parent != nil }) { return nil }
            if errors.count == 1 { return log + errors[0] }
            for schema in [schemas[0], schemas[1], schemas[3]] {
                let rows: [DynamicModel]
                do { rows = try store.fetch(ModelQuery(schema: schema, including: .all)) } catch {
                    return log + "fetch: \(error)"
                }
                for row in rows {
                    guard let identity = ModelIdentity(row), let instance = held[identity] else { continue }
                    if row != instance { return log + Self.unequal(row, instance) }
                }
                let identities = Set(rows.compactMap { ModelIdentity($0) })
                for (identity, instance) in held where instance.layout.rowLayout === rows.first?.layout.rowLayout {
                    if !instance.isStub, !identities.contains(identity) { return log + "no row of \(instance)" }
                }
            }
        }
        return nil
    }

    @Test(.trials) func bothHaveTheSameModels() throws {
        for seed in Trials(5) {
            if let difference = try difference(seed: seed) { Issue.record("\(difference)") }
        }
    }
}
