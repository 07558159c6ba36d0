import Pallium

/// What somebody does with one of several stores on a file.
indirect enum VersionStep: CustomStringConvertible {
    /// How a session ends, whose objects a program has edited while another one wrote.
    enum End: String, CaseIterable { case save, revert, refresh }

    /// What a property of an object of a session is set to.
    enum Edit: CustomStringConvertible {
        case value(PlainValue), null, unset

        var description: String {
            switch self {
            case .value(let value): value.picture
            case .null: "null"
            case .unset: "unset"
            }
        }
    }

    /// An object of a session, and its edits.
    struct Edited {
        var identity: PlainIdentity
        var edits: [(key: String, edit: Edit)]
    }

    /// Saves the first models, which lead to the others.
    case save([PlainModel], roots: Int)
    case importing([PlainDocument])
    case delete(PlainQuery)
    /// Fetches and counts.
    case fetch(PlainQuery, all: Bool)
    case first(PlainIdentity)
    case transaction([VersionStep], fails: Bool)
    case session([Edited], other: Int, VersionStep, End)
    case upgrade, check

    var description: String {
        switch self {
        case .save(let models, let roots): "save \(roots) of [\(models.map(\.picture).joined(separator: ", "))]"
        case .importing(let documents): "import [\(documents.map(\.json).joined(separator: ", "))]"
        case .delete(let query): "delete \(query)"
        case .fetch(let query, let all): "fetch \(query)\(all ? " including all" : "")"
        case .first(let identity): "first \(identity)"
        case .transaction(let steps, let fails):
            "transaction\(fails ? " that fails" : "") {\(steps.map { "\n    \($0)" }.joined())\n}"
        case .session(let objects, let other, let step, let end):
            "session of "
                + objects.map { "\($0.identity) \($0.edits.map { "\($0.key) = \($0.edit)" })" }.joined(separator: ", ")
                + ";\n    store \(other): \(step)\n    \(end)"
        case .upgrade: "upgrade"
        case .check: "check"
        }
    }

    /// Steps that do less.
    var parts: [VersionStep] {
        switch self {
        case .save(let models, let roots):
            models.indices.flatMap { index -> [VersionStep] in
                models[index].values.keys.sorted().filter { !$0.isIdentity && models[index].schema != "User" }.map {
                    key in
                    var smaller = models
                    smaller[index].values[key] = nil
                    return .save(smaller, roots: roots)
                }
            }
                + (0..<(roots > 1 ? roots : 0)).map { index in
                    var fewer = models
                    fewer.remove(at: index)
                    return .save(fewer, roots: roots - 1)
                }
        case .importing(let documents):
            documents.indices.flatMap { index -> [VersionStep] in
                var fewer = documents
                fewer.remove(at: index)
                return (fewer.isEmpty ? [] : [.importing(fewer)])
                    + documents[index].parts.filter { $0.keepsKinds(of: documents[index]) }.map { part in
                        var smaller = documents
                        smaller[index] = part
                        return .importing(smaller)
                    }
            }
        case .delete(let query): query.parts.filter(\.isTotal).map { .delete($0) }
        case .fetch(let query, let all):
            (all ? [.fetch(query, all: false)] : []) + query.parts.filter(\.isTotal).map { .fetch($0, all: all) }
        case .transaction(let steps, let fails):
            steps
                + steps.indices.map { index in
                    var fewer = steps
                    fewer.remove(at: index)
                    return .transaction(fewer, fails: fails)
                }
        case .session(let objects, let other, let step, let end):
            [.first(objects[0].identity)] + (objects.count > 1 ? [.session([objects[0]], other: other, step, end)] : [])
                + step.parts.map { .session(objects, other: other, $0, end) }
                + objects.indices.flatMap { object in
                    objects[object].edits.indices.map { index in
                        var fewer = objects
                        fewer[object].edits.remove(at: index)
                        return .session(fewer, other: other, step, end)
                    }
                }
        case .first, .upgrade, .check: []
        }
    }
}

extension PlainQuery {
    /// Whether the order tells all rows apart, or none, so that there is one result.
    fileprivate var isTotal: Bool {
        order.isEmpty ? limit == nil && offset == 0 : order.contains { $0.key.isIdentity }
    }
}

extension String {
    /// Whether a key is that of an identity, in any program.
    fileprivate var isIdentity: Bool { hasPrefix("id") }
}

extension PlainDocument {
    /// Whether each task says what it is, as far as another document does: it would be another model.
    fileprivate func keepsKinds(of other: PlainDocument) -> Bool {
        kinds(isRoot: true).allSatisfy(\.self) || !other.kinds(isRoot: true).allSatisfy(\.self)
    }

    private func kinds(isRoot: Bool) -> [Bool] {
        let own = schema == "Task" && (isRoot || !members.isEmpty) ? [members.contains { $0.key == "kind" }] : []
        return own
            + members.flatMap { member -> [Bool] in
                switch member.member {
                case .model(let inner): inner.kinds(isRoot: false)
                case .models(let inner): inner.flatMap { $0.kinds(isRoot: false) }
                default: []
                }
            }
    }
}
