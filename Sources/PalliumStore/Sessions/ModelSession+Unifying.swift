import PalliumCore
import PalliumMerging

// Keeps one object for each identity.
//
// ```
//   rows that were fetched            objects of the session
//   {number 1, assignee {id 7}} ───▶  none: becomes the object; its reference leads to the object of 7
//   {id 7, login "ada"}         ───▶  one, fetched before: takes over what others have stored
//   a stub {id 8}               ───▶  none: becomes an object whose row is unknown
// ```
extension ModelSession {
    /// Runs an operation that leaves objects and session as they were if it throws.
    ///
    /// - Throws: ``ModelError`` with the code `conflict` inside a transaction, which could be taken back without the session.
    func change<Result>(_ body: () throws(ModelError) -> Result) throws(ModelError) -> Result {
        guard WriteTransaction.current == nil, !store.connections.isInTransaction else {
            throw ModelError(
                .conflict, expected: "a session that is used outside of transactions",
                found: "a transaction of a store or a model")
        }
        objects.beginChange()
        do throws(ModelError) {
            let result = try WriteTransaction.run { _ throws(ModelError) in try body() }
            _ = objects.endChange(isTakenBack: false)
            return result
        } catch {
            let (came, went) = objects.endChange(isTakenBack: true)
            for model in came { map.disown(model) }
            map.adopt(went)
            throw error
        }
    }

    /// Returns the rows of objects that are not as the session knows them, with what they refer to, and the indices of the
    /// objects without a row.
    func rows(
        of indices: [Int], from store: _ConnectedStore
    ) throws(ModelError) -> (rows: [FetchedModel], missing: [Int]) {
        var indicesByChecksum: [Int64: Int] = [:]
        for index in indices {
            if case .stored(let checksum) = objects[index].row { indicesByChecksum[checksum] = index }
        }
        var missing = Set(indices)
        let rows = try store.rows(of: indices.map { objects[$0].model }) { checksum in
            guard let index = indicesByChecksum[checksum] else { return false }
            missing.remove(index)
            return true
        }
        for row in rows where row.checksum != nil {
            if let index = objects.index(of: row.model) { missing.remove(index) }
        }
        return (rows, missing.sorted())
    }

    // MARK: Rows

    /// Makes fetched models the objects of their identities, or lets the objects take over their state.
    func unify(_ fetched: [FetchedModel], _ changes: inout SessionChanges) throws(ModelError) {
        var new: [FetchedModel] = []
        var states: [(index: Int, row: SessionObjects.Row, model: DynamicModel)] = []
        for row in fetched {
            guard let index = objects.index(of: row.model) else {
                new.append(row)
                continue
            }
            let object = objects[index]
            guard let checksum = row.checksum, object.row != .stored(checksum), !object.isInserted else { continue }
            states.append((index, .stored(checksum), row.model))
        }
        if new.count < fetched.count {
            for model in new.map(\.model) + states.map(\.model) { try lead(model) }
        }
        map.adopt(new.map(\.model))
        for row in new {
            row.model.takeBaseOfRow()
            objects.add(SessionObjects.Object(row.model, row.checksum.map { .stored($0) } ?? .unknown))
        }
        var replaced: [ObjectIdentifier: DynamicModel] = [:]
        // In the order in which the session got its objects.
        for (index, row, model) in states.sorted(by: { $0.index < $1.index }) {
            let object = objects[index].model
            guard object.layout === model.layout else {
                replace(index, with: model, row, &changes)
                replaced[ObjectIdentifier(object)] = model
                continue
            }
            let taken = try object.takeState(of: model)
            objects[index].row = row
            objects[index].base = object.trackedBase
            if taken.isEmpty, taken.kept.isEmpty { continue }
            changes.updated.append(SessionChanges.Update(model: object, changes: taken))
        }
        if replaced.isEmpty { return }
        for index in objects.present {
            let model = objects[index].model
            for state in [model, model.trackedBase].compactMap(\.self) {
                try state.replaceReferences { replaced[ObjectIdentifier($0)] }
            }
        }
    }

    /// Lets the references of a model lead to objects of the session.
    private func lead(_ model: DynamicModel) throws(ModelError) {
        try model.replaceReferences { objects.object(of: $0)?.model }
    }

    /// Puts a model of another schema, which the row of an object has now, in the place of the object.
    private func replace(
        _ index: Int, with model: DynamicModel, _ row: SessionObjects.Row, _ changes: inout SessionChanges
    ) {
        let former = objects[index]
        if former.wasFetched || former.model.isRowEdited { changes.deleted.append(former.model) }
        map.disown(former.model)
        map.adopt([model])
        model.takeBaseOfRow()
        objects[index] = SessionObjects.Object(model, row)
    }

    // MARK: New models

    /// Makes a model an object of the session.
    func join(_ model: DynamicModel, as row: SessionObjects.Row) throws(ModelError) {
        let schema = model.layout.schema.name
        guard model.layout.rowLayout != nil else {
            throw ModelError(
                .typeMismatch, expected: "a model of a schema with an identity", found: "a model of \(schema)",
                schema: schema)
        }
        guard let identity = ModelIdentity(model) else { throw model.missingIdentity }
        guard objects.index(of: model) == nil, !model.isUnique else {
            throw ModelError(
                .conflict, expected: "one object of each identity, in one session",
                found: "another one of \(identity)", schema: schema)
        }
        map.adopt([model])
        model.takeBaseOfRow()
        objects.add(SessionObjects.Object(model, row))
    }

    /// Makes the models that a model leads to, and that the session does not have, objects whose rows are new.
    ///
    /// A stub becomes a reference to the object of its identity.
    func joinAll(from root: DynamicModel) throws(ModelError) {
        var pending = [root]
        while let model = pending.popLast() {
            var reached: [DynamicModel] = []
            var holdsOtherStubs = false
            for reference in model.references { reference.slot.forEachModel { reached.append($0) } }
            for other in reached {
                if map.owns(other) { continue }
                if other.isStub, objects.index(of: other) != nil {
                    holdsOtherStubs = true
                    continue
                }
                try join(other, as: other.isStub ? .unknown : .new)
                pending.append(other)
            }
            if holdsOtherStubs { try lead(model) }
        }
    }
}
