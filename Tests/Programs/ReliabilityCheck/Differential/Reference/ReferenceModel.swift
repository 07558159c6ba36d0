import Foundation
import Pallium

/// What the documentation says a model holds.
struct ReferenceModel {
    /// The name of the schema.
    let schema: String
    /// State and value of each property with a slot, in schema order.
    var slots: [Slot]
    /// Whether it belongs to no cluster.
    var isAlone = true

    struct Slot {
        let key: String
        var state: PropertyState
        var value: ReferenceValue?
    }
}

/// A value of a property.
indirect enum ReferenceValue {
    case bool(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case double(Double)
    case float(Float)
    case decimal(Decimal)
    case text(String)
    /// A moment, with the text that it was read from.
    case date(Date, String? = nil)
    case duration(Duration)
    case url(String)
    case uuid(UUID)
    case data(Data)
    case raw(EnumerationSchema.RawValue)
    case json(JSONValue)
    case model(ReferenceModel)
    case list([ReferenceValue?])
    case entries([(name: String, value: ReferenceValue?)])
}

/// A problem by what callers can compare: its code and its place.
struct ReferenceProblem: Hashable, CustomStringConvertible {
    let code: ModelError.Code
    let pointer: JSONPointer
    var description: String { "\(code.rawValue) at \"\(pointer)\"" }
}

/// Models as trees that say kind, state and value of everything, to be compared and printed.
enum Snapshot {
    static func of(_ model: ReferenceModel) -> JSONValue {
        var slots: [(key: String, value: JSONValue)] = []
        for slot in model.slots {
            slots.append((slot.key, .array([.string(slot.state.rawValue), slot.value.map(of) ?? .null])))
        }
        return .array([.string(model.schema), .object(JSONObject(slots))])
    }

    static func of(_ value: ReferenceValue) -> JSONValue {
        switch value {
        case .bool(let value): .bool(value)
        case .integer(let value): .number(JSONNumber(value))
        case .unsigned(let value): .number(JSONNumber(value))
        case .double(let value): of(value)
        case .float(let value): of(value)
        case .decimal(let value): .string("decimal \(value)")
        case .text(let value): .string(value)
        case .date(let value, _): of(value)
        case .duration(let value): of(value)
        case .url(let value): .string("url \(value)")
        case .uuid(let value): .string("uuid \(value.uuidString)")
        case .data(let value): .string("data \(value.base64EncodedString())")
        case .raw(let value): of(value)
        case .json(let value): .array(["json", value])
        case .model(let value): of(value)
        case .list(let elements): .array(elements.map { $0.map(of) ?? .null })
        case .entries(let entries): self.entries(entries.map { ($0.name, $0.value.map(of) ?? .null) })
        }
    }

    static func of(_ value: Double) -> JSONValue { .string("double \(value) \(String(value.bitPattern, radix: 16))") }

    static func of(_ value: Float) -> JSONValue { .string("float \(value) \(String(value.bitPattern, radix: 16))") }

    /// To the tenth of a millisecond: a `Date` counts from 2001, so far fractions may differ in their last bit.
    static func of(_ value: Date) -> JSONValue {
        .string("date \((value.timeIntervalSince1970 * 10_000).rounded())")
    }

    static func of(_ value: Duration) -> JSONValue {
        .string("duration \(value.components.seconds) s, \(value.components.attoseconds) as")
    }

    static func of(_ value: EnumerationSchema.RawValue) -> JSONValue {
        switch value {
        case .text(let text): .string("case \(text)")
        case .number(let number): .string("case number \(number)")
        }
    }

    /// Swift dictionaries compare names by canonical equivalence: of equal ones nobody can say which stays, so names
    /// and values are shown by one of them only.
    static func entries(_ entries: [(String, JSONValue)]) -> JSONValue {
        var normal: [String: JSONValue] = [:]
        var blurred: Set<String> = []
        for (name, value) in entries where normal.updateValue(value, forKey: name) != nil { blurred.insert(name) }
        let sorted = normal.sorted {
            Array($0.key.decomposedStringWithCanonicalMapping.utf8).lexicographicallyPrecedes(
                Array($1.key.decomposedStringWithCanonicalMapping.utf8))
        }
        return .array(
            sorted.map {
                .array([
                    .string($0.key.decomposedStringWithCanonicalMapping),
                    blurred.contains($0.key) ? "several" : $0.value,
                ])
            })
    }

    /// Whether the trees are the same, but for values of which nobody can say which stays.
    static func agree(_ expected: JSONValue, _ found: JSONValue) -> Bool {
        expected == found || difference(expected, found).isEmpty
    }

    /// Where two trees differ, one place after another.
    static func difference(_ expected: JSONValue, _ found: JSONValue, at place: JSONPointer = JSONPointer()) -> String {
        switch (expected, found) {
        case (.array(let left), .array(let right)) where left.count == right.count:
            return zip(left, right).enumerated().filter { $0.element.0 != $0.element.1 }
                .map { difference($0.element.0, $0.element.1, at: place.appending($0.offset)) }
                .filter { !$0.isEmpty }.joined(separator: "; ")
        case (.object(let left), .object(let right)):
            let names = left.keys + right.keys.filter { left[$0] == nil }
            return names.filter { left[$0] != right[$0] }
                .map { name in
                    guard let one = left[name], let other = right[name] else {
                        return "\(place.appending(name)): expected \(left[name].map { "\($0)" } ?? "none"), "
                            + "found \(right[name].map { "\($0)" } ?? "none")"
                    }
                    return difference(one, other, at: place.appending(name))
                }.filter { !$0.isEmpty }.joined(separator: "; ")
        case ("several", _): return ""
        default: return "\(place): expected \(expected), found \(found)"
        }
    }
}
