import PalliumCore
import PalliumDocuments
import PalliumJSON

/// The schemas of a registry as documents, by name.
struct SchemaDocuments {
    let registry: SchemaRegistry
    /// The names, in the order of registration.
    let names: [String]
    private let objects: [UTF8Key: JSONObject]

    /// - Throws: ``SchemaError`` with every part of the schemas that no document can express.
    init(_ registry: SchemaRegistry) throws(SchemaError) {
        self.registry = registry
        let schemas = registry.schemas
        names = schemas.map(\.name)
        let documents = try registry.document(of: schemas).arrayValue ?? []
        objects = Dictionary(
            zip(names.map(UTF8Key.init), documents.map { $0.objectValue ?? [:] }),
            uniquingKeysWith: { first, _ in first })
    }

    subscript(name: String) -> JSONObject? { objects[UTF8Key(name)] }

    /// The names of a schema and of all that it refers to.
    func names(neededBy name: String) -> Set<UTF8Key> {
        guard let layout = try? registry.layout(named: name) else { return [] }
        return Set(registry.layouts(neededBy: [layout]).map { UTF8Key($0.schema.name) })
    }

    /// Returns a registry with some schemas, in which the places of an edit are as in other documents; nil if the schemas
    /// are not valid.
    func registry(
        of names: Set<UTF8Key>, taking edit: SchemaEdit, from others: SchemaDocuments
    ) -> SchemaRegistry? {
        var schemas = registry.schemas.filter { names.contains(UTF8Key($0.name)) }
        let index = schemas.firstIndex { UTF8Text.equal($0.name, edit.schema) }
        var changed: JSONObject?
        if edit.places == [[]] {
            changed = others[edit.schema]
        } else if var object = self[edit.schema], let other = others[edit.schema] {
            for place in edit.places { object.set(JSONValue.object(other)[JSONPointer(tokens: place)], at: place) }
            changed = object
        }
        if let index { schemas.remove(at: index) }
        if let changed {
            guard let schema = registry.schema(reading: .object(changed)) else { return nil }
            schemas.insert(schema, at: index ?? schemas.endIndex)
        }
        return try? registry.copy(with: schemas)
    }
}
