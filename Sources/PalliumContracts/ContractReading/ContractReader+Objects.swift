import PalliumCore
import PalliumDocuments
import PalliumGeneration
import PalliumJSON

/// Reads the schemas of objects.
extension ContractReader {
    /// Lets an object wait, and returns a reference to its model.
    mutating func readObject(_ facets: ContractFacets, _ schemas: [LocatedJSON], _ name: ModelName) -> Value {
        let name = takeName(name)
        if facets.discriminator != nil, facets.unions.isEmpty { families.append((name, facets)) }
        later(Pending(name: name, facets: facets, schemas: schemas))
        return Value(property: .model(name))
    }

    /// Reads an object or a union of objects as a model.
    mutating func readModel(_ pending: Pending) {
        let facets = pending.facets
        var model = Model(schema: .named(pending.name, properties: []), offset: facets.offset)
        if let text = annotation("description", of: pending.schemas) { model.schema.documentation = text }
        if let name = contractNames[UTF8Key(pending.name)], !UTF8Text.equal(name, pending.name) {
            if !model.schema.documentation.isEmpty { model.schema.documentation += "\n\n" }
            let text = ModelError.shorten(name, to: SchemaReader.maximumNameLength)
            model.schema.documentation += "Called \"\(text)\" in the contract."
        }
        if pending.cluster == nil { read(facets, &model, extends: pending.parent != nil) }
        model.schema.cluster = pending.cluster
        if let parent = pending.parent { parents[UTF8Key(pending.name)] = parent }
        positions[UTF8Key(pending.name)] = models.count
        models.append(model)
    }

    /// Returns the text of an annotation of a schema itself.
    private func annotation(_ name: String, of schemas: [LocatedJSON]) -> String? {
        schemas.lazy.compactMap { $0[name]?.text }.first
    }

    private mutating func read(_ facets: ContractFacets, _ model: inout Model, extends: Bool) {
        if facets.valueTypes != .object {
            lose(facets.offset, "type", "is absent, which allows values of all types; only objects are accepted")
        }
        var members = facets.properties
        var required: Set<UTF8Key> = []
        for (name, offset) in facets.required where required.insert(UTF8Key(name)).inserted {
            // A member that nothing describes holds any value.
            if facets.positions[UTF8Key(name)] == nil { members.append(.init(name: name, offset: offset, schemas: [])) }
        }
        if members.count > SchemaLimits.properties {
            lose(
                facets.offset, "properties",
                "there are more than \(SchemaLimits.properties.counted("property", "properties")); the others are not read"
            )
            members.removeLast(members.count - SchemaLimits.properties)
        }
        var properties: [ModelSchema.Property] = []
        for member in members {
            problems.property = ModelError.shorten(member.name, to: 64)
            let name = member.name.unicodeScalars.prefix(SchemaReader.maximumNameLength + 1)
            guard !name.isEmpty, name.count <= SchemaReader.maximumNameLength else {
                lose(member.offset, "properties", "the name cannot be that of a property; the member is not read")
                continue
            }
            let property = self.property(member, in: model.schema.name, required.contains(UTF8Key(member.name)))
            model.propertyOffsets[UTF8Key(member.name)] = member.offset
            model.values[UTF8Key(member.name)] = property
            properties.append(ModelSchema.Property(member.name, property.property))
        }
        problems.property = nil
        model.schema.properties = properties
        readRules(facets, &model)
        readOthers(facets, &model, extends: extends)
    }

    private mutating func property(_ member: ContractFacets.Property, in model: String, _ isRequired: Bool) -> Value {
        let value =
            member.schemas.isEmpty
            ? Value(property: .jsonValue, acceptsNull: true)
            : readValue(member.schemas, named: Self.name(of: member.name, in: model), depth: 0)
        if member.schemas.contains(where: \.asserts) {
            let isTyped = value.property.kind != .json
            properties[member.offset] = isTyped || properties[member.offset] ?? false
        }
        var property = Self.presence(of: value, isRequired: isRequired)
        if let text = annotation("description", of: member.schemas) ?? annotation("title", of: member.schemas) {
            property = property.doc(text)
        }
        // A member that is always there needs no default.
        if let standard = member.schemas.lazy.compactMap({ $0["default"] }).first, !property.isRequired,
            standard.value != .null
        {
            property = property.default(json: standard.value)
            if value.acceptsNull { property = property.nullable }
        }
        let isReadOnly = member.schemas.contains { $0["readOnly"]?.isTrue ?? false }
        let isWriteOnly = member.schemas.contains { $0["writeOnly"]?.isTrue ?? false }
        if isReadOnly != isWriteOnly { property = property.only(isReadOnly ? .output : .input) }
        return Value(property: property, acceptsNull: value.acceptsNull)
    }

    /// The name of the model of an object inside of another: `IssueUser`.
    static func name(of property: String, in model: String) -> String {
        let words = SwiftName.upperCamelCase(property)
        return model + (words.isEmpty ? property : words)
    }

    /// Returns a property that is present and null as the contract says.
    private static func presence(of value: Value, isRequired: Bool) -> PropertySchema {
        switch (isRequired, value.acceptsNull) {
        case (true, true): value.property.required.nullable
        case (true, false): value.property.required
        case (false, true): value.property
        case (false, false): value.property.notNull
        }
    }

    /// Reads what holds for the members that are not described.
    private mutating func readOthers(_ facets: ContractFacets, _ model: inout Model, extends: Bool) {
        loseOthers(facets, .object, rules: false)
        for keyword in ["minProperties", "maxProperties"] {
            if let limit = facets.limits[keyword] { lose(limit.offset, keyword, "cannot be checked beside properties") }
        }
        if let pattern = facets.patterns.first {
            lose(pattern.nameOffset, "patternProperties", "members of these names cannot be checked")
        }
        for rule in facets.othersRules {
            if rule.schema.describesMembers {
                lose(rule.offset, rule.keyword, "the values of other members cannot be checked")
                continue
            }
            let isUnevaluated = rule.keyword == "unevaluatedProperties"
            let isWhole = facets.properties.allSatisfy { rule.names.contains(UTF8Key($0.name)) }
            if facets.patterns.isEmpty, !extends,
                isUnevaluated ? facets.unions.isEmpty && facets.conditions.isEmpty : isWhole
            {
                model.schema.refusesUnknownMembers = true
                closedOffsets[UTF8Key(model.schema.name)] = rule.offset
            } else {
                lose(rule.offset, rule.keyword, "other members are accepted")
            }
        }
    }
}
