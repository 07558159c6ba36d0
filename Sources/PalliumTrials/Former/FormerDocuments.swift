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
        var member = "version"
        let taken = schemas.flatMap(\.candidates).flatMap(\.members) + layout.mappings(profile: nil).flatMap(\.members)
        while taken.contains(where: { UTF8Text.equal($0, member) }) { member += "_" }
        return schemas.compactMap { schema in
            let candidate = schema.candidates.first { (try? former.register($0)) != nil }
            return candidate.flatMap { FormerDocuments(schema.version, $0, former, member, seed) }
        }
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

extension ModelSchema {
    /// The members in which the paths of its own properties begin.
    fileprivate var members: [String] {
        properties.flatMap { ResolvedMapping($0.schema, key: $0.key, keys: keys).members }
    }
}

extension ResolvedMapping {
    /// The members in which the paths begin.
    fileprivate var members: [String] { paths.compactMap(\.tokens.first) }
}
