import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Collects what schemas say into one set of keywords.
extension ContractReader {
    /// Returns what holds if all schemas hold.
    ///
    /// - Parameters:
    ///   - expandsReferences: Whether references count as parts.
    ///   - skipped: The offsets of unions that are left out.
    mutating func facets(
        of schemas: [LocatedJSON], expandsReferences: Bool, skipping skipped: Set<Int> = []
    ) -> ContractFacets {
        let isWhole = schemas.count == 1 && expandsReferences && skipped.isEmpty
        if isWhole, let known = knownFacets[schemas[0].offset] { return known }
        var facets = ContractFacets(offset: schemas.first?.offset ?? 0, skipped: skipped)
        // No recursion, since there may be long chains.
        var work = Array(schemas.reversed())
        var seen: Set<Int> = []
        while let schema = work.popLast() {
            switch schema.content {
            case .bool(let allows): if !allows { facets.falseOffset = schema.offset }
            case .object:
                guard seen.insert(schema.offset).inserted else { continue }
                let keywords = ContractKeywords(schema, sources.document(at: schema.offset).version)
                if let repeated = keywords.repeated {
                    lose(repeated.offset, repeated.name, "occurs twice; every value is accepted")
                    facets.isBroken = true
                    continue
                }
                var parts = collect(keywords, schema, &facets)
                for name in ["$ref", "$dynamicRef"] {
                    guard let reference = keywords[name] else { continue }
                    guard let target = target(reference, name) else {
                        facets.assertions += 1
                        continue
                    }
                    if expandsReferences {
                        parts.append(target)
                    } else {
                        facets.references.append((reference.offset, target))
                    }
                }
                let size = parts.count + keywords.members.count + (keywords["properties"]?.members.count ?? 0)
                if !expand(seen.count > schemas.count ? size : 0) {
                    facets.isBroken = true
                    return facets
                }
                work += parts.reversed()
            default:
                lose(schema.offset, "schema", "\(schema.summary) is no schema; every value is accepted")
                facets.isBroken = true
            }
        }
        facets.impliesObject =
            notation == .openAPI || !facets.required.isEmpty || !facets.othersRules.isEmpty
            || schemas.contains { $0.offset == sources.document(at: $0.offset).root.offset }
        if isWhole { knownFacets[schemas[0].offset] = facets }
        return facets
    }

    /// Adds the keywords of one schema, and returns the parts of `allOf`.
    private mutating func collect(
        _ keywords: ContractKeywords, _ schema: LocatedJSON, _ facets: inout ContractFacets
    ) -> [LocatedJSON] {
        var parts: [LocatedJSON] = []
        var types = ContractTypes.all
        let names = Set((keywords["properties"]?.members ?? []).map { UTF8Key($0.name) })
        for member in keywords.members {
            let value = member.value
            if !ContractKeywords.isAnnotation(member.name), !facets.skipped.contains(value.offset) {
                facets.assertions += 1
            }
            switch member.name {
            case "type": types = readTypes(value)
            case "enum", "const":
                let values = member.name == "const" ? [value] : value.elements ?? []
                if member.name == "enum", value.elements == nil { malformed(member) }
                facets.choices = facets.choices.map { known in
                    known.filter { old in values.contains { $0.value == old.value } }
                }
                facets.choices = facets.choices ?? values
                facets.choicesOffset = member.offset
            case "properties":
                guard case .object(let members) = value.content else {
                    malformed(member)
                    continue
                }
                facets.hasProperties = true
                for member in members { facets.add(member) }
            case "required":
                guard let elements = value.elements else {
                    malformed(member)
                    continue
                }
                for element in elements {
                    if let name = element.text { facets.required.append((name, element.offset)) }
                }
            case "items": facets.items.append(value)
            case "patternProperties": facets.patterns += value.members
            case "additionalProperties", "unevaluatedProperties":
                if !value.asserts { continue }
                facets.othersRules.append(
                    .init(keyword: member.name, offset: member.offset, schema: value, names: names))
            case "allOf": parts += value.elements ?? []
            case "anyOf", "oneOf":
                guard let elements = value.elements, !elements.isEmpty else {
                    malformed(member)
                    continue
                }
                if facets.skipped.contains(value.offset) { continue }
                let others = elements.filter { !Self.isNull($0) }
                facets.unions.append(
                    .init(
                        keyword: member.name, offset: value.offset, alternatives: others,
                        acceptsNull: others.count < elements.count))
            case "if" where keywords["then"] != nil || keywords["else"] != nil:
                facets.conditions.append((member.offset, schema))
            case "not":
                if let type = value.only("type"), let excluded = type.text.flatMap({ ContractTypes.named($0) }),
                    excluded != .integer
                {
                    facets.types.subtract(excluded)
                } else {
                    facets.others.append(.init(keyword: "not", offset: member.offset, types: .all))
                }
            case "discriminator": facets.discriminator = facets.discriminator ?? value
            case "format": facets.format = facets.format ?? value.text
            case "contentEncoding":
                facets.isBase64 = value.text.map { UTF8Text.equal($0, "base64") } ?? false
            default: collectOther(member, &facets)
            }
        }
        if keywords.isNullable {
            types.insert(.null)
            // Beside parts that do not allow null, the keyword means that null is allowed nevertheless.
            if schema.offset == facets.offset { facets.isNullable = true }
        }
        facets.types.formIntersection(types)
        return parts
    }

