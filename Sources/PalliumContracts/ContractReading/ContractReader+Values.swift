import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Decides which values schemas allow.
extension ContractReader {
    /// Reads schemas that hold together.
    ///
    /// - Parameter name: The name of the model, if they describe an object with known members.
    mutating func readValue(_ schemas: [LocatedJSON], named name: String, depth: Int) -> Value {
        if schemas.count == 1 { return value(of: schemas[0], named: name, depth: depth) }
        return read(schemas, ModelName(text: name), depth: depth + 1)
    }

    mutating func read(_ schemas: [LocatedJSON], _ name: ModelName, depth: Int) -> Value {
        guard depth <= Self.maximumDepth else {
            lose(
                schemas.first?.offset ?? 0, "$ref",
                "references and lists are nested more than \(Self.maximumDepth.counted("level")) deep; "
                    + "every value is accepted there")
            return Value(property: .jsonValue, acceptsNull: true)
        }
        let facets = facets(of: schemas, expandsReferences: false)
        guard !facets.references.isEmpty else { return decide(facets, schemas, name, depth: depth) }
        let targets = Set(facets.references.map(\.target.offset))
        if targets.count == 1, saysOnlyParts(facets) {
            var value = value(of: facets.references[0].target, named: name.text, depth: depth)
            let isModel = if case .model = value.property.kind { true } else { false }
            if facets.types == .all || isModel && facets.types.contains(.object) {
                value.acceptsNull = facets.isNullable || value.acceptsNull && facets.types.contains(.null)
                return value
            }
        }
        if targets.count == 1, facets.describesPart, let (parent, tag) = parent(of: facets, depth) {
            let taken = takeName(name)
            var facets = facets
            if let tag, let position = facets.positions[UTF8Key(tag)] {
                let values = self.facets(of: facets.properties[position].schemas, expandsReferences: true).choices
                tags[UTF8Key(taken)] = values.map { $0.map(\.value).filter(\.isTag) }
                facets.properties.remove(at: position)
            }
            later(Pending(name: taken, facets: facets, schemas: schemas, parent: parent))
            return Value(property: .model(taken), acceptsNull: facets.isNullable)
        }
        return decide(self.facets(of: schemas, expandsReferences: true), schemas, name, depth: depth)
    }

    /// Whether facets say nothing besides references and a type.
    private func saysOnlyParts(_ facets: ContractFacets) -> Bool {
        facets.choices == nil && !facets.hasProperties && facets.properties.isEmpty && facets.required.isEmpty
            && facets.limits.isEmpty && facets.items.isEmpty && facets.patterns.isEmpty && facets.othersRules.isEmpty
            && facets.unions.isEmpty && facets.conditions.isEmpty && facets.others.isEmpty
            && facets.falseOffset == nil && !facets.isBroken
    }

    /// Returns the model that an object extends, if it is a plain one whose members are different.
    ///
    /// - Returns: The name of the parent, and the member by whose value it chooses among models that extend it.
    private mutating func parent(of facets: ContractFacets, _ depth: Int) -> (name: String, tag: String?)? {
        let target = facets.references[0].target
        let whole = self.facets(of: [target], expandsReferences: true)
        let tag = whole.discriminator?["propertyName"]?.text
        guard whole.describesModel, whole.unions.isEmpty, whole.conditions.isEmpty,
            facets.properties.allSatisfy({ property in
                whole.positions[UTF8Key(property.name)] == nil || tag.map { UTF8Text.equal($0, property.name) } ?? false
            }),
            whole.required.allSatisfy({ member in
                whole.positions[UTF8Key(member.name)] != nil || facets.positions[UTF8Key(member.name)] == nil
            }),
            facets.required.allSatisfy({ facets.positions[UTF8Key($0.name)] != nil })
        else { return nil }
        let value = value(of: target, named: "Parent", depth: depth)
        guard case .model(.named(let name)) = value.property.kind, !value.acceptsNull || whole.types == .all else {
            return nil
        }
        return (name, tag)
    }

    // MARK: Decision

    /// The value for what cannot be said.
    mutating func anything(_ facets: ContractFacets) -> Value {
        Value(property: .jsonValue, acceptsNull: acceptsNull(facets))
    }

