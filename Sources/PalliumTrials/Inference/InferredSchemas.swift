package import PalliumCore
import PalliumDocuments
import PalliumGeneration
import PalliumJSON

/// A schema that was inferred, with its evidence.
package struct InferredSchema: Sendable {
    /// The schema.
    package fileprivate(set) var schema: ModelSchema
    /// The number of objects.
    package let objects: Int
    /// The key of the identity, and what it was seen to identify; nil without identity.
    package fileprivate(set) var identity: (key: String, distinct: Int, objects: Int)?
    /// The keys of properties of the kind `double` that may be amounts of money.
    package let moneyKeys: [String]
}

/// Makes schemas of places.
struct InferredSchemas {
    /// A model that gets a schema.
    private enum Model {
        case place(Int)
        /// The objects of a cluster with one value of the discriminator.
        case variant(Int, VariantEvidence.Variant, parent: String)
        /// The objects in a member of a variant.
        case part(Int, VariantEvidence.Part)
    }

    private let tree: PlaceTree
    private var names: [Int: String] = [:]
    private var clusters: [Int: InferredCluster] = [:]
    /// The names of the variants of each cluster, and those of their parts, by value and member.
    private var variantNames: [Int: [UTF8Key: String]] = [:]
    private var partNames: [Int: [[UTF8Key]: String]] = [:]
    /// The names of schemas, which are also names of files.
    private var freeNames = UniqueNames(ignoresCase: true)
    /// The models in the order of their schemas, with their names.
    private var models: [(name: String, model: Model)] = []

    /// Makes schemas of the places of a tree, in which nothing is left to join.
    init(_ tree: PlaceTree, name: String, avoiding taken: [String]) {
        self.tree = tree
        for name in taken + [name] { freeNames.insert(name) }
        names[0] = name
        models.append((name, .place(0)))
        var position = 0
        while position < models.count {
            let (name, model) = models[position]
            position += 1
            guard case .place(let place) = model else { continue }
            addVariants(of: place, called: name)
            nameModels(in: place, called: name)
        }
    }

    /// The schemas, the root first.
    var schemas: [InferredSchema] {
        models.map { name, model in
            switch model {
            case .place(let place): schema(of: place, called: name)
            case .variant(let place, let variant, let parent):
                self.schema(of: variant, at: place, called: name, extending: parent)
            case .part(let place, let part): schema(of: part, at: place, called: name)
            }
        }
    }

    // MARK: Names

    /// Adds a model by its name, or by a longer one if that is taken or a type of Swift, or by its name with a number. Returns the name.
    private mutating func add(_ model: Model, called wanted: String, or longer: String? = nil) -> String {
        // Room for a number within the maximum length.
        let name = String(decoding: wanted.utf8.prefix(SchemaReader.maximumNameLength - 16), as: UTF8.self)
        let names = [name, longer ?? name].filter { $0.utf8.count <= SchemaReader.maximumNameLength }
        let free =
            names.first { !SwiftName.types.contains(UTF8Key($0)) && freeNames.insert($0) }
            ?? freeNames.numbered(name)
        models.append((free, model))
        return free
    }

    /// Gives the models in the members of a model names, unless they have some.
    private mutating func nameModels(in place: Int, called parent: String) {
        for member in tree.places[place].members {
            guard clusters[place]?.parts.contains(UTF8Key(member.name)) == true else {
                nameModel(of: member.place, member: member.name, in: parent)
                continue
            }
            for inner in tree.places[tree.current(member.place)].members {
                nameModel(of: inner.place, member: inner.name, in: parent)
            }
        }
    }

    private mutating func nameModel(of place: Int, member: String, in parent: String) {
        var place = tree.current(place)
        var isElement = false
        while !tree.places[place].isFolded, !tree.places[place].shapes.areMixed {
            if place == 0 || tree.places[place].isModel {
                guard names[place] == nil else { return }
                let name = InferredNames.schemaName(of: member, isElement: isElement)
                names[place] = add(.place(place), called: name, or: parent + name)
                return
            }
            guard let next = tree.places[place].element ?? tree.places[place].entry else { return }
            place = tree.current(next)
            isElement = true
        }
    }

    private mutating func addVariants(of place: Int, called parent: String) {
        guard let cluster = tree.cluster(of: place) else { return }
        clusters[place] = cluster
        for variant in cluster.variants {
            // A variant without members of its own needs no schema.
            let names = cluster.ownMembers.union(cluster.parts)
            guard names.contains(where: { variant.members[$0] != nil }) else { continue }
            let word =
                cluster.isNumeric
                ? parent + variant.text.replacing("-", with: "Minus")
                : InferredNames.schemaName(of: variant.text, isElement: false)
            let model = Model.variant(place, variant, parent: parent)
            let name = add(model, called: word, or: parent + word)
            variantNames[place, default: [:]][UTF8Key(variant.text)] = name
            for member in tree.places[place].members where cluster.parts.contains(UTF8Key(member.name)) {
                guard let part = variant.parts[UTF8Key(member.name)] else { continue }
                let word = InferredNames.schemaName(of: member.name, isElement: false)
                let path = [UTF8Key(variant.text), UTF8Key(member.name)]
                partNames[place, default: [:]][path] = add(
                    .part(tree.current(member.place), part), called: name + word)
            }
        }
    }

