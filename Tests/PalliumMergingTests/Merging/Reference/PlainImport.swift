import Pallium

/// Imports documents into instances by the article *Identity*, slowly.
final class PlainImport {
    /// A model that the map knows, by the class that declares its identity.
    struct Instance {
        let root: String
        let identifier: JSONValue
        let model: PlainModel
        var label: String { "\(root) \(identifier)" }
    }

    let schemas: PlainSchemas
    private(set) var instances: [Instance] = []
    /// What the program holds.
    private var held: [PlainModel] = []
    /// The mentions that wait to be merged.
    private var mentions: [(object: JSONObject, model: PlainModel, declared: String)] = []
    /// The classes that a document says models have, with whether it says so itself.
    private var claims: [String: [String]] = [:]

    init(schemas: PlainSchemas) { self.schemas = schemas }

    /// The models whose hooks run, after all mentions are merged.
    func load(_ document: JSONValue) throws -> Set<ObjectIdentifier> {
        let roots = document.arrayValue ?? [document]
        claims = [:]
        var count = -1
        while count < claims.values.reduce(0, { $0 + Set($1).count }) {
            // A class that one object says tells which members of others are models.
            count = claims.values.reduce(0) { $0 + Set($1).count }
            for root in roots { try collectClaims(root, declared: schemas.root) }
        }
        for model in all { model.former = model.states }
        let merging = PlainMerge(schemas: schemas) { [unowned self] in try self.instance($0, declared: $1) }
        for root in roots { held.append(try merging.reading.model(root, declared: schemas.root)) }
        while !mentions.isEmpty {
            let mention = mentions.removeFirst()
            let later = mentions
            mentions = []
            if mention.model.states.isEmpty {
                try take(mention.object, mention.model, declared: mention.declared, merging.reading)
            } else {
                try merging.merge(mention.object, into: mention.model)
            }
            // An outer model is merged before those that it mentions, and they before the next one of the document.
            mentions += later
        }
        // Instances must be complete, and values that became part of the graph.
        for model in all where model.isNew { try complete(model) }
        // What nobody holds is gone.
        release()
        let living = Set(reachable.map { ObjectIdentifier($0) })
        held = instances.map(\.model).filter { living.contains(ObjectIdentifier($0)) }
        var hooks: Set<ObjectIdentifier> = []
        for model in reachable where model.isNew || PlainEquality.isChanged(model, schemas) {
            hooks.insert(ObjectIdentifier(model))
            model.isNew = false
        }
        // What nothing refers to any more was part of the graph, too.
        for model in all { model.isNew = false }
        return hooks
    }

    /// The instances that the program reaches.
    var living: [Instance] {
        let living = Set(reachable.map { ObjectIdentifier($0) })
        return instances.filter { living.contains(ObjectIdentifier($0.model)) }
    }

    /// Removes what nothing refers to any more; references in a cycle keep one another.
    private func release() {
        var isReleased = true
        while isReleased {
            let referring = instances.flatMap { instance in references(of: instance.model) }
            let kept = Set((held + referring).map { ObjectIdentifier($0) })
            let count = instances.count
            instances.removeAll { !kept.contains(ObjectIdentifier($0.model)) }
            isReleased = instances.count < count
        }
    }

    /// The instances that a model refers to, itself or in its values.
    private func references(of model: PlainModel) -> [PlainModel] {
        model.states.values.flatMap { $0.value?.models ?? [] }.flatMap { inner in
            schemas.identity(of: inner.name) != nil ? [inner] : references(of: inner)
        }
    }

    private var reachable: [PlainModel] {
        var visited: Set<ObjectIdentifier> = []
        return held.flatMap { $0.innerFirst(&visited) }
    }

    /// The models of all instances, with those that only a cycle keeps.
    private var all: [PlainModel] {
        var visited: Set<ObjectIdentifier> = []
        return (held + instances.map(\.model)).flatMap { $0.innerFirst(&visited) }
    }

