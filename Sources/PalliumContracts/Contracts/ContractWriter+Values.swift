import PalliumCore
import PalliumJSON

/// Describes the JSON of values by their kinds.
///
/// Recursion is as deep as kinds are nested.
extension ContractWriter {
    /// Describes the values of a property or of the elements of a collection, without null.
    ///
    /// - Parameter rules: The rules, which a property inherits.
    /// - Returns: Nil if the notation has no form for the values.
    mutating func value(_ descriptor: ValueDescriptor, rules: [PropertySchema.Rule]) -> JSONObject? {
        let property = descriptor.property
        let names = property.conversions
        guard names.isEmpty || (names.count == 1 && names.first == descriptor.traits.transformer) else {
            guard var result = transformed(descriptor, names) else { return nil }
            Self.add(rules.map { "After conversion: \(Self.sentence(for: $0))" }, to: &result)
            return result
        }
        guard var result = natural(descriptor) else { return nil }
        describe(rules, of: property.kind, in: &result)
        return result
    }

    /// Describes the values of a kind as documents hold them without a transformer.
    private mutating func natural(_ descriptor: ValueDescriptor) -> JSONObject? {
        switch descriptor.property.kind {
        case .model:
            // The registry has linked every model.
            guard let model = descriptor.model else { return [:] }
            let object = reference(to: model)
            guard descriptor.property.isByIdentity else { return object }
            let key = model.properties[model.identitySlots[0]].key
            let identity = value(
                model.properties[model.identitySlots[0]].descriptor, rules: model.declaredRules[UTF8Key(key)] ?? [])
            return ["anyOf": [.object(identity ?? [:]), .object(object)]]
        case .array, .set:
            guard let items = descriptor.element.flatMap({ element($0) }) else { return nil }
            var result: JSONObject = ["type": "array"]
            if !items.isEmpty { result["items"] = .object(items) }
            return result
        case .dictionary:
            // The names of the members are not known, and the strict notation needs them.
            guard notation != .strict, let values = descriptor.element.flatMap({ element($0) }) else { return nil }
            var result: JSONObject = ["type": "object"]
            if !values.isEmpty { result["additionalProperties"] = .object(values) }
            return result
        default: return plain(descriptor.property.kind)
        }
    }

    private mutating func element(_ descriptor: ValueDescriptor) -> JSONObject? {
        guard let value = value(descriptor, rules: descriptor.property.rules) else { return nil }
        return descriptor.isNullable ? Self.nullable(value) : refusingNull(value)
    }

    /// Returns a description that does not accept null, which one of any value does.
    func refusingNull(_ description: JSONObject) -> JSONObject {
        guard notation == .jsonSchema, description.allSatisfy({ $0.key == "description" }) else { return description }
        var result = description
        result["not"] = ["type": "null"]
        return result
    }

    /// Describes the values of a kind, alone and without a transformer.
    mutating func plain(_ kind: PropertyKind) -> JSONObject? {
        switch kind {
        case .bool: return ["type": "boolean"]
        case .integer(let width):
            let largest = Int64.max >> (64 - width.rawValue)
            return integer(.number(JSONNumber(-largest - 1)), .number(JSONNumber(largest)), format: "int", width)
        case .unsigned(let width):
            return integer(0, .number(JSONNumber(UInt64.max >> (64 - width.rawValue))), format: "uint", width)
        case .double, .float, .decimal:
            var result: JSONObject = ["type": "number"]
            if notation == .openAPI { result["format"] = .string(kind.name) }
            return result
        case .string: return ["type": "string"]
        case .date: return text(.date)
        case .duration: return text(.duration)
        case .url: return text(.url)
        case .uuid: return text(.uuid)
        case .data: return text(.data)
        case .enumeration(let enumeration): return describe(enumeration)
        case .array, .set: return notation == .strict ? nil : ["type": "array"]
        case .dictionary, .model: return notation == .strict ? nil : ["type": "object"]
        case .json, .custom: return notation == .strict ? nil : [:]
        }
    }

    private func integer(
        _ smallest: JSONValue, _ largest: JSONValue, format: String, _ width: PropertyKind.IntegerWidth
    ) -> JSONObject {
        var result: JSONObject = ["type": "integer"]
        if notation == .strict { return result }
        if notation == .openAPI { result["format"] = .string("\(format)\(width.rawValue)") }
        // Generators choose the type by the format, and some cannot read numbers of 64 bits.
        if notation == .jsonSchema || width != .bits64 || smallest == 0 { result["minimum"] = smallest }
        if notation == .jsonSchema || width != .bits64 { result["maximum"] = largest }
        return result
    }

    mutating func text(_ pattern: TextPattern) -> JSONObject {
        switch notation {
        case .jsonSchema: return reference(to: pattern)
        case .strict: return ["type": "string", "description": .string(pattern.description)]
        case .openAPI:
            var result: JSONObject = ["type": "string"]
            if let format = pattern.openAPIFormat {
                result["format"] = .string(format)
            } else if pattern.name == TextPattern.data.name {
                result["contentEncoding"] = "base64"
            } else {
                result["description"] = .string(pattern.description)
            }
            return result
        }
    }

    private func describe(_ enumeration: EnumerationSchema) -> JSONObject {
        let spellings = enumeration.cases.flatMap { [$0.rawValue] + (direction == .input ? $0.aliases : []) }
        let values = (notation == .jsonSchema ? spellings : enumeration.cases.map(\.rawValue)).map(\.json)
        let hasText = spellings.contains { !$0.isNumber }
        let hasNumbers = spellings.contains(where: \.isNumber)
        // A language model chooses among the known cases.
        let isClosed: Bool
        switch enumeration.unknown {
        case .fail: isClosed = true
        case .keep: isClosed = notation == .strict
        case .fallback: isClosed = notation == .strict || direction == .output
        }
        var result = JSONObject()
        if !isClosed {
            let known = values.map { $0.description }.joined(separator: ", ")
            if case .fallback(let raw) = enumeration.unknown {
                result["description"] = .string("One of \(known). Others are read as \(raw.json).")
                result["type"] = ["string", "integer"]
            } else {
                result["description"] = .string("One of \(known). Others are kept.")
                result["type"] = hasText && hasNumbers ? ["string", "integer"] : hasText ? "string" : "integer"
            }
            // Generators understand one type better than two.
            if notation == .openAPI, !(hasText && hasNumbers) { result["type"] = hasText ? "string" : "integer" }
            result["examples"] = .array(values)
            return result
        }
        if hasText != hasNumbers { result["type"] = hasText ? "string" : "integer" }
        result["enum"] = .array(values)
        return result
    }
}
