import Foundation
import Pallium

/// What a real model holds, read through the public API by key.
extension Snapshot {
    static func of(_ model: DynamicModel, in set: SchemaSet) throws -> JSONValue {
        let name = model.schema.name
        var slots: [(key: String, value: JSONValue)] = []
        for property in set.schema(name).properties where property.schema.storage != .notStored {
            // The reference says nothing of weak references: they are set by parents.
            if property.schema.isWeak { continue }
            let value = try model.value(forKey: property.key)
            let state = try model.state(of: property.key)
            slots.append(
                (property.key, .array([.string(state.rawValue), try of(value as Any, property.schema.kind, in: set)])))
        }
        return .array([.string(name), .object(JSONObject(slots))])
    }

    /// A value as `value(forKey:)` gives it, by the kind of its property.
    private static func of(_ value: Any, _ kind: PropertyKind, in set: SchemaSet) throws -> JSONValue {
        if let optional = value as? any NilTest {
            guard let inside = optional.inside else { return .null }
            return try of(inside, kind, in: set)
        }
        switch (kind, value) {
        case (.bool, let value as Bool): return .bool(value)
        case (.integer, let value as any FixedWidthInteger), (.unsigned, let value as any FixedWidthInteger):
            return .number(JSONNumber(value))
        case (.double, let value as Double): return of(value)
        case (.float, let value as Float): return of(value)
        case (.decimal, let value as Decimal): return .string("decimal \(value)")
        case (.string, let value as String): return .string(value)
        case (.date, let value as Date): return of(value)
        case (.duration, let value as Duration): return of(value)
        case (.url, let value as URL): return .string("url \(value.absoluteString)")
        case (.uuid, let value as UUID): return .string("uuid \(value.uuidString)")
        case (.data, let value as Data): return .string("data \(value.base64EncodedString())")
        case (.enumeration, let value as String): return of(EnumerationSchema.RawValue.text(value))
        case (.enumeration, let value as Int): return of(EnumerationSchema.RawValue.number(Int64(value)))
        case (.json, let value as JSONValue): return .array(["json", value])
        case (.model, let value as DynamicModel): return try of(value, in: set)
        case (.array(let element), let list as [Any]), (.set(let element), let list as [Any]):
            return .array(try list.map { try of($0, element.kind, in: set) })
        case (.dictionary(let element), let members as [String: Any]):
            return entries(try members.map { ($0.key, try of($0.value, element.kind, in: set)) })
        default: return .string("a value of the type \(type(of: value)) in a property of the kind \(kind.name)")
        }
    }
}

/// Whether an erased optional holds something.
private protocol NilTest {
    var inside: Any? { get }
}

extension Optional: NilTest {
    fileprivate var inside: Any? { map { $0 as Any } }
}
