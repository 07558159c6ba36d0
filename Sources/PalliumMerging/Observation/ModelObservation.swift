public import PalliumCore
import PalliumJSON
import Synchronization

/// An observation of a model, which ends with this object.
///
///     let observation = try issue.observe("title") { print($0) }
///     observation.cancel()  // or let go of it
///
/// The last reference to it may go on any thread. Then the closure is not called again, and the model lets go of it at the
/// next change.
public final class ModelObservation {
    private let observer: SharedObserver
    private let listener: Listener

    fileprivate init(_ observer: SharedObserver, _ listener: Listener) {
        self.observer = observer
        self.listener = listener
    }

    deinit { listener.isEnded.store(true, ordering: .relaxed) }

    /// Ends the observation: the closure is not called again, not even for a change that is being told just now.
    ///
    /// Call it in the isolation of the model.
    public func cancel() {
        listener.end()
        observer.removeEnded()
    }
}

/// A closure that is called with changes.
private final class Listener {
    let number: UInt64
    private var body: ((ModelChanges) -> Void)?
    let isEnded = Atomic<Bool>(false)

    init(_ number: UInt64, _ body: @escaping (ModelChanges) -> Void) {
        self.number = number
        self.body = body
    }

    var isActive: Bool { !isEnded.load(ordering: .relaxed) }

    func call(_ changes: ModelChanges) {
        if isActive { body?(changes) }
    }

    /// Lets go of the closure.
    func end() {
        isEnded.store(true, ordering: .relaxed)
        // It may hold the last reference to something that ends another observation.
        let former = body
        body = nil
        withExtendedLifetime(former) {}
    }
}

/// Calls closures with the changes, which are computed once for all that observe the same paths of a model.
private final class SharedObserver: PathObserver {
    private let keys: [UTF8Key]
    /// In the order in which they came.
    private var listeners: [Listener] = []
    /// The number of listeners at which ended ones are looked for: twice as many as were in use the last time.
    private var limit = 16

    init(_ root: DynamicModel, _ paths: ObservedPaths, keys: [UTF8Key]) {
        self.keys = keys
        super.init(root, paths)
    }

    override var isAbandoned: Bool { !listeners.contains(where: \.isActive) }

    func add(_ body: @escaping (ModelChanges) -> Void) -> Listener {
        let listener = Listener(Self.nextNumber(), body)
        listeners.append(listener)
        if listeners.count >= limit {
            removeEnded()
            limit = max(16, listeners.count * 2)
        }
        return listener
    }

    func removeEnded() {
        // A closure may hold the last reference to something that ends another observation.
        let former = listeners
        defer { withExtendedLifetime(former) {} }
        listeners = former.filter(\.isActive)
        if listeners.isEmpty { end() }
    }

    override func end() {
        root?.observers?.shared[keys] = nil
        super.end()
        let former = listeners
        defer { withExtendedLifetime(former) {} }
        listeners = []
    }

    override func addNotices(to notices: inout [ObserverNotice]) {
        removeEnded()
        guard let changes = takeChanges() else { return }
        for listener in listeners {
            // The observation may end before it is told.
            notices.append(
                ObserverNotice(number: listener.number) { listener.call(changes) })
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
        let keys = paths.map(UTF8Key.init)
        if let observer = observers?.shared[keys] as? SharedObserver {
            return ModelObservation(observer, observer.add(body))
        }
        let observer = SharedObserver(self, try ObservedPaths(paths, of: layout), keys: keys)
        ensureObservers().shared[keys] = observer
        return ModelObservation(observer, observer.add(body))
    }
}
