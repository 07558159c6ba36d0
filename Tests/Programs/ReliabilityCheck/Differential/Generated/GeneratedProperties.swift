import Pallium
import RunSupport

/// Properties of all kinds with all modifiers.
struct GeneratedProperties {
    /// The schemas that models may refer to, and from which index on a reference may be required.
    let schemaNames: [String]
    let own: Int

    func property(_ bits: inout SeededGenerator) -> PropertySchema {
        var property = withKind(&bits, depth: 2)
        switch bits.below(20) {
        case 0...4 where canBeRequired(property): property = property.required
        case 5...8:
            if let value = GeneratedInputs.defaultValue(property, &bits) {
                property = property.default(json: value)
                if bits.once(in: 3) { property = property.nullable }
            }
        case 9 where property.transformers.isEmpty: property = validated(property)
        default: break
        }
        property = mapped(property, &bits)
        if bits.once(in: 12) { property = property.secret }
        let isMapped = property.json != .none
        if !property.isRequired {
            switch bits.below(30) {
            case 0, 1: if isMapped { property = property.readOnly }
            case 2:
                // Of several paths, only the first would mean something.
                if case .firstOf = property.json { break }
                if isMapped { property = property.writeOnly }
            case 3, 4: property = property.storage(.transitory)
            case 5: property = property.storage(.transitory).archive(.included)
            case 6: property = property.archive(.excluded)
            case 7: property = PropertySchema(property.kind).storage(.notStored)
            default: break
            }
        }
        // Registration refuses a policy for what is never written, or never nil.
        let canBeNil = isMapped && !property.isRequired && property.access != .readOnly
        if canBeNil, property.storage != .notStored, bits.once(in: 7) {
            property = property.nilPolicy(bits.pick(PropertySchema.NilPolicy.allCases))
        }
        return property
    }

    private func canBeRequired(_ property: PropertySchema) -> Bool {
        guard case .model(.named(let name)) = property.kind, let index = schemaNames.firstIndex(of: name) else {
            return true
        }
        return index > own
    }

    // MARK: Kinds

    private func withKind(_ bits: inout SeededGenerator, depth: Int) -> PropertySchema {
        if depth > 0, bits.once(in: 4) {
            var element = withKind(&bits, depth: depth - 1)
            if bits.once(in: 4) { element = element.nullable }
            switch bits.below(4) {
            case 0: return .set(of: element)
            case 1: return .dictionary(of: element)
            default:
                if case .string = element.kind, element.transformers.isEmpty, !element.isNullableByDeclaration,
                    bits.once(in: 3)
                {
                    return .array(of: element).transformer(GeneratedTransformers.words)
                }
                return .array(of: element)
            }
        }
        switch bits.below(19) {
        case 0: return .bool.transformer([BooleanTransformerName], once: 3, &bits)
        case 1, 2:
            return .integer.transformer(
                [
                    GeneratedTransformers.sum, IntegerTextTransformerName, NumberOrTextTransformerName,
                    GeneratedTransformers.negate, GeneratedTransformers.nullAsZero,
                ], once: 3, &bits)
        case 3: return bits.once(in: 2) ? .integer(as: Int8.self) : .integer(as: Int32.self)
        case 4: return bits.once(in: 2) ? .unsigned : .integer(as: UInt16.self)
        case 5: return .double.transformer([NumberOrTextTransformerName], once: 4, &bits)
        case 6: return .float
        case 7: return .decimal.transformer([DecimalTextTransformerName, NumberOrTextTransformerName], once: 3, &bits)
        case 8, 9, 10:
            return .string.transformer(
                [EmptyTextAsNullTransformerName, GeneratedTransformers.jsonText], once: 5, &bits)
        case 11:
            return .date.transformer(
                [
                    ISO8601DateTransformerName, DateOnlyTransformerName, UnixSecondsTransformerName,
                    UnixMillisecondsTransformerName,
                ], once: 2, &bits)
        case 12:
            switch bits.below(4) {
            case 0: return .url.transformer(URLTransformerName)
            case 1: return .url.transformer(EmptyTextAsNullTransformerName, URLTransformerName)
            default: return .url
            }
        case 13: return .uuid.transformer([UUIDTransformerName], once: 3, &bits)
        case 14 where bits.once(in: 2):
            return .duration.transformer([DurationSecondsTransformerName], once: 3, &bits)
        case 14: return .data.transformer([Base64DataTransformerName], once: 3, &bits)
        case 15: return enumeration(&bits)
        case 16: return .jsonValue
        default: return .model(bits.pick(schemaNames))
        }
    }

