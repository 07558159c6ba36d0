public import PalliumCore

/// The changes of a model, as they happen.
///
///     for await changes in try issue.changes() {
///         print(changes)
///     }
///
/// An element holds everything that changed since the element before. That is one transaction, if your loop waits when it
/// ends, or several. The sequence ends when the model does, or when the task is cancelled. It is for one loop, in the
/// isolation of the model.
public struct ModelChangeSequence: AsyncSequence {
    /// Waits for changes.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let observation: SequenceObservation
        fileprivate var signals: AsyncStream<Void>.AsyncIterator

        /// Waits until something has changed, and returns what; nil when the model no longer exists.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> ModelChanges? {
            while true {
                if let changes = observation.observer.takeChanges() { return changes }
                guard await signals.next(isolation: actor) != nil else { return nil }
            }
        }
    }

    fileprivate let observation: SequenceObservation

    /// Returns the iterator for a loop.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(observation: observation, signals: observation.signals.makeAsyncIterator())
    }
}

/// The values of a property: the present one, then every other.
///
///     for await title in try issue.values(of: "title", as: String.self) {
///         print(title ?? "untitled")
///     }
///
/// An element is the value at the time when your loop asks for it, nil for unset and null. The sequence ends when the model
/// does, or when the task is cancelled. It is for one loop, in the isolation of the model.
public struct ModelValueSequence<Value: PropertyValue>: AsyncSequence {
    /// Waits for values.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var changes: ModelChangeSequence.AsyncIterator
        fileprivate let keys: [String]
        fileprivate var isFirst = true
        fileprivate var wasNil = false

        /// Waits until the property has another value, and returns it; nil when the model no longer exists.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Value?? {
            if isFirst {
                isFirst = false
                _ = changes.observation.observer.takeChanges()
            } else if await changes.next(isolation: actor) == nil {
                return nil
            }
            while let root = changes.observation.observer.root {
                let value: Value? = root.value(at: keys)
                // Without an author there is no name, as with an author without a name.
                if value != nil || !wasNil {
                    wasNil = value == nil
                    return .some(value)
                }
                if await changes.next(isolation: actor) == nil { return nil }
            }
            return nil
        }
    }

    fileprivate let changes: ModelChangeSequence
    fileprivate let keys: [String]

    /// Returns the iterator for a loop.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(changes: changes.makeAsyncIterator(), keys: keys)
    }
}

/// Observes for a sequence and its iterators, and ends with the last of them.
private final class SequenceObservation {
    let observer: SignallingObserver
    let signals: AsyncStream<Void>

    init(_ root: DynamicModel, _ paths: ObservedPaths) {
        let signal: AsyncStream<Void>.Continuation
        // One signal is enough, however many changes there were: whoever wakes asks for all of them.
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        observer = SignallingObserver(root, paths, signal)
    }

    // The last reference may go on any thread.
    deinit { observer.leave() }
}

private final class SignallingObserver: PathObserver {
    private let signal: AsyncStream<Void>.Continuation

    init(_ root: DynamicModel, _ paths: ObservedPaths, _ signal: AsyncStream<Void>.Continuation) {
        self.signal = signal
        super.init(root, paths)
    }

    override func addNotices(to notices: inout [ObserverNotice]) {
        if isAbandoned { return end() }
        keepChanges()
        notices.append(ObserverNotice(number: number) { [signal] in _ = signal.yield() })
    }

    override func end() {
        super.end()
        signal.finish()
    }
}

extension DynamicModel {
    /// Returns the changes of the model, or of the properties at some key paths, from now on.
    ///
    ///     issue.changes()  // of the issue's own properties
    ///     issue.changes(of: "title", "assignee.login", "labels.name")
    ///
    /// A path leads through the models that are there now, and follows when others take their place. Through an array or a
    /// set, it leads to every element. Without a path, all properties of the model itself are observed: another assignee
    /// is a change, another login of the assignee is not.
    ///
    /// - Throws: ``ModelError`` with the code `unknownKey` when a path is malformed or names a key that a schema does not
    ///   have, and `notObserved` when the schema of the model, or of a model on a path, is not observed.
    public final func changes(of paths: String...) throws(ModelError) -> ModelChangeSequence {
        ModelChangeSequence(observation: SequenceObservation(self, try ObservedPaths(paths, of: layout)))
    }

    /// Returns the value at a key path, and then every other value it gets.
    ///
    ///     issue.values(of: "assignee.login", as: String.self)  // "ada", nil, "grace", …
    ///
    /// The path may lead through models, not through collections. Values that came and went while your loop was at work are
    /// left out.
    ///
    /// - Throws: ``ModelError`` as ``changes(of:)``, and with the code `typeMismatch` when an optional of the type cannot
    ///   read the property.
    public final func values<Value: PropertyValue>(
        of path: String, as type: Value.Type
    ) throws(ModelError) -> ModelValueSequence<Value> {
        let paths = try ObservedPaths([path], of: layout, followsCollections: false)
        // There is one path.
        guard let (keys, descriptor) = paths.last, descriptor.optionalFits(type) else {
            throw ModelError(
                .typeMismatch, expected: "a type that an optional accessor of \(ModelError.quote(path)) may have",
                found: "\(type)", schema: schema.name)
        }
        return ModelValueSequence(
            changes: ModelChangeSequence(observation: SequenceObservation(self, paths)), keys: keys)
    }

    /// The value at the end of a path through models.
    fileprivate final func value<Value: PropertyValue>(at keys: [String]) -> Value? {
        var model = self
        for key in keys.dropLast() {
            guard let next = model[key, as: DynamicModel.self] else { return nil }
            model = next
        }
        return keys.last.flatMap { model[$0, as: Value.self] }
    }
}
