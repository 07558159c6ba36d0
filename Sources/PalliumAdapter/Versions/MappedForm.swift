import PalliumCore
import PalliumJSON

/// The form in which adapters read documents: values stand at the key paths of their properties, and clusters choose models.
struct MappedForm: DocumentForm {
    let datesAreNumbers = false
    private let profile: String?
    private let clusters: DocumentClusters

    init(_ registry: SchemaRegistry, profile: String?) {
        self.profile = profile
        clusters = DocumentClusters(registry, profile: profile)
    }

    func layout(
        of members: JSONObject, as declared: ModelLayout, _ versions: SchemaVersions
    ) throws(ModelError) -> ModelLayout { declared }

    func descendant(of layout: ModelLayout, for members: JSONObject) -> ModelLayout? {
        // An object of no model is refused where it is decoded.
        guard let model = try? clusters.cluster(of: layout)?.model(for: members), model !== layout else { return nil }
        return model
    }

    func name(_ layout: ModelLayout, in members: inout JSONObject, isMade: Bool) {
        guard isMade else { return }
        for ancestor in layout.lineage {
            guard let discriminator = try? clusters.discriminator(of: ancestor),
                let tag = discriminator.firstTag(of: layout)
            else { continue }
            members.place(tag, at: discriminator.path)
        }
    }

    func places(of layout: ModelLayout, before plan: UpgradePlan?) -> MappedPlaces {
        MappedPlaces(DocumentShape(layout, profile: profile), plan?.steps ?? [])
    }

    func rowLayout(of layout: ModelLayout) -> ModelLayout? { nil }

    func json(_ value: FormerModel.Value, _ descriptor: ValueDescriptor?) throws(ModelError) -> JSONValue {
        try value.json
    }
}

/// Where the values of keys stand in a document: at the paths of properties, and where former keys had theirs.
struct MappedPlaces: ValuePlaces {
    /// The paths of a key's value in the document.
    private struct Mapping {
        let paths: [JSONKeyPath]
        /// The property, and the same with the paths that no former key had; nil for a key without a property.
        var property: (whole: DocumentShape.Property, readable: DocumentShape.Property)?
    }

    /// The paths of each key that the schema has or a step names.
    private var mappings: [UTF8Key: Mapping] = [:]
    /// The keys whose values are in a member or below it.
    private var keys: [UTF8Key: [String]] = [:]

    private let strategy: ModelSchema.KeyStrategy

    init(_ shape: DocumentShape, _ steps: [UpgradePlan.Step]) {
        let layout = shape.layout
        strategy = layout.schema.keys
        // If a former key and a present one have the same path, it belonged to the former one.
        var taken: [JSONKeyPath] = []
        let former = Set(steps.flatMap(\.step.formerKeys).map { UTF8Key($0) })
        for (schema, step) in steps {
            for key in step.keys.sorted(by: UTF8Text.precedes)
            where layout.index(of: key) == nil && mappings[UTF8Key(key)] == nil {
                let path = JSONKeyPath(member: schema.keys.memberName(for: key) ?? key)
                if former.contains(UTF8Key(key)) { taken.append(path) }
                add(key, Mapping(paths: [path]))
            }
        }
        for property in shape.properties {
            var readable = property
            readable.paths.removeAll { path in taken.contains { path.steps.starts(with: $0.steps) } }
            add(property.descriptor.key, Mapping(paths: property.paths, property: (property, readable)))
        }
    }

    private mutating func add(_ key: String, _ mapping: Mapping) {
        mappings[UTF8Key(key)] = mapping
        for path in mapping.paths { keys[UTF8Key(path.tokens[0]), default: []].append(key) }
    }

    func values(in members: JSONObject, _ levels: [FormerModel.Level]) -> FormerModel {
        var model = FormerModel(levels)
        model.keyStrategy = strategy
        for (name, value) in members {
            for key in keys[UTF8Key(name)] ?? [] where model[key] == nil {
                model[key] = mappings[UTF8Key(key)].flatMap { self.value(at: $0, in: members) }.map(
                    FormerModel.Value.init(json:))
            }
            // Steps in code can read members that nothing maps by the keys that the strategy has for them.
            guard keys[UTF8Key(name)] == nil else { continue }
            let key = strategy.key(forMember: name).flatMap { mappings[UTF8Key($0)] == nil ? $0 : nil } ?? name
            if mappings[UTF8Key(key)] == nil { model[key] = FormerModel.Value(json: value) }
        }
        return model
    }

    func pathOfModels(_ property: ModelLayout.Property, in members: JSONObject) -> JSONKeyPath? {
        // The output of transformers is no part of the document.
        guard property.schema.transformers.isEmpty, let place = mappings[UTF8Key(property.key)]?.property?.whole,
            place.isRead
        else { return nil }
        return place.path(in: members)
    }

    func paths(of key: String) -> [JSONKeyPath] {
        if let mapping = mappings[UTF8Key(key)] { return mapping.paths }
        let member = strategy.memberName(for: key) ?? key
        let isKeyOfMember = strategy.key(forMember: member).map { UTF8Text.equal($0, key) } ?? false
        return [JSONKeyPath(member: isKeyOfMember ? member : key)]
    }

    func set(
        _ value: JSONValue, forKey key: String, in members: inout JSONObject, formerly document: JSONObject
    ) throws(ModelError) {
        let mapping = mappings[UTF8Key(key)]
        guard let (property, readable) = mapping?.property else {
            let path = paths(of: key)[0]
            // A value without a property must not become the value of another property.
            let isTaken = keys[UTF8Key(path.tokens[0])]?.contains { mappings[UTF8Key($0)]?.property != nil } ?? false
            if !isTaken { try members.set(value, at: path) }
            return
        }
        guard property.combination == .allOf else {
            // The path where it was, or where it would be written.
            let path = readable.path(in: document) ?? property.paths.first { $0.members != nil }
            if let path = path ?? property.paths.first { try members.set(value, at: path) }
            return
        }
        guard value.isNull || value.objectValue != nil else {
            let names = property.paths.map { ModelError.quote($0.description) }.joined(separator: ", ")
            throw ModelError(.upgradeFailed, expected: "an object with the members \(names)", found: value.summary)
        }
        for part in property.parts(of: value) { try members.set(part.value, at: part.path) }
    }

    /// Nothing after a null or another value on a path is a value.
    private func value(at mapping: Mapping, in document: JSONObject) -> JSONValue? {
        guard var property = mapping.property?.readable else { return mapping.paths[0].value(in: document) }
        if property.combination == .allOf { property.paths.removeAll { $0.value(in: document) == nil } }
        guard case .value(let value, let path) = property.content(in: document) else { return nil }
        return path.map { $0.value(in: document) } ?? value
    }
}
