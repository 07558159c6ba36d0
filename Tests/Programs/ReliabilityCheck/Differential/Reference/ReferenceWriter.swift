import Foundation
import Pallium

/// A slow writer, written from the documentation alone.
struct ReferenceWriter {
    let set: SchemaSet

    /// What cannot be written: its code.
    struct Refused: Error {
        let code: ModelError.Code
    }

    func object(_ model: ReferenceModel) throws -> JSONValue {
        let schema = set.schema(model.schema)
        var result = JSONValue.object(JSONObject())
        for property in schema.properties {
            guard property.schema.access != .readOnly,
                let slot = model.slots.first(where: { $0.key.utf8.elementsEqual(property.key.utf8) })
            else { continue }
            let policy = property.schema.nilPolicy ?? set.options.nilPolicy
            switch slot.state {
            case .unset:
                if policy == .write { result = put(nil, property, into: result) }
            case .null:
                if policy != .omit { result = put(nil, property, into: result) }
            case .defaulted where policy == .asParsed: continue
            case .value, .defaulted:
                guard let value = slot.value else { continue }
                let written = try json(property.schema, value)
                // What would be missing when it is read is refused.
                if case .all(let paths) = property.mapping, property.schema.isRequired,
                    paths.allSatisfy({ written[$0.text]?.isNull ?? true })
                {
                    throw Refused(code: .missingProperty)
                }
                result = put(written, property, into: result)
            }
        }
        return result
    }

    private func put(_ value: JSONValue, _ property: EffectiveSchema.Property, into tree: JSONValue) -> JSONValue {
        switch property.mapping {
        case .none: return tree
        case .first(let paths): return put(value, at: paths[0].steps[...], into: tree)
        case .all(let paths):
            var result = tree
            for path in paths {
                guard let part = value.isNull ? JSONValue.null : value[path.text] else { continue }
                result = put(part, at: path.steps[...], into: result)
            }
            return result
        }
    }

    private func put(_ value: JSONValue, at steps: ArraySlice<JSONKeyPath.Step>, into tree: JSONValue) -> JSONValue {
        guard case .member(let name)? = steps.first else { return value }
        var members = tree.objectValue ?? JSONObject()
        members.updateValue(put(value, at: steps.dropFirst(), into: members[name] ?? nil), forKey: name)
        return .object(members)
    }

    // MARK: Values

    private func json(_ property: PropertySchema, _ value: ReferenceValue) throws -> JSONValue {
        var names = property.transformers
        if names.isEmpty, let name = set.options.transformersByKind[property.kind.name] { names = [name] }
        // The generator's chains end with the transformer that decides.
        if let name = names.last { return try reversed(name, value) }
        return try natural(property, value)
    }

    private func natural(_ property: PropertySchema, _ value: ReferenceValue) throws -> JSONValue {
        switch (property.kind, value) {
        case (_, .bool(let value)): return .bool(value)
        case (_, .integer(let value)): return .number(JSONNumber(value))
        case (_, .unsigned(let value)): return .number(JSONNumber(value))
        case (_, .double(let value)): return JSONNumber(text: "\(value)").map { .number($0) } ?? nil
        case (_, .float(let value)): return JSONNumber(text: "\(value)").map { .number($0) } ?? nil
        case (_, .decimal(let value)): return JSONNumber(text: "\(value)").map { .number($0) } ?? nil
        case (_, .text(let text)): return .string(text)
        case (_, .date(let date, let text)): return .string(text ?? ReferenceTexts.text(date))
        case (_, .duration(let duration)): return .string(ReferenceTexts.text(duration))
        case (_, .url(let text)): return .string(text)
        case (_, .uuid(let uuid)): return .string(uuid.uuidString)
        case (_, .data(let data)): return .string(data.base64EncodedString())
        case (_, .raw(.text(let text))): return .string(text)
        case (_, .raw(.number(let number))): return .number(JSONNumber(number))
        case (_, .json(let value)): return value
        case (_, .model(let model)): return try object(model)
        case (.array(let element), .list(let elements)), (.set(let element), .list(let elements)):
            return .array(try elements.map { try $0.map { try json(element, $0) } ?? nil })
        case (.dictionary(let element), .entries(let entries)):
            return .object(
                JSONObject(try entries.map { ($0.name, try $0.value.map { try json(element, $0) } ?? nil) }))
        default: throw Refused(code: .typeMismatch)
        }
    }

    private func reversed(_ name: TransformerName, _ value: ReferenceValue) throws -> JSONValue {
        switch (name, value) {
        case (DateOnlyTransformerName, .date(let date, _)): return .string(String(ReferenceTexts.text(date).prefix(10)))
        case (UnixSecondsTransformerName, .date(let date, _)):
            // As few digits as read back as the same date, in groups of three.
            let seconds = date.timeIntervalSince1970
            let short = [1, 1e3, 1e6, 1e9].map { (seconds * $0).rounded() / $0 }
            let written = short.first { Date(timeIntervalSince1970: $0) == date } ?? seconds
            return JSONNumber(text: "\(written)").map { .number($0) } ?? nil
        case (UnixMillisecondsTransformerName, .date(let date, _)):
            return .number(JSONNumber(Int64((date.timeIntervalSince1970 * 1000).rounded())))
        case (DurationSecondsTransformerName, .duration(let duration)):
            let (whole, rest) = duration.components
            let seconds = Decimal(whole) + Decimal(rest) / Decimal(1_000_000_000_000_000_000 as UInt64)
            return JSONNumber(text: "\(seconds)").map { .number($0) } ?? nil
        case (DecimalTextTransformerName, .decimal(let value)): return .string("\(value)")
        case (IntegerTextTransformerName, .integer(let value)): return .string("\(value)")
        case (GeneratedTransformers.negate, .integer(let value)):
            if value == .min { throw Refused(code: .transformerFailed) }
            return .number(JSONNumber(-value))
        case (GeneratedTransformers.words, .list(let words)):
            let texts = words.map { word in if case .text(let text)? = word { text } else { "" } }
            return .string(texts.joined(separator: "|"))
        case (GeneratedTransformers.sum, _): throw Refused(code: .notReversible)
        case (GeneratedTransformers.nullAsZero, .integer(0)): return nil
        case (GeneratedTransformers.jsonText, .text(let text)):
            guard let value = try? JSONValue(parsing: text) else { throw Refused(code: .transformerFailed) }
            return value
        default: return try natural(PropertySchema(.json), value)
        }
    }
}
