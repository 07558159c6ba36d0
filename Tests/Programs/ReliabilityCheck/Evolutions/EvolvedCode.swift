import Pallium

/// Code of a step, which runs on stored models and, in the reference, on plain values.
enum EvolvedCode: Sendable {
    struct Refusal: Error {}

    /// The example of the article: the first word, and the rest or null.
    case split(String, first: String, rest: String)
    case join([String], into: String)
    case double(String)
    case constant(String, String)
    case copy(String, to: String)
    /// Copies a text.
    case quote(String, into: String)
    /// Moves values into a new model of a schema with this version, if there are any, and the identity among them.
    case make(Made, into: String)
    /// Takes a value, a reference or a list out of a model.
    case pull(String, from: String, into: String)
    case drop(String)
    /// Throws if there is no value.
    case need(String)

    struct Made: Sendable {
        let lineage: Int
        let name: String
        let version: Int
        /// The keys here and there.
        let moved: [String: String]
        /// The key here that must have a value.
        let identity: String?
    }

    func run(_ model: inout FormerModel) throws {
        switch self {
        case .split(let key, let first, let rest):
            let parts = (model[key]?.text ?? "").split(separator: " ", maxSplits: 1).map {
                FormerModel.Value.string(String($0))
            }
            model[first] = parts.first
            model[rest] = parts.count > 1 ? parts[1] : .null
            model[key] = nil
        case .join(let keys, let target):
            let texts = keys.compactMap { model[$0]?.text }
            for key in keys { model[key] = nil }
            model[target] = texts.isEmpty ? nil : .string(texts.joined(separator: " "))
        case .double(let key):
            if let value = model[key]?.integer { model[key] = .integer(value &* 2) }
        case .constant(let key, let text): model[key] = .string(text)
        case .copy(let key, let target): model[target] = model[key]
        case .quote(let key, let target): model[target] = (model[key]?.text).map { .string($0) }
        case .make(let made, let target):
            let values = made.moved.keys.filter { model[$0] != nil && model[$0] != .null }
            if made.identity.map({ values.contains($0) }) ?? !values.isEmpty {
                var inner = FormerModel(made.name, version: made.version)
                for (key, other) in made.moved.sorted(by: { $0.key < $1.key }) { inner[other] = model[key] }
                model[target] = .model(inner)
            }
            for key in made.moved.keys { model[key] = nil }
        case .pull(let key, let holder, let target): model[target] = model[holder]?.model?[key]
        case .drop(let key): model[key] = nil
        case .need(let key): if model[key] == nil || model[key] == .null { throw Refusal() }
        }
    }

    func run(_ values: inout [String: EvolvedValue]) throws {
        switch self {
        case .split(let key, let first, let rest):
            let parts = (values[key]?.text ?? "").split(separator: " ", maxSplits: 1)
            values[first] = parts.first.map { .string(String($0)) }
            values[rest] = parts.count > 1 ? .string(String(parts[1])) : .null
            values[key] = nil
        case .join(let keys, let target):
            let texts = keys.compactMap { values[$0]?.text }
            for key in keys { values[key] = nil }
            values[target] = texts.isEmpty ? nil : .string(texts.joined(separator: " "))
        case .double(let key):
            if let value = values[key]?.integer { values[key] = .integer(value &* 2) }
        case .constant(let key, let text): values[key] = .string(text)
        case .copy(let key, let target): values[target] = values[key]
        case .quote(let key, let target): values[target] = (values[key]?.text).map { .string($0) }
        case .make(let made, let target):
            let present = made.moved.keys.filter { values[$0] != nil && values[$0] != .null }
            if made.identity.map({ present.contains($0) }) ?? !present.isEmpty {
                var inner = EvolvedModel(lineage: made.lineage)
                for (key, other) in made.moved { inner.values[other] = values[key] }
                inner.versions[made.lineage] = made.version
                values[target] = .model(inner)
            }
            for key in made.moved.keys { values[key] = nil }
        case .pull(let key, let holder, let target): values[target] = values[holder]?.model?.values[key]
        case .drop(let key): values[key] = nil
        case .need(let key): if values[key] == nil || values[key] == .null { throw Refusal() }
        }
    }
}
