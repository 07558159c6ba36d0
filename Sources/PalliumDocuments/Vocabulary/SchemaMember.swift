import PalliumCore
package import PalliumJSON

/// A member of the objects of schema documents: how it is read, written and described.
package struct SchemaMember<Subject>: Sendable {
    typealias Read = @Sendable (inout SchemaReader, LocatedJSON, inout Subject) -> Void
    typealias Write = @Sendable (inout SchemaWriter, Subject) -> JSONValue?

    package let name: String
    /// The meaning, for people.
    package let documentation: String
    /// The values as JSON Schema.
    package let schema: JSONObject
    /// Nil for a member that the reader of the object reads itself, because other members depend on it.
    let read: Read?
    /// Returns nil for a subject that needs no member.
    let write: Write

    /// - Parameter schema: By default the definition of `Schemas/model-schema.json` with the name.
    init(
        _ name: String, _ documentation: String, _ schema: JSONObject? = nil, read: Read? = nil, write: @escaping Write
    ) {
        self.name = name
        self.documentation = documentation
        self.schema = schema ?? .reference(name)
        self.read = read
        self.write = write
    }

    /// Describes a member that is a value of the subject.
    ///
    /// - Parameter default: The value of a subject without the member.
    init<Value: Equatable & Sendable>(
        _ name: String, _ form: MemberForm<Value>, _ path: any WritableKeyPath<Subject, Value> & Sendable,
        default: Value? = nil, _ documentation: String
    ) {
        var schema = form.schema
        schema["default"] = `default`.flatMap(form.write)
        self.init(name, documentation, schema) { reader, json, subject in
            if let value = form.read(&reader, json, name) { subject[keyPath: path] = value }
        } write: { _, subject in
            subject[keyPath: path] == `default` ? nil : form.write(subject[keyPath: path])
        }
    }

    /// Describes a member that is an optional value of the subject.
    init<Value>(
        _ name: String, _ form: MemberForm<Value>, _ path: any WritableKeyPath<Subject, Value?> & Sendable,
        _ documentation: String
    ) {
        self.init(name, documentation, form.schema) { reader, json, subject in
            subject[keyPath: path] = form.read(&reader, json, name)
        } write: { _, subject in
            subject[keyPath: path].flatMap(form.write)
        }
    }
}

/// The members of an object, in the order in which they are written.
package struct SchemaTable<Subject>: Sendable {
    /// The object in messages, such as `a schema`.
    let title: String
    package let members: [SchemaMember<Subject>]
    let names: [String]

    init(_ title: String, _ members: [SchemaMember<Subject>]) {
        self.title = title
        self.members = members
        names = members.map(\.name)
    }
}

/// The vocabulary of schema documents.
///
/// The reader and the writer walk these tables. `Schemas/model-schema.json` and the article *SchemaDocuments* repeat them; a
/// test compares, and renews them. Objects that are one of several forms, such as clusters and rules, have no table.
package enum SchemaVocabulary {}
