import PalliumCore
import PalliumJSON

/// Describes the JSON that transformers read and write.
extension ContractWriter {
    /// Describes values that transformers convert, without null. The first transformer reads the JSON, so it decides.
    mutating func transformed(_ descriptor: ValueDescriptor, _ names: [TransformerName]) -> JSONObject? {
        if names.first == EmptyTextAsNullTransformerName, names.count > 1 {
            // Empty text is null, so the second transformer reads everything else.
            guard let rest = transformed(descriptor, Array(names.dropFirst())) else { return nil }
            let isEmptyAllowed = descriptor.property.readsNull
            return isEmptyAllowed && direction == .input && notation == .jsonSchema
                ? ["anyOf": [["const": ""], .object(rest)]] : rest
        }
        if let name = names.first, let predefined = predefined(name, descriptor) { return predefined }
        guard let name = names.first, let transformer = try? registry.transformers.transformer(named: name) else {
            return plain(.json)
        }
        var result: JSONObject
        if let kind = transformer.readType._naturalKind {
            guard let description = plain(kind) else { return nil }
            result = description
        } else {
            result = [:]
        }
        let isNamed = name.unnamed == nil
        Self.add(
            [isNamed ? "Converted by the transformer \(name)." : "Converted \(name)."], to: &result)
        return result
    }

    /// Whether a transformer of a property converts null, so that null can be a value.
    func convertsNull(_ property: PropertySchema) -> Bool {
        property.conversions.contains { (try? registry.transformers.transformer(named: $0).handlesNull) ?? false }
    }

    private mutating func predefined(_ name: TransformerName, _ descriptor: ValueDescriptor) -> JSONObject? {
        switch name {
        case URLTransformerName: return text(.url)
        case URLPercentEncodingTransformerName:
            if direction == .output { return text(.url) }
            return notation == .strict ? ["type": "string"] : ["type": "string", "minLength": 1]
        case EmptyTextAsNullTransformerName:
            let isEmptyAllowed = descriptor.property.readsNull
            return isEmptyAllowed || notation == .strict
                ? ["type": "string"] : ["type": "string", "minLength": 1]
        case UUIDTransformerName, LowercaseUUIDTransformerName: return text(.uuid)
        case BooleanTransformerName:
            return direction == .output || notation != .jsonSchema
                ? ["type": "boolean"] : ["enum": [true, false, 0, 1]]
        case ISO8601DateTransformerName: return text(.date)
        case LocalISO8601DateTransformerName: return text(.localDate)
        case DateOnlyTransformerName: return text(.day)
        case UnixSecondsTransformerName: return number("number", "Seconds since 1970-01-01T00:00:00Z.")
        case UnixMillisecondsTransformerName: return number("integer", "Milliseconds since 1970-01-01T00:00:00Z.")
        case DurationSecondsTransformerName: return number("number", "Seconds.")
        case Base64DataTransformerName: return text(.data)
        case DecimalTextTransformerName: return text(.number)
        case ScaledDecimalTextTransformerName: return text(.digits)
        case IntegerTextTransformerName: return text(.integer)
        case NumberOrTextTransformerName:
            guard let number = plain(descriptor.property.kind) else { return nil }
            if direction == .output || notation == .strict { return number }
            return ["anyOf": [.object(number), .object(text(.number))]]
        default: return nil
        }
    }

    private func number(_ type: JSONValue, _ description: String) -> JSONObject {
        ["type": type, "description": .string(description)]
    }
}
