import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Reads the schemas of values.
extension ContractReader {
    /// Reads a schema; nil if it is wrong, which has been reported.
    ///
    /// - Parameter name: The name of the model, if the schema describes an object with known members.
    mutating func readValue(_ schema: LocatedJSON, named name: String, depth: Int) -> Value? {
        guard depth <= Self.maximumDepth else {
            report(
                schema.offset, "references and lists are nested more than \(Self.maximumDepth.counted("level")) deep")
            return nil
        }
        if case .bool(true) = schema.content { return Value(property: .jsonValue, acceptsNull: true) }
        if case .bool(false) = schema.content {
            report(schema.offset, "the schema false allows no value", fix: "leave it out")
            return nil
        }
        guard let keywords = keywords(of: schema) else { return nil }
        if keywords["$ref"] != nil { return readReference(keywords, depth) }
        if Self.isModel(schema) { return readObject(schema, keywords, named: name, depth) }
        if keywords.has(anyOf: ["anyOf", "oneOf"]) { return readNullable(keywords, named: name, depth) }
        if keywords["not"] != nil { return readNotNull(keywords) }
        if keywords.has(anyOf: ["enum", "const"]) { return readChoice(keywords) }
        return readTyped(keywords, named: name, depth)
    }

    // MARK: Forms without a type

    private mutating func readReference(_ keywords: ContractKeywords, _ depth: Int) -> Value? {
        guard refuseOthers(than: ["$ref"], in: keywords, "with $ref"), let reference = keywords["$ref"],
            let name = definitionName(of: reference)
        else { return nil }
        return value(ofDefinition: name, at: reference.offset, depth: depth)
    }

    private mutating func readObject(
        _ schema: LocatedJSON, _ keywords: ContractKeywords, named name: String, _ depth: Int
    ) -> Value? {
        // The only part of allOf stands for itself, which is how older contracts describe a reference.
        if keywords["properties"] == nil, let parts = keywords["allOf"]?.elements, parts.count == 1,
            keywords.assertions.count == 1
        {
            return readValue(parts[0], named: name, depth: depth + 1)
        }
        var acceptsNull = false
        if let type = keywords["type"] {
            guard let types = readTypes(type) else { return nil }
            acceptsNull = types.acceptsNull
        }
        return Value(property: .model(later(schema, named: name)), acceptsNull: acceptsNull)
    }

    /// Reads `anyOf` and `oneOf` of a schema and null.
    private mutating func readNullable(_ keywords: ContractKeywords, named name: String, _ depth: Int) -> Value? {
        let keyword = keywords["anyOf"] != nil ? "anyOf" : "oneOf"
        guard refuseOthers(than: [keyword], in: keywords, "with \(keyword)"), let choices = keywords[keyword] else {
            return nil
        }
        guard case .array(let elements) = choices.content, elements.count == 2,
            let position = elements.firstIndex(where: Self.isNull)
        else {
            report(
                choices.offset, "\(keyword): expected a schema and {\"type\": \"null\"} but found other alternatives",
                fix: "alternatives of objects are oneOf with discriminator")
            return nil
        }
        guard var value = readValue(elements[1 - position], named: name, depth: depth + 1) else { return nil }
        if keyword == "oneOf", value.acceptsNull {
            report(choices.offset, "oneOf: both alternatives allow null, so null is never valid", fix: "write anyOf")
            return nil
        }
        value.acceptsNull = true
        return value
    }

    /// Whether a schema is `{"type": "null"}`.
    static func isNull(_ schema: LocatedJSON) -> Bool {
        schema.only("type")?.text.map { UTF8Text.equal($0, "null") } ?? false
    }

    /// Reads any value but null.
    private mutating func readNotNull(_ keywords: ContractKeywords) -> Value? {
        guard refuseOthers(than: ["not"], in: keywords, "with not"), let other = keywords["not"] else { return nil }
        guard Self.isNull(other) else {
            report(other.offset, "not: only {\"type\": \"null\"} can be excluded")
            return nil
        }
        return Value(property: .jsonValue)
    }

