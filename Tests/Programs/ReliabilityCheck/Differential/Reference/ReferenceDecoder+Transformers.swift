import Foundation
import Pallium

/// The transformers that generated schemas name, by the table of the predefined ones.
extension ReferenceDecoder {
    private enum Step {
        case json(JSONValue)
        case value(ReferenceValue)
        case null
    }

    mutating func transformed(
        _ property: PropertySchema, _ names: [TransformerName], _ value: JSONValue, _ place: JSONPointer
    ) -> Outcome {
        if value.isNull, names[0] != GeneratedTransformers.nullAsZero { return .null(place) }
        var step = Step.json(value)
        for name in names {
            guard let next = transformed(name, step, place) else { return .failed }
            step = next
            if case .null = step { return .null(place) }
        }
        switch step {
        case .null: return .null(place)
        case .json(.number(let number)): return self.number(property.kind, number, place)
        case .json(let value): return natural(property, value, place)
        case .value(.integer(let value)):
            return number(property.kind, JSONNumber(value), place)
        case .value(let value): return .value(value, place)
        }
    }

    private mutating func transformed(_ name: TransformerName, _ step: Step, _ place: JSONPointer) -> Step? {
        guard case .json(let value) = step else {
            // Only the generator's own chain, of two texts.
            if case .value(.text(let text)) = step { return transformed(name, .json(.string(text)), place) }
            return step
        }
        func refused(_ code: ModelError.Code) -> Step? {
            fail(code, place)
            return nil
        }
        func text(_ convert: (String) -> ReferenceValue?) -> Step? {
            guard case .string(let text) = value else { return refused(.typeMismatch) }
            guard let result = convert(text) else { return refused(.invalidValue) }
            return .value(result)
        }
        switch name {
        case URLTransformerName: return text { ReferenceTexts.url($0).map { .url($0) } }
        case EmptyTextAsNullTransformerName:
            if case .string("") = value { return .null }
            return text { .text($0) }
        case UUIDTransformerName: return text { ReferenceTexts.uuid($0).map { .uuid($0) } }
        case BooleanTransformerName:
            switch value {
            case .bool(let value): return .value(.bool(value))
            case .number(let number):
                guard let integer = number.int64, integer == 0 || integer == 1 else { return refused(.invalidValue) }
                return .value(.bool(integer == 1))
            default: return refused(.typeMismatch)
            }
        case ISO8601DateTransformerName: return text { text in ReferenceTexts.date(text).map { .date($0, text) } }
        case DateOnlyTransformerName: return text { ReferenceTexts.day($0).map { .date($0) } }
        case DurationSecondsTransformerName:
            guard case .number(let number) = value else { return refused(.typeMismatch) }
            guard let seconds = ReferenceTexts.decimal(number.text).flatMap({ ReferenceTexts.duration($0) }) else {
                return refused(.invalidValue)
            }
            return .value(.duration(seconds))
        case UnixSecondsTransformerName:
            guard case .number(let number) = value else { return refused(.typeMismatch) }
            guard let seconds = number.finiteDouble else { return refused(.numberOutOfRange) }
            return .value(.date(Date(timeIntervalSince1970: seconds)))
        case UnixMillisecondsTransformerName:
            guard case .number(let number) = value else { return refused(.typeMismatch) }
            guard exactInteger(number) != nil else { return refused(.typeMismatch) }
            // A date counts from 2001. What it does not give back is out of its range.
            let origin: Int64 = 978_307_200_000
            guard let milliseconds = number.int64, milliseconds >= .min + origin else {
                return refused(.numberOutOfRange)
            }
            let date = Date(timeIntervalSinceReferenceDate: Double(milliseconds - origin) / 1000)
            guard let back = Int64(exactly: (date.timeIntervalSinceReferenceDate * 1000).rounded()),
                back + origin == milliseconds
            else { return refused(.numberOutOfRange) }
            return .value(.date(date))
        case Base64DataTransformerName: return text { ReferenceTexts.data($0).map { .data($0) } }
        case DecimalTextTransformerName:
            return text { JSONNumber(text: $0).flatMap { ReferenceTexts.decimal($0.text) }.map { .decimal($0) } }
        case IntegerTextTransformerName: return text { text in plainInteger(text).map { .integer($0) } }
        case NumberOrTextTransformerName:
            switch value {
            case .number: return .json(value)
            case .string(let text):
                guard let number = JSONNumber(text: text) else { return refused(.invalidValue) }
                return .json(.number(number))
            default: return refused(.typeMismatch)
            }
        default: return ownTransformed(name, value, place)
        }
    }

    private func plainInteger(_ text: String) -> Int64? {
        guard let value = Int64(text), String(value).utf8.elementsEqual(text.utf8) else { return nil }
        return value
    }

    /// What a transformer takes, by its type alone: the options for properties do not concern it.
    private mutating func input(_ property: PropertySchema, _ value: JSONValue, _ place: JSONPointer) -> Outcome {
        let outer = readsInput
        readsInput = true
        defer { readsInput = outer }
        return natural(property, value, place)
    }

    /// What the program's own transformers do.
    private mutating func ownTransformed(_ name: TransformerName, _ value: JSONValue, _ place: JSONPointer) -> Step? {
        func refused(_ code: ModelError.Code) -> Step? {
            fail(code, place)
            return nil
        }
        switch name {
        case GeneratedTransformers.negate:
            guard case .value(.integer(let value), _) = input(.integer, value, place) else { return nil }
            return value == .min ? refused(.transformerFailed) : .value(.integer(-value))
        case GeneratedTransformers.nullAsZero:
            if value.isNull { return .value(.integer(0)) }
            switch input(.integer, value, place) {
            case .value(let value, _): return .value(value)
            case .null: return .value(.integer(0))
            default: return nil
            }
        case GeneratedTransformers.words:
            guard case .string(let text) = value else { return refused(.typeMismatch) }
            return .value(.list(GeneratedTransformers.split(text).map { .text($0) }))
        case GeneratedTransformers.sum:
            guard case .value(.list(let elements), _) = input(.array(of: .integer), value, place) else { return nil }
            var sum = 0
            for case .integer(let element)?? in elements.map(Optional.some) {
                let (result, overflow) = sum.addingReportingOverflow(Int(element))
                guard !overflow else { return refused(.transformerFailed) }
                sum = result
            }
            return .value(.integer(Int64(sum)))
        default: return .value(.text(GeneratedTransformers.text(value)))
        }
    }
}
