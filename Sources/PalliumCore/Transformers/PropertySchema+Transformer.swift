extension PropertySchema {
    /// Converts between JSON and the property by a transformer that has no name.
    ///
    ///     "port": .integer.transformer(.validating(Int.self) { (1...65535).contains($0) })
    ///
    /// Registering the schema checks it like a named one. Like every schema with Swift code, the schema has
    /// ``ModelSchema/hasClosures`` and cannot be written as a document.
    @_disfavoredOverload  // As the initialisers of `ModelSchema`: mistakes in long literals stay cheap.
    public func transformer(_ transformer: Transformer) -> PropertySchema {
        let name = TransformerName(
            transformer, description: "from \(transformer.inputType) to \(transformer.outputDescription)")
        return transformers([name])
    }
}
