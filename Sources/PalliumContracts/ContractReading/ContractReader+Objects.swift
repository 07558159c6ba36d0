import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Reads the schemas of objects.
extension ContractReader {
    /// The parts of an object, which may stand in `allOf`.
    private struct Parts {
        var properties: [LocatedJSON.Member] = []
        var required: [(name: String, offset: Int)] = []
        var rules: [LocatedJSON] = []
        var parent: LocatedJSON?
        var hasType = false
        var acceptsNull = false
        /// Whether a part stands in `allOf`.
        var isDivided = false
        var closed: Int?
    }

    /// The keywords that only the root has.
    static let rootKeywords = ["$schema", "$id", "$defs", "components"]

    /// Reads an object or a choice among objects as a model.
    mutating func readModel(named name: String, _ schema: LocatedJSON, isRoot: Bool = false) {
        let problemsBefore = problems.count
        defer { propertyKey = nil }
        guard let keywords = keywords(of: schema), checkName(name, at: schema.offset) else { return }
        var model = Model(schema: ModelSchema.named(name, properties: []), offset: schema.offset)
        if let text = annotation("description", in: keywords) { model.schema.documentation = text }
        if keywords["discriminator"] != nil {
            readUnion(keywords, isRoot ? Self.rootKeywords : [], &model)
        } else {
            var parts = Parts()
            collect(keywords, isRoot ? Self.rootKeywords : [], &parts)
            if !parts.hasType, parts.parent == nil {
                report(
                    schema.offset, "a schema without a type allows values of all other types",
                    fix: "add \"type\": \"object\"")
            }
            if parts.acceptsNull, isRoot || parts.isDivided || parts.parent != nil || !parts.rules.isEmpty {
                reportNull(schema.offset)
            }
            finish(&model, parts)
        }
        // A wrong model would make others look wrong.
        guard problems.count == problemsBefore else { return }
        positions[UTF8Key(name)] = models.count
        models.append(model)
    }

    private mutating func reportNull(_ offset: Int) {
        report(
            offset, "type: neither the root nor the parts of allOf, nor what stands beside them, may be null",
            fix: "allow null where the object is used")
    }

    private mutating func checkName(_ name: String, at offset: Int) -> Bool {
        if name.utf8.isEmpty {
            report(offset, "a name cannot be empty", fix: "choose another")
            return false
        }
        if name.utf8.count > SchemaReader.maximumNameLength,
            name.unicodeScalars.count > SchemaReader.maximumNameLength
        {
            report(
                offset,
                "the name \(ModelError.quote(name)) has more than \(SchemaReader.maximumNameLength.counted("character"))",
                fix: "choose another")
            return false
        }
        return true
    }

    /// Returns the text of an annotation.
    mutating func annotation(_ name: String, in keywords: ContractKeywords) -> String? {
        guard let value = keywords[name] else { return nil }
        if value.text == nil { report(value.offset, "\(name): expected text but found \(value.summary)") }
        return value.text
    }

    /// Collects the parts of an object; recursion is bounded by the depth of documents.
    private mutating func collect(_ keywords: ContractKeywords, _ more: [String], _ parts: inout Parts) {
        let known = ["type", "properties", "required", "additionalProperties", "allOf"]
        refuseOthers(than: known + more, in: keywords, "of objects")
        if let type = keywords["type"], let types = readTypes(type) {
            if types.name != "object" { report(type.offset, "type: only objects have properties") }
            if types.acceptsNull, parts.isDivided { reportNull(type.offset) }
            parts.hasType = true
            parts.acceptsNull = types.acceptsNull
        }
        if let properties = keywords["properties"] {
            if case .object(let members) = properties.content {
                parts.properties += members
            } else {
                report(properties.offset, "properties: expected an object but found \(properties.summary)")
            }
        }
        if let required = keywords["required"] { collectRequired(required, &parts) }
        if let others = keywords["additionalProperties"] { collectOthers(others, &parts) }
        if let all = keywords["allOf"] { collectAll(all, &parts) }
    }

    private mutating func collectRequired(_ required: LocatedJSON, _ parts: inout Parts) {
        guard case .array(let elements) = required.content else {
            return report(required.offset, "required: expected a list of names but found \(required.summary)")
        }
        for element in elements {
            if let name = element.text {
                parts.required.append((name, element.offset))
            } else {
                report(element.offset, "required: expected a name but found \(element.summary)")
            }
        }
    }

    private mutating func collectOthers(_ others: LocatedJSON, _ parts: inout Parts) {
        switch others.content {
        case .bool(true): break
        case .object(let members) where members.allSatisfy { ContractKeywords.isAnnotation($0.name) }: break
        case .bool(false): parts.closed = others.offset
        default:
            report(
                others.offset, "additionalProperties: an object has properties, or other members of one schema",
                fix: "move the other members into an object of their own")
        }
    }

    private mutating func collectAll(_ all: LocatedJSON, _ parts: inout Parts) {
        guard case .array(let elements) = all.content, !elements.isEmpty else {
            return report(all.offset, "allOf: expected a list of schemas but found \(all.summary)")
        }
        for element in elements {
            guard let keywords = keywords(of: element) else { continue }
            if let reference = keywords["$ref"] {
                refuseOthers(than: ["$ref"], in: keywords, "with $ref")
                if parts.parent == nil {
                    parts.parent = reference
                } else {
                    report(reference.offset, "allOf: a model has one parent", fix: "merge the others into it")
                }
            } else if keywords.has(anyOf: ["if", "oneOf"]) {
                parts.rules.append(element)
            } else {
                parts.isDivided = true
                collect(keywords, [], &parts)
            }
        }
    }

