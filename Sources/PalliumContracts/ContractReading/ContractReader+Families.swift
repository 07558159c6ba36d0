import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Links models with their parents, after all were read.
extension ContractReader {
    /// Links models with their parents, and checks what concerns several of them.
    mutating func finish() {
        problems.schema = nil
        problems.property = nil
        let read = models
        var total = 0
        for position in read.indices {
            let name = read[position].schema.name
            if let union = unions[UTF8Key(name)] {
                models[position] = whole(read[position], in: read)
                models[position].schema.parent = .named(union)
            } else if let parent = parents[UTF8Key(name)] {
                if isPlainFamily(name, in: read) {
                    models[position].schema.parent = .named(parent)
                } else {
                    // The parent is a member of a union, and this model is none.
                    models[position] = whole(read[position], in: read)
                }
            }
            total += models[position].schema.properties.count
        }
        for copy in copies {
            guard let source = positions[UTF8Key(copy.source)] else { continue }
            var model = whole(read[source], in: read)
            model.schema = renamed(model.schema, copy.name)
            model.schema.parent = .named(copy.parent)
            total += model.schema.properties.count
            positions[UTF8Key(copy.name)] = models.count
            models.append(model)
            if total > SchemaLoading.maximumTotal { break }
        }
        if total > SchemaLoading.maximumTotal {
            problems.report("the models have more than \(SchemaLoading.maximumTotal.counted("property", "properties"))")
        }
        for family in families { readFamily(family.name, family.facets) }
        identifyModels()
        // A part that refuses other members refuses those of the objects that have more parts.
        for model in models {
            var parent = parents[UTF8Key(model.schema.name)]
            for _ in 0...SchemaLimits.ancestors {
                guard let name = parent else { break }
                if let offset = closedOffsets[UTF8Key(name)] {
                    lose(offset, "additionalProperties", "objects that extend this one accept other members")
                }
                parent = parents[UTF8Key(name)]
            }
        }
    }

    /// Lets an object with a discriminator choose among the models that extend it, by its mapping or by their constants.
    private mutating func readFamily(_ name: String, _ facets: ContractFacets) {
        guard let position = positions[UTF8Key(name)], let discriminator = facets.discriminator,
            let key = discriminator["propertyName"]?.text, unions[UTF8Key(name)] == nil
        else { return }
        var entries: [ModelCluster.Entry] = []
        var known: Set<UTF8Key> = []
        for model in models {
            guard case .named(let parent)? = model.schema.parent, UTF8Text.equal(parent, name) else { continue }
            let mapped = (discriminator["mapping"]?.members ?? []).filter { member in
                let last = member.value.text?.split(separator: "/").last.map(String.init) ?? ""
                return contractNames[UTF8Key(model.schema.name)].map { UTF8Text.equal(last, $0) } ?? false
            }
            let values = tags[UTF8Key(model.schema.name)] ?? []
            for tag in values.isEmpty ? mapped.map({ JSONValue.string($0.name) }) : values
            where known.insert(UTF8Key(tag.tagText)).inserted {
                entries.append(ModelCluster.Entry(tag, .named(model.schema.name)))
            }
        }
        if entries.isEmpty { return }
        lose(discriminator.offset, "discriminator", "an object with the tag of a schema is read as one of it")
        models[position].schema.cluster = .discriminator(
            path: JSONKeyPath.escape(key), models: entries, default: .named(name))
    }

    private func renamed(_ schema: ModelSchema, _ name: String) -> ModelSchema {
        var copy = ModelSchema.named(name, properties: schema.properties)
        copy.documentation = schema.documentation
        copy.rules = schema.rules
        copy.cluster = schema.cluster
        copy.refusesUnknownMembers = schema.refusesUnknownMembers
        return copy
    }

    /// Returns a model with the properties of its parents.
    private func whole(_ model: Model, in models: [Model]) -> Model {
        var model = model
        var parent = parents[UTF8Key(model.schema.name)]
        var steps = 0
        while let name = parent, let position = positions[UTF8Key(name)], steps <= SchemaLimits.ancestors {
            let other = models[position]
            let added = other.schema.properties.filter { model.values[UTF8Key($0.key)] == nil }
            model.schema.properties = added + model.schema.properties
            model.values.merge(other.values) { own, _ in own }
            model.propertyOffsets.merge(other.propertyOffsets) { own, _ in own }
            model.schema.rules = other.schema.rules + model.schema.rules
            parent = parents[UTF8Key(name)]
            steps += 1
        }
        return model
    }

    /// Whether the ancestors of a model end, and none of them belongs to a union.
    private func isPlainFamily(_ name: String, in models: [Model]) -> Bool {
        var current = name
        var steps = 0
        while let parent = parents[UTF8Key(current)] {
            guard let position = positions[UTF8Key(parent)], models[position].schema.cluster == nil,
                unions[UTF8Key(parent)] == nil, steps < SchemaLimits.ancestors
            else { return false }
            current = parent
            steps += 1
        }
        return true
    }
}
