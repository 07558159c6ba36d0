import Pallium

@testable import PalliumStore

/// A session of a program that edits objects, while another one changes their rows.
struct VersionSession {
    /// An object as it was fetched, and as it is.
    private struct Object {
        let identity: PlainIdentity
        let model: DynamicModel
        let base: PlainModel
        var current: PlainModel

        var isEdited: Bool { current.picture != base.picture }
    }

    private let trial: VersionTrial
    private let session: ModelSession
    private let program: Int

    init(_ trial: VersionTrial, _ process: Int) throws {
        (self.trial, program) = (trial, process / 2)
        session = ModelSession(try trial.store(process))
    }

    func difference(
        _ edited: [VersionStep.Edited], _ other: Int, _ step: VersionStep, _ end: VersionStep.End
    ) throws -> String? {
        var objects: [Object] = []
        for object in edited {
            guard case .integer(let id) = object.identity.parts[0] else { continue }
            let registry = session.store.registry
            let schema = try registry.schema(named: object.identity.table)
            let queries = VersionQueries(reference: trial.reference, program: program)
            let result = Result { () throws(ModelError) in try session.first(schema, identity: id) }
            let found = trial.compare(queries.first(object.identity), result) { model, expected in
                try trial.pictures([model].compactMap(\.self), program) == expected.map(\.picture)
            }
            if let found { return "session: \(found)" }
            guard case .success(let model?) = result else { continue }
            guard let base = trial.reference.read(object.identity, as: program) else { continue }
            objects.append(Object(identity: object.identity, model: model, base: base, current: base))
            try edit(&objects[objects.count - 1], object.edits, end)
        }
        if let found = try trial.run(step, other) { return "store \(other): \(found)" }
        switch end {
        case .revert:
            session.revert()
            for index in objects.indices { objects[index].current = objects[index].base }
            if session.hasChanges { return "there are changes after revert" }
            return try state(objects)
        case .refresh: return try refresh(objects)
        case .save: return try save(objects)
        }
    }

    private func edit(
        _ object: inout Object, _ edits: [(key: String, edit: VersionStep.Edit)], _ end: VersionStep.End
    ) throws {
        for (key, edit) in edits {
            // Whether a default that somebody set is an edit, if it was none before, the articles do not say.
            let fallback = trial.family.field(key, of: object.base.schema, program)?.fallback
            let isFallback = if case .value(let value) = edit { value.picture == fallback?.picture } else { false }
            if isFallback, object.base[key] == nil, end != .revert { continue }
            if case .value(let value) = edit {
                try object.model.setValue(value.property, forKey: key)
                object.current.values[key] = .some(value)
                continue
            }
            // To others, null and unset are the same.
            if end != .revert, object.base[key] == nil { continue }
            if case .null = edit {
                try object.model.setValue(nil, forKey: key)
                object.current.values[key] = .some(nil)
            } else {
                try object.model.unset(key)
                object.current.values[key] = nil
            }
        }
    }

    /// How objects differ from what they are expected to be.
    private func state(_ objects: [Object]) throws -> String? {
        for object in objects {
            let found = try trial.pictures([object.model], program)[0]
            if found != object.current.picture { return "the object is \(found), not \(object.current.picture)" }
        }
        return nil
    }

    /// What an object becomes when it takes its row over; nil if the articles do not say.
    private func rebased(_ object: Object, onto row: PlainModel) -> PlainModel? {
        var result = row
        for key in Set(object.base.values.keys).union(object.current.values.keys) {
            let (base, current) = (object.base.values[key], object.current.values[key])
            if base??.picture == current??.picture, (base == nil) == (current == nil) { continue }
            if current ?? nil == nil, row[key] == nil { return nil }
            result.values[key] = current
        }
        return result
    }

    /// Why a session may be unable to read the rows of its objects again.
    private func doubts(_ objects: [Object]) -> Set<ModelError.Code> {
        objects.reduce(into: []) { codes, object in
            for identity in [object.identity] + object.base.references {
                let (found, doubts) = trial.reference.problems(identity, program)
                codes.formUnion(found.union(doubts))
            }
        }
    }

    private func refresh(_ objects: [Object]) throws -> String? {
        var (after, deleted) = (objects, 0)
        var expected = Expected<Int>(codes: doubts(objects))
        for index in objects.indices {
            let identity = objects[index].identity
            if trial.reference.rows[identity] == nil { deleted += 1 }
            guard let row = trial.reference.read(identity, as: program) else { continue }
            guard let rebased = rebased(objects[index], onto: row) else { return nil }
            after[index].current = rebased
        }
        let isLater = objects.contains { trial.reference.isUnreadable($0.identity, by: program) }
        if !isLater { expected.value = deleted }
        let result = Result { () throws(ModelError) in try session.refresh() }
        let found = trial.compare(expected, result) { changes, deleted in
            // Rows that came with others may be gone, too.
            changes.deleted.count >= deleted
        }
        if let found { return "refresh: \(found)" }
        if case .success = result { return try state(after) }
        return try state(objects)
    }

    private func save(_ objects: [Object]) throws -> String? {
        var (after, models): ([Object], [PlainModel]) = ([], [])
        var refusals: Set<ModelError.Code> = []
        for object in objects where object.isEdited {
            var object = object
            if trial.reference.rows[object.identity] == nil { refusals.insert(.conflict) }
            let reference = trial.reference
            if reference.isLater(object.identity, than: program) || reference.isUnreadable(object.identity, by: program)
            {
                refusals.insert(.newerVersion)
            }
            if let row = trial.reference.read(object.identity, as: program) {
                guard let rebased = rebased(object, onto: row) else { return nil }
                // Whether a row that says the same already gets the version of the program, the article does not say.
                let isSame = rebased.picture == row.picture
                if isSame, trial.reference.isEarlier(object.identity, than: program) { return nil }
                object.current = rebased
                if !isSame { models.append(rebased) }
            }
            after.append(object)
        }
        var change = trial.reference.save(models, roots: models.count, program, isSession: true)
        change.refusals.formUnion(refusals)
        change.doubts.formUnion(doubts(after))
        var isSaved = false
        let found = trial.change(change) { () throws(ModelError) in
            let rows = try session.save().rows
            isSaved = true
            return rows
        }
        return try found.map { "session: \($0)" } ?? state(isSaved ? after : objects)
    }
}
