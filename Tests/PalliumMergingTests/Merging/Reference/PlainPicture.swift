import ModelTestSupport
import Pallium

/// Draws what a model holds as lines of text: the class and the object of each model, states and values.
///
/// The elements of sets are sorted, since these have no order.
struct PlainPicture {
    let schemas: PlainSchemas
    /// Whether dictionaries are drawn in their order.
    var hasOrder = true
    /// Whether objects are told apart.
    var showsObjects = true
    /// Whether unset and null, and a default and its value, are told apart.
    var showsStates = true

    /// The names of the models that are drawn by themselves.
    var labels: [ObjectIdentifier: String] = [:]

    func lines(of model: PlainModel, at path: String = "", showsObject: Bool = true) -> [String] {
        let object = model.number.map { "object \($0)" } ?? "new"
        var lines = ["\(path): \(model.name)" + (showsObjects && showsObject ? ", \(object)" : "")]
        for property in schemas.properties(of: model.name) {
            let state = model[property.key]
            let place = "\(path)/\(property.key)"
            let name = showsStates ? state.name : state.value == nil ? "nothing" : "value"
            lines.append("\(place): \(name)")
            guard let value = state.value else { continue }
            lines += self.lines(of: value, property.kind, at: place, showsObject: showsObject && property.keepsObjects)
        }
        return lines
    }

    private func lines(of value: PlainValue, _ kind: PlainKind, at path: String, showsObject: Bool) -> [String] {
        switch (value, kind) {
        case (.scalar(let value), _): return ["\(path) = \(canonicalText(value))"]
        case (.model(let model), _):
            if let label = labels[ObjectIdentifier(model)] { return ["\(path) is \(label)"] }
            return lines(of: model, at: path, showsObject: showsObject)
        case (.elements(let elements), .set(let element)):
            let texts = elements.map {
                lines(of: $0, element, at: "\(path)/*", showsObject: showsObject).joined(separator: " ")
            }
            return texts.sorted()
        case (.elements(let elements), .list(let element)):
            return elements.enumerated().flatMap { index, value in
                lines(of: value, element, at: "\(path)/\(index)", showsObject: showsObject)
            }
        case (.entries(let entries), .dictionary(let kind, _)):
            let sorted = hasOrder ? entries : entries.sorted { $0.key < $1.key }
            return ["\(path) has \(sorted.map(\.key).joined(separator: ", "))"]
                + sorted.flatMap { key, value in
                    guard let value else { return ["\(path)/\(key): null"] }
                    return lines(of: value, kind, at: "\(path)/\(key)", showsObject: showsObject)
                }
        default: return ["\(path): a value of another kind"]
        }
    }
}

extension PlainPicture {
    /// All models with their places, outer ones first, without those that are drawn by themselves; the elements of sets
    /// in the order of their pictures.
    func places(of model: PlainModel, at path: String = "") -> [(model: PlainModel, path: String)] {
        var plain = self
        plain.showsObjects = false
        var places = [(model: model, path: path)]
        for property in schemas.properties(of: model.name) {
            let place = "\(path)/\(property.key)"
            var inner: [(model: PlainModel, path: String)] = []
            switch (model[property.key].value, property.kind) {
            case (.model(let model)?, _): inner = [(model, place)]
            case (.elements(let elements)?, .set):
                let texts = elements.compactMap(\.model).map { (model: $0, text: plain.lines(of: $0).joined()) }
                inner = texts.sorted { $0.text < $1.text }.map { ($0.model, "\(place)/*") }
            case (.elements(let elements)?, _):
                inner = elements.compactMap(\.model).enumerated().map { ($1, "\(place)/\($0)") }
            case (.entries(let entries)?, _):
                for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
                    if let model = value?.model { inner.append((model, "\(place)/\(key)")) }
                }
            default: break
            }
            for (model, path) in inner where labels[ObjectIdentifier(model)] == nil {
                places += self.places(of: model, at: path)
            }
        }
        return places
    }
}

extension PlainProperty {
    /// Whether the article says which models of the property stay the same objects: in a collection that is one value, the
    /// elements of an equal list may be those of either side.
    fileprivate var keepsObjects: Bool {
        switch (kind, policy) {
        case (.model, _), (_, .recurse), (_, .byIdentifier): true
        default: kind.modelName == nil
        }
    }
}

