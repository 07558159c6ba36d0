/// Transformers that check values and change nothing.
extension Transformer {
    /// Makes a transformer that changes nothing and accepts only some values, in both directions.
    ///
    ///     let port = Transformer.validating(Int.self, expected: "a port") { (1...65535).contains($0) }
    ///
    /// Null is not checked. A value of another type is refused with the code `typeMismatch`, one that fails the check
    /// with `invalidValue`. An error of the check is reported as the underlying error, unless it is a ``ModelError``.
    ///
    /// - Parameters:
    ///   - type: The type of the values. Instances of a subclass are accepted, too.
    ///   - expected: The accepted values, for the error, as in "a port".
    ///   - check: Returns false or throws to refuse a value. By default only the type is checked.
    public static func validating<Value: PropertyValue>(
        _ type: Value.Type, expected: String = "a value that passes validation",
        _ check: @escaping @Sendable (Value) throws -> Bool = { _ in true }
    ) -> Transformer {
        let conversion: Conversion = { value, _ in
            guard let value, let typed = pass(value, as: Value.self) else {
                throw ModelError.refused(value, expected: "a value of the type \(Value.self)", code: .typeMismatch)
            }
            guard try check(typed) else { throw ModelError.refused(value, expected: expected) }
            return typed
        }
        return Transformer(
            inputType: type, outputType: type, handlesNull: false, forward: conversion, backward: conversion)
    }
}
