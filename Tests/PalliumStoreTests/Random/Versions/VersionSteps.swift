import Pallium
import TestSupport

/// Steps that are the same for a seed, with identities and values that meet often.
struct VersionSteps {
    var numbers: SeededGenerator
    let family: VersionFamily

    init(_ family: VersionFamily, seed: Int) {
        (self.family, numbers) = (family, SeededGenerator(seed: seed ^ 0x5EED))
    }

    /// A step of one of six processes. What a later program wrote shuts the others out, so that it comes later.
    mutating func next(_ number: Int, _ reference: VersionReference) -> (process: Int, step: VersionStep) {
        let process = process(number)
        return (process, step(process / 2, number, reference, depth: 1))
    }

    mutating func process(_ number: Int) -> Int {
        2 * numbers.pick(number < 15 ? [0, 0, 0, 0, 1, 1, 2] : number < 30 ? [0, 1, 1, 2] : [0, 1, 2, 2])
            + numbers.below(2)
    }

    mutating func step(
        _ program: Int, _ number: Int, _ reference: VersionReference, depth: Int
    ) -> VersionStep {
        switch numbers.below(depth > 0 ? 28 : 15) {
        case 0..<4: return save(program, reference)
        case 4..<8: return .importing(documents(program, reference))
        case 8..<10: return .delete(deletion(program))
        case 10..<15: return .fetch(query(program), all: numbers.once(in: 3))
        case 15..<17: return .first(identity())
        case 17..<19:
            let steps = (0..<numbers.below(4)).map { _ in step(program, number, reference, depth: 0) }
            return .transaction(steps, fails: numbers.once(in: 2))
        case 19..<23: return session(program, number, reference)
        case 23: return .upgrade
        case 24..<26: return .check
        default: return .fetch(query(program), all: false)
        }
    }

    mutating func identity() -> PlainIdentity { numbers.once(in: 3) ? user() : item() }
    private mutating func item() -> PlainIdentity { PlainIdentity("Item", [.integer(1 + numbers.below(5))]) }
    private mutating func user() -> PlainIdentity { PlainIdentity("User", [.integer(1 + numbers.below(3))]) }

    /// The class of an item, which never changes.
    func schema(_ identity: PlainIdentity) -> String {
        if case .integer(4...) = identity.parts[0], identity.table == "Item" { "Task" } else { identity.table }
    }

    /// A value. In a model that others refer to, none is a default, as it would be nothing there.
    mutating func scalar(_ field: VersionedField, isRoot: Bool) -> PlainValue {
        if field.isUnique { return .text(numbers.pick(["p", "q", "r", "s", "t", "u"])) }
        if case .integer = field.kind { return .integer(numbers.pick(isRoot ? [0, 1, 2, 3, 4, 20] : [0, 1, 4, 20])) }
        return .text(numbers.pick(isRoot ? ["", "a", "b", "é"] : ["", "a", "é"]))
    }

    // MARK: Saving

    private mutating func save(_ program: Int, _ reference: VersionReference) -> VersionStep {
        var (models, linked): ([PlainModel], [PlainIdentity: PlainModel]) = ([], [:])
        let isOfUsers = numbers.once(in: 4)
        for id in Array(1...(isOfUsers ? 3 : 5)).shuffled(using: &numbers).prefix(1 + numbers.below(3)) {
            models.append(model(PlainIdentity(isOfUsers ? "User" : "Item", [.integer(id)]), program, isRoot: true))
            guard !isOfUsers else { continue }
            for field in family.fields(models[models.count - 1].schema) where !field.isScalar {
                guard let key = field.keys[program], numbers.once(in: 2) else { continue }
                let references = references(field, program, reference, &linked)
                switch field.kind {
                case .place: models[models.count - 1].values[key] = .some(.model(place(program)))
                case .references: models[models.count - 1].values[key] = .some(.list(references))
                default: models[models.count - 1].values[key] = .some(references.first)
                }
            }
        }
        let others = linked.sorted { "\($0.key)" < "\($1.key)" }.map(\.value)
        return .save(models + others, roots: models.count)
    }

    /// References that a program can save: those that cannot be stubs lead to models.
    private mutating func references(
        _ field: VersionedField, _ program: Int, _ reference: VersionReference,
        _ linked: inout [PlainIdentity: PlainModel]
    ) -> [PlainValue] {
        guard case .references = field.kind else {
            guard case .reference(let table) = field.kind else { return [] }
            let identity = table == "User" ? user() : item()
            return link(identity, program, reference, &linked).map { [$0] } ?? []
        }
        let ids = Array(1...3).shuffled(using: &numbers).prefix(numbers.below(3))
        return ids.compactMap { link(PlainIdentity("User", [.integer($0)]), program, reference, &linked) }
    }

