public import PalliumCore

extension Frozen: Encodable {
    /// Writes the model as ``DynamicModel/encode(to:)`` does.
    ///
    /// - Throws: ``ModelError`` as that.
    public func encode(to encoder: any Encoder) throws { try _model.encode(to: encoder) }
}
