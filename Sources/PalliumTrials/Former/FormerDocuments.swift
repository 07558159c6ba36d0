import Foundation
import PalliumAdapter
import PalliumArchive
import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Documents of an earlier version of a schema, and what its models are in archives and rows.
struct FormerDocuments {
    let version: Int
    /// The member that holds the versions.
    let versionMember: String
    private let versions: JSONValue
    private var samples: SampleDocuments
    private let adapter: JSONAdapter<DynamicModel>
    /// Reads documents as the models that archives and rows hold; nil if they are not known.
    private let storing: (adapter: JSONAdapter<DynamicModel>, rows: JSONAdapter<DynamicModel>?)?

    /// Returns the documents of each earlier version of which something is known, the latest version first.
    static func all(
        of layout: ModelLayout, _ registry: SchemaRegistry, seed: UInt64
    ) -> [FormerDocuments] {
        var member = "version"
        let schemas = FormerSchema.all(of: layout)
        let registries = schemas.map { former in
            former.candidates.lazy.compactMap { Self.registry(with: $0, insteadOf: layout, registry) }.first
        }
        let taken = ([layout] + registries.compactMap { $0?.layout }).map { DocumentShape($0).members }
        while taken.contains(where: { $0.contains(UTF8Key(member)) }) { member += "_" }
        return zip(schemas, registries).compactMap { schema, former in
            guard let former else { return nil }
            let stored = schema.stored.flatMap { Self.registry(with: $0, insteadOf: layout, registry) }
            return FormerDocuments(schema, former, storing: stored, member, seed)
        }
    }

    private typealias Registered = (layout: ModelLayout, registry: SchemaRegistry)

    /// Returns a registry in which a schema has the place of another one; nil if the others do not fit to it.
    private static func registry(
        with schema: ModelSchema, insteadOf layout: ModelLayout, _ present: SchemaRegistry
    ) -> Registered? {
        let former = SchemaRegistry(
            transformers: present.transformers, mergers: present.mergers, formats: present.formats)
        let others = present.layouts(neededBy: [layout]).filter { $0 !== layout }.map(\.schema)
        do {
            try former.register(others + [schema])
            return (try former.layout(named: schema.name), former)
        } catch { return nil }
    }

    private init?(
        _ schema: FormerSchema, _ former: Registered, storing stored: Registered?, _ versionMember: String,
        _ seed: UInt64
    ) {
        version = schema.version
        self.versionMember = versionMember
        guard
            let samples = try? SampleDocuments(of: former.layout.schema, registry: former.registry, seed: seed),
            let adapter = try? JSONAdapter(schema: former.layout.schema, registry: former.registry)
        else { return nil }
        self.samples = samples
        self.adapter = adapter
        let others = former.registry.layouts(neededBy: [former.layout]).filter { $0 !== former.layout }
        var versions = SchemaVersions.present(of: others)
        versions[former.layout.schema.name] = nil
        versions[schema.name] = .number(JSONNumber(version))
        self.versions = versions.count == 1 ? .number(JSONNumber(version)) : .object(versions)
        storing = stored.flatMap { stored in
            guard let adapter = try? JSONAdapter(schema: stored.layout.schema, registry: stored.registry) else {
                return nil
            }
            // In a row, a model with an identity is a reference to another row.
            let needed = stored.registry.layouts(neededBy: [stored.layout])
            let holdsReferences = needed.flatMap(\.properties).contains {
                $0.descriptor.innermost.model?.rowLayout != nil
            }
            let rows = holdsReferences ? nil : try? JSONAdapter(storing: stored.layout, registry: stored.registry)
            return (adapter, rows)
        }
    }

    /// Makes the next of a number of documents, with its versions; nil if there are enough.
    mutating func next(after made: Int, of count: Int?) -> JSONValue? {
        guard let members = samples.next(after: made, of: count)?.objectValue else { return nil }
        var document = JSONObject([(key: versionMember, value: versions)])
        for (name, value) in members { document.updateValue(value, forKey: name) }
        return .object(document)
    }

    /// Returns a document without its versions if it is one of these.
    func members(of document: JSONValue) -> JSONObject? {
        guard case .object(var members) = document, members.removeValue(forKey: versionMember) == versions else {
            return nil
        }
        return (try? adapter.model(from: .object(members) as JSONValue)) == nil ? nil : members
    }

    /// Returns the archive of the model of a document; nil if it is not known.
    func archive(of members: JSONObject) -> Data? {
        guard let model = try? storing?.adapter.model(from: .object(members) as JSONValue) else { return nil }
        return try? ModelArchiver().archive(model)
    }

    /// Returns the model of the row of a document, as a schema reads it; nil if it is not known.
    func row(of members: JSONObject, as layout: ModelLayout) throws(ModelError) -> DynamicModel? {
        guard let rows = storing?.rows,
            let model = try? storing?.adapter.model(from: .object(members) as JSONValue),
            let row = try? rows.jsonValue(from: model)
        else { return nil }
        let versions = try SchemaVersions(SchemaVersions.present(of: rows.storedLayouts))
        var upgrade = DocumentUpgrade(versions, StoredForm())
        let present = try JSONAdapter(storing: layout, registry: layout.registry)
        return try present.model(from: upgrade.upgraded(row, as: layout))
    }
}
