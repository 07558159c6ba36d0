import Pallium
import TestSupport

/// A property in the three versions of a program. It keeps its name when its key changes, so that the reference needs no steps.
struct VersionedField {
    enum Kind { case integer, text, place, reference(String), references(String) }

    let name: String
    let kind: Kind
    /// The keys in the programs; nil where there is no such property.
    var keys: [String?]
    /// What a schema says of a value that nobody set.
    var fallback: PlainValue?
    /// What a step gives the rows before.
    var initial: PlainValue?
    var isRequired = false
    var isUnique = false
    var isMergedInPlace = false
    /// The programs whose steps multiply the value by ten.
    var scaled: Set<Int> = []

    init(_ name: String, _ kind: Kind, key: String? = nil, from program: Int = 0) {
        (self.name, self.kind) = (name, kind)
        keys = (0..<3).map { $0 < program ? nil : key ?? name }
    }

    var isScalar: Bool {
        switch kind {
        case .integer, .text: true
        case .place, .reference, .references: false
        }
    }

    /// The property of a program; nil if it has none.
    func property(_ program: Int, isIndexed: Bool) -> ModelSchema.Property? {
        guard let key = keys[program] else { return nil }
        var property: PropertySchema =
            switch kind {
            case .integer: .integer
            case .text: .string
            case .place: .model("Place")
            case .reference(let schema): .model(schema)
            case .references(let schema): .array(of: .model(schema))
            }
        if let fallback = fallback?.document { property = property.default(json: fallback) }
        if isMergedInPlace { property = property.merge(.recurse) }
        if isRequired { property = property.required }
        if isUnique { property = property.indexed(.unique) } else if isIndexed { property = property.indexed() }
        return ModelSchema.Property(key, property)
    }
}

/// A schema in the three versions of a program, and the steps between them.
struct VersionedSchema {
    let name: String
    let parent: String?
    var fields: [VersionedField]
    /// The version of the schema in each program.
    private(set) var versions = [1, 1, 1]
    /// The key of the identity in each program.
    private(set) var identities = ["id", "id", "id"]
    private var upgrades: [SchemaUpgrade] = []

    init(_ name: String, extends parent: String? = nil, _ fields: [VersionedField]) {
        (self.name, self.parent, self.fields) = (name, parent, fields)
    }

    /// The schema of a program, with indexes for a share of the properties that may have some.
    func schema(_ program: Int, _ numbers: inout SeededGenerator) -> ModelSchema {
        var properties: [ModelSchema.Property] = []
        let hasIdentity = parent == nil && name != "Place"
        if hasIdentity { properties.append(ModelSchema.Property(identities[program], .integer.required)) }
        for field in fields {
            let canBeIndexed = if case .place = field.kind { false } else { name != "Place" }
            let isIndexed = canBeIndexed && numbers.once(in: 3)
            properties += [field.property(program, isIndexed: isIndexed)].compactMap(\.self)
        }
        var schema = ModelSchema.named(name, properties: properties)
        if hasIdentity { schema.identity = [identities[program]] }
        schema.parent = parent.map { .named($0) }
        if name == "Item" { schema.cluster = .discriminator("kind", ["task": "Task"], default: "Item") }
        schema.version = versions[program]
        schema.upgrades = Array(upgrades.prefix(versions[program] - 1))
        return schema
    }

    // MARK: Steps

