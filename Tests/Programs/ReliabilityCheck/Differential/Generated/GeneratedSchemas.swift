import Pallium
import RunSupport

/// The model class of the first schema of each set, for coders.
final class DifferentialModel: DynamicModel {}

/// Sets of schemas: single ones, parents and children, clusters by discriminator and by rules, one within another.
struct GeneratedSchemas {
    private var bits: SeededGenerator
    private let number: Int
    private let names: [String]
    /// What registration refused, for the curious.
    private(set) var refusals: [String] = []

    init(seed: UInt64, number: Int) {
        bits = .of(seed, 0x5343_4845_4D41_5321, number)
        self.number = number
        names = (0..<14).map { "S\($0)" }
    }

    /// A set; properties that registration refuses are left out until it refuses nothing.
    mutating func next() throws -> SchemaSet {
        var schemas = names.indices.map { plain($0) }
        makeFamilies(&schemas)
        schemas[0].modelClass = DifferentialModel.self
        let options = options()
        let profile = bits.once(in: 3) ? "p" : nil
        let transformers = try GeneratedTransformers.registry()
        for _ in 0..<40 {
            let registry = SchemaRegistry(transformers: transformers)
            do throws(SchemaError) {
                try registry.register(schemas)
            } catch {
                for problem in error.problems { repair(&schemas, problem) }
                continue
            }
            return try SchemaSet(
                number: number, registry: registry, schemas: schemas, options: options, profile: profile)
        }
        throw Stuck(description: "set \(number): registration refuses it: \(refusals.suffix(5))")
    }

    struct Stuck: Error, CustomStringConvertible {
        let description: String
    }

    // MARK: Schemas

    private mutating func plain(_ index: Int) -> ModelSchema {
        let generator = GeneratedProperties(schemaNames: names, own: index)
        var properties: [ModelSchema.Property] = []
        for _ in 0..<1 + bits.below(7) {
            let key = GeneratedNames.next(&bits)
            guard !properties.contains(where: { $0.key.utf8.elementsEqual(key.utf8) }) else { continue }
            var property = generator.property(&bits)
            // The position of an element also counts as the name of a labelled member: no reference tells them apart.
            while property.isSensitive, key == "0" || property.json.names("0") { property = generator.property(&bits) }
            properties.append(ModelSchema.Property(key, property))
        }
        var schema = ModelSchema.named(names[index], properties: properties)
        schema.keys = bits.once(in: 4) ? .snakeCase : bits.once(in: 12) ? .explicit : .identity
        if bits.once(in: 4) { schema.ignored = [GeneratedNames.path([GeneratedNames.next(&bits)])] }
        if bits.once(in: 2) {
            var mappings: [String: PropertySchema.JSONMapping] = [:]
            for property in properties where bits.once(in: 3) && property.schema.storage != .notStored {
                let mapping = generator.otherMapping(property.schema, &bits)
                if !property.schema.isSensitive || !mapping.names("0") { mappings[property.key] = mapping }
            }
            schema.profiles = [ModelSchema.Profile("p", mappings)]
        }
        return schema
    }

