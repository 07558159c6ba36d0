import PalliumJSON

/// Combines transformers.
extension Transformer {
    /// Returns this transformer followed by another: the output of this one is the input of the next.
    ///
    ///     let url = try emptyTextAsNull.then(strictURL)        // "" ⇒ null, "https://…" ⇒ URL
    ///
    /// Null skips a transformer that does not handle it. The result is reversible if both are.
    ///
    /// - Throws: ``ModelError`` with the code `notConvertible` when the next transformer does not accept this one's
    ///   output.
    public func then(_ next: Transformer) throws(ModelError) -> Transformer {
        guard Self.passes(outputType, to: next.inputType) else {
            throw ModelError(
                .notConvertible, expected: "a transformer that takes \(outputType)",
                found: "one that takes \(next.inputType)")
        }
        let backward: Conversion = { value, context in
            try self.convertBack(next.convertBack(value, context: context), context: context)
        }
        return Transformer(
            inputType: inputType, outputType: next.outputType, handlesNull: handlesNull || next.handlesNull,
            readType: readType,
            forward: { value, context in try next.convert(self.convert(value, context: context), context: context) },
            backward: isReversible && next.isReversible ? backward : nil)
    }

    /// Returns the transformer with its two directions exchanged.
    ///
    ///     let text = try strictURL.inverted()        // URL ⇒ "https://…"
    ///
    /// - Throws: ``ModelError`` with the code `notReversible` when there is no reverse conversion.
    public func inverted() throws(ModelError) -> Transformer {
        guard let backward else {
            throw ModelError(.notReversible, expected: "a transformer with a reverse conversion", found: "one without")
        }
        return Transformer(
            inputType: outputType, outputType: inputType, handlesNull: handlesNull, forward: backward,
            backward: forward)
    }

    /// Returns the transformer for optional values: null and empty text become null, other values are converted.
    ///
    ///     let url = strictURL.optional()        // "" ⇒ null, null ⇔ null, "https://…" ⇔ URL
    ///
    /// Null stays null in both directions, even if the transformer itself would convert it.
    public func optional() -> Transformer {
        let backward: Conversion = { value, context in try self.convertBack(value, context: context) }
        return Transformer(
            inputType: inputType, outputType: outputType, handlesNull: false, readType: readType,
            forward: { value, context in
                switch value.flatMap({ JSONValue(scalar: $0) }) {
                case .null?: return nil
                case .string(let text)? where text.utf8.isEmpty: return nil
                default: return try self.convert(value, context: context)
                }
            },
            backward: isReversible ? backward : nil)
    }
}
