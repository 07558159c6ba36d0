public import PalliumCore

/// An observation of a model, which ends with this object.
///
///     let observation = try issue.observe("title") { print($0) }
///     observation.cancel()  // or let go of it
public final class ModelObservation {
    private let observer: SharedObserver
    private let number: UInt64

    fileprivate init(_ observer: SharedObserver, _ number: UInt64) {
        self.observer = observer
        self.number = number
    }

    deinit { cancel() }

    /// Ends the observation: the closure is not called again, not even for a change that is being told just now.
    public func cancel() { observer.remove(number) }
}

/// Calls closures with the changes, which are computed once for all that observe the same paths of a model.
private final class SharedObserver: PathObserver {
    private let keys: [String]
    /// The closures in the order in which they came, by ascending numbers.
    private var closures: [(number: UInt64, body: (ModelChanges) -> Void)] = []

    init(_ root: DynamicModel, _ paths: ObservedPaths, keys: [String]) {
        self.keys = keys
        super.init(root, paths)
    }

    func add(_ body: @escaping (ModelChanges) -> Void) -> UInt64 {
        let number = Self.nextNumber()
        closures.append((number, body))
        return number
    }

    private func index(of number: UInt64) -> Int? {
        var (lower, upper) = (0, closures.count)
        while lower < upper {
            let middle = (lower + upper) / 2
            if closures[middle].number < number { lower = middle + 1 } else { upper = middle }
        }
        return lower < closures.count && closures[lower].number == number ? lower : nil
    }

    func remove(_ number: UInt64) {
        guard let index = index(of: number) else { return }
        // The closure may hold the last reference to something that ends another observation.
        let closure = closures.remove(at: index)
        defer { withExtendedLifetime(closure) {} }
        if closures.isEmpty { end() }
    }

    override func end() {
        root?.observers?.shared[keys] = nil
        super.end()
        let closures = closures
        self.closures = []
        withExtendedLifetime(closures) {}
    }

    override func addNotices(to notices: inout [ObserverNotice]) {
        guard let changes = takeChanges() else { return }
        for (number, body) in closures {
            // The closure may have been removed meanwhile.
            notices.append(
                ObserverNotice(number: number) { [self] in if index(of: number) != nil { body(changes) } })
        }
    }
}

extension DynamicModel {
    /// Calls a closure after each change of the model, or of the properties at some key paths.
    ///
    ///     let observation = try issue.observe("title", "assignee.login") { changes in
    ///         for change in changes { print(change) }  // /assignee/login: "ada" → "grace"
    ///     }
    ///
    /// The closure is called where the change was made, before the call that made it returns, and once for each
    /// transaction: a set, a merge, an import or a ``transaction(_:)``. It may write to the model; the closures are then
    /// called again, after all have been called for the first change.
    ///
    /// - Parameters:
    ///   - paths: Key paths such as `"title"`, `"assignee.login"` or `"labels.name"`, as for ``changes(of:)``.
    ///   - body: Gets what changed. The model keeps it until the observation ends.
    /// - Returns: The observation, which lasts as long as you hold it.
    /// - Throws: ``ModelError`` as ``changes(of:)``.
    public final func observe(
        _ paths: String..., onChange body: @escaping (ModelChanges) -> Void
    ) throws(ModelError) -> ModelObservation {
        let keys = paths
        if let observer = observers?.shared[keys] as? SharedObserver {
            return ModelObservation(observer, observer.add(body))
        }
        let observer = SharedObserver(self, try ObservedPaths(keys, of: layout), keys: keys)
        madeObservers.shared[keys] = observer
        return ModelObservation(observer, observer.add(body))
    }
}
