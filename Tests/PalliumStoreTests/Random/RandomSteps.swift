import Pallium
import TestSupport

/// What somebody does to a store.
indirect enum StoreStep {
    /// Saves the first models, which lead to the others if they are linked and not stubs.
    case save([PlainModel], roots: Int, isLinked: Bool)
    case importing([PlainDocument])
    case delete(PlainQuery)
    case transaction([StoreStep], fails: Bool)
    case reopen, upgrade

    var description: String {
        switch self {
        case .save(let models, let roots, let isLinked):
            "save \(roots)\(isLinked ? " linked" : "") of [\(models.map(\.picture).joined(separator: ", "))]"
        case .importing(let documents):
            "import \(documents[0].schema) [\(documents.map(\.json).joined(separator: ", "))]"
        case .delete(let query): "delete \(query)"
        case .transaction(let steps, let fails):
            "transaction\(fails ? " that fails" : "") {\n  \(steps.map(\.description).joined(separator: "\n  "))\n}"
        case .reopen: "reopen"
        case .upgrade: "upgrade"
        }
    }

    /// Steps that do less.
    var parts: [StoreStep] {
        switch self {
        case .save(let models, let roots, let isLinked):
            (isLinked ? [.save(models, roots: roots, isLinked: false)] : [])
                + models.indices.flatMap { index -> [StoreStep] in
                    var fewer = models
                    fewer.remove(at: index)
                    let roots = index < roots ? roots - 1 : roots
                    return models[index].values.keys.sorted().filter { !["id", "name", "part"].contains($0) }.map {
                        key in
                        var smaller = models
                        smaller[index].values[key] = nil
                        return .save(smaller, roots: roots, isLinked: isLinked)
                    } + (roots > 0 ? [.save(fewer, roots: roots, isLinked: isLinked)] : [])
                }
        case .importing(let documents):
            documents.indices.flatMap { index -> [StoreStep] in
                var fewer = documents
                fewer.remove(at: index)
                return (fewer.isEmpty ? [] : [.importing(fewer)])
                    + documents[index].parts.map { part in
                        var smaller = documents
                        smaller[index] = part
                        return .importing(smaller)
                    }
            }
        case .delete(let query): query.parts.map { .delete($0) }
        case .transaction(let steps, let fails):
            steps
                + steps.indices.flatMap { index -> [StoreStep] in
                    var fewer = steps
                    fewer.remove(at: index)
                    return [.transaction(fewer, fails: fails)]
                        + steps[index].parts.map { part in
                            var smaller = steps
                            smaller[index] = part
                            return .transaction(smaller, fails: fails)
                        }
                }
        case .reopen, .upgrade: []
        }
    }
}

/// Steps that are the same for a seed, with identities that meet often.
struct RandomSteps {
    private var numbers: SeededGenerator
    private let plain = StoreReference.plain

    init(seed: Int) { numbers = SeededGenerator(seed: seed) }

    /// A step of one of two programs.
    mutating func next() -> (program: Int, step: StoreStep) { (numbers.below(2), step(depth: 1)) }

    private mutating func step(depth: Int) -> StoreStep {
        switch numbers.below(depth > 0 ? 20 : 13) {
        case 0..<4:
            let identities = (0..<5).map { item($0) } + [team(), team()]
            let models = identities.shuffled(using: &numbers).prefix(1 + numbers.below(4)).reduce(into: [PlainModel]())
            {
                models, identity in
                if !models.contains(where: { plain.identity(of: $0) == identity }) { models.append(model(identity)) }
            }
            return .save(models, roots: 1 + numbers.below(models.count), isLinked: numbers.once(in: 2))
        case 4..<11:
            let schema = numbers.pick(["Item", "Item", "Item", "Item", "Special", "Team"])
            return .importing(documents(schema))
        case 11..<13: return .delete(query())
        case 13..<17:
            return .transaction((0..<numbers.below(4)).map { _ in step(depth: 0) }, fails: numbers.once(in: 2))
        case 17..<19: return .reopen
        default: return .upgrade
        }
    }

    private func item(_ id: Int) -> PlainIdentity { PlainIdentity("Item", [.integer(id)]) }

    private mutating func team() -> PlainIdentity {
        PlainIdentity("Team", [.text(numbers.pick(["a", "é", "e\u{301}"])), .integer(numbers.below(2))])
    }

