package import PalliumCore
import PalliumJSON

/// A schema that was inferred, with its evidence.
package struct InferredSchema: Sendable {
    /// The schema.
    package let schema: ModelSchema
    /// The number of objects.
    package let objects: Int
    /// The key of the identity, and what it was seen to identify; nil without identity.
    package let identity: (key: String, distinct: Int, objects: Int)?
}

/// Makes schemas of places.
struct InferredSchemas {
    private let tree: PlaceTree
    private var names: [Int: String] = [:]
    private var taken: Set<UTF8Key> = []
    /// The places of the models in the order of their schemas.
    private var models: [Int] = []

    /// Makes schemas of the places of a tree, in which nothing is left to join.
    init(_ tree: PlaceTree, name: String) {
        self.tree = tree
        _ = add(0, called: name)
        var position = 0
        while position < models.count {
            for member in tree.places[models[position]].members {
                nameModel(of: member.place, member: member.name, in: names[models[position]] ?? "")
            }
            position += 1
        }
    }

    /// The schemas, the root first.
    var schemas: [InferredSchema] { models.map { schema(of: $0) } }

    /// Gives the model in the value of a member a name, unless it has one.
    private mutating func nameModel(of place: Int, member: String, in parent: String) {
        var place = tree.current(place)
        var isElement = false
        while !tree.places[place].isFolded, !tree.places[place].shapes.areMixed {
            if place == 0 || tree.places[place].isModel {
                guard names[place] == nil else { return }
                let name = InferredNames.schemaName(of: member, isElement: isElement)
                if add(place, called: name) || add(place, called: parent + name) { return }
                var number = 2
                while !add(place, called: "\(name)\(number)") { number += 1 }
                return
            }
            guard let next = tree.places[place].element ?? tree.places[place].entry else { return }
            place = tree.current(next)
            isElement = true
        }
    }

    /// Adds a model unless its name is taken or too long.
    private mutating func add(_ place: Int, called name: String) -> Bool {
        guard name.utf8.count <= SchemaReader.maximumNameLength, taken.insert(UTF8Key(name.lowercased())).inserted
        else {
            return false
        }
        names[place] = name
        models.append(place)
        return true
    }

    private func schema(of number: Int) -> InferredSchema {
        let place = tree.places[number]
        let keys = InferredKeys(place.members.map(\.name))
        var schema = ModelSchema.named(
            names[number] ?? "",
            properties: place.members.enumerated().map { position, member in
                var property = property(of: member, objects: place.objects)
                if let path = keys.paths[position] { property = property.json(path) }
                return ModelSchema.Property(keys.keys[position], property)
            })
        schema.keys = keys.strategy
        var text = "Inferred from \(place.objects) \(place.objects == 1 ? "object" : "objects")."
        guard let found = tree.identity(of: number), let position = place.members.position(of: found.name) else {
            schema.documentation = text
            return InferredSchema(schema: schema, objects: place.objects, identity: nil)
        }
        let key = keys.keys[position]
        let evidence = found.evidence
        schema.identity = [key]
        text += " Identity \(ModelError.quote(key)): \(evidence.distinct) distinct in \(evidence.objects)."
        schema.documentation = text
        return InferredSchema(
            schema: schema, objects: place.objects, identity: (key, evidence.distinct, evidence.objects))
    }

    private func property(of member: MemberPlaces.Member, objects: Int) -> PropertySchema {
        let property = value(at: tree.current(member.place), name: member.name, isSingle: objects == 1)
        return member.nulls == 0 && member.count == objects ? property.required : property
    }

    private func element(at place: Int?, isSingle: Bool) -> PropertySchema {
        guard let place = place.map(tree.current) else { return .json.nullable }
        let property = value(at: place, name: nil, isSingle: isSingle)
        return tree.places[place].nulls > 0 ? property.nullable : property
    }

    /// Recursion ends at the maximum depth of places, or at a model.
    ///
    /// - Parameter isSingle: Whether the model that has the value was seen once only.
    private func value(at number: Int, name: String?, isSingle: Bool) -> PropertySchema {
        let place = tree.places[number]
        if place.isFolded || place.shapes.areMixed { return .json }
        switch place.shapes {
        case .array: return .array(of: element(at: place.element, isSingle: isSingle))
        case .object:
            if let name = names[number] { return .model(name) }
            return .dictionary(of: element(at: place.entry, isSingle: isSingle))
        default: return tree.scalar(place, name: name, isSingle: isSingle) ?? .json
        }
    }
}
