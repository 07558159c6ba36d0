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
    func change<Result>(_ body: () throws(ModelError) -> Result) throws(ModelError) -> Result {
        let former = objects
        do throws(ModelError) { return try WriteTransaction.run { _ throws(ModelError) in try body() } } catch {
            for object in objects.all { map.disown(object.model) }
            map.adopt(former.all.map(\.model))
            objects = former
            throw error
        }
    }

    /// Returns the rows of objects that are not as the session knows them, with what they refer to, and the numbers of the
    /// objects without a row.
    func rows(
        of numbers: [Int], from store: StoreAccess
    ) throws(ModelError) -> (rows: [FetchedModel], missing: [Int]) {
        var numbersByChecksum: [Int64: Int] = [:]
        for number in numbers {
            if case .stored(let checksum) = objects[number].row { numbersByChecksum[checksum] = number }
        }
        var missing = Set(numbers)
        let rows = try store.rows(of: numbers.map { objects[$0].model }) { checksum in
            guard let number = numbersByChecksum[checksum] else { return false }
            missing.remove(number)
            return true
        }
        for row in rows where row.checksum != nil {
            if let number = objects.number(of: row.model) { missing.remove(number) }
        }
        return (rows, missing.sorted())
    }

    // MARK: Rows

    /// Makes fetched models the objects of their identities, or lets the objects take over their state.
    func unify(_ fetched: [FetchedModel], _ changes: inout SessionChanges) throws(ModelError) {
        var new: [FetchedModel] = []
        var states: [(number: Int, row: SessionObjects.Row, model: DynamicModel)] = []
        for row in fetched {
            guard let number = objects.number(of: row.model) else {
                new.append(row)
                continue
            }
            guard let checksum = row.checksum, objects[number].takesOver(.stored(checksum)) else { continue }
            states.append((number, .stored(checksum), row.model))
        }
        if new.count < fetched.count {
            for model in new.map(\.model) + states.map(\.model) { try lead(model) }
        }
        map.adopt(new.map(\.model))
        for row in new {
            row.model.takeBaseOfRow()
            objects.add(
                SessionObjects.Object(model: row.model, row: row.checksum.map { .stored($0) } ?? .unknown))
        }
        // In the order in which the session got its objects.
        for (number, row, model) in states.sorted(by: { $0.number < $1.number }) {
            let object = objects[number].model
            guard object.layout === model.layout else {
                try replace(number, with: SessionObjects.Object(model: model, row: row), &changes)
                continue
            }
            let taken = try object.takeState(of: model)
            objects[number].row = row
            if taken.isEmpty, taken.kept.isEmpty { continue }
            changes.updated.append(SessionChanges.Update(model: object, changes: taken))
        }
    }

    /// Lets the references of a model lead to objects of the session.
    private func lead(_ model: DynamicModel) throws(ModelError) {
        try model.replaceReferences { objects.object(of: $0)?.model }
    }

    /// Puts a model of another schema, which the row of an object has now, in the place of the object.
    private func replace(
        _ number: Int, with object: SessionObjects.Object, _ changes: inout SessionChanges
    ) throws(ModelError) {
        let former = objects[number]
        if former.wasFetched || former.model.isRowEdited { changes.deleted.append(former.model) }
        map.disown(former.model)
        map.adopt([object.model])
        objects.replace(number, with: object)
        object.model.takeBaseOfRow()
        for holder in objects.all {
            for state in [holder.model, holder.model.trackedBase].compactMap(\.self) {
                try state.replaceReferences { $0 === former.model ? object.model : nil }
            }
        }
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
        guard let identity = ModelIdentity(model) else {
            let missing = model.layout.identitySlots.first { !model.slot(at: $0).hasValue }
            throw ModelError(
                .missingProperty, expected: "a model with an identity, to be found again by", found: "none",
                schema: schema, property: missing.map { model.layout.properties[$0].key })
        }
        guard objects.number(of: model) == nil, !model.isUnique else {
            throw ModelError(
                .conflict, expected: "one object of each identity, in one session",
                found: "another one of \(identity)", schema: schema)
        }
        map.adopt([model])
        model.takeBaseOfRow()
        objects.add(SessionObjects.Object(model: model, row: row, isInserted: row == .new))
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
                if other.isStub, objects.number(of: other) != nil {
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

extension SessionObjects.Object {
    /// Whether the object takes over a state of its row.
    fileprivate func takesOver(_ row: SessionObjects.Row) -> Bool { self.row != row && !isInserted }
}
