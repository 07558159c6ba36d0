public import PalliumCore

// Encodes frozen models with any coder.
extension Frozen: Encodable {
    /// Writes the model as ``DynamicModel/encode(to:)`` does.
    ///
    /// - Throws: ``ModelError`` as ``DynamicModel/encode(to:)``.
    public func encode(to encoder: any Encoder) throws { try _model.encode(to: encoder) }
}
