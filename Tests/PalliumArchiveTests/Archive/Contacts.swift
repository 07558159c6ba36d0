import Foundation
import Pallium
import TestSupport

/// A schema in three versions, as a program would have it over the years.
///
///     1  Contact   name, mail, born (text), tags, boss
///     2  Contact   name, email, born (date), tags, boss, favourite
///     3  Person    firstName, lastName, email, born, favourite, boss
enum Contacts {
    static let steps = [
        SchemaUpgrade(
            from: 1, renamed: ["mail": "email"], defaults: ["favourite": true],
            transformed: ["born": ["Trimmed", DateOnlyTransformerName]]),
        SchemaUpgrade(from: 2, removed: ["tags"], oldSchemaName: "Contact") { contact in
            guard let name = contact["name"]?.text else { throw FixtureError.nameMissing }
            let parts = name.split(separator: " ", maxSplits: 1)
            contact["firstName"] = parts.first.map { .string(String($0)) }
            contact["lastName"] = parts.count > 1 ? .string(String(parts[1])) : .null
            contact["name"] = nil
        },
    ]

    /// The schema as it was.
    static func schema(version: Int) -> ModelSchema {
        var schema =
            switch version {
            case 1:
                ModelSchema(
                    "Contact",
                    [
                        "name": .string.required, "mail": .string, "born": .string, "tags": .array(of: .string),
                        "boss": .model("Contact"),
                    ])
            case 2:
                ModelSchema(
                    "Contact",
                    [
                        "boss": .model("Contact"), "name": .string.required, "email": .string, "born": .date,
                        "tags": .array(of: .string), "favourite": .bool.default(false),
                    ])
            default:
                ModelSchema(
                    "Person",
                    [
                        "firstName": .string.required, "lastName": .string, "email": .string, "born": .date,
                        "favourite": .bool.default(false), "boss": .model("Person"),
                    ])
            }
        schema.version = version
        schema.upgrades = Array(steps.prefix(version - 1))
        return schema
    }

    static func registry(version: Int) throws -> SchemaRegistry {
        let trimmed = Transformer(from: String.self, to: String.self) { text, _ in String(text.drop { $0 == " " }) }
        return try .of(schema(version: version), transformers: ["Trimmed": trimmed])
    }

    /// An archive of two contacts, as a program of a version writes it.
    static func archive(version: Int) throws -> Data {
        let (schema, registry) = (schema(version: version), try registry(version: version))
        let ada = DynamicModel(schema: schema, registry: registry)
        let charles = DynamicModel(schema: schema, registry: registry)
        let born = "1815-12-10"
        for (contact, name) in [(ada, "Ada King Lovelace"), (charles, "Charles")] {
            if version < 3 {
                try contact.setValue(name, forKey: "name")
            } else {
                let parts = name.split(separator: " ", maxSplits: 1).map { String($0) }
                try contact.setValue(parts[0], forKey: "firstName")
                try contact.setValue(parts.count > 1 ? parts[1] : nil, forKey: "lastName")
            }
        }
        try ada.setValue(charles, forKey: "boss")
        try ada.setValue("ada@example.org", forKey: version == 1 ? "mail" : "email")
        if version < 3 { try ada.setValue(["a", "b"], forKey: "tags") }
        if version == 1 {
            try ada.setValue("  " + born, forKey: "born")
        } else {
            let date = try TransformerRegistry.shared.transformer(named: DateOnlyTransformerName)
                .transform(born, as: Date.self)
            try ada.setValue(date, forKey: "born")
        }
        try charles.setValue(nil, forKey: "born")
        if version > 1 {
            try ada.setValue(true, forKey: "favourite")
            try charles.setValue(true, forKey: "favourite")
        }
        return try ModelArchiver().archive([ada, charles])
    }
}
