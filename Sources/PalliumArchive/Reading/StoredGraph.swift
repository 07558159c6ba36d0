package import PalliumCore
package import PalliumJSON

/// An archive as its bytes describe it, without any registered schema: the input of `pallium inspect`, and of archives
/// for readers of earlier versions.
///
/// It checks everything that can be checked without schemas.
///
/// Safety: cursors stay in the parts of the archive that its header has checked, and are gone when `init` returns.
package struct StoredGraph {
    /// A schema as it was when the archive was written.
    package struct Schema {
        /// The schema's name and version, then its parent's, and so on.
        package let levels: [(name: String, version: Int)]
        package let properties: [Property]
        /// The number of objects of the schema.
        package fileprivate(set) var objectCount = 0
    }

    /// A property as it was when the archive was written.
    package struct Property {
        package let key: String
        /// The name of the type, for example `array of model`.
        package let kind: String
        /// Whether values must not be shown.
        package let isSensitive: Bool
    }

    package private(set) var schemas: [Schema]
    /// The objects by number, each with the number of its schema.
    package private(set) var objects: [(schema: Int, model: StoredModel)] = []
    /// JSON members that no property maps, by the number of their object.
    package private(set) var preserved: [Int: JSONObject] = [:]
    package private(set) var roots: [Int] = []
    /// The schemas with the types of their properties.
    let archived: [ArchivedSchema]
    /// The records, which references lead to. They do not have the conditional values.
    let records: StoredRecords
    /// The conditional values.
    private(set) var conditional: [(object: Int, key: String, value: StoredModel.Value, isDefaulted: Bool)] = []

    /// Reads an archive.
    ///
    /// - Throws: ``ModelError`` as an unarchiver, except for errors about schemas.
    package init(_ archive: UnsafeRawBufferPointer) throws(ModelError) {
        let header = try unsafe ArchiveHeader(archive)
        var cursor = unsafe ArchiveCursor(header.schemas(of: archive))
        archived = try cursor.readSchemas()
        schemas = archived.map { schema in
            Schema(
                levels: schema.levels.map { ($0.name, $0.version) },
                properties: schema.properties.map {
                    Property(key: $0.key, kind: $0.type.name, isSensitive: $0.isSensitive)
                })
        }
        try unsafe header.checkBody(of: archive)
        var index = unsafe ArchiveCursor(header.index(of: archive))
        var numbers: [UInt32] = []
        for _ in 0..<(try index.readCount()) {
            numbers.append(UInt32(try index.readNumber(below: archived.count, "a schema")))
        }
        let count = numbers.count
        records = try unsafe StoredRecords(header.records(of: archive), archived, numbers)
        for _ in 0..<(try index.readCount()) {
            let object = try index.readNumber(below: count, "an object")
            let properties = archived[Int(numbers[object])].properties
            let property = properties[try index.readNumber(below: properties.count, "a property")]
            let isDefaulted = try index.readIsDefaulted()
            let value = try index.readValue(property.type, objects: count, in: records)
            conditional.append((object, property.key, value, isDefaulted))
        }
        for (number, schema) in numbers.enumerated() {
            objects.append((Int(schema), records.read(number)))
            schemas[Int(schema)].objectCount += 1
        }
        for entry in conditional {
            objects[entry.object].model.set(entry.value, isDefaulted: entry.isDefaulted, forKey: entry.key)
        }
        for _ in 0..<(try index.readCount()) {
            let object = try index.readNumber(below: objects.count, "an object")
            preserved[object] = try index.readMembers()
        }
        for _ in 0..<(try index.readCount()) { roots.append(try index.readNumber(below: objects.count, "an object")) }
        try index.expectEnd()
    }
}