    /// Reads `enum` and `const`: texts or integers, and null.
    private mutating func readChoice(_ keywords: ContractKeywords) -> Value? {
        guard refuseOthers(than: ["enum", "const", "type"], in: keywords, "with enum or const") else { return nil }
        var elements: [LocatedJSON] = []
        if let constant = keywords["const"] {
            elements = [constant]
            if let list = keywords["enum"] {
                report(list.offset, "enum: const says already which value is allowed", fix: "leave it out")
                return nil
            }
        } else if let list = keywords["enum"] {
            guard case .array(let values) = list.content else {
                report(list.offset, "enum: expected a list but found \(list.summary)")
                return nil
            }
            elements = values
        }
        var types: Types?
        if let type = keywords["type"] {
            types = readTypes(type)
            if types == nil { return nil }
        }
        let problemsBefore = problems.count
        var cases: [EnumerationSchema.Case] = []
        var known: Set<JSONValue> = []
        var allowsNull = false
        for element in elements {
            if case .null = element.content {
                allowsNull = true
                continue
            }
            guard let raw = EnumerationSchema.RawValue(element.value),
                (cases.first?.rawValue ?? raw).isNumber == raw.isNumber
            else {
                report(
                    element.offset,
                    "\(keywords["const"] == nil ? "enum" : "const"): found \(element.summary)",
                    fix: "values are all texts or all integers, and null")
                continue
            }
            if known.insert(element.value).inserted { cases.append(EnumerationSchema.Case(raw)) }
        }
        guard problems.count == problemsBefore else { return nil }
        let typeName = cases.first?.rawValue.isNumber == false ? "string" : "integer"
        guard !cases.isEmpty, types.map({ $0.name == typeName }) ?? true else {
            report(keywords.offset, "the values do not have the type, or there are none but null")
            return nil
        }
        return Value(
            property: .enumeration(EnumerationSchema(cases: cases)),
            acceptsNull: allowsNull && types?.acceptsNull ?? true,
            size: cases.reduce(1) { $0 + 4 + $1.rawValue.description.utf8.count })
    }

    // MARK: Types

    struct Types {
        let name: String
        let acceptsNull: Bool
    }

    /// Reads `type`: a name, or a list of one and "null".
    mutating func readTypes(_ value: LocatedJSON) -> Types? {
        var names: [String] = []
        if let text = value.text { names = [text] }
        if case .array(let elements) = value.content { names = elements.map { $0.text ?? "" } }
        let others = names.filter { $0 != "null" }
        guard others.count == 1, names.count <= 2,
            let name = Self.typeNames.first(where: { UTF8Text.equal($0, others[0]) })
        else {
            report(
                value.offset, "type: expected one type, or one and \"null\", but found \(value.summary)",
                fix: names.count == 1 ? DocumentProblem.suggestion(for: names[0], among: Self.typeNames) : nil)
            return nil
        }
        return Types(name: name, acceptsNull: names.count == 2)
    }

