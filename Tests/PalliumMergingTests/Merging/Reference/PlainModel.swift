import Pallium

/// A value in the plain model of values.
indirect enum PlainValue {
    case scalar(JSONValue)
    case model(PlainModel)
    /// The elements of an array or a set.
    case elements([PlainValue])
    /// The entries of a dictionary, in order; nil is null.
    case entries([(key: String, value: PlainValue?)])

    var model: PlainModel? { if case .model(let model) = self { model } else { nil } }
    var elements: [PlainValue]? { if case .elements(let elements) = self { elements } else { nil } }
    var entries: [(key: String, value: PlainValue?)]? {
        if case .entries(let entries) = self { entries } else { nil }
    }

    /// A copy with models of its own.
    func copied() -> PlainValue {
        switch self {
        case .scalar: self
        case .model(let model): .model(model.copied())
        case .elements(let elements): .elements(elements.map { $0.copied() })
        case .entries(let entries): .entries(entries.map { (key: $0.key, value: $0.value?.copied()) })
        }
    }

    /// The models directly in the value.
    var models: [PlainModel] {
        switch self {
        case .scalar: []
        case .model(let model): [model]
        case .elements(let elements): elements.flatMap(\.models)
        case .entries(let entries): entries.flatMap { $0.value?.models ?? [] }
        }
    }
}

/// The state of a property.
enum PlainState {
    case unset
    case null
    case standard(PlainValue)
    case value(PlainValue)

    /// The value, given or by default; nil for unset and null.
    var value: PlainValue? {
        switch self {
        case .unset, .null: nil
        case .standard(let value), .value(let value): value
        }
    }

    var isUnset: Bool { if case .unset = self { true } else { false } }
    var isStandard: Bool { if case .standard = self { true } else { false } }

    var name: String {
        switch self {
        case .unset: "unset"
        case .null: "null"
        case .standard: "defaulted"
        case .value: "value"
        }
    }

    func copied() -> PlainState {
        switch self {
        case .unset, .null: self
        case .standard(let value): .standard(value.copied())
        case .value(let value): .value(value.copied())
        }
    }
}

/// A model as an object: who holds it sees its changes.
final class PlainModel {
    let name: String
    var states: [String: PlainState] = [:]
    /// What it was before the merge.
    var former: [String: PlainState] = [:]
    /// Whether the merge made it.
    var isNew = false
    /// The number of an object that was there before the merge.
    var number: Int?
    /// What it was when tracking began; nil for a model that was put in since.
    var base: PlainModel?

    init(_ name: String) { self.name = name }

    subscript(key: String) -> PlainState {
        get { states[key] ?? .unset }
        set { states[key] = newValue }
    }

    func copied() -> PlainModel {
        let copy = PlainModel(name)
        copy.states = states.mapValues { $0.copied() }
        return copy
    }

    /// Makes copies the bases of the model and of all models in it.
    func track() { follow(copied()) }

    /// Takes a model of the same shape as the base.
    func follow(_ base: PlainModel) {
        self.base = base
        for (key, state) in states {
            let pairs = zip(state.value?.models ?? [], base[key].value?.models ?? [])
            for (own, other) in pairs { own.follow(other) }
        }
    }

    /// All models in the graph, inner ones first.
    func innerFirst(_ visited: inout Set<ObjectIdentifier>) -> [PlainModel] {
        guard visited.insert(ObjectIdentifier(self)).inserted else { return [] }
        let inner = states.sorted { $0.key < $1.key }.flatMap { $0.value.value?.models ?? [] }
        return inner.flatMap { $0.innerFirst(&visited) } + [self]
    }
}

// MARK: Equality

/// Equality as of the library: unset and null are the same, so are a default and the same value; sets and dictionaries have
/// no order.
struct PlainEquality {
    let schemas: PlainSchemas
    /// Whether models with an identity are equal only to themselves, as in an identity map.
    var comparesInstances = false
    /// Whether models are equal only to themselves.
    var comparesObjects = false

    func areEqual(_ left: PlainModel?, _ right: PlainModel?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        if comparesObjects || comparesInstances && schemas.identity(of: left.name) != nil { return left === right }
        return left === right
            || left.name == right.name
                && schemas.properties(of: left.name).allSatisfy { property in
                    areEqual(value(property, of: left), value(property, of: right), property.kind)
                }
    }

    /// The value of a property, which in a model that other mentions may complete has its default already.
    private func value(_ property: PlainProperty, of model: PlainModel) -> PlainValue? {
        guard model[property.key].isUnset, let standard = property.standard else { return model[property.key].value }
        return try? PlainReading(schemas: schemas).value(standard, property.kind)
    }

    /// Whether the merge changed a property of a model, other than inside models that stayed.
    static func isChanged(_ model: PlainModel, _ schemas: PlainSchemas) -> Bool {
        let equality = PlainEquality(schemas: schemas, comparesObjects: true)
        return schemas.properties(of: model.name).contains { property in
            let (former, state) = (model.former[property.key] ?? .unset, model[property.key])
            return former.name != state.name || !equality.areEqual(former.value, state.value, property.kind)
        }
    }

    func areEqual(_ left: PlainValue?, _ right: PlainValue?, _ kind: PlainKind) -> Bool {
        switch (left, right) {
        case (nil, nil): return true
        case (.scalar(let left), .scalar(let right)): return left == right
        case (.model(let left), .model(let right)): return areEqual(left, right)
        case (.elements(let left), .elements(let right)):
            guard left.count == right.count else { return false }
            switch kind {
            case .set(let element):
                return left.allSatisfy { own in right.contains { areEqual(own, $0, element) } }
            case .list(let element): return zip(left, right).allSatisfy { areEqual($0, $1, element) }
            default: return false
            }
        case (.entries(let left), .entries(let right)):
            guard left.count == right.count, case .dictionary(let value, _) = kind else { return false }
            return left.allSatisfy { own in
                right.contains { own.key == $0.key && areEqual(own.value, $0.value, value) }
            }
        default: return false
        }
    }
}
