import PalliumCore
import PalliumDocuments
import PalliumJSON

/// The names of accessors and of the types for cases. In each class, inherited names included, they differ.
struct PropertyNames {
    /// The names for the properties that a schema has and its ancestors lack, by key.
    private struct Names {
        var accessors: [UTF8Key: String] = [:]
        var types: [UTF8Key: String] = [:]
    }

    private let set: SchemaSet
    private let classNames: Set<UTF8Key>
    private var names: [Names?]

    /// - Complexity: O(*n*) in the number of properties, inherited ones included.
    init(_ set: SchemaSet) {
        self.set = set
        classNames = Set(set.classNames.map { UTF8Key($0) })
        names = Array(repeating: nil, count: set.schemas.count)
        for index in set.schemas.indices {
            for ancestor in set.lineage(of: index) where names[ancestor] == nil {
                names[ancestor] = makeNames(of: ancestor)
            }
        }
    }

    /// Returns the name of the accessor for a key of the first schema that declares it.
    func accessor(for key: String, of owner: Int) -> String { names[owner]?.accessors[UTF8Key(key)] ?? "" }

    /// Returns the name of the type for the cases of a property: `State` for `state`, `IssueState` if the name is taken.
    func enumeration(for key: String, of owner: Int) -> String { names[owner]?.types[UTF8Key(key)] ?? "" }

    private func makeNames(of index: Int) -> Names {
        var accessors = UniqueNames(separator: "_")
        var types = UniqueNames(separator: "_")
        var names = Names()
        var inherited: Set<UTF8Key> = []
        for case let ancestor? in set.lineage(of: index).dropLast().map({ self.names[$0] }) {
            for (key, name) in ancestor.accessors {
                accessors.insert(name)
                inherited.insert(key)
            }
            for name in ancestor.types.values { types.insert(name) }
        }
        let properties = set.schemas[index].properties.filter {
            $0.schema.storage != .notStored && !inherited.contains(UTF8Key($0.key))
        }
        // Keys that are free names stay as they are, whatever other keys become.
        for key in properties.map(\.key) where UTF8Text.equal(SwiftName.accessor(for: key), key) {
            if accessors.insert(key) { names.accessors[UTF8Key(key)] = key }
        }
        for key in properties.map(\.key) where names.accessors[UTF8Key(key)] == nil {
            names.accessors[UTF8Key(key)] = accessors.take(SwiftName.accessor(for: key))
        }
        for property in properties
        where set.kind(of: property.schema, property.key, in: index)?.innermostEnumeration != nil {
            let key = UTF8Key(property.key)
            names.types[key] = typeName(names.accessors[key] ?? "", of: index, &types)
        }
        return names
    }

    private func typeName(_ accessor: String, of index: Int, _ taken: inout UniqueNames) -> String {
        func isFree(_ name: String) -> Bool {
            name.unicodeScalars.first?.properties.isUppercase == true && !classNames.contains(UTF8Key(name))
                && !SwiftName.types.contains(UTF8Key(name))
        }
        var name = SwiftName.upperCamelCase(accessor)
        if !isFree(name) {
            name = SwiftName.upperCamelCase(set.classNames[index]) + name
            // Some scripts have no capitals.
            if name.unicodeScalars.first?.properties.isUppercase != true { name = "Enumeration" + name }
        }
        while !isFree(name) { name += "Value" }
        name = taken.take(name)
        while !isFree(name) { name = taken.take(name + "Value") }
        return name
    }
}
