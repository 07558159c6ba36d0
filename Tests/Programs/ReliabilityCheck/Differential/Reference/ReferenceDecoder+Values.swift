import Foundation
import Pallium

/// Values by kind.
extension ReferenceDecoder {
    /// A value in JSON as what the property holds: through its transformers, or by its kind.
    ///
    /// - Parameter parts: The names of the parts that several paths put together.
    mutating func converted(
        _ property: PropertySchema, _ value: JSONValue, _ place: JSONPointer, parts: [String] = []
    ) -> Outcome {
        let outer = labelled
        if !property.labels.isEmpty, !outer.contains(where: { Self.isInside(place, $0) }) {
            labelled += parts.map { place.appending($0) }
            labelled.append(place)
        }
        defer { labelled = outer }
        var names = property.transformers
        if names.isEmpty, !readsInput, let name = set.options.transformersByKind[property.kind.name] { names = [name] }
        if value == "", set.options.leniency.contains(.emptyTextAsNull) {
            switch property.kind {
            case .string, .json: break
            default: return .null(place)
            }
        }
        if !names.isEmpty { return transformed(property, names, value, place) }
        return natural(property, value, place)
    }

    /// A value in JSON by the property's kind.
    mutating func natural(_ property: PropertySchema, _ value: JSONValue, _ place: JSONPointer) -> Outcome {
        if value.isNull { return .null(place) }
        func mismatch() -> Outcome {
            fail(.typeMismatch, place)
            return .failed
        }
        func checked(_ value: ReferenceValue?) -> Outcome {
            guard let value else {
                fail(.invalidValue, place)
                return .failed
            }
            return .value(value, place)
        }
        switch (property.kind, value) {
        case (.bool, .bool(let value)): return .value(.bool(value), place)
        case (.bool, .number(let number)) where !readsInput && set.options.leniency.contains(.boolsAsNumbers):
            guard let value = number.int64, value == 0 || value == 1 else { return checked(nil) }
            return .value(.bool(value == 1), place)
        case (.integer, .number(let number)), (.unsigned, .number(let number)), (.double, .number(let number)),
            (.float, .number(let number)), (.decimal, .number(let number)):
            return self.number(property.kind, number, place)
        case (.integer, .string(let text)), (.unsigned, .string(let text)), (.double, .string(let text)),
            (.float, .string(let text)), (.decimal, .string(let text)):
            guard !readsInput, set.options.leniency.contains(.numbersAsText) else { return mismatch() }
            guard let number = JSONNumber(text: text) else { return checked(nil) }
            return self.number(property.kind, number, place)
        case (.string, .string(let text)): return .value(.text(text), place)
        case (.date, .string(let text)): return checked(ReferenceTexts.date(text).map { .date($0, text) })
        case (.duration, .string(let text)): return checked(ReferenceTexts.duration(text).map { .duration($0) })
        case (.url, .string(let text)): return checked(ReferenceTexts.url(text).map { .url($0) })
        case (.uuid, .string(let text)): return checked(ReferenceTexts.uuid(text).map { .uuid($0) })
        case (.data, .string(let text)): return checked(ReferenceTexts.data(text).map { .data($0) })
        case (.enumeration(let schema), .string(let text)): return enumeration(schema, .text(text), place)
        case (.enumeration(let schema), .number(let number)):
            guard let number = number.int64 else { return mismatch() }
            return enumeration(schema, .number(number), place)
        case (.json, _): return .value(.json(value), place)
        case (.model(let reference), _):
            guard let model = model(set.name(reference), value, place) else { return .failed }
            return .value(.model(model), place)
        case (.array(let element), .array(let elements)): return list(element, elements, isSet: false, place)
        case (.set(let element), .array(let elements)): return list(element, elements, isSet: true, place)
        case (.dictionary(let element), .object(let members)): return entries(element, members, place)
        default: return mismatch()
        }
    }

    // MARK: Numbers

    mutating func number(_ kind: PropertyKind, _ number: JSONNumber, _ place: JSONPointer) -> Outcome {
        func refused(_ code: ModelError.Code) -> Outcome {
            fail(code, place)
            return .failed
        }
        switch kind {
        case .integer(let width):
            guard let exact = exactInteger(number) else { return refused(.typeMismatch) }
            let limit = Int64(1) << (width.rawValue - 1)
            guard let value = Int64(exact), width == .bits64 || (value >= -limit && value < limit) else {
                return refused(.numberOutOfRange)
            }
            return .value(.integer(value), place)
        case .unsigned(let width):
            guard let exact = exactInteger(number) else { return refused(.typeMismatch) }
            guard let value = UInt64(exact == "-0" ? "0" : exact),
                width == .bits64 || value < 1 << width.rawValue
            else { return refused(.numberOutOfRange) }
            return .value(.unsigned(value), place)
        case .double:
            guard let value = Double(number.text), value.isFinite else { return refused(.numberOutOfRange) }
            return .value(.double(value), place)
        case .float:
            guard let value = Float(number.text), value.isFinite else { return refused(.numberOutOfRange) }
            return .value(.float(value), place)
        default:
            guard let value = ReferenceTexts.decimal(number.text) else { return refused(.numberOutOfRange) }
            return .value(.decimal(value), place)
        }
    }