    private mutating func collectOther(_ member: ContractKeywords.Member, _ facets: inout ContractFacets) {
        switch member.name {
        case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
            "pattern", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties":
            if member.name == "uniqueItems", !member.value.isTrue { return }
            if !facets.add(member.value, member.name) {
                lose(member.offset, member.name, "of two limits, one cannot be checked")
            }
        case "propertyNames", "dependentRequired", "dependentSchemas", "dependencies":
            facets.others.append(.init(keyword: member.name, offset: member.offset, types: .object))
        case "prefixItems", "contains", "minContains", "maxContains", "unevaluatedItems":
            if member.name == "contains" || member.value.asserts || member.name == "prefixItems" {
                facets.others.append(.init(keyword: member.name, offset: member.offset, types: .array))
            }
        default: break
        }
    }

    private mutating func malformed(_ member: ContractKeywords.Member) {
        lose(member.offset, member.name, "\(member.value.summary) is no value of this keyword, which cannot be checked")
    }

    /// Reads `type`: a name or a list of names. Unknown ones allow every value.
    private mutating func readTypes(_ value: LocatedJSON) -> ContractTypes {
        var types: ContractTypes = []
        let elements = value.elements ?? [value]
        for element in elements {
            guard let named = element.text.flatMap({ ContractTypes.named($0) }) else {
                lose(element.offset, "type", "\(element.summary) is no type; every value is accepted")
                return .all
            }
            types.formUnion(named)
        }
        return types.isEmpty ? .all : types
    }

    /// Whether a schema is `{"type": "null"}`.
    static func isNull(_ schema: LocatedJSON) -> Bool {
        guard case .object(let members) = schema.content else { return false }
        let assertions = members.filter { !ContractKeywords.isAnnotation($0.name) }
        guard assertions.count == 1 else { return false }
        let value = assertions[0].value
        switch assertions[0].name {
        case "type":
            return (value.text ?? value.elements?.first?.text).map { UTF8Text.equal($0, "null") } ?? false
                && (value.elements?.count ?? 1) == 1
        case "enum": return value.elements?.count == 1 && value.elements?[0].value == .null
        case "const": return value.value == .null
        default: return false
        }
    }

    /// Whether null is among the values; true if that is not known.
    mutating func acceptsNull(_ facets: ContractFacets, depth: Int = 0) -> Bool {
        if facets.isNullable { return true }
        guard facets.types.contains(.null), facets.falseOffset == nil else { return false }
        if let choices = facets.choices { return choices.contains { $0.value == .null } }
        if depth > 4 { return true }
        for union in facets.unions where !union.acceptsNull {
            let accepts = union.alternatives.prefix(64).contains { alternative in
                let inner = self.facets(of: [alternative], expandsReferences: true)
                return acceptsNull(inner, depth: depth + 1)
            }
            if !accepts, union.alternatives.count <= 64 { return false }
        }
        return true
    }
}
