import Pallium
import TestSupport

@testable import PalliumStore

/// What the articles allow a call to do. Without a value it must be refused, by one of the codes; with both, it may be.
struct Expected<Value> {
    var value: Value?
    var codes: Set<ModelError.Code> = []
    /// Whether the articles say nothing of the value.
    var isOpen = false
}

/// Rows of several versions on a dictionary, and what the articles say that each program does to them.
struct VersionReference {
    /// The values by field, as the program wrote them.
    struct Row {
        var program: Int
        var model: PlainModel
    }

    /// What a call does if it succeeds, and why it is refused.
    struct Change {
        var rows: [PlainIdentity: Row]
        var changes = StoreChanges()
        /// Why the call must be refused, by any of the codes.
        var refusals: Set<ModelError.Code> = []
        /// Why it may be refused, as the articles do not say whether.
        var doubts: Set<ModelError.Code> = []
        /// The rows that an import needs, as no stub can stand for them.
        var needed: Set<PlainIdentity> = []
        /// Those that rows referred to before and still do.
        var kept: Set<PlainIdentity> = []
        /// Those that rows referred to before.
        var former: Set<PlainIdentity> = []

        var expected: Expected<StoreChanges> {
            Expected(value: refusals.isEmpty ? changes : nil, codes: refusals.union(doubts))
        }
    }

    let family: VersionFamily
    var rows: [PlainIdentity: Row] = [:]

    init(_ family: VersionFamily) { self.family = family }

    // MARK: Reading

    func isLater(_ identity: PlainIdentity, than program: Int) -> Bool {
        rows[identity].map { family.isLater($0.program, than: program, identity.table) } ?? false
    }

    /// Whether models of a later version stand in a row. A row that has none of them may be read; the article does not say.
    func isUnreadable(_ identity: PlainIdentity, by program: Int) -> Bool {
        guard let row = rows[identity] else { return false }
        let (versions, others) = (
            family.versions(identity.table, row.program), family.versions(identity.table, program)
        )
        let places = row.model.values.values.contains { if case .model = $0 { true } else { false } }
        // A reference has the identity of a later version.
        let refers = row.model.references.contains { reference in
            let keys = [program, row.program].map { family.identityKey(of: reference.table, $0) }
            return row.program > program && keys[0] != keys[1]
        }
        return refers
            || (family.plain[program].lineage(row.model.schema) + (places ? ["Place"] : []))
                .contains { name in others[name].map { versions[name] ?? 1 > $0 } ?? false }
    }

    func isEarlier(_ identity: PlainIdentity, than program: Int) -> Bool {
        guard let row = rows[identity], !isLater(identity, than: program) else { return false }
        return family.storedVersions(identity.table, row.program) != family.storedVersions(identity.table, program)
    }

    /// What a row reads as; nil if there is none that the program can read.
    func read(_ identity: PlainIdentity, as program: Int) -> PlainModel? {
        guard let row = rows[identity], !isUnreadable(identity, by: program) else { return nil }
        return family.read(row.model, from: row.program, as: program)
    }

    /// Why a program cannot fetch a row: it needs the rows of references that cannot be stubs. `doubts` are those of which the
    /// article does not say whether they keep it from reading.
    func problems(
        _ identity: PlainIdentity, _ program: Int, all: Bool = false
    ) -> (found: Set<ModelError.Code>, doubts: Set<ModelError.Code>) {
        var (found, doubts): (Set<ModelError.Code>, Set<ModelError.Code>) = ([], [])
        var (seen, pending): (Set<PlainIdentity>, [PlainIdentity]) = ([identity], [identity])
        while let next = pending.popLast() {
            if isUnreadable(next, by: program) { found.insert(.newerVersion) }
            if isLater(next, than: program) { doubts.insert(.newerVersion) }
            for other in read(next, as: program)?.references ?? [] where !seen.contains(other) {
                let isNeeded = family.isComplete(other.table, program)
                if rows[other] == nil, isNeeded { found.insert(.missingProperty) }
                guard rows[other] != nil, isNeeded || all else { continue }
                seen.insert(other)
                pending.append(other)
            }
        }
        return (found, doubts)
    }

    // MARK: Changing

    /// Puts a model into a row, unless that row is one that the program must leave alone.
    private func put(
        _ model: PlainModel, _ identity: PlainIdentity, _ program: Int, _ change: inout Change, always: Bool = false
    ) {
        if isLater(identity, than: program) { change.refusals.insert(.newerVersion) }
        if rows[identity] != nil, read(identity, as: program)?.picture == model.picture {
            // An upgrade gives the row the version of the program, and a save leaves it.
            guard always, isEarlier(identity, than: program) else { return }
        }
        change.rows[identity] = Row(program: program, model: family.byField(model, program))
    }

    /// Counts the rows that differ, and refuses two with one value of a unique property.
    private func finish(_ change: inout Change) {
        func slugs(_ rows: [PlainIdentity: Row]) -> [(PlainIdentity, String)] {
            rows.compactMap { identity, row in
                guard case .text(let slug) = row.model["slug"] else { return nil }
                return (identity, slug)
            }
        }
        if family.isUnique {
            let after = Dictionary(slugs(change.rows).map { ($0.1, [$0.0]) }, uniquingKeysWith: +)
            if after.values.contains(where: { $0.count > 1 }) { change.refusals.insert(.conflict) }
            // Whether a value may move from one row to another one at once, the article does not say.
            for (identity, slug) in slugs(rows) where after[slug]?.contains(where: { $0 != identity }) == true {
                change.doubts.insert(.conflict)
            }
        }
        for (identity, row) in change.rows {
            guard let before = rows[identity] else {
                change.changes.inserted += 1
                continue
            }
            if before.program != row.program || before.model.picture != row.model.picture {
                change.changes.updated += 1
            }
        }
        change.changes.deleted = rows.keys.filter { change.rows[$0] == nil }.count
    }