    mutating func decide(_ all: ContractFacets, _ schemas: [LocatedJSON], _ name: ModelName, depth: Int) -> Value {
        var facets = all
        if facets.isBroken || depth > Self.maximumDepth { return Value(property: .jsonValue, acceptsNull: true) }
        if let offset = facets.falseOffset {
            lose(offset, "false", "allows no value; every value is accepted")
            return Value(property: .jsonValue, acceptsNull: true)
        }
        let acceptsNull = acceptsNull(facets)
        // A choice among one schema and null is the schema.
        if let union = facets.unions.first(where: { $0.alternatives.count == 1 }) {
            let skipped = facets.skipped.union([union.offset])
            let rest = self.facets(of: schemas, expandsReferences: true, skipping: skipped)
            var value: Value
            if rest.types == .all, saysOnlyParts(rest) {
                value = readValue(union.alternatives, named: name.text, reserved: name.isReserved, depth: depth)
                if union.acceptsNull, value.acceptsNull, union.keyword == "oneOf" {
                    lose(union.offset, "oneOf", "null is valid twice and so never; it is accepted")
                }
            } else {
                let merged = self.facets(
                    of: schemas + union.alternatives, expandsReferences: true, skipping: skipped)
                value = decide(merged, schemas + union.alternatives, name, depth: depth + 1)
            }
            value.acceptsNull = acceptsNull
            return value
        }
        if facets.valueTypes.isEmpty || facets.unions.contains(where: \.alternatives.isEmpty) {
            lose(facets.offset, "type", "only null is allowed, or nothing; every value is accepted")
            return Value(property: .jsonValue, acceptsNull: true)
        }
        let union = facets.unions.isEmpty ? nil : readUnions(&facets, schemas, name, depth: depth)
        var value = union ?? readTyped(facets, schemas, name, depth: depth)
        value.acceptsNull = acceptsNull
        return value
    }

    private mutating func readValue(
        _ schemas: [LocatedJSON], named name: String, reserved: Bool, depth: Int
    ) -> Value {
        if reserved, facets(of: schemas, expandsReferences: false).references.isEmpty {
            return read(schemas, ModelName(text: name, isReserved: true), depth: depth + 1)
        }
        return readValue(schemas, named: name, depth: depth + 1)
    }

    private mutating func readTyped(
        _ facets: ContractFacets, _ schemas: [LocatedJSON], _ name: ModelName, depth: Int
    ) -> Value {
        if facets.choices != nil { return readChoice(facets) }
        if facets.describesModel { return readObject(facets, schemas, name) }
        switch facets.valueTypes {
        case .boolean:
            loseOthers(facets, .boolean)
            return Value(property: .bool)
        case .integer, .number: return readNumber(facets, isInteger: facets.valueTypes == .integer)
        case .string: return readText(facets)
        case .array: return readArray(facets, named: name.text, depth)
        case .object: return readDictionary(facets, named: name.text, depth)
        default: break
        }
        if facets.types.union(.null) == .all {
            // What counts for some types alone would be checked for these only.
            if !saysOnlyParts(facets) {
                loseOthers(facets, .all)
                for keyword in facets.limits.keys.sorted() {
                    lose(
                        facets.limits[keyword]?.offset ?? 0, keyword, "a schema without a type; every value is accepted"
                    )
                }
                for rule in facets.othersRules where rule.schema.asserts {
                    lose(rule.offset, rule.keyword, "a schema without a type; every value is accepted")
                }
                for item in facets.items where item.asserts {
                    lose(item.offset, "items", "a schema without a type; every value is accepted")
                }
                for member in facets.properties where member.schemas.contains(where: \.asserts) {
                    lose(member.offset, "properties", "a schema without a type; every value is accepted")
                }
                for name in facets.required {
                    lose(name.offset, "required", "a schema without a type; every value is accepted")
                }
                for pattern in facets.patterns {
                    lose(pattern.nameOffset, "patternProperties", "a schema without a type; every value is accepted")
                }
            }
        } else {
            lose(facets.offset, "type", "several types are allowed; every value is accepted")
        }
        return Value(property: .jsonValue)
    }

    /// Records the keywords that cannot be checked for values of some types.
    mutating func loseOthers(_ facets: ContractFacets, _ types: ContractTypes, rules: Bool = true) {
        for other in facets.others where !other.types.isDisjoint(with: types) {
            lose(other.offset, other.keyword, "cannot be checked")
        }
        guard rules else { return }
        for condition in facets.conditions { lose(condition.offset, "if", "cannot be checked") }
        for union in facets.unions { lose(union.offset, union.keyword, "cannot be checked") }
    }

    // MARK: Choices