    /// Decodes the first mention of a new instance, which may leave out what others say.
    private func take(
        _ object: JSONObject, _ model: PlainModel, declared: String, _ reading: PlainReading
    ) throws {
        for property in schemas.properties(of: model.name) {
            guard let said = object[property.key] else { continue }
            // A null that is ignored, or stands for the default, says no more than an absent member.
            if said.isNull, !property.takesNull, property.policy.ignoresNull || property.standard != nil { continue }
            if said.isNull, property.policy.ignoresNull {
                if reading.saidClass(of: object, declared: declared) ?? declared != model.name {
                    throw OpenQuestion("an ignored null of a new instance whose class another object says")
                }
            }
            model[property.key] = try reading.state(said, of: property)
        }
    }

    private func complete(_ model: PlainModel) throws {
        for property in schemas.properties(of: model.name) where model[property.key].isUnset {
            model[property.key] = try PlainReading(schemas: schemas).absent(property)
        }
    }

    // MARK: Instances

    /// The instance that an object mentions, which is merged later: outer models come first.
    private func instance(_ object: JSONObject, declared: String) throws -> PlainModel? {
        guard let key = key(of: object, declared: declared) else { return nil }
        var model = instances.first { $0.label == key.label }?.model
        if model == nil {
            let new = PlainModel(try mostSpecific(claims[key.label] ?? []))
            new.isNew = true
            instances.append(Instance(root: key.root, identifier: key.identifier, model: new))
            model = new
        }
        if let model { mentions.append((object, model, declared)) }
        return model
    }

    private func key(
        of object: JSONObject, declared: String
    ) -> (root: String, identifier: JSONValue, label: String)? {
        guard let key = schemas.identity(of: declared), let identifier = object[key], !identifier.isNull else {
            return nil
        }
        let root = schemas.identityClass(of: declared)
        return (root, identifier, "\(root) \(identifier)")
    }

    /// The most specific class of those that occurrences say.
    private func mostSpecific(_ names: [String]) throws -> String {
        var found: String?
        for name in names {
            guard let known = found else {
                found = name
                continue
            }
            if isAncestor(known, of: name) {
                found = name
            } else if !isAncestor(name, of: known) {
                throw PlainRefusal.anotherClass(name)
            }
        }
        guard let found else { throw PlainRefusal.unknownClass }
        return found
    }

    private func isAncestor(_ name: String, of other: String) -> Bool {
        name == other || schemas[other].parent.map { isAncestor(name, of: $0) } ?? false
    }

    // MARK: Classes

    /// Collects what a document says about the classes of instances, at any depth.
    private func collectClaims(_ said: JSONValue, declared: String) throws {
        guard let object = said.objectValue else { return }
        let reading = PlainReading(schemas: schemas)
        let isCluster = !schemas[declared].choices.isEmpty
        let text = reading.saidClass(of: object, declared: declared)
        if text?.isEmpty == true { throw PlainRefusal.unknownClass }
        var name = text ?? (isCluster ? schemas[declared].standardChoice : declared)
        if let key = key(of: object, declared: declared) {
            if let instance = instances.first(where: { $0.label == key.label })?.model {
                if let text, text != instance.name {
                    if isAncestor(text, of: instance.name) {
                        throw OpenQuestion("a document that names the base of the class of an instance")
                    }
                    throw PlainRefusal.anotherClass(text)
                }
                name = instance.name
            } else if let said = name {
                claims[key.label, default: []].append(said)
                name = try mostSpecific(claims[key.label] ?? [])
            }
        }
        guard let name else { return }
        for property in schemas.properties(of: name) {
            guard let said = object[property.key], let declared = property.kind.modelName else { continue }
            switch property.kind {
            case .model: try collectClaims(said, declared: declared)
            case .dictionary: for (_, said) in said.objectValue ?? [:] { try collectClaims(said, declared: declared) }
            default: for said in said.arrayValue ?? [] { try collectClaims(said, declared: declared) }
            }
        }
    }
}