    private static let typeNames = ["boolean", "integer", "number", "string", "array", "object"]
    private static let limitsOfNumbers = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]

    private mutating func readTyped(_ keywords: ContractKeywords, named name: String, _ depth: Int) -> Value? {
        guard let type = keywords["type"] else {
            if keywords.assertions.isEmpty { return Value(property: .jsonValue, acceptsNull: true) }
            let problemsBefore = problems.count
            refuseOthers(than: ContractKeywords.standard, in: keywords, "")
            if problems.count == problemsBefore, let first = keywords.assertions.first {
                report(
                    first.nameOffset, "\(first.name): a schema without a type allows values of all other types",
                    fix: "add the keyword \"type\"")
            }
            return nil
        }
        guard let types = readTypes(type) else {
            refuseOthers(than: ContractKeywords.standard, in: keywords, "")
            return nil
        }
        let value: Value?
        switch types.name {
        case "boolean":
            value = refuseOthers(than: ["type"], in: keywords, "of booleans") ? Value(property: .bool) : nil
        case "integer", "number": value = readNumber(keywords, isInteger: types.name == "integer")
        case "string": value = readText(keywords)
        case "array": value = readArray(keywords, named: name, depth)
        default: value = readDictionary(keywords, named: name, depth)
        }
        guard var value else { return nil }
        value.acceptsNull = types.acceptsNull
        return value
    }

    private mutating func readNumber(_ keywords: ContractKeywords, isInteger: Bool) -> Value? {
        let formats = notation == .openAPI ? ["format"] : []
        guard
            refuseOthers(
                than: ["type"] + formats + Self.limitsOfNumbers, in: keywords,
                isInteger ? "of integers" : "of numbers")
        else { return nil }
        var kind: PropertyKind = isInteger ? .integer(.bits64) : .double
        if let format = keywords["format"] {
            guard let known = Self.numberKind(format.text ?? "", isInteger: isInteger) else {
                report(format.offset, "format: \(format.summary) is no format of such numbers")
                return nil
            }
            kind = known
        }
        var limits = Self.limitsOfNumbers
        // The limits of an integer's width are a kind.
        if isInteger, let width = Self.width(keywords["minimum"], keywords["maximum"]) {
            kind = width
            limits.removeFirst(2)
        }
        return constrained(PropertySchema(kind), by: limits.map { ($0, $0) }, keywords)
    }

    private static func numberKind(_ format: String, isInteger: Bool) -> PropertyKind? {
        let widths: [PropertyKind.IntegerWidth] = [.bits8, .bits16, .bits32, .bits64]
        let kinds: [(String, PropertyKind)] =
            isInteger
            ? widths.flatMap { [("int\($0.rawValue)", .integer($0)), ("uint\($0.rawValue)", .unsigned($0))] }
            : [("double", .double), ("float", .float), ("decimal", .decimal)]
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

    private mutating func readText(_ keywords: ContractKeywords) -> Value? {
        let limits = ["minLength", "maxLength", "pattern", "format"]
        guard refuseOthers(than: ["type"] + limits, in: keywords, "of text") else { return nil }
        if notation == .openAPI, let kind = Self.kind(ofText: keywords),
            refuseOthers(than: ["type", "format"], in: keywords, "of text with this format")
        {
            return Value(property: kind)
        }
        return constrained(.string, by: limits.map { ($0, $0) }, keywords)
    }

    /// The kind that a format of OpenAPI chooses, as generators choose types.
    private static func kind(ofText keywords: ContractKeywords) -> PropertySchema? {
        if let encoding = keywords["contentEncoding"]?.text, UTF8Text.equal(encoding, "base64") { return .data }
        switch keywords["format"]?.text {
        case "date-time": return .date
        case "date": return .date.transformer(DateOnlyTransformerName)
        case "duration": return .duration
        case "uri": return .url
        case "uuid": return .uuid
        case "byte": return .data
        default: return nil
        }
    }

    private mutating func readArray(_ keywords: ContractKeywords, named name: String, _ depth: Int) -> Value? {
        let limits = [("minItems", "minCount"), ("maxItems", "maxCount"), ("uniqueItems", "unique")]
        let isKnown = refuseOthers(than: ["type", "items"] + limits.map(\.0), in: keywords, "of lists")
        var element: Value? = Value(property: .jsonValue, acceptsNull: true)
        if let items = keywords["items"] { element = readValue(items, named: name, depth: depth + 1) }
        guard isKnown, let element else { return nil }
        if let unique = keywords["uniqueItems"], case .bool(true) = unique.content,
            !Self.hasSameEquality(element.property)
        {
            report(
                unique.offset, "uniqueItems: models, dates and other values can be equal although their JSON differs",
                fix: "leave it out")
            return nil
        }
        return collection(keywords, element, limits) { .array(of: $0) }
    }

    /// Whether elements are equal exactly if their JSON is.
    private static func hasSameEquality(_ property: PropertySchema) -> Bool {
        switch property.kind {
        case .bool, .integer, .unsigned, .double, .float, .decimal, .string, .enumeration, .json: true
        case .array(let element), .dictionary(let element): hasSameEquality(element)
        default: false
        }
    }

    private mutating func readDictionary(_ keywords: ContractKeywords, named name: String, _ depth: Int) -> Value? {
        let limits = [("minProperties", "minCount"), ("maxProperties", "maxCount")]
        let isKnown = refuseOthers(
            than: ["type", "additionalProperties"] + limits.map(\.0), in: keywords, "of objects without properties")
        var element: Value? = Value(property: .jsonValue, acceptsNull: true)
        if let others = keywords["additionalProperties"] {
            element = readValue(others, named: name, depth: depth + 1)
        }
        guard isKnown, let element else { return nil }
        return collection(keywords, element, limits) { .dictionary(of: $0) }
    }

    private mutating func collection(
        _ keywords: ContractKeywords, _ element: Value, _ limits: [(String, String)],
        _ make: (PropertySchema) -> PropertySchema
    ) -> Value? {
        guard element.levels < SchemaWriter.maximumElementLevels else {
            report(
                keywords.offset,
                "elements are nested more than \(SchemaWriter.maximumElementLevels.counted("level")) deep")
            return nil
        }
        let property = make(element.acceptsNull ? element.property.nullable : element.property)
        guard var value = constrained(property, by: limits, keywords) else { return nil }
        value.levels = element.levels + 1
        value.size += element.size
        return value
    }

    /// Adds rules to a property.
    ///
    /// - Parameter limits: The keywords, with the names of their rules.
    private mutating func constrained(
        _ property: PropertySchema, by limits: [(keyword: String, rule: String)], _ keywords: ContractKeywords
    ) -> Value? {
        var rules: [PropertySchema.Rule] = []
        let problemsBefore = problems.count
        for (keyword, name) in limits {
            guard let limit = keywords[keyword] else { continue }
            if keyword == "uniqueItems", case .bool(false) = limit.content { continue }
            guard let rule = PropertySchema.Rule(name, limit: limit.value) else {
                report(
                    limit.offset,
                    "\(keyword): expected \(PropertySchema.Rule.limitExpectation(of: name)) but found \(limit.summary)")
                continue
            }
            do throws(RuleProblem) { try rule.check(for: property.kind, formats: registry.formats) } catch {
                report(limit.offset, "\(keyword): \(error.message)", fix: error.fix)
            }
            rules.append(rule)
        }
        guard problems.count == problemsBefore else { return nil }
        return Value(property: property.rules(rules), size: 1 + (keywords["pattern"]?.text?.utf8.count ?? 0))
    }
}