    /// Reads `enum` and `const`: texts or integers, and null.
    mutating func readChoice(_ facets: ContractFacets, isOpen: Bool = false) -> Value {
        var values: [LocatedJSON] = []
        var known: Set<JSONValue> = []
        for value in facets.choices ?? []
        where facets.types.isSuperset(of: ContractTypes(of: value)) && known.insert(value.value).inserted {
            if case .null = value.content { continue }
            values.append(value)
        }
        if facets.isNullable, !known.contains(.null) {
            lose(facets.choicesOffset, "nullable", "null is accepted although enum does not list it")
        }
        let raw = values.map { EnumerationSchema.RawValue($0.value) }
        loseOthers(facets, .all)
        let types = values.reduce(into: ContractTypes()) { $0.formUnion(ContractTypes(of: $1)) }
        if let first = raw.first ?? nil, raw.count <= SchemaLimits.cases,
            raw.allSatisfy({ $0.map { $0.isNumber == first.isNumber } ?? false })
        {
            for (keyword, limit) in facets.limits
            where first.isNumber ? Self.numberLimits.contains(keyword) : Self.textLimits.contains(keyword) {
                lose(limit.offset, keyword, "cannot be checked beside the listed values")
            }
            let cases = raw.compactMap { $0.map { EnumerationSchema.Case($0) } }
            let keeps = isOpen || options.keepsUnknownCases
            return Value(
                property: .enumeration(EnumerationSchema(cases: cases, unknown: keeps ? .keep : .fail)),
                size: cases.reduce(1) { $0 + 4 + $1.rawValue.description.utf8.count })
        }
        switch types {
        case .boolean:
            if values.count < 2 { lose(facets.choicesOffset, "enum", "true and false are accepted") }
            return Value(property: .bool)
        case .fraction, .number:
            lose(facets.choicesOffset, "enum", "every number is accepted")
            return Value(property: .double)
        default:
            lose(facets.choicesOffset, "enum", "the values are of several kinds; every value is accepted")
            return Value(property: .jsonValue)
        }
    }

    // MARK: Numbers and texts

