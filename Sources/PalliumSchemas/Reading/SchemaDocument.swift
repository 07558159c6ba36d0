import PalliumCore
import PalliumJSON

/// The text of a schema document and its name in messages.
///
/// Safety: positions stay below the count of the array, which is borrowed for the call.
struct SchemaDocument: Sendable {
    let name: String
    let bytes: [UInt8]

    /// Returns the locations of many bytes at once, as `name:line:column`. O(bytes + offsets log offsets).
    ///
    /// Lines and columns are counted as in `JSONLocation`; computing each alone would be quadratic.
    func locations(of offsets: some Sequence<Int>) -> [Int: String] {
        var locations: [Int: String] = [:]
        var line = 1
        var lineStart = 0
        var position = 0
        unsafe bytes.withUnsafeBufferPointer { bytes in
            for offset in Set(offsets).sorted() {
                let end = min(max(0, offset), bytes.count)
                while position < end {
                    let byte = unsafe bytes[position]
                    position += 1
                    guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else { continue }
                    if byte == UInt8(ascii: "\r"), position < bytes.count, unsafe bytes[position] == UInt8(ascii: "\n")
                    {
                        continue
                    }
                    line += 1
                    lineStart = position
                }
                locations[offset] = "\(name):\(line):\(end - lineStart + 1)"
            }
        }
        return locations
    }

    /// Returns where schemas and their properties are, by the names of the schemas.
    func sources(
        of schemas: [(schema: ModelSchema, offset: Int, propertyOffsets: [UTF8Key: Int])]
    ) -> [UTF8Key: SchemaSource] {
        let locations = locations(of: schemas.flatMap { [$0.offset] + $0.propertyOffsets.values })
        var sources: [UTF8Key: SchemaSource] = [:]
        for (schema, offset, properties) in schemas {
            sources[UTF8Key(schema.name)] = SchemaSource(
                schema: locations[offset] ?? "", properties: properties.compactMapValues { locations[$0] })
        }
        return sources
    }
}

/// A mistake in a document, before its line and column are known.
struct DocumentProblem: Sendable {
    let offset: Int
    var schema: String?
    var property: String?
    let message: String
    let fix: String?

    /// Returns a way to correct an unknown name: the known one that is spelled almost alike, if there is one.
    static func suggestion(for name: String, among known: [String]) -> String? {
        ModelError.nearest(to: name, among: known).map { "did you mean \(ModelError.quote($0))?" }
    }

    /// Returns the mistake with its line and column.
    func located(at source: String?) -> SchemaError.Problem {
        SchemaError.Problem(schema: schema, property: property, message: message, fix: fix, source: source)
    }
}
