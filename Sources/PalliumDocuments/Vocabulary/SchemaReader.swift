package import PalliumCore
import PalliumJSON

/// Reads the schemas of a document and collects everything that is wrong with it.
///
/// Wrong parts are left out of the schema, so that the rest can still be checked. Only custom kinds are looked up, by
/// name, among the registered ones, and transformers if unknown ones are accepted as opaque.
package struct SchemaReader {
    /// A schema and the offsets of its name and its properties.
    package struct Entry {
        package var schema: ModelSchema
        package let places: SchemaPlaces
        /// The declared kinds of opaque properties, whose schemas say JSON; nil for an unknown kind.
        let opaqueKinds: [UTF8Key: PropertyKind?]
    }

    let registry: SchemaRegistry
    /// Whether unregistered kinds and transformers are accepted; their properties hold any JSON value unchanged.
    let isOpaque: Bool
    /// The names of those kinds and transformers.
    var opaqueNames: [String] = []
    /// How often one was found.
    var opaqueCount = 0
    /// The declared kind of the property that was read last. Nil if it is unknown, or that of an element is.
    var declaredKind: PropertyKind?
    package private(set) var schemas: [Entry] = []
    package var problems = ProblemList()
    /// The keys of properties that have problems.
    private(set) var brokenKeys: Set<UTF8Key> = []
    /// Whether all names, parents and keys were read, so that checks across schemas are meaningful.
    private(set) var isComplete = true

    package init(registry: SchemaRegistry, isOpaque: Bool = false) {
        self.registry = registry
        self.isOpaque = isOpaque
    }

    /// Reads a document: a schema or an array of them.
    package mutating func read(_ document: LocatedJSON) {
        if case .array(let elements) = document.content {
            for element in elements { readSchema(element) }
        } else {
            readSchema(document)
        }
    }

    private mutating func readSchema(_ value: LocatedJSON) {
        // Problems of members before the name contain the name, too.
        problems.schema = value["name"]?.text.flatMap { $0.isEmpty ? nil : ModelError.shorten($0, to: 64) }
        defer { problems.schema = nil }
        guard let members = knownMembers(of: value, in: SchemaVocabulary.schema) else {
            isComplete = false
            return
        }
        let name = members["name"].flatMap { self.name($0, "name", expected: "the name of the schema") }
        if members["name"] == nil {
            problems.report(at: value.offset, "the schema has no name", fix: "add the member \"name\"")
        }
        var places = SchemaPlaces(offset: members["name"]?.offset ?? value.offset, schema: value)
        var opaqueKinds: [UTF8Key: PropertyKind?] = [:]
        let properties = readProperties(members["properties"], &places, &opaqueKinds)

        var schema = ModelSchema.named(name ?? "", properties: properties)
        let broken = read(members, SchemaVocabulary.schema, into: &schema)
        if name == nil || broken.contains("extends") { isComplete = false }
        // If a step or the version is wrong, others would only seem to be missing.
        if broken.contains("version") || broken.contains("upgrades") { schema.upgrades = [] }
        guard name != nil else { return }
        schemas.append(Entry(schema: schema, places: places, opaqueKinds: opaqueKinds))
    }

    private mutating func readProperties(
        _ value: LocatedJSON?, _ places: inout SchemaPlaces, _ opaqueKinds: inout [UTF8Key: PropertyKind?]
    ) -> [ModelSchema.Property] {
        guard let value else { return [] }
        guard let members = entries(of: value, "properties", expected: "an object of properties") else {
            isComplete = false
            return []
        }
        guard members.count <= SchemaLimits.properties else {
            problems.report(
                at: value.offset, "the schema has \(members.count.counted("property", "properties"))",
                fix: "\(SchemaLimits.properties) are allowed"
            )
            isComplete = false
            return []
        }
        var properties: [ModelSchema.Property] = []
        properties.reserveCapacity(members.count)
        for member in members {
            let problemsBefore = problems.count
            problems.property = ModelError.shorten(member.name, to: 64)
            checkName(member.name, at: member.nameOffset, "properties")
            let opaqueBefore = opaqueCount
            let property = readProperty(member.value)
            if opaqueCount > opaqueBefore { opaqueKinds.updateValue(declaredKind, forKey: UTF8Key(member.name)) }
            problems.property = nil
            places.properties[UTF8Key(member.name)] = (member.nameOffset, member.value)
            if problems.count > problemsBefore {
                brokenKeys.insert(UTF8Key(member.name))
                // The key stays defined, and nothing else is assumed about the property.
                properties.append(ModelSchema.Property(member.name, .jsonValue.local))
            } else {
                properties.append(ModelSchema.Property(member.name, property))
            }
        }
        return properties
    }
}
