import PalliumCore
import PalliumJSON

/// Writes a schema as a document and collects the parts that no document can express.
package struct SchemaWriter {
    let registry: SchemaRegistry
    /// The names of the schemas that are written together, by class; they need not be registered.
    private let namesByClass: [ObjectIdentifier: String]
    var problems = ProblemList()

    /// How many elements are around the property that is being written.
    var level = 0

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
        try writer.problems.check()
        return documents
    }

    private mutating func write(_ schema: ModelSchema) -> JSONValue {
        problems.schema = schema.name
        let problemsBefore = problems.count
        let document = object(of: schema, SchemaVocabulary.schema)
        reportHooks(of: schema)
        if problems.count == problemsBefore { proofread(.object(document)) }
        return .object(document)
    }

    /// Writes the members of an object, in the order of the table.
    mutating func object<Subject>(of subject: Subject, _ table: SchemaTable<Subject>) -> JSONObject {
        var object = JSONObject()
        for member in table.members { object[member.name] = member.write(&self, subject) }
        return object
    }

    mutating func write(_ properties: [ModelSchema.Property]) -> JSONValue? {
        var object = JSONObject()
        for property in properties {
            problems.property = property.key
            if object.updateValue(write(property.schema), forKey: property.key) != nil {
                problems.reportRepetition(of: "the key")
            }
        }
        problems.property = nil
        return object.isEmpty ? nil : .object(object)
    }

    private mutating func reportHooks(of schema: ModelSchema) {
        // A copy without everything that can be code, to compare with.
        var rest = schema
        rest.properties = []
        rest.cluster = nil
        if rest.hasClosures {
            problems.report(
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
            problems.report("cannot be written: \(error.problem)")
        }
        for problem in reader.problems.all {
            problems.property = problem.property
            problems.report("cannot be written: \(problem.message)", fix: problem.fix)
        }
        problems.property = nil
    }

    /// Returns the name of the schema that a reference means.
    mutating func name(of reference: ModelReference) -> JSONValue {
        switch reference {
        case .named(let name): return .string(name)
        case .modelClass(let type):
            if let name = namesByClass[ObjectIdentifier(type)] { return .string(name) }
            if let schema = try? registry.schema(for: type) { return .string(schema.name) }
            problems.report(
                "names the class \(type), for which no schema is registered", fix: "register it, or name a schema")
            return .null
        }
    }

    static func list(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

    // In a choice between `nil` and a value, nil would be the JSON value null.
    static func listUnlessEmpty(_ texts: [String]) -> JSONValue? { texts.isEmpty ? .none : list(texts) }

    /// Returns nothing, one text, or a list.
    static func oneOrList(_ texts: [String]) -> JSONValue? {
        switch texts.count {
        case 0: nil
        case 1: .string(texts[0])
        default: list(texts)
        }
    }
}