    private func enumeration(_ bits: inout SeededGenerator) -> PropertySchema {
        let isText = !bits.once(in: 4)
        var cases: [EnumerationSchema.Case] = []
        for number in 0..<2 + bits.below(3) {
            let raw =
                isText
                ? EnumerationSchema.RawValue.text(GeneratedInputs.caseTexts[number]) : .number(Int64(number * 7 - 3))
            let aliases =
                isText && bits.once(in: 3)
                ? [EnumerationSchema.RawValue.text(GeneratedInputs.caseTexts[number] + "+")] : []
            cases.append(EnumerationSchema.Case(raw, aliases: aliases))
        }
        let unknown: EnumerationSchema.UnknownCasePolicy<EnumerationSchema.RawValue> =
            switch bits.below(4) {
            case 0: .keep
            case 1: .fallback(cases[0].rawValue)
            default: .fail
            }
        return .enumeration(EnumerationSchema(cases: cases, unknown: unknown))
    }

    /// A validator whose rule is told by the property's kind; see ``ReferenceDecoder/validated(_:_:)``.
    private func validated(_ property: PropertySchema) -> PropertySchema {
        switch property.kind {
        case .string:
            property.doc("validated").validate { (text: inout String?, _) in
                guard let value = text else { return }
                if value.utf8.contains(UInt8(ascii: "!")) { throw GeneratedTransformers.Refused() }
                if value.utf8.first == UInt8(ascii: "n") { text = "corrected" }
            }
        case .integer(.bits64):
            property.doc("validated").validate { (number: inout Int?, _) in
                guard let value = number else { return }
                if value % 5 == 4 { throw GeneratedTransformers.Refused() }
                if value < 0 { number = 0 }
            }
        default: property
        }
    }

    // MARK: Mapping

    private func mapped(_ property: PropertySchema, _ bits: inout SeededGenerator) -> PropertySchema {
        func names(_ count: Int) -> String { GeneratedNames.path((0..<count).map { _ in GeneratedNames.next(&bits) }) }
        switch bits.below(20) {
        case 0...9: return property
        case 10, 11, 12: return property.json(names(1))
        case 13, 14: return property.json(bits.pick(["a", "meta", "n\\.n"]) + "." + names(1 + bits.below(2)))
        case 15: return property.json(names(1) + "[\(bits.below(3))]" + (bits.once(in: 2) ? "." + names(1) : ""))
        case 16, 17:
            return property.json(firstOf: different((0..<2 + bits.below(2)).map { _ in names(1 + bits.below(2)) }))
        case 18:
            let parts = different((0..<2 + bits.below(2)).map { _ in names(1 + bits.below(2)) })
            let kind: PropertySchema =
                switch bits.below(3) {
                case 0: .dictionary(of: .jsonValue.nullable)
                case 1: .dictionary(of: .integer)
                default: .string.transformer(GeneratedTransformers.jsonText)
                }
            return kind.json(allOf: parts)
        default:
            return property.isRequired || !property.transformers.isEmpty ? property : property.local
        }
    }

    /// The paths without those that come twice.
    private func different(_ paths: [String]) -> [String] {
        paths.reduce(into: []) { result, path in
            if !result.contains(where: { $0.utf8.elementsEqual(path.utf8) }) { result.append(path) }
        }
    }

    /// Where a profile has a property instead.
    func otherMapping(_ property: PropertySchema, _ bits: inout SeededGenerator) -> PropertySchema.JSONMapping {
        if case .allOf = property.json {
            return .allOf([GeneratedNames.path(["p1"]), GeneratedNames.path(["p2", "q"])])
        }
        switch bits.below(3) {
        case 0 where !property.isRequired: return .none
        case 1: return .firstOf([GeneratedNames.path([GeneratedNames.next(&bits)]), "other"])
        default: return .path(GeneratedNames.path(["p", GeneratedNames.next(&bits)]))
        }
    }
}

extension PropertySchema {
    /// The property with one of the transformers, once in so many times.
    fileprivate func transformer(
        _ names: [TransformerName], once number: Int, _ bits: inout SeededGenerator
    ) -> PropertySchema {
        bits.once(in: number) ? transformer(bits.pick(names)) : self
    }
}
