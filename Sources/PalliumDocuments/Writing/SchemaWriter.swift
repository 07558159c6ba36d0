import PalliumCore
import PalliumJSON

/// Writes a schema as a document and collects the parts that no document can express.
package struct SchemaWriter {
    let registry: SchemaRegistry
    /// The names of the schemas that are written together, by class; they need not be registered.
    private let namesByClass: [ObjectIdentifier: String]
    private(set) var problems: [SchemaError.Problem] = []
    /// The schema and property that are being written.
    private(set) var schemaName = ""
    private(set) var propertyKey: String?

    /// How deep element types can be nested, so that the document stays within its depth.
    package static let maximumElementLevels = 59

    private init(registry: SchemaRegistry, schemas: [ModelSchema]) {
        self.registry = registry
        var names: [ObjectIdentifier: String] = [:]
        for schema in schemas {
            if let modelClass = schema.modelClass { names[ObjectIdentifier(modelClass)] = schema.name }
        }
        namesByClass = names
    }

    /// Returns the documents of some schemas, or throws every problem of all of them.
    static func documents(of schemas: [ModelSchema], registry: SchemaRegistry) throws(SchemaError) -> [JSONValue] {
        var writer = SchemaWriter(registry: registry, schemas: schemas)
        let documents = schemas.map { writer.write($0) }
        if !writer.problems.isEmpty { throw SchemaError(writer.problems) }
        return documents
    }

    mutating func report(_ message: String, fix: String? = nil) {
        problems.append(SchemaError.Problem(schema: schemaName, property: propertyKey, message: message, fix: fix))
    }

    private mutating func write(_ schema: ModelSchema) -> JSONValue {
        schemaName = schema.name
        let problemsBefore = problems.count
        var document = JSONObject()
        document["name"] = .string(schema.name)
        if schema.version != 1 { document["version"] = .number(JSONNumber(schema.version)) }
        if !schema.documentation.isEmpty { document["doc"] = .string(schema.documentation) }
        document["extends"] = schema.parent.map { name(of: $0) }
        if schema.keys != .identity { document["keys"] = .string(schema.keys.rawValue) }
        document["identity"] = Self.oneOrList(schema.identity)
        if schema.isObserved { document["observed"] = true }
        document["properties"] = write(schema.properties)
        if !schema.ignored.isEmpty { document["ignored"] = Self.list(schema.ignored) }
        if !schema.rules.isEmpty {
            document["rules"] = .array(schema.rules.map { Self.write($0, message: schema.messages[$0]) })
        }
        document["cluster"] = schema.cluster.flatMap { write($0, isOpen: schema.isOpen) }
        document["profiles"] = write(schema.profiles)
        if !schema.upgrades.isEmpty { document["upgrades"] = .array(schema.upgrades.map { write($0) }) }
        reportHooks(of: schema)
        if problems.count == problemsBefore { proofread(.object(document)) }
        return .object(document)
    }

    private mutating func write(_ properties: [ModelSchema.Property]) -> JSONValue? {
        var object = JSONObject()
        for property in properties {
            propertyKey = property.key
            if object.updateValue(write(property.schema, level: 0), forKey: property.key) != nil {
                report("the key occurs twice", fix: "keep one")
            }
        }
        propertyKey = nil
        return object.isEmpty ? nil : .object(object)
    }

    private mutating func reportHooks(of schema: ModelSchema) {
        // A copy without everything that can be code, to compare with.
        var rest = schema
        rest.properties = []
        rest.cluster = nil
        if rest.hasClosures {
            report(
                "has rules or hooks over the whole model (validate, didDecode), which are Swift code",
                fix: "keep the schema in code, or move them into the class")
        }
    }

    /// Reads the document again. Mistakes that the format does not allow (an endless name, an unknown kind, too deep
    /// nesting) are reported now and not when somebody loads the document.
    private mutating func proofread(_ document: JSONValue) {
        var reader = SchemaReader(registry: registry)
        do throws(JSONSyntaxError) {
            reader.read(try LocatedJSON(parsing: document.bytes()))
        } catch {
            report("cannot be written: \(error.problem)")
        }
        for problem in reader.problems {
            problems.append(
                SchemaError.Problem(
                    schema: schemaName, property: problem.property, message: "cannot be written: \(problem.message)",
                    fix: problem.fix))
        }
    }

    /// Returns the name of the schema that a reference means.
    mutating func name(of reference: ModelReference) -> JSONValue {
        switch reference {
        case .named(let name): return .string(name)
        case .modelClass(let type):
            if let name = namesByClass[ObjectIdentifier(type)] { return .string(name) }
            if let schema = try? registry.schema(for: type) { return .string(schema.name) }
            report("names the class \(type), for which no schema is registered", fix: "register it, or name a schema")
            return .null
        }
    }

    static func list(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

    /// Returns nothing, one text, or a list.
    static func oneOrList(_ texts: [String]) -> JSONValue? {
        switch texts.count {
        case 0: nil
        case 1: .string(texts[0])
        default: list(texts)
        }
    }
}
