/// Returns a value as one that may be sent to another task.
///
/// Safety: the compiler does not check that no other code refers to the value, or to what it reaches. So pass only values
/// that the same call made.
@unsafe
package func assumeUnshared<Value>(_ value: Value) -> sending Value {
    nonisolated(unsafe) let value = value
    return unsafe value
}

/// Calls a function that makes a value, and returns it as one that may be sent to another task.
///
/// The function makes all that the value reaches, and leaves none of it anywhere else: that is what functions are for
/// whose result is `sending`, and the compiler cannot check it for graphs of models.
package func makeUnshared<Value, Failure: Error>(
    _ make: () throws(Failure) -> Value
) throws(Failure) -> sending Value {
    try unsafe assumeUnshared(make())
}
