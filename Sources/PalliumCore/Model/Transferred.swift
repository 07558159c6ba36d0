import Synchronization

/// A container that moves a model, or another value that is not `Sendable`, from one task to another.
///
/// The results of tasks must be `Sendable`, which models are not, even if no other code refers to them. The compiler
/// checks that a value is not used after it was put in here, and it can be taken out once:
///
///     let issue = try await Task { Transferred(try adapter.model(from: data)) }.value.take()
///
/// Nothing is copied. ``Frozen`` copies, and any number of tasks may read it.
public final class Transferred<Value>: Sendable {
    private let value: Mutex<Value?>

    /// Stores a value that no other code uses any more.
    public init(_ value: sending Value) { self.value = Mutex(value) }

    /// Returns the value at the first call, and nil at every later one.
    public func take() -> sending Value? {
        value.withLock { value in
            let taken = value
            value = nil
            return taken
        }
    }
}
