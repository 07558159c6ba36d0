import PalliumAdapter
import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Documents of an earlier version of a schema.
struct FormerDocuments {
    let version: Int
    /// The member that holds the version.
    let versionMember: String
    private var samples: SampleDocuments
    private let adapter: JSONAdapter<DynamicModel>

    /// Returns the documents of each earlier version of which something is known, the latest version first.
    static func all(
        of layout: ModelLayout, _ registry: SchemaRegistry, seed: UInt64
    ) -> [FormerDocuments] {
        let schemas = FormerSchema.all(of: layout)
        if schemas.isEmpty { return [] }
        let former = SchemaRegistry(
            transformers: registry.transformers, mergers: registry.mergers, formats: registry.formats)
        do throws(SchemaError) { try former.register(registry.layouts(neededBy: [layout]).map(\.schema)) } catch {
            return []
        }
        let registered = schemas.compactMap { schema in
            schema.candidates.first { (try? former.register($0)) != nil }.map { (schema.version, $0) }
        }
        let layouts = [layout] + registered.compactMap { try? former.layout(named: $0.1.name) }
        let taken = layouts.map { DocumentShape($0).members }
        var member = "version"
        while taken.contains(where: { $0.contains(UTF8Key(member)) }) { member += "_" }
        return registered.compactMap { FormerDocuments($0, $1, former, member, seed) }
    }

    private init?(
        _ version: Int, _ schema: ModelSchema, _ registry: SchemaRegistry, _ versionMember: String, _ seed: UInt64
    ) {
        self.version = version
        self.versionMember = versionMember
        guard let samples = try? SampleDocuments(of: schema, registry: registry, seed: seed),
            let adapter = try? JSONAdapter(schema: schema, registry: registry)
        else { return nil }
        self.samples = samples
        self.adapter = adapter
    }

    /// Makes the next of a number of documents, with its version; nil if there are enough.
    mutating func next(after made: Int, of count: Int?) -> JSONValue? {
        guard let members = samples.next(after: made, of: count)?.objectValue else { return nil }
        var document = JSONObject([(key: versionMember, value: .number(JSONNumber(version)))])
        for (name, value) in members { document.updateValue(value, forKey: name) }
        return .object(document)
    }

    /// Whether a document with a version is one of these.
    func contains(_ document: JSONValue) -> Bool {
        guard case .object(var members) = document, members.removeValue(forKey: versionMember)?.intValue == version
        else { return false }
        return (try? adapter.model(from: .object(members) as JSONValue)) != nil
    }
}