    /// Saves the first models, which lead to the others. A session knows what it has edited, so that nothing is a stub.
    func save(_ models: [PlainModel], roots: Int, _ program: Int, isSession: Bool = false) -> Change {
        var change = Change(rows: rows)
        let plain = family.plain[program]
        let reached = Set(models.prefix(roots).flatMap(\.references))
        for (index, model) in models.enumerated() {
            let identity = plain.identity(of: model)
            guard index < roots || reached.contains(identity) else { continue }
            if model.values.count > 1 || isSession {
                put(model, identity, program, &change)
            } else if isLater(identity, than: program) {
                change.doubts.insert(.newerVersion)
            } else if index < roots, rows[identity] == nil {
                put(model, identity, program, &change)
            }
        }
        finish(&change)
        return change
    }

    func delete(_ found: Expected<[PlainIdentity]>) -> Change {
        var change = Change(rows: rows)
        if found.value == nil { change.refusals = found.codes } else { change.doubts = found.codes }
        for identity in found.value ?? [] { change.rows[identity] = nil }
        finish(&change)
        return change
    }

    /// Upgrades rows. A call that is refused may have done so with some of them.
    func upgrade(_ program: Int) -> Change {
        var change = Change(rows: rows)
        for identity in rows.keys where isEarlier(identity, than: program) {
            if let model = read(identity, as: program) { put(model, identity, program, &change, always: true) }
        }
        // Whether rows of later versions are in the way, the article does not say.
        if rows.keys.contains(where: { isLater($0, than: program) }) { change.doubts.insert(.newerVersion) }
        finish(&change)
        return change
    }

    // MARK: Importing

    func importing(_ documents: [PlainDocument], _ program: Int) -> Change {
        var change = Change(rows: rows)
        for document in documents { take(document, program, isRoot: true, &change) }
        if change.needed.contains(where: { change.rows[$0] == nil }) { change.refusals.insert(.missingProperty) }
        // A reference to no row may be replaced. Whether one may stay, or lead to a later version, the article does not say.
        for other in change.former where family.isComplete(other.table, program) {
            if isLater(other, than: program) || isUnreadable(other, by: program) {
                change.doubts.insert(.newerVersion)
            }
        }
        for other in change.kept where family.isComplete(other.table, program) {
            if change.rows[other] == nil { change.doubts.insert(.missingProperty) }
        }
        finish(&change)
        return change
    }

    private func take(_ document: PlainDocument, _ program: Int, isRoot: Bool, _ change: inout Change) {
        let plain = family.plain[program]
        let identity = PlainIdentity(plain.table(document.schema), document.identity.map(\.value))
        let isStub = document.members.isEmpty || document.members.map(\.key) == ["kind"]
        if isLater(identity, than: program) || isUnreadable(identity, by: program) {
            // Whether a stub asks for the row, the article does not say.
            if isStub { change.doubts.insert(.newerVersion) } else { change.refusals.insert(.newerVersion) }
            // The models in it may be refused for other reasons, and the article does not say which one is reported.
            return takeModels(in: document, program, &change)
        }
        let old = read(identity, as: program)
        let start = old ?? PlainModel(stub: identity, plain)
        var model = PlainModel(schema: old?.schema ?? document.schema, values: start.values)
        for (key, member) in document.members where key != "kind" {
            merge(key, member, into: &model, program)
        }
        let isRow = isRoot || model.values.count > 1
        for field in family.fields(model.schema) where field.isRequired {
            guard let key = field.keys[program], model.values[key] == nil else { continue }
            // Inside one document, the occurrences of a model complete each other.
            if isStub, !isRoot { change.needed.insert(identity) } else { change.refusals.insert(.missingProperty) }
        }
        if old == nil ? isRow : !isStub { put(model, identity, program, &change) }
        takeModels(in: document, program, &change)
        change.kept.formUnion(Set(model.references).intersection(old?.references ?? []))
        change.former.formUnion(old?.references ?? [])
    }

    private func takeModels(in document: PlainDocument, _ program: Int, _ change: inout Change) {
        for (_, member) in document.members {
            switch member {
            case .model(let inner) where !inner.identity.isEmpty: take(inner, program, isRoot: false, &change)
            case .models(let inner): for inner in inner { take(inner, program, isRoot: false, &change) }
            default: break
            }
        }
    }

    private func merge(_ key: String, _ member: PlainDocument.Member?, into model: inout PlainModel, _ program: Int) {
        let field = family.field(key, of: model.schema, program)
        switch member {
        case nil: model.values[key] = field?.fallback == nil ? .some(nil) : nil
        case .value(let value): model.values[key] = .some(value)
        case .model(let inner) where inner.identity.isEmpty:
            var place = PlainModel(schema: inner.schema)
            if field?.isMergedInPlace == true, case .model(let old) = model[key] { place = old }
            for (key, member) in inner.members { merge(key, member, into: &place, program) }
            model.values[key] = .some(.model(place))
        case .model(let inner): model.values[key] = .some(.reference(reference(inner, program)))
        case .models(let inner):
            model.values[key] = .some(.list(inner.map { .reference(reference($0, program)) }))
        }
    }

    private func reference(_ document: PlainDocument, _ program: Int) -> PlainIdentity {
        PlainIdentity(family.plain[program].table(document.schema), document.identity.map(\.value))
    }
}
