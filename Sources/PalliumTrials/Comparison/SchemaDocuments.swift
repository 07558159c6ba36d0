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

    /// Returns a registry in which the places of an edit are as in other documents; nil if its schemas are not valid.
    func registry(taking edit: SchemaEdit, from others: SchemaDocuments) -> SchemaRegistry? {
        var schemas = registry.schemas
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