    /// S6 extends S5 and tightens something; S8 to S10 are a cluster by discriminator, S11 to S13 one by rules, which
    /// belongs to the other in some sets.
    private mutating func makeFamilies(_ schemas: inout [ModelSchema]) {
        schemas[6].parent = "S5"
        if let property = schemas[5].properties.first(where: {
            if case .model = $0.schema.kind { return false }
            return $0.schema.defaultValue == nil && !$0.schema.isRequired && $0.schema.storage == .permanent
                && $0.schema.access == .readWrite && $0.schema.json != .none && $0.schema.nilPolicy == nil
        }) {
            schemas[6].properties.removeAll { $0.key.utf8.elementsEqual(property.key.utf8) }
            schemas[6].properties.insert(ModelSchema.Property(property.key, property.schema.required), at: 0)
        }
        schemas[9].parent = "S8"
        schemas[10].parent = "S8"
        let isNested = bits.once(in: 2)
        if isNested { schemas[11].parent = "S8" }
        schemas[12].parent = "S11"
        schemas[13].parent = "S11"
        for index in [8, 9, 10, 11, 12, 13] { schemas[index].keys = .identity }

        let path = bits.pick(["type", "meta.type", "a\\.b", GeneratedNames.path([GeneratedNames.next(&bits)])])
        var entries = [
            ModelCluster.Entry("nine", "S9"), ModelCluster.Entry("ten", "S10"),
            ModelCluster.Entry(bits.pick([10, 2.5, true, "10"]), "S10"),
        ]
        if bits.once(in: 2) { entries.append(ModelCluster.Entry("base", "S8")) }
        if isNested { entries.append(ModelCluster.Entry("é", "S11")) }
        schemas[8].cluster = .discriminator(path: path, models: entries, default: bits.once(in: 3) ? "S9" : nil)
        if bits.once(in: 3), case .discriminator = schemas[8].cluster {
            // The discriminator is a property as well.
            schemas[8].properties.removeAll { $0.key == "discriminator" }
            let property: PropertySchema = bits.once(in: 2) ? .string : .jsonValue
            schemas[8].properties.append(ModelSchema.Property("discriminator", property.json(path)))
        }
        let name = GeneratedNames.path([GeneratedNames.next(&bits)])
        schemas[11].cluster = .rules(
            [
                ModelCluster.Rule(
                    [bits.once(in: 2) ? .equals("flavor", bits.pick(["mint", 3, true])) : .kind(name, .number)], "S12"),
                ModelCluster.Rule([.present(bits.pick(["t", name, "u.v"]))], "S13"),
            ], default: bits.once(in: 2) ? "S11" : nil)
    }

    private mutating func options() -> JSONAdapterOptions {
        var options = JSONAdapterOptions()
        switch bits.below(10) {
        case 0, 1: options.unknownMembers = .refuse
        case 2, 3: options.unknownMembers = .keep
        default: break
        }
        if bits.once(in: 4) { options.nilPolicy = bits.pick(PropertySchema.NilPolicy.allCases) }
        if bits.once(in: 4) { options.elements = .skip }
        if bits.once(in: 4) { options.leniency = JSONAdapterOptions.Leniency(rawValue: bits.below(8)) }
        if bits.once(in: 6) { options.transformersByKind["date"] = UnixSecondsTransformerName }
        if bits.once(in: 8) { options.transformersByKind["bool"] = BooleanTransformerName }
        return options
    }

    // MARK: Repairs

    /// Takes out what a problem is about: a property, where one is named, or what concerns the whole schema.
    private mutating func repair(_ schemas: inout [ModelSchema], _ problem: SchemaError.Problem) {
        refusals.append("\(problem)")
        guard let index = schemas.firstIndex(where: { $0.name == problem.schema }) else {
            let victim = bits.below(schemas.count)
            if !schemas[victim].properties.isEmpty { schemas[victim].properties.removeLast() }
            return
        }
        var holders = [schemas[index].name]
        while case .named(let name)? = schemas.first(where: { $0.name == holders.last })?.parent {
            holders.append(name)
        }
        if let key = problem.property {
            for holder in holders {
                guard let place = schemas.firstIndex(where: { $0.name == holder }) else { continue }
                let count = schemas[place].properties.count
                remove(key, from: &schemas[place])
                if schemas[place].properties.count < count { return }
            }
        }
        if !schemas[index].profiles.isEmpty || !schemas[index].ignored.isEmpty {
            schemas[index].profiles = []
            schemas[index].ignored = []
        } else if schemas[index].properties.isEmpty {
            schemas[index].cluster = nil
        } else {
            schemas[index].properties.removeLast()
        }
    }

    private func remove(_ key: String, from schema: inout ModelSchema) {
        schema.properties.removeAll { $0.key.utf8.elementsEqual(key.utf8) }
        schema.profiles = schema.profiles.map { profile in
            ModelSchema.Profile(profile.name, profile.mappings.filter { !$0.key.utf8.elementsEqual(key.utf8) })
        }
    }
}

extension PropertySchema.JSONMapping {
    /// Whether a member of a name stands on a path.
    fileprivate func names(_ name: String) -> Bool {
        let texts: [String] =
            switch self {
            case .ownKey, .none: []
            case .path(let text): [text]
            case .firstOf(let texts), .allOf(let texts): texts
            }
        return texts.contains { EffectiveSchema.path($0).steps.contains(.member(name)) }
    }
}