    /// The digits of an integer; nil when the number is none. What no Double reaches is one here: the generator has no
    /// fractions of that size.
    func exactInteger(_ number: JSONNumber) -> String? {
        number.finiteDouble == nil ? "beyond all integers" : ExactInteger(number.text)?.text
    }

    // MARK: Enumerations

    private mutating func enumeration(
        _ schema: EnumerationSchema, _ raw: EnumerationSchema.RawValue, _ place: JSONPointer
    ) -> Outcome {
        if let found = schema.cases.first(where: { $0.rawValue == raw || $0.aliases.contains(raw) }) {
            return .value(.raw(found.rawValue), place)
        }
        switch schema.unknown {
        case .fail:
            fail(.unknownCase, place)
            return .failed
        case .keep:
            // What is kept is of the cases' own kind.
            guard schema.cases.contains(where: { raw.isText == $0.rawValue.isText }) else {
                fail(.unknownCase, place)
                return .failed
            }
            return .value(.raw(raw), place)
        case .fallback(let raw): return .value(.raw(raw), place)
        }
    }

    // MARK: Collections

    private mutating func list(
        _ element: PropertySchema, _ elements: [JSONValue], isSet: Bool, _ place: JSONPointer
    ) -> Outcome {
        var result: [ReferenceValue?] = []
        var seen: Swift.Set<JSONValue> = []
        var isComplete = true
        for (index, value) in elements.enumerated() {
            let read: ReferenceValue?
            switch self.element(element, value, place.appending(index)) {
            case .failed:
                isComplete = false
                continue
            case .value(let value): read = value
            }
            if isSet, !seen.insert(read.map { identity($0, element.kind) } ?? .null).inserted { continue }
            result.append(read)
        }
        return isComplete || set.options.elements == .skip ? .value(.list(result), place) : .failed
    }

    private mutating func entries(_ element: PropertySchema, _ members: JSONObject, _ place: JSONPointer) -> Outcome {
        var result: [(name: String, value: ReferenceValue?)] = []
        var isComplete = true
        for (name, value) in members {
            switch self.element(element, value, place.appending(name)) {
            case .failed: isComplete = false
            case .value(let value): result.append((name, value))
            }
        }
        return isComplete || set.options.elements == .skip ? .value(.entries(result), place) : .failed
    }

    private enum Element {
        case failed
        case value(ReferenceValue?)
    }

    /// An element is not null unless it is declared so.
    private mutating func element(_ schema: PropertySchema, _ value: JSONValue, _ place: JSONPointer) -> Element {
        let read = element { decoder -> Element in
            switch decoder.converted(schema, value, place) {
            case .failed, .absent: return .failed
            case .value(let value, _): return .value(value)
            case .null:
                if schema.isNullableByDeclaration { return .value(nil) }
                decoder.fail(.nullNotAllowed, place)
                return .failed
            }
        }
        return read ?? .failed
    }
}

/// What makes elements of a set the same.
extension ReferenceDecoder {
    func identity(_ value: ReferenceValue, _ kind: PropertyKind) -> JSONValue {
        switch (kind, value) {
        case (_, .double(let value)) where value == 0: return Snapshot.of(ReferenceValue.double(0))
        case (_, .float(let value)) where value == 0: return Snapshot.of(ReferenceValue.float(0))
        case (.array(let element), .list(let elements)):
            return .array(elements.map { $0.map { identity($0, element.kind) } ?? .null })
        case (.set(let element), .list(let elements)):
            let texts = elements.map { ($0.map { identity($0, element.kind) } ?? .null).sortedText }
            return .array(texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { .string($0) })
        case (.dictionary(let element), .entries(let entries)):
            return .object(
                JSONObject(entries.map { ($0.name, $0.value.map { identity($0, element.kind) } ?? .null) }))
        case (_, .model(let model)): return identity(model)
        default: return Snapshot.of(value)
        }
    }

    /// Models are equal when their permanent properties are; unset and null are alike.
    private func identity(_ model: ReferenceModel) -> JSONValue {
        var values: [(key: String, value: JSONValue)] = []
        for (property, slot) in zip(slotted(model.schema), model.slots) where property.storage == .permanent {
            values.append((slot.key, slot.value.map { identity($0, property.kind) } ?? .null))
        }
        return .array([.string(model.schema), .object(JSONObject(values))])
    }

    /// The properties with a slot, in the order of a model's slots.
    private func slotted(_ name: String) -> [PropertySchema] {
        set.schema(name).properties.map(\.schema).filter { $0.storage != .notStored && !$0.isWeak }
    }
}

extension JSONValue {
    /// JSON text whose members are in the order of their names' bytes.
    var sortedText: String { GeneratedTransformers.text(self) }
}

extension EnumerationSchema.RawValue {
    /// Whether it is text, not a number.
    var isText: Bool { if case .text = self { true } else { false } }
}
