/// Returns a value as one that may be sent to another task.
///
/// Safety: the compiler does not check that no other code refers to the value, or to what it reaches. So pass only values
/// that the same call made.
@unsafe
package func assumeUnshared<Value>(_ value: Value) -> sending Value {
    nonisolated(unsafe) let value = value
    return unsafe value
}
