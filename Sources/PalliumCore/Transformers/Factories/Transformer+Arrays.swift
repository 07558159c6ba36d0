import PalliumJSON

/// Transformers for arrays.
extension Transformer {
    /// Returns a transformer for arrays that converts every element.
    ///
    ///     let urls = try registry.transformers.transformer(named: URLTransformerName).each()
    ///
    /// The result has as many elements as the array. Null elements stay null and are not converted, even if the
    /// transformer handles null (conformance row C272). An element that becomes null stays in the array. An error names
    /// the index of the first refused element. The result is reversible if the transformer is.
    public func each() -> Transformer {
        Self.each(self, inputType, outputType)
    }

    /// Whether values of every type are accepted, so that JSON is not read as the input type.
    private var takesEveryValue: Bool { inputType != readType }

    private static func each<Input: PropertyValue, Output: PropertyValue>(
        _ element: Transformer, _ input: Input.Type, _ output: Output.Type
    ) -> Transformer {
        let backward: Conversion = { value, context in
            try convert(value, to: Input.self) { value throws(ModelError) in
                try element.convertBack(value, context: context)
            }
        }
        return Transformer(
            inputType: [Input?].self, outputType: [Output?].self, handlesNull: false,
            readType: element.takesEveryValue ? JSONValue.self : nil,
            forward: { value, context in
                try convert(value, to: Output.self) { value throws(ModelError) in
                    try element.convert(value, context: context)
                }
            },
            backward: element.isReversible ? backward : nil)
    }

    private static func convert<Result: PropertyValue>(
        _ value: (any PropertyValue)?, to result: Result.Type,
        by conversion: (any PropertyValue) throws(ModelError) -> (any PropertyValue)?
    ) throws(ModelError) -> [Result?]? {
        guard let value, let elements = elements(of: value) else {
            throw ModelError.refused(value, expected: "an array", code: .typeMismatch)
        }
        var results: [Result?] = []
        results.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            guard let element else {
                results.append(nil)
                continue
            }
            do throws(ModelError) {
                results.append(try typed(conversion(element), as: Result.self))
            } catch { throw error.under(index: index) }
        }
        return results
    }

    private static func typed<Result: PropertyValue>(
        _ value: (any PropertyValue)?, as type: Result.Type
    ) throws(ModelError) -> Result? {
        guard let value else { return nil }
        if let result = pass(value, as: type) { return result }
        throw ModelError.refused(value, expected: "a value of the type \(Result.self)", code: .typeMismatch)
    }

    /// The elements of an array, in Swift or in JSON, with nil for null.
    private static func elements(of value: any PropertyValue) -> [(any PropertyValue)?]? {
        if let array = value as? any ArrayShape { return array.erasedElements }
        guard case .array(let elements)? = value as? JSONValue else { return nil }
        // Not `? nil :`, which would be the nil literal of JSONValue.
        return elements.map { $0.isNull ? .none : .some($0) }
    }
}