    // MARK: Schemas

    private func schema(of number: Int, called name: String) -> InferredSchema {
        let place = tree.places[number]
        let cluster = clusters[number]
        let moved = cluster.map { $0.ownMembers.union($0.parts) } ?? []
        var item = schema(at: number, called: name, objects: place.objects) { member in
            if moved.contains(UTF8Key(member.name)) { return nil }
            return (value(of: member, in: place), VariantEvidence.Occurrences(count: member.count, nulls: member.nulls))
        }
        if let cluster {
            item.schema.cluster = .discriminator(
                path: JSONKeyPath.escape(cluster.discriminator),
                models: cluster.variants.map { variant in
                    let name = variantNames[number]?[UTF8Key(variant.text)] ?? name
                    let number = cluster.isNumeric ? Int64(variant.text).map { JSONValue.number(JSONNumber($0)) } : nil
                    return ModelCluster.Entry(number ?? .string(variant.text), .named(name))
                }, default: .named(name))
        }
        guard let found = tree.identity(of: number), let position = place.members.position(of: found.name) else {
            return item
        }
        let key = InferredKeys(place.members.map(\.name)).keys[position]
        let evidence = found.evidence
        item.schema.identity = [key]
        item.schema.documentation +=
            " Identity \(ModelError.quote(key)): \(evidence.distinct) distinct in \(evidence.objects)."
        item.identity = (key, evidence.distinct, evidence.objects)
        return item
    }

    private func schema(
        of variant: VariantEvidence.Variant, at number: Int, called name: String, extending parent: String
    ) -> InferredSchema {
        let cluster = clusters[number]
        var item = schema(at: number, called: name, objects: variant.objects) { member in
            let key = UTF8Key(member.name)
            guard let occurrences = variant.members[key] else { return nil }
            if cluster?.parts.contains(key) == true {
                let name = partNames[number]?[[UTF8Key(variant.text), key]]
                return (name.map { .model($0) } ?? .jsonValue, occurrences)
            }
            guard cluster?.ownMembers.contains(key) == true else { return nil }
            return (value(of: member, in: tree.places[number]), occurrences)
        }
        item.schema.parent = .named(parent)
        return item
    }

    private func schema(of part: VariantEvidence.Part, at number: Int, called name: String) -> InferredSchema {
        schema(at: number, called: name, objects: part.objects) { member in
            part.members[UTF8Key(member.name)].map { (value(of: member, in: tree.places[number]), $0) }
        }
    }

    /// Makes a schema of members of a place.
    ///
    /// - Parameter property: Returns the property of a member, and how often it occurred; nil for one that is left out.
    private func schema(
        at number: Int, called name: String, objects: Int,
        _ property: (MemberPlaces.Member) -> (PropertySchema, VariantEvidence.Occurrences)?
    ) -> InferredSchema {
        var moneyKeys: [String] = []
        let members = tree.places[number].members
        let keys = InferredKeys(members.map(\.name))
        let properties = members.enumerated().compactMap { position, member -> ModelSchema.Property? in
            guard let (found, occurrences) = property(member) else { return nil }
            var schema = found
            if occurrences.nulls == 0, occurrences.count == objects { schema = schema.required }
            if isMoney(member) { moneyKeys.append(keys.keys[position]) }
            if let path = keys.paths[position] { schema = schema.json(path) }
            return ModelSchema.Property(keys.keys[position], schema)
        }
        var schema = ModelSchema.named(name, properties: properties)
        schema.keys = keys.strategy
        schema.documentation = "Inferred from \(objects.counted("object"))."
        return InferredSchema(schema: schema, objects: objects, identity: nil, moneyKeys: moneyKeys)
    }

    // MARK: Properties

    private func value(of member: MemberPlaces.Member, in place: Place) -> PropertySchema {
        value(at: tree.current(member.place), name: member.name, isSingle: place.objects == 1)
    }

    /// Whether a member holds numbers, or lists of them, that may be amounts of money.
    private func isMoney(_ member: MemberPlaces.Member) -> Bool {
        var place = tree.places[tree.current(member.place)]
        while !place.isFolded, place.shapes == .array, let element = place.element {
            place = tree.places[tree.current(element)]
        }
        return !place.isFolded && place.shapes == .number && place.values.numbers.looksLikeMoney(member.name)
    }

    private func element(at place: Int?, isSingle: Bool) -> PropertySchema {
        guard let place = place.map(tree.current) else { return .jsonValue.nullable }
        let property = value(at: place, name: nil, isSingle: isSingle)
        return tree.places[place].values.nulls > 0 ? property.nullable : property
    }

    /// Recursion ends at the maximum depth of places, or at a model.
    ///
    /// - Parameter isSingle: Whether the model that has the value was seen once only.
    private func value(at number: Int, name: String?, isSingle: Bool) -> PropertySchema {
        let place = tree.places[number]
        if place.isFolded || place.shapes.areMixed { return .jsonValue }
        switch place.shapes {
        case .array: return .array(of: element(at: place.element, isSingle: isSingle))
        case .object:
            if let name = names[number] { return .model(name) }
            return .dictionary(of: element(at: place.entry, isSingle: isSingle))
        default: return place.values.scalar(of: name, isSingle: isSingle) ?? .jsonValue
        }
    }
}
