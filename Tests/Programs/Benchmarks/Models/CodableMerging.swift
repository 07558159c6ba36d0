import Foundation

// How a program merges that has only `Codable`: property by property, by hand, parts matched by their identifiers. Every
// function returns how many properties changed.

/// A model with an identifier, which takes over the state of another one with the same.
protocol CodableMergeable: AnyObject {
    var id: Int { get }
    func merge(_ other: Self) -> Int
}

private func update<Value: Equatable>(_ value: inout Value, to new: Value) -> Int {
    if value == new { return 0 }
    value = new
    return 1
}

private func merge<Model: CodableMergeable>(_ model: inout Model, with new: Model) -> Int {
    if model.id == new.id { return model.merge(new) }
    model = new
    return 1
}

private func merge<Model: CodableMergeable>(_ model: inout Model?, with new: Model?) -> Int {
    if let model, let new, model.id == new.id { return model.merge(new) }
    if model == nil, new == nil { return 0 }
    model = new
    return 1
}

private func merge<Model: CodableMergeable>(_ models: inout [Model], with new: [Model]) -> Int {
    var changes = 0
    if models.elementsEqual(new, by: { $0.id == $1.id }) {
        for (model, other) in zip(models, new) { changes += model.merge(other) }
        return changes
    }
    // Lists are short: a dictionary for each would take longer than looking through them.
    models = new.map { other in
        guard let model = models.first(where: { $0.id == other.id }) else { return other }
        changes += model.merge(other)
        return model
    }
    return changes + 1
}

extension CodableUser: CodableMergeable {
    func merge(_ other: CodableUser) -> Int {
        self === other
            ? 0
            : update(&login, to: other.login) + update(&htmlURL, to: other.htmlURL)
                + update(&avatarURL, to: other.avatarURL) + update(&type, to: other.type)
    }
}

extension CodableLabel: CodableMergeable {
    func merge(_ other: CodableLabel) -> Int {
        self === other ? 0 : update(&name, to: other.name) + update(&color, to: other.color)
    }
}

extension CodableMilestone: CodableMergeable {
    func merge(_ other: CodableMilestone) -> Int {
        self === other
            ? 0
            : update(&number, to: other.number) + update(&title, to: other.title) + update(&state, to: other.state)
                + update(&dueOn, to: other.dueOn)
    }
}

extension CodableIssue: CodableMergeable {
    func merge(_ other: CodableIssue) -> Int {
        var changes = update(&url, to: other.url)
        changes += update(&htmlURL, to: other.htmlURL)
        changes += update(&number, to: other.number)
        changes += update(&state, to: other.state)
        changes += update(&title, to: other.title)
        changes += update(&body, to: other.body)
        changes += Benchmarks.merge(&user, with: other.user)
        changes += Benchmarks.merge(&assignee, with: other.assignee)
        changes += Benchmarks.merge(&labels, with: other.labels)
        changes += Benchmarks.merge(&milestone, with: other.milestone)
        changes += update(&comments, to: other.comments)
        changes += update(&locked, to: other.locked)
        changes += update(&createdAt, to: other.createdAt)
        changes += update(&updatedAt, to: other.updatedAt)
        changes += update(&closedAt, to: other.closedAt)
        changes += update(&pullRequest, to: other.pullRequest)
        return changes
    }
}

/// Issues, accounts, labels and milestones, each once, by their identifiers.
final class CodableIdentityMap {
    private var issues: [Int: CodableIssue] = [:]
    private var users: [Int: CodableUser] = [:]
    private var labels: [Int: CodableLabel] = [:]
    private var milestones: [Int: CodableMilestone] = [:]

    /// Merges decoded issues into those that are there and returns the latter with the number of changes.
    func `import`(_ decoded: [CodableIssue]) -> (issues: [CodableIssue], changes: Int) {
        var changes = 0
        let issues = decoded.map { issue in
            // The parts come first, so that the issue takes the ones that are there.
            issue.user = Self.unify(issue.user, with: &users, &changes)
            issue.assignee = issue.assignee.map { Self.unify($0, with: &users, &changes) }
            for index in issue.labels.indices {
                issue.labels[index] = Self.unify(issue.labels[index], with: &labels, &changes)
            }
            issue.milestone = issue.milestone.map { Self.unify($0, with: &milestones, &changes) }
            return Self.unify(issue, with: &self.issues, &changes)
        }
        return (issues, changes)
    }

    private static func unify<Model: CodableMergeable>(
        _ model: Model, with known: inout [Int: Model], _ changes: inout Int
    ) -> Model {
        guard let existing = known[model.id] else {
            known[model.id] = model
            return model
        }
        changes += existing.merge(model)
        return existing
    }
}
