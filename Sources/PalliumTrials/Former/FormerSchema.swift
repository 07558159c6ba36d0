import PalliumCore
import PalliumJSON

/// A schema as it was in an earlier version, as far as its upgrade steps tell.
///
///     present  {email, born}   ◀── step from 1: rename mail to email, transform born ──   version 1  {mail, born}
///
/// A property that steps give a new key has its former one. A property that steps transform is read from what their
/// transformers read. A key that a step adds with a default, or whose former value it removes, did not exist.
struct FormerSchema {
    /// How many versions are looked back at most.
    private static let maximumVersions = 100

    let version: Int
    /// The name that the schema had.
    let name: String
    /// Descriptions of its documents; the first one that can be registered counts.
    let candidates: [ModelSchema]
    /// A description of its models, with values that no step has transformed; nil if the steps do not tell their kinds.
    let stored: ModelSchema?

    /// Returns the former schemas of a layout, the latest first.
    ///
    /// They end at a step with code, and at one that changes an inherited property: what was before is not known. Where
    /// a cluster chooses among schemas, the version belongs to another schema, so there are none.
    static func all(of layout: ModelLayout) -> [FormerSchema] {
        if layout.lineage.contains(where: { $0.schema.cluster != nil }) { return [] }
        let inherited = Set((layout.parent?.properties ?? []).map { UTF8Key($0.key) })
        var properties = layout.schema.properties.filter(\.schema.isRead).map { FormerProperty($0) }
        var former: [FormerSchema] = []
        for step in layout.schema.upgrades.sorted(by: { $0.from > $1.from }).prefix(maximumVersions) {
            guard step.conversion == nil, inherited.isDisjoint(with: step.keys.map { UTF8Key($0) }) else { break }
            let keys = FormerKeys(step)
            properties = properties.flatMap { $0.before(keys) }
            former.append(FormerSchema(step.from, properties, layout, inherited))
        }
        return former
    }

    private init(_ version: Int, _ properties: [FormerProperty], _ layout: ModelLayout, _ inherited: Set<UTF8Key>) {
        self.version = version
        let present = layout.schema
        let known = Dictionary(properties.map { (UTF8Key($0.present.key), $0.key) }) { first, _ in first }
        name = present.renaming(after: version)?.oldSchemaName ?? present.name
        func schema(_ name: String, _ describe: (FormerProperty) -> PropertySchema?) -> ModelSchema? {
            var described: [ModelSchema.Property] = []
            for property in properties {
                guard let schema = describe(property) else { return nil }
                described.append(ModelSchema.Property(property.key, schema))
            }
            var schema = ModelSchema.named(name, properties: described)
            schema.version = version
            schema.parent = present.parent
            schema.keys = present.keys
            schema.rules = present.rules.compactMap { rule in
                rule.renamed { key in inherited.contains(UTF8Key(key)) ? key : known[UTF8Key(key)] }
            }
            let identity = present.identity.compactMap { known[UTF8Key($0)] }
            if identity.count == present.identity.count { schema.identity = identity }
            return schema
        }
        candidates = [false, true].compactMap { takesOutput in
            schema(present.name) { $0.schema(in: layout, takesOutput: takesOutput) }
        }
        stored = schema(name) { $0.storedSchema(in: layout) }
    }
}

/// The keys of a step, by the key that is there after it.
private struct FormerKeys {
    /// The keys that become this one.
    var renamed: [UTF8Key: [String]] = [:]
    var transformed: [UTF8Key: [TransformerName]] = [:]
    /// The keys with a default.
    let made: Set<UTF8Key>
    /// The keys whose former values the step takes away.
    let replaced: Set<UTF8Key>

    init(_ step: SchemaUpgrade) {
        for (old, new) in step.renamed.sorted(by: { UTF8Text.precedes($0.key, $1.key) }) {
            renamed[UTF8Key(new), default: []].append(old)
        }
        for (key, names) in step.transformed { transformed[UTF8Key(key)] = names }
        made = Set(step.defaults.keys.map { UTF8Key($0) })
        replaced = Set((step.removed + step.renamed.keys).map { UTF8Key($0) })
    }
}

