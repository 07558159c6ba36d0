package import PalliumCore
package import PalliumJSON

/// The text of a schema document and its name in messages.
package struct SchemaDocument: Sendable {
    package let name: String
    package let bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// Returns the locations of many bytes at once, as `name:line:column`. O(bytes + offsets log offsets).
    ///
    /// Lines and columns are counted as in `JSONLocation`; computing each alone would be quadratic.
    package func locations(of offsets: some Sequence<Int>) -> [Int: String] {
        var locations: [Int: String] = [:]
        var location = JSONLocation.start
        bytes.withBorrowedBytes { bytes in
            for offset in Set(offsets).sorted() {
                let position = location.byteOffset
                let end = min(max(0, offset), bytes.count)
                location = location.advanced(by: end - position, in: bytes.part(from: position))
                locations[offset] = "\(name):\(location.line):\(location.column)"
            }
        }
        return locations
    }

    /// Runs a registration, and gives its problems their places in the document.
    package func locate(
        _ places: [UTF8Key: SchemaPlaces], _ register: () throws(SchemaError) -> Void
    ) throws(SchemaError) {
        do throws(SchemaError) { try register() } catch {
            let offsets = error.problems.map { places[UTF8Key($0.schema ?? "")]?.offset(of: $0) }
            let locations = locations(of: offsets.compactMap(\.self))
            throw SchemaError(
                zip(error.problems, offsets).map { $0.located(at: $1.flatMap { locations[$0] }) })
        }
    }
}

/// Where a schema, its properties and their members are in a document.
package struct SchemaPlaces: Sendable {
    /// The offset of the schema's name.
    let offset: Int
    private let schema: LocatedJSON?
    /// The offsets of the properties' names, and the properties.
    var properties: [UTF8Key: (offset: Int, value: LocatedJSON?)] = [:]

    /// Keeps a schema, for the places inside of it.
    init(offset: Int, schema: LocatedJSON) {
        self.offset = offset
        self.schema = schema
    }

    /// Keeps the offsets of properties alone.
    package init(offset: Int, properties: [UTF8Key: Int]) {
        self.offset = offset
        schema = nil
        self.properties = properties.mapValues { ($0, nil) }
    }

    /// Returns the offset of the member that a problem is about.
    ///
    /// Without one it is that of the property's name, and for an inherited property that of the schema's.
    func offset(of problem: SchemaError.Problem) -> Int {
        let property = problem.property.flatMap { properties[UTF8Key($0)] }
        guard let first = problem.members.first, var place = property?.value?[first] ?? schema?[first] else {
            return property?.offset ?? offset
        }
        for name in problem.members.dropFirst() {
            guard let next = place[name] ?? Int(name).flatMap({ place.element($0) }) else { break }
            place = next
        }
        return place.offset
    }
}