    private mutating func finish(_ model: inout Model, _ parts: Parts) {
        var required: Set<UTF8Key> = []
        let names = Set(parts.properties.map { UTF8Key($0.name) })
        for (name, offset) in parts.required {
            if !names.contains(UTF8Key(name)) {
                report(
                    offset, "required: properties does not describe \(ModelError.quote(name))",
                    fix: "describe it beside required")
            } else if !required.insert(UTF8Key(name)).inserted {
                report(offset, "required: \(ModelError.quote(name)) occurs twice", fix: "keep one")
            }
        }
        guard parts.properties.count <= SchemaLimits.properties else {
            return report(
                model.offset, "the schema has \(parts.properties.count.counted("property", "properties"))",
                fix: "\(SchemaLimits.properties) are allowed")
        }
        var properties: [ModelSchema.Property] = []
        for member in parts.properties {
            propertyKey = ModelError.shorten(member.name, to: 64)
            if model.propertyOffsets.updateValue(member.nameOffset, forKey: UTF8Key(member.name)) != nil {
                report(member.nameOffset, "properties: \(ModelError.quote(member.name)) occurs twice", fix: "keep one")
            } else if checkName(member.name, at: member.nameOffset),
                let value = readValue(
                    member.value, named: Self.name(of: member.name, in: model.schema.name), depth: 0)
            {
                let property = property(member, value, isRequired: required.contains(UTF8Key(member.name)))
                model.values[UTF8Key(member.name)] = Value(property: property, acceptsNull: value.acceptsNull)
                properties.append(ModelSchema.Property(member.name, property))
            }
        }
        propertyKey = nil
        model.schema.properties = properties
        for rule in parts.rules { readRule(rule, &model) }
        setParent(of: &model, parts)
    }

    /// The name of the model of an object inside of another: `IssueUser`.
    private static func name(of property: String, in model: String) -> String {
        model + property.prefix(1).inUppercase + property.dropFirst()
    }

    private mutating func property(_ member: LocatedJSON.Member, _ value: Value, isRequired: Bool) -> PropertySchema {
        var property = value.property
        if isRequired != value.acceptsNull {
            if isRequired { property = property.required }
        } else if takesNullAsAbsent {
            // Required and nullable, or neither: the property becomes one that may be absent and null.
        } else if isRequired {
            report(
                member.nameOffset, "must be present and may be null, and schemas take null and an absent member alike",
                fix: "take the null out of its type, or its name out of required, or read null as absent")
        } else {
            report(
                member.nameOffset, "may be absent but not null, and schemas take null and an absent member alike",
                fix: "add \"null\" to its type, or its name to required, or read null as absent")
        }
        guard case .object(let members) = member.value.content else { return property }
        let keywords = ContractKeywords(members, at: member.value.offset) { _ in }
        if let text = annotation("description", in: keywords) ?? annotation("title", in: keywords) {
            property = property.doc(text)
        }
        // A member that is always there needs no default.
        if let standard = keywords["default"], !property.isRequired, standard.value != .null {
            property = property.default(json: standard.value)
            if value.acceptsNull { property = property.nullable }
        }
        let isReadOnly = flag("readOnly", in: keywords)
        let isWriteOnly = flag("writeOnly", in: keywords)
        if isReadOnly, isWriteOnly { report(member.nameOffset, "is readOnly and writeOnly", fix: "drop one") }
        return isReadOnly ? property.only(.output) : isWriteOnly ? property.only(.input) : property
    }

    private mutating func flag(_ name: String, in keywords: ContractKeywords) -> Bool {
        guard let value = keywords[name] else { return false }
        if case .bool(let flag) = value.content { return flag }
        report(value.offset, "\(name): expected true or false but found \(value.summary)")
        return false
    }

    /// Records the parent of a model, of which there is one.
    ///
    /// - Returns: Whether it is the first.
    @discardableResult
    mutating func setParent(of model: String, to parent: String, at offset: Int) -> Bool {
        if nullableModels[UTF8Key(parent)] == true {
            report(offset, "the parent \(ModelError.quote(parent)) may be null", fix: "allow null where it is used")
        }
        guard let other = parents.updateValue((parent, offset), forKey: UTF8Key(model)) else { return true }
        report(
            offset,
            "\(ModelError.quote(model)) would have the parents \(ModelError.quote(other.name)) and "
                + "\(ModelError.quote(parent)), and a model has one",
            fix: "describe the object twice")
        return false
    }

    private mutating func setParent(of model: inout Model, _ parts: Parts) {
        if let closed = parts.closed {
            closedOffsets.append(closed)
            if parts.parent != nil || parts.isDivided {
                report(closed, "additionalProperties: it would refuse the properties of the parts of allOf")
            }
        } else {
            openOffsets.append(model.offset)
        }
        guard let reference = parts.parent, let name = definitionName(of: reference) else { return }
        if definitions[UTF8Key(name)] != nil, nullableModels[UTF8Key(name)] == nil {
            return report(reference.offset, "allOf: the parent \(ModelError.quote(name)) has no properties")
        }
        setParent(of: model.schema.name, to: name, at: reference.offset)
    }
}
