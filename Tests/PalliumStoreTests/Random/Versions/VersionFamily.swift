import Pallium
import TestSupport

/// Schemas in three versions, which three programs have, and what a row of one version reads as in another one.
struct VersionFamily {
    static let tables = ["Item", "User"]

    private let schemas: [String: VersionedSchema]
    /// The schemas of two processes of each program, which differ in their indexes only.
    let processes: [(program: Int, schemas: [ModelSchema])]
    /// The schemas as the references see them, by program.
    let plain: [PlainSchemas]

    init(seed: Int) {
        var numbers = SeededGenerator(seed: seed)
        var login = VersionedField("login", .text)
        login.isRequired = numbers.once(in: 2)
        var (level, votes, spot) = (
            VersionedField("level", .integer), VersionedField("votes", .integer), VersionedField("spot", .integer)
        )
        (level.fallback, votes.fallback, spot.fallback) = (.integer(3), .integer(3), .integer(3))
        var slug = VersionedField("slug", .text)
        slug.isUnique = numbers.once(in: 2)
        var place = VersionedField("place", .place)
        place.isMergedInPlace = numbers.once(in: 2)
        var all = [
            VersionedSchema("User", [login, VersionedField("note", .text), level]),
            VersionedSchema("Place", [VersionedField("name", .text), VersionedField("size", .integer), spot]),
            VersionedSchema(
                "Item",
                [
                    VersionedField("title", .text), VersionedField("rank", .integer), votes, slug, place,
                    VersionedField("owner", .reference("User")), VersionedField("next", .reference("Item")),
                    VersionedField("fans", .references("User")),
                ]),
            VersionedSchema(
                "Task", extends: "Item", [VersionedField("extra", .text), VersionedField("due", .integer)]),
        ]
        for program in 1..<3 {
            for index in all.indices where numbers.below(4) > 0 { all[index].change(before: program, &numbers) }
        }
        schemas = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
        processes = (0..<6).map { index in (index / 2, all.map { $0.schema(index / 2, &numbers) }) }
        plain = (0..<3).map { [processes] program in PlainSchemas(processes[2 * program].schemas) }
    }

    /// Whether two items cannot have one slug.
    var isUnique: Bool { fields("Item").contains { $0.isUnique } }

    /// The fields of a schema and those that it extends.
    func fields(_ name: String) -> [VersionedField] {
        guard let schema = schemas[name] else { return [] }
        return (schema.parent.map(fields) ?? []) + schema.fields
    }

    /// The key of the identity of a schema.
    func identityKey(of name: String, _ program: Int) -> String {
        guard let schema = schemas[name] else { return "id" }
        return schema.parent.map { identityKey(of: $0, program) } ?? schema.identities[program]
    }

    /// A field by its key.
    func field(_ key: String, of name: String, _ program: Int) -> VersionedField? {
        fields(name).first { $0.keys[program] == key }
    }

    /// The versions of all schemas whose models may stand in a table.
    func versions(_ table: String, _ program: Int) -> [String: Int] {
        let isHolder = fields(table).contains { field in
            if case .place = field.kind { field.keys[program] != nil } else { false }
        }
        let names = (table == "User" ? ["User"] : ["Item", "Task"]) + (isHolder ? ["Place"] : [])
        return Dictionary(uniqueKeysWithValues: names.map { ($0, schemas[$0]?.versions[program] ?? 1) })
    }

    /// The versions that a row of a table has in the file: those of references, too.
    func storedVersions(_ table: String, _ program: Int) -> [String: Int] {
        let referred = fields(table).contains { field in
            guard field.keys[program] != nil else { return false }
            switch field.kind {
            case .reference("User"), .references("User"): return true
            default: return false
            }
        }
        let users = referred ? ["User": schemas["User"]?.versions[program] ?? 1] : [:]
        return versions(table, program).merging(users) { first, _ in first }
    }

    /// Whether rows of a program are of a later version than those of another one.
    func isLater(_ program: Int, than other: Int, _ table: String) -> Bool {
        let others = versions(table, other)
        return versions(table, program).contains { version in others[version.key].map { version.value > $0 } ?? false }
    }

    /// Whether a reference to a model of a schema cannot be a stub.
    func isComplete(_ name: String, _ program: Int) -> Bool {
        fields(name).contains { $0.isRequired && $0.keys[program] != nil }
    }

    /// A model by keys, as its fields.
    func byField(_ model: PlainModel, _ program: Int) -> PlainModel {
        var result = PlainModel(schema: model.schema)
        result.values["id"] = model.values[identityKey(of: model.schema, program)]
        for field in fields(model.schema) {
            guard let key = field.keys[program], let value = model.values[key] else { continue }
            result.values[field.name] = .some(
                value.map { if case .model(let inner) = $0 { .model(byField(inner, program)) } else { $0 } })
        }
        return result
    }

    /// What a model that a program wrote by its fields reads as in a later one, by keys.
    func read(_ model: PlainModel, from writer: Int, as program: Int) -> PlainModel {
        var result = PlainModel(schema: model.schema)
        result.values[identityKey(of: model.schema, program)] = model.values["id"]
        for field in fields(model.schema) {
            guard let key = field.keys[program] else { continue }
            var state = model.values[field.name]
            let first = field.keys.firstIndex { $0 != nil } ?? 0
            if writer < first, let initial = field.initial { state = .some(initial) }
            for step in field.scaled where step > max(writer, first) && step <= program {
                if case .integer(let value)?? = state { state = .integer(value * 10) }
            }
            if case .model(let inner)?? = state { state = .model(read(inner, from: writer, as: program)) }
            if let state { result.values[key] = .some(state) }
        }
        return result
    }
}

extension VersionFamily: CustomStringConvertible {
    /// The schemas of the processes: two of each program.
    var description: String {
        processes.enumerated().map { index, process in
            let schemas = process.schemas.map { schema in
                let properties = schema.properties.map { property in
                    "\(property.key)\(property.schema.index.map { $0 == .unique ? "!" : "*" } ?? "")"
                }
                return "\(schema.name) \(schema.version) (\(properties.joined(separator: ", ")))"
            }
            return "store \(index): \(schemas.joined(separator: ", "))"
        }.joined(separator: "\n")
            + "\n" + steps.joined(separator: "\n")
    }

    /// What the steps change.
    private var steps: [String] {
        schemas.values.sorted { $0.name < $1.name }.flatMap { schema in
            schema.fields.map { field in
                "\(schema.name).\(field.name): \(field.keys.map { $0 ?? "none" })"
                    + (field.fallback.map { ", default \($0.picture)" } ?? "")
                    + (field.initial.map { ", \($0.picture) by a step" } ?? "")
                    + (field.scaled.isEmpty ? "" : ", multiplied before \(field.scaled.sorted())")
                    + (field.isRequired ? ", required" : "") + (field.isMergedInPlace ? ", recurse" : "")
            }
        }
    }
}