// MARK: Models of the library

/// Reads models of the library into the plain model of values.
struct LibraryReading {
    let schemas: PlainSchemas
    /// The numbers of the objects that were there before.
    var numbers: [ObjectIdentifier: Int] = [:]
    /// Where each model was met.
    private(set) var paths: [ObjectIdentifier: String] = [:]
    /// The models of the library by their plain counterparts.
    private(set) var objects: [ObjectIdentifier: DynamicModel] = [:]

    /// What was read of each model, if several places may lead to one; nil for trees.
    private var known: [ObjectIdentifier: PlainModel]?

    init(schemas: PlainSchemas, isGraph: Bool = false) {
        self.schemas = schemas
        known = isGraph ? [:] : nil
    }

    /// - Parameter json: What an adapter writes for the model, which tells the order of dictionaries.
    mutating func model(_ model: DynamicModel, json: JSONValue?, at path: String = "") throws -> PlainModel {
        if let plain = known?[ObjectIdentifier(model)] { return plain }
        let plain = PlainModel(model.schema.name)
        known?[ObjectIdentifier(model)] = plain
        plain.number = numbers[ObjectIdentifier(model)]
        paths[ObjectIdentifier(model)] = path
        objects[ObjectIdentifier(plain)] = model
        for property in schemas.properties(of: plain.name) {
            let value = try value(property, of: model, json: json?[property.key], at: "\(path)/\(property.key)")
            switch (try model.state(of: property.key), value) {
            case (.unset, _): plain[property.key] = .unset
            case (.null, _): plain[property.key] = .null
            case (.defaulted, let value?): plain[property.key] = .standard(value)
            case (.value, let value?): plain[property.key] = .value(value)
            default: throw OpenQuestion("\(property.key) has a state without a value")
            }
        }
        return plain
    }

    private mutating func value(
        _ property: PlainProperty, of model: DynamicModel, json: JSONValue?, at path: String
    ) throws -> PlainValue? {
        let key = property.key
        switch property.kind {
        case .integer: return model[key, as: Int.self].map { .scalar(.number(JSONNumber($0))) }
        case .double: return model[key, as: Double.self].map { .scalar(.number(JSONNumber(Int($0)))) }
        case .text: return model[key, as: String.self].map { .scalar(.string($0)) }
        case .json: return model[key, as: JSONValue.self].map { .scalar($0) }
        case .model:
            return try model[key, as: DynamicModel.self].map { .model(try self.model($0, json: json, at: path)) }
        case .list(.integer), .set(.integer):
            return model[key, as: [Int].self].map { .elements($0.map { .scalar(.number(JSONNumber($0))) }) }
        case .list(.text), .set(.text):
            return model[key, as: [String].self].map { .elements($0.map { .scalar(.string($0)) }) }
        case .list, .set:
            var isSet = false
            if case .set = property.kind { isSet = true }
            return try model[key, as: [DynamicModel].self].map { models in
                .elements(
                    try models.enumerated().map { index, model in
                        .model(try self.model(model, json: json?[index], at: "\(path)/\(isSet ? "*" : "\(index)")"))
                    })
            }
        case .dictionary(.integer, _):
            return try model[key, as: [String: Int?].self].map { entries in
                .entries(
                    try ordered(entries, json).map { key, value in
                        (key, value.map { .scalar(.number(JSONNumber($0))) })
                    })
            }
        case .dictionary:
            return try model[key, as: [String: DynamicModel?].self].map { entries in
                .entries(
                    try ordered(entries, json).map { key, value in
                        (key, try value.map { .model(try self.model($0, json: json?[key], at: "\(path)/\(key)")) })
                    })
            }
        }
    }

    private func ordered<Value>(
        _ entries: [String: Value?], _ json: JSONValue?
    ) throws -> [(key: String, value: Value?)] {
        let keys = json?.objectValue?.keys ?? entries.keys.sorted()
        guard Set(keys) == Set(entries.keys) else { throw OpenQuestion("JSON has other keys than the dictionary") }
        return keys.map { (key: $0, value: entries[$0] ?? nil) }
    }
}