    private mutating func link(
        _ identity: PlainIdentity, _ program: Int, _ reference: VersionReference,
        _ linked: inout [PlainIdentity: PlainModel]
    ) -> PlainValue? {
        guard family.isComplete(identity.table, program) else { return .reference(identity) }
        if reference.isLater(identity, than: program) { return nil }
        linked[identity] =
            linked[identity] ?? reference.read(identity, as: program) ?? model(identity, program, isRoot: false)
        return .reference(identity)
    }

    private mutating func model(_ identity: PlainIdentity, _ program: Int, isRoot: Bool) -> PlainModel {
        var model = PlainModel(stub: identity, family.plain[program])
        model.schema = schema(identity)
        let share = numbers.below(7)
        for field in family.fields(model.schema) where field.isScalar {
            guard let key = field.keys[program], field.isRequired || numbers.below(6) < share else { continue }
            let isNull = !field.isRequired && field.fallback == nil && numbers.once(in: 6)
            model.values[key] = .some(isNull ? nil : scalar(field, isRoot: isRoot))
        }
        return model
    }

    /// A model that stands in its holder. Null and unset are equal in one, so that a document that says the other changes nothing.
    private mutating func place(_ program: Int) -> PlainModel {
        var place = PlainModel(schema: "Place")
        for field in family.fields("Place") {
            if let key = field.keys[program], numbers.once(in: 2) {
                place.values[key] = .some(scalar(field, isRoot: false))
            }
        }
        return place
    }

    // MARK: Importing

    private mutating func documents(_ program: Int, _ reference: VersionReference) -> [PlainDocument] {
        guard !numbers.once(in: 4) else {
            return Array(1...3).shuffled(using: &numbers).prefix(1 + numbers.below(2)).map {
                document(PlainIdentity("User", [.integer($0)]), program, reference, nil)
            }
        }
        // An identity stands either at the top or inside.
        var pool = Array(1...5).shuffled(using: &numbers).map { PlainIdentity("Item", [.integer($0)]) }
        let count = 1 + numbers.below(2)
        let roots = pool.prefix(count)
        pool = Array(pool.dropFirst(count))
        pool += Array(1...3).shuffled(using: &numbers).map { PlainIdentity("User", [.integer($0)]) }
        var documents: [PlainDocument] = []
        var rest: [PlainIdentity]? = pool
        for identity in roots { documents.append(document(identity, program, reference, &rest)) }
        return documents
    }

    private mutating func document(
        _ identity: PlainIdentity, _ program: Int, _ reference: VersionReference, _ pool: [PlainIdentity]?
    ) -> PlainDocument {
        var pool = pool
        return document(identity, program, reference, &pool)
    }

    /// A document of a row, which is a root if others may stand in it. The pool has those that no document is about yet.
    private mutating func document(
        _ identity: PlainIdentity, _ program: Int, _ reference: VersionReference, _ pool: inout [PlainIdentity]?
    ) -> PlainDocument {
        var document = PlainDocument(schema: schema(identity), identity: self.identity(identity, program))
        if document.schema == "Task" { document.members.append(("kind", .value(.text("task")))) }
        let share = 1 + numbers.below(5)
        for field in family.fields(document.schema) {
            guard let key = field.keys[program] else { continue }
            let isNeeded = field.isRequired && (reference.rows[identity] == nil || numbers.once(in: 2))
            guard isNeeded && numbers.below(20) > 0 || numbers.below(6) < share else { continue }
            if !field.isRequired, numbers.once(in: 6) {
                document.members.append((key, nil))
                continue
            }
            switch field.kind {
            case .integer, .text: document.members.append((key, .value(scalar(field, isRoot: false))))
            case .place:
                let place = place(program)
                let members = place.values.keys.sorted().map { (key: $0, member: place[$0].map(Member.value)) }
                document.members.append((key, .model(PlainDocument(schema: "Place", members: members))))
            case .reference(let table):
                if let inner = inner(table, program, reference, &pool) { document.members.append((key, .model(inner))) }
            case .references(let table):
                let inner = (0..<numbers.below(3)).compactMap { _ in self.inner(table, program, reference, &pool) }
                document.members.append((key, .models(inner)))
            }
        }
        return document
    }

    /// An identity with its key.
    private func identity(_ identity: PlainIdentity, _ program: Int) -> [(String, PlainValue)] {
        [(family.identityKey(of: identity.table, program), identity.parts[0])]
    }

    private typealias Member = PlainDocument.Member

    /// What a document says of another row: its identity, or more.
    private mutating func inner(
        _ table: String, _ program: Int, _ reference: VersionReference, _ pool: inout [PlainIdentity]?
    ) -> PlainDocument? {
        let isStub = numbers.once(in: 3) && !(family.isComplete(table, program) && numbers.below(3) > 0)
        guard !isStub, let index = pool?.firstIndex(where: { $0.table == table }),
            let identity = pool?.remove(at: index)
        else {
            let identity = table == "User" ? user() : item()
            return PlainDocument(schema: table, identity: self.identity(identity, program))
        }
        return document(identity, program, reference, nil)
    }
}