    private mutating func value(_ key: String, _ kind: PlainKind) -> PlainValue {
        switch kind {
        case .integer: return .integer(key == "votes" ? 6 + numbers.below(3) : numbers.below(5))
        case .double: return .double(Double(numbers.below(5)) / 2)
        case .list(.integer):
            return .list((0..<4).shuffled(using: &numbers).prefix(numbers.below(4)).map { .integer($0) })
        case .list(.text): return .list((0..<numbers.below(3)).map { _ in .text(numbers.pick(["x", "y"])) })
        case .list:
            // Models that are matched by their identity are there once.
            let ids = key == "peers" ? Array((0..<6).shuffled(using: &numbers)) : (0..<3).map { _ in numbers.below(6) }
            return .list(ids.prefix(numbers.below(3)).map { .reference(item($0)) })
        case .set: return .set(["t", "u", "v"].shuffled(using: &numbers).prefix(numbers.below(4)).map { .text($0) })
        case .model(let schema): return .model(values(schema))
        case .reference("Team"): return .reference(team())
        case .reference: return .reference(item(numbers.below(6)))
        default: return .text(numbers.pick(key == "slug" ? ["p", "q", "r", "s", "t", "u"] : ["", "a", "b", "é", "'"]))
        }
    }

    private mutating func values(_ schema: String) -> PlainModel {
        var model = PlainModel(schema: schema)
        let share = numbers.below(7)
        for (key, kind) in plain.kinds(of: schema) where !plain.identity(of: schema).contains(key) {
            guard numbers.below(6) < share, key != "slug" || numbers.once(in: 3) else { continue }
            let isNull = key != "votes" && numbers.once(in: 6)
            model.values[key] = .some(isNull ? nil : value(key, kind))
        }
        return model
    }

    private mutating func model(_ identity: PlainIdentity) -> PlainModel {
        var model = values(identity.table == "Item" && numbers.once(in: 4) ? "Special" : identity.table)
        model.values.merge(PlainModel(stub: identity, plain).values) { $1 }
        return model
    }

    // MARK: Documents

    private mutating func documents(_ schema: String) -> [PlainDocument] {
        guard schema != "Team" else { return [document("Team", team(), depth: 1, ids: [0, 1])] }
        // An identity stands either at the top or inside.
        let ids = (0..<6).shuffled(using: &numbers)
        let count = schema == "Special" ? 1 : 1 + numbers.below(3)
        return ids.prefix(count).map { id in document(schema, item(id), depth: 1, ids: Array(ids.dropFirst(count))) }
    }

    private mutating func document(_ schema: String, _ identity: PlainIdentity, depth: Int, ids: [Int]) -> PlainDocument
    {
        let keys = zip(plain.identity(of: schema), identity.parts).map { (key: $0, value: $1) }
        var document = PlainDocument(schema: schema, identity: keys)
        let share = numbers.below(6)
        for (key, kind) in plain.kinds(of: schema) where !plain.identity(of: schema).contains(key) && key != "notes" {
            guard numbers.below(6) < share, key != "slug" || numbers.once(in: 3) else { continue }
            document.members.append((key, numbers.once(in: 6) ? nil : member(key, kind, depth: depth, ids: ids)))
        }
        return document
    }

    private mutating func member(_ key: String, _ kind: PlainKind, depth: Int, ids: [Int]) -> PlainDocument.Member {
        switch kind {
        case .model(let schema):
            var inner = PlainDocument(schema: schema)
            for (key, kind) in plain.kinds(of: schema) where numbers.once(in: 2) {
                inner.members.append((key, numbers.once(in: 5) ? nil : .value(value(key, kind))))
            }
            return .model(inner)
        case .reference("Team"): return .model(inner("Team", team(), depth, ids))
        case .reference: return .model(inner("Item", item(numbers.pick(ids)), depth, ids))
        case .list(.reference):
            let chosen = ids.shuffled(using: &numbers).prefix(numbers.below(3))
            return .models(chosen.map { inner("Item", item($0), depth, ids) })
        default: return .value(value(key, kind))
        }
    }

    private mutating func inner(_ schema: String, _ identity: PlainIdentity, _ depth: Int, _ ids: [Int])
        -> PlainDocument
    {
        if depth > 0, numbers.once(in: 2) { return document(schema, identity, depth: depth - 1, ids: ids) }
        return PlainDocument(
            schema: schema, identity: zip(plain.identity(of: schema), identity.parts).map { (key: $0, value: $1) })
    }

    // MARK: Deleting

    private mutating func query() -> PlainQuery {
        let schema = numbers.pick(["Item", "Item", "Special", "Team"])
        let keys =
            schema == "Team"
            ? ["title", "lead.plain", "lead.id"] : ["plain", "skipped", "place.name", "team.title", "id"]
        let key = numbers.pick(keys)
        let operand: PlainValue =
            ["skipped", "id", "lead.id"].contains(key)
            ? .integer(numbers.below(5)) : .text(numbers.pick(["", "a", "é"]))
        var query = PlainQuery(
            schema: schema, condition: .compare(key, numbers.pick([.equal, .equal, .different, .less]), operand))
        if numbers.once(in: 2) {
            // The article says nothing of the order of equal ones, so that there may be none.
            query.order = [(schema == "Team" ? "title" : "skipped", numbers.once(in: 2))]
            query.order += plain.identity(of: schema).map { ($0, numbers.once(in: 2)) }
            query.limit = numbers.below(3)
        }
        return query
    }
}
