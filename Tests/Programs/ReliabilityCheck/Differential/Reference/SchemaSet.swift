import Foundation
import Pallium

/// Schemas that belong together, and how adapters read and write them: what one run of documents is about.
struct SchemaSet {
    /// The number of the set.
    let number: Int
    let registry: SchemaRegistry
    /// The schemas as they were registered.
    let schemas: [ModelSchema]
    private(set) var options: JSONAdapterOptions
    /// The profile of the adapters.
    let profile: String?
    private let effective: [String: EffectiveSchema]
    private let adapters: [String: JSONAdapter<DynamicModel>]

    init(
        number: Int, registry: SchemaRegistry, schemas: [ModelSchema], options: JSONAdapterOptions, profile: String?
    ) throws {
        self.number = number
        self.registry = registry
        self.schemas = schemas
        self.options = options
        self.profile = profile
        let byName = Dictionary(uniqueKeysWithValues: schemas.map { ($0.name, $0) })
        effective = byName.mapValues { EffectiveSchema($0, byName, profile: profile) }
        adapters = try byName.mapValues { schema in
            do throws(ModelError) {
                return try JSONAdapter(schema: schema, profile: profile, registry: registry, options: options)
            } catch  where error.code == .unknownProfile {
                return try JSONAdapter(schema: schema, registry: registry, options: options)
            }
        }
    }

    /// The adapter for models of a schema.
    func adapter(_ name: String) -> JSONAdapter<DynamicModel> { adapters[name]! }

    /// The same for a reference that reads defaults.
    var withDefaultOptions: SchemaSet {
        var copy = self
        copy.options = JSONAdapterOptions()
        return copy
    }

    /// The schema with a name, with everything it inherits. The names are the generator's.
    func schema(_ name: String) -> EffectiveSchema { effective[name]! }

    /// The name a reference stands for.
    func name(_ reference: ModelReference) -> String {
        switch reference {
        case .named(let name): name
        case .modelClass(let modelClass): schemas.first { $0.modelClass == modelClass }!.name
        }
    }

    /// Whether a schema is another or extends it.
    func isSame(_ name: String, orExtends base: String) -> Bool {
        name == base || schema(name).ancestors.contains(base)
    }
}

/// A schema with what it inherits, by the documentation: the parent's properties first, its mapping included; a child
/// may say a property again to tighten it.
struct EffectiveSchema {
    let schema: ModelSchema
    /// From the parent upwards.
    let ancestors: [String]
    /// Whether neither it nor what it extends is a cluster.
    let isAlone: Bool
    private(set) var properties: [Property] = []

    struct Property {
        let key: String
        var schema: PropertySchema
        var mapping: Mapping
    }

    /// Where a property lives in JSON.
    enum Mapping {
        case none
        case first([Path])
        case all([Path])

        var paths: [Path] {
            switch self {
            case .none: []
            case .first(let paths), .all(let paths): paths
            }
        }
    }

    struct Path {
        let text: String
        let steps: [JSONKeyPath.Step]
    }

    init(_ schema: ModelSchema, _ byName: [String: ModelSchema], profile: String?) {
        self.schema = schema
        var chain = [schema]
        while case .named(let name) = chain[0].parent { chain.insert(byName[name]!, at: 0) }
        ancestors = chain.dropLast().reversed().map(\.name)
        isAlone = chain.allSatisfy { $0.cluster == nil }
        for level in chain {
            for property in level.properties {
                let found = Property(
                    key: property.key, schema: property.schema,
                    mapping: Self.mapping(property.schema.json, property.key, level.keys))
                if let place = properties.firstIndex(where: { $0.key.utf8.elementsEqual(property.key.utf8) }) {
                    properties[place] = found
                } else {
                    properties.append(found)
                }
            }
        }
        // A schema inherits the profiles of its parent, key by key.
        guard let profile else { return }
        for level in chain {
            for found in level.profiles where found.name == profile {
                for place in properties.indices {
                    guard
                        let mapping = found.mappings.first(where: {
                            $0.key.utf8.elementsEqual(properties[place].key.utf8)
                        })
                    else { continue }
                    properties[place].mapping = Self.mapping(mapping.value, properties[place].key, level.keys)
                }
            }
        }
    }

    private static func mapping(_ json: PropertySchema.JSONMapping, _ key: String, _ strategy: ModelSchema.KeyStrategy)
        -> Mapping
    {
        switch json {
        case .none: .none
        case .ownKey:
            strategy.memberName(for: key).map { .first([Path(text: $0, steps: [.member($0)])]) } ?? .none
        case .path(let text): .first([path(text)])
        case .firstOf(let texts): .first(texts.map(path))
        case .allOf(let texts): .all(texts.map(path))
        }
    }

    /// The generator writes well-formed paths only.
    static func path(_ text: String) -> Path {
        guard let path = try? JSONKeyPath(text) else { return Path(text: text, steps: [.member(text)]) }
        return Path(text: text, steps: path.steps)
    }
}
