import PalliumCore
import PalliumJSON

/// A form of values that several members have.
struct MemberForm<Value>: Sendable {
    /// The values as JSON Schema.
    let schema: JSONObject
    /// Reads the value of the member with a name, or reports a mistake.
    let read: @Sendable (inout SchemaReader, LocatedJSON, _ member: String) -> Value?
    /// Returns nil for the value of a subject that needs no member.
    let write: @Sendable (Value) -> JSONValue?
}

extension JSONObject {
    /// A reference to a definition of `Schemas/model-schema.json`.
    static func reference(_ name: String) -> JSONObject { ["$ref": .string("#/$defs/\(name)")] }
}

extension MemberForm<Bool> {
    /// A flag, which documents contain only if it is set.
    static var flag: MemberForm {
        MemberForm(schema: ["const": true], read: { $0.flag($1, $2) }, write: { $0 ? true : .none })
    }
}

extension MemberForm<PropertySchema.Nullability> {
    static var nullability: MemberForm {
        MemberForm(
            schema: ["type": "boolean"],
            read: { reader, json, member in
                if case .bool(let isAllowed) = json.content { return isAllowed ? .allowed : .refused }
                reader.mismatch(json, member, "true or false")
                return nil
            },
            write: { .bool($0 == .allowed) })
    }
}

extension MemberForm<Int> {
    static var version: MemberForm {
        MemberForm(
            schema: .reference("version"), read: { $0.version($1, $2) }, write: { .number(JSONNumber($0)) })
    }
}

extension MemberForm<String> {
    static var text: MemberForm {
        MemberForm(schema: ["type": "string"], read: { $0.text($1, $2) }, write: { $0.isEmpty ? nil : .string($0) })
    }

    static func name(_ expected: String) -> MemberForm {
        MemberForm(
            schema: .reference("name"), read: { $0.name($1, $2, expected: expected) }, write: { .string($0) })
    }
}

extension MemberForm where Value: RawRepresentable<String> & Sendable {
    /// One of a few texts.
    static func choice(_ choices: [Value]) -> MemberForm {
        MemberForm(
            schema: ["enum": SchemaWriter.list(choices.map(\.rawValue))], read: { $0.choice($1, $2, choices) },
            write: { .string($0.rawValue) })
    }
}

extension MemberForm where Value: RawRepresentable<String> & Sendable & CaseIterable {
    /// One of the texts of a type.
    static var choice: MemberForm { choice(Array(Value.allCases)) }
}

extension MemberForm {
    /// An object of values by key.
    static func byKey<Element>(
        _ expected: String, _ definition: String,
        read: @escaping @Sendable (inout SchemaReader, LocatedJSON) -> Element?,
        write: @escaping @Sendable (Element) -> JSONValue
    ) -> MemberForm where Value == [String: Element] {
        MemberForm(
            schema: .reference(definition), read: { $0.dictionary($1, $2, expected: expected, read) },
            write: { SchemaWriter.object($0, write) })
    }
}
