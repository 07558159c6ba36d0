import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Schemas that were checked together, and refer only to one another.
struct SchemaSet {
    let schemas: [ModelSchema]
    /// The names of the classes, each of which is different.
    let classNames: [String]
    /// The declared kinds of properties with unregistered names, whose schemas say JSON; nil for an unknown kind.
    let opaqueKinds: [UTF8Key: [UTF8Key: PropertyKind?]]
    private let positions: [UTF8Key: Int]
    /// The indices of the stored properties, by schema and key.
    private let properties: [[UTF8Key: Int]]

    init(
        _ schemas: [ModelSchema], opaqueKinds: [UTF8Key: [UTF8Key: PropertyKind?]]
    ) {
        self.schemas = schemas
        self.opaqueKinds = opaqueKinds
        var positions: [UTF8Key: Int] = [:]
        positions.reserveCapacity(schemas.count)
        for (index, schema) in schemas.enumerated() { positions[UTF8Key(schema.name)] = index }
        self.positions = positions
        classNames = Self.classNames(of: schemas)
        properties = schemas.map { schema in
            var indices: [UTF8Key: Int] = [:]
            for (index, property) in schema.properties.enumerated() where property.schema.storage != .notStored {
                indices[UTF8Key(property.key)] = index
            }
            return indices
        }
    }

    /// Returns the names of the schemas where these can be names of classes, and free ones like them elsewhere.
    private static func classNames(of schemas: [ModelSchema]) -> [String] {
        var names = UniqueNames()
        for name in SwiftName.types { names.insert(name.text) }
        // A name that can stay does, whatever other names become.
        let kept = schemas.map { UTF8Text.equal(SwiftName.className(for: $0.name), $0.name) && names.insert($0.name) }
        return zip(schemas, kept).map { $1 ? $0.name : names.take(SwiftName.className(for: $0.name)) }
    }

    /// Returns the name of the class that a reference means. The schemas were checked, so there is one.
    func className(of model: ModelReference) -> String {
        positions[UTF8Key(model.description)].map { classNames[$0] } ?? model.description
    }

    /// Returns the parent of a schema.
    func parent(of index: Int) -> Int? { schemas[index].parent.flatMap { positions[UTF8Key($0.description)] } }

    /// Returns a schema and its ancestors, root first. The schemas were checked, so there is no cycle.
    func lineage(of index: Int) -> [Int] {
        var chain = [index]
        while let parent = parent(of: chain[chain.count - 1]) { chain.append(parent) }
        return chain.reversed()
    }

    /// Returns the stored property that a schema itself declares for a key.
    func property(_ key: String, of index: Int) -> PropertySchema? {
        properties[index][UTF8Key(key)].map { schemas[index].properties[$0].schema }
    }

    /// Returns the kind of a property in its document; nil if it is not known.
    func kind(of property: PropertySchema, _ key: String, in index: Int) -> PropertyKind? {
        opaqueKinds[UTF8Key(schemas[index].name)]?[UTF8Key(key)] ?? property.kind
    }
}
