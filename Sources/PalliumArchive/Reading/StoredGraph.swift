package import PalliumCore
package import PalliumJSON

/// An archive as its bytes describe it, without any registered schema: the input of `pallium inspect`.
///
/// It checks everything that can be checked without schemas.
package struct StoredGraph {
    package let schemas: [ArchivedSchema]
    /// The objects by number, each with the number of its schema.
    package private(set) var objects: [(schema: Int, model: FormerModel)] = []
    /// JSON members that no property maps, by the number of their object.
    package private(set) var preserved: [Int: JSONObject] = [:]
    package private(set) var roots: [Int] = []

    /// Reads an archive.
    ///
    /// - Throws: ``ModelError`` as an unarchiver, except for errors about schemas.
    package init(_ archive: BorrowedBytes) throws(ModelError) {
        let header = try ArchiveHeader(archive)
        var cursor = ArchiveCursor(header.schemas(of: archive))
        schemas = try cursor.readSchemas()
        try header.checkBody(of: archive)
        var index = ArchiveCursor(header.index(of: archive))
        var numbers: [UInt32] = []
        for _ in 0..<(try index.readCount()) {
            numbers.append(UInt32(try index.readNumber(below: schemas.count, "a schema")))
        }
        let records = try StoredRecords(header.records(of: archive), schemas, numbers)
        let conditional = try index.readConditionalValues(objects: numbers.count, in: records) {
            [schemas] in schemas[Int(numbers[$0])]
        }
        for (number, schema) in numbers.enumerated() { objects.append((Int(schema), records.read(number))) }
        for value in conditional { objects[value.object].model.set(value.stored, forKey: value.key) }
        for _ in 0..<(try index.readCount()) {
            let object = try index.readNumber(below: objects.count, "an object")
            preserved[object] = try index.readMembers()
        }
        for _ in 0..<(try index.readCount()) { roots.append(try index.readNumber(below: objects.count, "an object")) }
        try index.expectEnd()
    }
}