    private static let numberLimits = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]
    private static let textLimits = ["minLength", "maxLength", "pattern"]

    private mutating func readNumber(_ facets: ContractFacets, isInteger: Bool) -> Value {
        loseOthers(facets, .number)
        var kind: PropertyKind = isInteger ? .integer(.bits64) : .double
        if notation == .openAPI, let format = facets.format, let known = Self.numberKind(format, isInteger: isInteger) {
            kind = known
        }
        var limits = Self.numberLimits
        // The limits of an integer's width are a kind.
        if isInteger, let width = Self.width(facets.limits["minimum"], facets.limits["maximum"]) {
            kind = width
            limits.removeFirst(2)
        }
        return constrained(PropertySchema(kind), by: limits.map { ($0, $0) }, facets)
    }

    /// The kind that a format of numbers chooses. A `float` would lose digits, so it is a double.
    private static func numberKind(_ format: String, isInteger: Bool) -> PropertyKind? {
        let widths: [PropertyKind.IntegerWidth] = [.bits8, .bits16, .bits32, .bits64]
        let kinds: [(String, PropertyKind)] =
            isInteger
            ? widths.flatMap { [("int\($0.rawValue)", .integer($0)), ("uint\($0.rawValue)", .unsigned($0))] }
            : [("decimal", .decimal)]
        return kinds.first { UTF8Text.equal($0.0, format) }?.1
    }

    private static func width(_ minimum: LocatedJSON?, _ maximum: LocatedJSON?) -> PropertyKind? {
        guard case .number(let minimum)? = minimum?.content, case .number(let maximum)? = maximum?.content else {
            return nil
        }
        for width in [PropertyKind.IntegerWidth.bits8, .bits16, .bits32, .bits64] {
            let largest = Int64.max >> (64 - width.rawValue)
            if minimum.int64 == -largest - 1, maximum.int64 == largest { return .integer(width) }
            if minimum.int64 == 0, maximum.uint64 == UInt64.max >> (64 - width.rawValue) { return .unsigned(width) }
        }
        return nil
    }

    private mutating func readText(_ facets: ContractFacets) -> Value {
        loseOthers(facets, .string)
        let limits = Self.textLimits.map { ($0, $0) }
        guard !options.readsFormatsAsText else { return constrained(.string, by: limits, facets) }
        if notation == .openAPI, !Self.textLimits.contains(where: { facets.limits[$0] != nil }),
            let kind = facets.isBase64 ? .data : facets.format.flatMap({ Self.textKind($0) })
        {
            return Value(property: kind)
        }
        var value = constrained(.string, by: limits, facets)
        // Formats that nobody registered are annotations.
        if let format = facets.format, registry.formats.format(named: format) != nil {
            value.property = value.property.rules(.format(format))
        }
        return value
    }

    /// The kind that a format of OpenAPI chooses, as generators choose types. A `duration` stays text, since years and
    /// months have no length, and since it would be written in another way.
    private static func textKind(_ format: String) -> PropertySchema? {
        switch format {
        case "date-time": .date
        case "date": .date.transformer(DateOnlyTransformerName)
        case "uri": .url
        case "uuid": .uuid
        case "byte": .data
        default: nil
        }
    }

    // MARK: Collections

    private mutating func readArray(_ facets: ContractFacets, named name: String, _ depth: Int) -> Value {
        loseOthers(facets, .array)
        let isTuple = facets.others.contains { $0.keyword == "prefixItems" }
        var element = Value(property: .jsonValue, acceptsNull: true)
        if !isTuple, !facets.items.isEmpty { element = readValue(facets.items, named: name, depth: depth) }
        if let unique = facets.limits["uniqueItems"], !Self.hasSameEquality(element.property) {
            lose(
                unique.offset, "uniqueItems",
                "cannot be checked, since elements can be equal although their JSON differs")
        }
        var limits = [("minItems", "minCount"), ("maxItems", "maxCount")]
        if Self.hasSameEquality(element.property) { limits.append(("uniqueItems", "unique")) }
        return collection(facets, element, limits) { .array(of: $0) }
    }

    /// Whether elements are equal exactly if their JSON is.
    private static func hasSameEquality(_ property: PropertySchema) -> Bool {
        switch property.kind {
        case .bool, .integer, .unsigned, .double, .float, .decimal, .string, .enumeration, .json: true
        case .array(let element), .dictionary(let element): hasSameEquality(element)
        default: false
        }
    }

    private mutating func readDictionary(_ facets: ContractFacets, named name: String, _ depth: Int) -> Value {
        loseOthers(facets, .object)
        for (name, offset) in facets.required {
            lose(offset, "required", "\(ModelError.quote(name)) may be absent, since the members are not known")
        }
        var element = Value(property: .jsonValue, acceptsNull: true)
        let isClosed = facets.othersRules.contains { if case .bool(false) = $0.schema.content { true } else { false } }
        let rules = facets.othersRules.filter { $0.schema.describesMembers }
        if let first = facets.patterns.first {
            lose(
                first.nameOffset, "patternProperties",
                isClosed && facets.patterns.count == 1 && rules.isEmpty
                    ? "other names are accepted" : "every value is accepted for each name")
            if isClosed, facets.patterns.count == 1, rules.isEmpty {
                element = readValue([first.value], named: name, depth: depth)
            }
        } else if isClosed {
            if let rule = facets.othersRules.first {
                lose(rule.offset, rule.keyword, "members are accepted although the object has none")
            }
        } else if !rules.isEmpty {
            element = readValue(rules.map(\.schema), named: name, depth: depth)
        }
        return collection(facets, element, [("minProperties", "minCount"), ("maxProperties", "maxCount")]) {
            .dictionary(of: $0)
        }
    }

    private mutating func collection(
        _ facets: ContractFacets, _ element: Value, _ limits: [(String, String)],
        _ make: (PropertySchema) -> PropertySchema
    ) -> Value {
        var element = element
        if element.levels >= SchemaWriter.maximumElementLevels {
            lose(
                facets.offset, "items",
                "elements are nested more than \(SchemaWriter.maximumElementLevels.counted("level")) deep; "
                    + "every value is accepted there")
            element = Value(property: .jsonValue, acceptsNull: true)
        }
        let property = make(element.acceptsNull ? element.property.nullable : element.property)
        var value = constrained(property, by: limits, facets)
        value.levels = element.levels + 1
        value.size += element.size
        return value
    }

    /// Adds rules to a property. One that is not understood is left out.
    ///
    /// - Parameter limits: The keywords, with the names of their rules.
    private mutating func constrained(
        _ property: PropertySchema, by limits: [(keyword: String, rule: String)], _ facets: ContractFacets
    ) -> Value {
        var rules: [PropertySchema.Rule] = []
        for (keyword, name) in limits {
            guard let limit = facets.limits[keyword] else { continue }
            guard let rule = PropertySchema.Rule(name, limit: limit.value) else {
                lose(
                    limit.offset, keyword,
                    "cannot be checked: expected \(PropertySchema.Rule.limitExpectation(of: name)) but found \(limit.summary)"
                )
                continue
            }
            do throws(RuleProblem) {
                try rule.check(for: property.kind, formats: registry.formats)
                rules.append(rule)
            } catch { lose(limit.offset, keyword, "cannot be checked: \(error.message)") }
        }
        return Value(property: property.rules(rules), size: 1 + (facets.limits["pattern"]?.text?.utf8.count ?? 0))
    }
}