/// A property of a former schema.
private struct FormerProperty {
    let present: ModelSchema.Property
    var key: String
    /// The transformers of the steps between the former value and the present one.
    var transformers: [TransformerName] = []
    var isRequired: Bool

    init(_ present: ModelSchema.Property) {
        self.present = present
        key = present.key
        isRequired = present.schema.isRequired
    }

    /// Returns the properties that a step makes this one of: none if it is new, several if one of several is renamed.
    func before(_ step: FormerKeys) -> [FormerProperty] {
        let name = UTF8Key(key)
        let names = step.transformed[name]
        var former = self
        former.transformers = (names ?? []) + transformers
        guard let formerKeys = step.renamed[name] else {
            let isMade = names == nil && step.made.contains(name)
            return isMade || step.replaced.contains(name) ? [] : [former]
        }
        return formerKeys.enumerated().map { position, formerKey in
            former.key = formerKey
            former.isRequired = isRequired && position == 0
            return former
        }
    }

    /// Returns the description of the property; nil if there is no such one.
    ///
    /// - Parameter takesOutput: Whether the property has the kind that the transformers of the steps give, where that
    ///   does not fit its present kind.
    func schema(in layout: ModelLayout, takesOutput: Bool) -> PropertySchema? {
        let schema = present.schema
        var former = PropertySchema(schema.kind).rules(schema.rules)
        if takesOutput, let last = transformers.last {
            // Text can stand for values of many kinds, so its kind would say too little about it.
            guard schema.transformers.isEmpty, let kind = outputKind(of: last, layout), kind != .string else {
                return nil
            }
            former = PropertySchema(kind)
        }
        if isRequired { former = former.required }
        former.isOpaque = schema.isOpaque
        return former.json(mapping(in: layout)).transformers(transformers + schema.transformers)
    }

    /// Returns the description of the property whose values the transformers of the steps read; nil if it is not known.
    func storedSchema(in layout: ModelLayout) -> PropertySchema? {
        guard let first = transformers.first else { return schema(in: layout, takesOutput: false) }
        guard present.schema.transformers.isEmpty,
            let kind = (try? layout.transformers.transformer(named: first))?.inputType._naturalKind
        else { return nil }
        let former = PropertySchema(kind).json(mapping(in: layout))
        return isRequired ? former.required : former
    }

    private func outputKind(of name: TransformerName, _ layout: ModelLayout) -> PropertyKind? {
        (try? layout.transformers.transformer(named: name))?.outputType._naturalKind
    }

    /// The path of the key, as upgrades of documents find it.
    private func mapping(in layout: ModelLayout) -> PropertySchema.JSONMapping {
        if let index = layout.index(of: key) { return layout.properties[index].schema.json }
        return .path(JSONKeyPath.escape(layout.schema.keys.memberName(for: key) ?? key))
    }
}

extension PropertySchema {
    /// Whether documents hold the property.
    fileprivate var isRead: Bool { storage != .notStored && !isWeak && access != .writeOnly && json != .none }
}

extension ModelSchema.Rule {
    /// Returns the rule with other keys; nil if one of its properties did not exist.
    fileprivate func renamed(_ key: (String) -> String?) -> ModelSchema.Rule? {
        let keys = keys.compactMap(key)
        guard keys.count == self.keys.count else { return nil }
        switch self {
        case .required(let required, let conditions):
            let names = conditions.keys.sorted(by: UTF8Text.precedes)
            let renamed = zip(keys.dropFirst(required.count), names).map { ($0, conditions[$1] ?? .null) }
            return .required(
                Array(keys.prefix(required.count)), when: Dictionary(renamed) { first, _ in first })
        case .exactlyOneOf: return .exactlyOneOf(keys)
        case .before: return .before(keys[0], keys[1])
        case .notAfter: return .notAfter(keys[0], keys[1])
        @unknown default: return nil
        }
    }
}