    /// Changes the schema between a program and the one before by a few parts of a step.
    mutating func change(before program: Int, _ numbers: inout SeededGenerator) {
        var step = Step()
        for _ in 0...numbers.below(3) {
            let free = fields.indices.filter {
                fields[$0].keys[program] != nil && !fields[$0].isUnique && !step.touched.contains(fields[$0].name)
            }
            guard free.count > 1 else { break }
            let index = numbers.pick(free)
            switch numbers.below(8) {
            case 0..<2: rename(index, to: "\(fields[index].name)\(program)", program, &step, &numbers)
            case 2: swap(index, numbers.pick(free), program, &step)
            case 3..<5: add("\(name.lowercased())\(program)\(fields.count)", nil, program, &step, &numbers)
            case 5 where !fields[index].isRequired: remove(index, program, &step, &numbers)
            case 6 where fields[index].isScalar && fields[index].fallback == nil:
                if case .integer = fields[index].kind { fields[index].scaled.insert(program) }
            case 7 where parent == nil && name != "Place" && identities[program] == identities[program - 1]:
                step.renamed[identities[program]] = "id\(program)"
                for other in program..<3 { identities[other] = "id\(program)" }
            default: break
            }
        }
        for other in program..<3 { versions[other] += 1 }
        let scaled = fields.filter { $0.scaled.contains(program) }.compactMap { $0.keys[program] }
        let convert: @Sendable (inout FormerModel) -> Void = { model in
            for key in scaled { model[key] = model[key]?.integer.map { .integer($0 * 10) } ?? model[key] }
        }
        upgrades.append(
            SchemaUpgrade(
                from: versions[program] - 1, renamed: step.renamed, removed: step.removed, defaults: step.defaults,
                convert: scaled.isEmpty ? nil : convert))
    }

    private struct Step {
        var touched: Set<String> = []
        var renamed: [String: String] = [:]
        var removed: [String] = []
        var defaults: [String: JSONValue] = [:]
    }

    private mutating func set(_ key: String?, _ index: Int, _ program: Int, _ step: inout Step) {
        for other in program..<3 { fields[index].keys[other] = key }
        step.touched.insert(fields[index].name)
    }

    private mutating func rename(
        _ index: Int, to key: String, _ program: Int, _ step: inout Step, _ numbers: inout SeededGenerator
    ) {
        guard let old = fields[index].keys[program] else { return }
        step.renamed[old] = key
        set(key, index, program, &step)
        // Another property may take the key.
        if numbers.once(in: 2) { add("\(fields[index].name)B\(program)", old, program, &step, &numbers) }
    }

    private mutating func swap(_ left: Int, _ right: Int, _ program: Int, _ step: inout Step) {
        guard left != right, let first = fields[left].keys[program], let second = fields[right].keys[program] else {
            return
        }
        step.renamed[first] = second
        step.renamed[second] = first
        set(second, left, program, &step)
        set(first, right, program, &step)
    }

    private mutating func add(
        _ field: String, _ key: String?, _ program: Int, _ step: inout Step, _ numbers: inout SeededGenerator
    ) {
        var field = VersionedField(field, numbers.pick([.integer, .text]), key: key, from: program)
        let value: PlainValue = if case .integer = field.kind { .integer(2) } else { .text("b") }
        switch numbers.below(3) {
        case 0: field.fallback = value
        case 1:
            field.initial = value
            // A row that refers to a user then cannot do with a stub any more.
            field.isRequired = name == "User" && numbers.once(in: 2)
            step.defaults[field.keys[program] ?? ""] = value.document
        default: break
        }
        fields.append(field)
        step.touched.insert(field.name)
    }

    private mutating func remove(
        _ index: Int, _ program: Int, _ step: inout Step, _ numbers: inout SeededGenerator
    ) {
        // A key that is no longer in the schema is skipped, whether a step removes it or not, but no step may make it.
        let isMade = fields[index].initial != nil || Set(fields[index].keys[..<program].compactMap(\.self)).count > 1
        if let key = fields[index].keys[program], isMade || numbers.once(in: 2) { step.removed.append(key) }
        set(nil, index, program, &step)
    }
}

extension PlainValue {
    /// The value in a schema or a step.
    fileprivate var document: JSONValue? {
        switch self {
        case .integer(let value): .number(JSONNumber(Int64(value)))
        case .text(let value): .string(value)
        default: nil
        }
    }
}
