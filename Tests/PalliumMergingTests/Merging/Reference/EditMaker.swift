import Pallium
import TestSupport

/// Edits a model of the library and its plain counterpart alike, as a program does: inside nested models, in lists and
/// dictionaries, and by putting other values in.
struct EditMaker {
    let schemas: PlainSchemas
    let registry: SchemaRegistry
    var documents: DocumentMaker

    private var reading: PlainReading { PlainReading(schemas: schemas) }

    init(schemas: PlainSchemas, registry: SchemaRegistry, seed: Int) {
        self.schemas = schemas
        self.registry = registry
        documents = DocumentMaker(schemas: schemas, seed: seed)
        documents.hasMistakes = false
        documents.presence = 60
    }

    mutating func edit(_ model: DynamicModel, _ plain: PlainModel, percent: Int = 45) throws {
        let identity = schemas.identity(of: plain.name)
        for property in schemas.properties(of: plain.name) where property.key != identity && property.key != "code" {
            guard documents.chance(percent) else { continue }
            let value = plain[property.key].value
            switch (property.kind, value) {
            case (.model, .model(let inner)?) where documents.chance(70):
                guard let own = model[property.key, as: DynamicModel.self] else { continue }
                try edit(own, inner)
            case (.list(.model), .elements(let elements)?) where documents.chance(85),
                (.set(.model), .elements(let elements)?) where documents.chance(85):
                try editElements(model, plain, property, elements.compactMap(\.model))
            case (.dictionary(.model, _), .entries(let entries)?) where documents.chance(85):
                try editEntries(model, plain, property, entries)
            default: try put(property, into: model, plain)
            }
        }
    }

    /// Puts another value in, or null.
    private mutating func put(_ property: PlainProperty, into model: DynamicModel, _ plain: PlainModel) throws {
        if property.takesNull, documents.chance(20) {
            try model.setValue(nil, forKey: property.key)
            plain[property.key] = .null
            return
        }
        let said = documents.value(property, isComplete: true, depth: 1)
        plain[property.key] = try reading.state(said, of: property)
        try model.setValue(made(property, said, of: plain.name), forKey: property.key)
    }

    /// A value of a property as the library decodes it.
    private mutating func made(
        _ property: PlainProperty, _ said: JSONValue, of name: String
    ) throws -> (any PropertyValue)? {
        var object: JSONObject = [property.key: said]
        for other in schemas.properties(of: name) where other.isRequired && other.key != property.key {
            object[other.key] = documents.value(other, isComplete: true, depth: 1)
        }
        if let choice = schemas.choices(of: name).first(where: { $0.value == name }) {
            object[PlainSchemas.discriminator] = .string(choice.key)
        }
        let adapter = try JSONAdapter<DynamicModel>(schema: registry.schema(named: name), registry: registry)
        return try adapter.model(from: JSONValue.object(object)).value(forKey: property.key)
    }

    private mutating func editElements(
        _ model: DynamicModel, _ plain: PlainModel, _ property: PlainProperty, _ elements: [PlainModel]
    ) throws {
        guard let models = model[property.key, as: [DynamicModel].self], models.count == elements.count else { return }
        var pairs = Array(zip(models, elements))
        // What is edited in place stays in a list; a set is put together anew.
        for (model, element) in pairs where documents.chance(40) && isIdentified(element) {
            try edit(model, element)
        }
        pairs = pairs.filter { _ in documents.chance(75) }
        if documents.chance(40) { pairs = documents.shuffled(pairs) }
        if documents.chance(50) {
            let said = documents.value(property, isComplete: true, depth: 1)
            let new = try reading.value(said, property.kind).elements?.compactMap(\.model) ?? []
            let made = try self.made(property, said, of: plain.name)
            let models = made as? [DynamicModel] ?? Array(made as? Set<DynamicModel> ?? [])
            // Of a set, the order is not known.
            if case .list = property.kind {
                for (model, element) in zip(models, new) where !isThere(element, pairs.map(\.1), property) {
                    pairs.insert((model, element), at: documents.numbers.below(pairs.count + 1))
                }
            }
        }
        if case .set = property.kind {
            try model.setValue(Set(pairs.map(\.0)), forKey: property.key)
        } else {
            try model.setValue(pairs.map(\.0), forKey: property.key)
        }
        plain[property.key] = .value(.elements(pairs.map { .model($0.1) }))
    }

    /// Whether an element can be told from others when it is edited.
    private func isIdentified(_ element: PlainModel) -> Bool {
        element.name != "Loose" && schemas.identity(of: element.name) != nil || element["code"].value != nil
    }

    private func isThere(_ element: PlainModel, _ elements: [PlainModel], _ property: PlainProperty) -> Bool {
        let merging = PlainMerge(schemas: schemas)
        guard let identifier = merging.identifier(of: element, property) else { return false }
        return elements.contains { merging.identifier(of: $0, property) == identifier }
    }

    private mutating func editEntries(
        _ model: DynamicModel, _ plain: PlainModel, _ property: PlainProperty,
        _ entries: [(key: String, value: PlainValue?)]
    ) throws {
        guard var models = model[property.key, as: [String: DynamicModel?].self],
            case .dictionary(_, let hasNull) = property.kind
        else { return }
        var result: [(key: String, value: PlainValue?)] = []
        for (key, value) in entries {
            if documents.chance(20) {
                models[key] = nil
            } else {
                if documents.chance(50), let element = value?.model, let own = models[key] ?? nil {
                    try edit(own, element)
                }
                result.append((key, value))
            }
        }
        if documents.chance(50) {
            let said = documents.value(property, isComplete: true, depth: 1)
            let new = try reading.value(said, property.kind).entries ?? []
            let made = try self.made(property, said, of: plain.name) as? [String: DynamicModel?] ?? [:]
            for (key, value) in new {
                if let index = result.firstIndex(where: { $0.key == key }) {
                    result[index].value = value
                } else {
                    result.append((key, value))
                }
                models[key] = .some(made[key] ?? nil)
            }
        }
        if hasNull {
            try model.setValue(models, forKey: property.key)
        } else {
            try model.setValue(models.compactMapValues { $0 }, forKey: property.key)
        }
        plain[property.key] = .value(.entries(result))
    }
}

extension PlainSchemas {
    /// The texts of the cluster that chooses a class, or of a parent of it.
    fileprivate func choices(of name: String) -> [String: String] {
        self[name].choices.isEmpty ? self[name].parent.map(choices) ?? [:] : self[name].choices
    }
}
