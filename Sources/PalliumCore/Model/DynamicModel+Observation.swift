import PalliumJSON

// Notes reads and writes of observed models. Others pay for none of it: a flag of the layout, or a table of accessors,
// sends them another way.
//
// Safety: the raw layout lives as long as the model, and a temporary slot has the descriptor of the slot whose value it takes.
extension DynamicModel {
    /// The observers of the model; nil when nobody has looked at it yet.
    package final var observers: ModelObservers? { companion?.observers }

    /// Returns the observers of the model, and makes them if there are none.
    package final func ensureObservers() -> ModelObservers {
        if let observers { return observers }
        let observers = ModelObservers()
        ensureCompanion().observers = observers
        return observers
    }

    // MARK: Reads

    /// Tells tracked code that it reads a property.
    @inline(__always)
    final func didRead(_ index: Int) {
        if isObserved { noteRead(index) }
    }

    /// Tells tracked code that it reads all of the model.
    @inline(__always)
    package final func didReadAll() {
        if isObserved { noteReadOfAll() }
    }

    @inline(never)
    final func noteRead(_ index: Int) {
        // Counting references to the companion and its observers would take longer than the rest. The model holds both.
        if let companion, let observers = uncounted(companion, { $0.observers }) {
            return uncounted(observers) { $0.noteRead(index, layout.observedPaths[index]) }
        }
        newReadObservers?.noteRead(index, layout.observedPaths[index])
    }

    @inline(never)
    private final func noteReadOfAll() {
        (observers ?? newReadObservers)?.noteReadAsWhole()
    }

    /// Observers for a model that has none, made if tracked code reads it; nil otherwise.
    private final var newReadObservers: ModelObservers? {
        guard companion?.isFrozen != true, let observers = ObservationTracking.newObserversIfTracked() else {
            return nil
        }
        ensureCompanion().observers = observers
        return observers
    }

    // MARK: Writes

    /// Changes a slot of a model whose writes are noticed.
    @inline(never)
    final func changeNoticed<Failure: Error>(
        _ slot: PropertySlot, by body: () throws(Failure) -> Void
    ) throws(Failure) {
        // A parent that is not observed has children.
        guard layout.isObserved else { return try changeWithParents(slot, by: body) }
        if let transaction = WriteTransaction.current {
            transaction.add(self)
            return try changeWithParents(slot, by: body)
        }
        if observers?.links.isEmpty == false {
            return try WriteTransaction.run { transaction throws(Failure) in
                transaction.add(self)
                try changeWithParents(slot, by: body)
            }
        }
        let number = number(of: slot)
        guard let observers, observers.isTracked(number) else { return try changeWithParents(slot, by: body) }
        // Only tracked code can have looked at the model, which need not know what was there before.
        let hasChanged = try PropertySlot.withTemporary(like: slot) { former throws(Failure) in
            former.copyContent(of: slot)
            try changeWithParents(slot, by: body)
            return slot.hasChanged(from: former)
        }
        if hasChanged { WriteTransaction.send(layout.observedPaths[number], to: observers) }
    }
}
