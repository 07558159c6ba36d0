import Synchronization

/// A model, or anything else that is not `Sendable`, on its way from one task to another.
///
/// The values of tasks and of their groups must be `Sendable`, which models are not, even where nobody else knows them.
/// What is put in here is not used any more by whoever put it in, which the compiler checks, and comes out once:
///
///     let issue = try await Task { Transferred(try adapter.model(from: data)) }.value.take()
///
/// Nothing is copied, unlike with ``Frozen``, which any number of tasks may read.
public final class Transferred<Value>: Sendable {
    private let value: Mutex<Value?>

    /// Takes a value that nobody else uses any more.
    public init(_ value: sending Value) { self.value = Mutex(value) }

    /// The value; nil for every call but the first.
    public func take() -> sending Value? {
        value.withLock { value in
            let taken = value
            value = nil
            return taken
        }
    }
}
