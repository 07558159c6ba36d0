package import PalliumCore
package import PalliumJSON

/// A problem that a document would have, as an adapter reports it.
package struct SampleProblem: Hashable {
    package let code: ModelError.Code
    /// The tokens of the pointer.
    package let tokens: [String]

    package init(code: ModelError.Code, tokens: [String]) {
        self.code = code
        self.tokens = tokens
    }

    package func under(_ prefix: [String]) -> SampleProblem { SampleProblem(code: code, tokens: prefix + tokens) }
}

/// Tries whether a property, or an element of a collection, takes a value in JSON.
///
/// The value goes into a slot as a default of a schema document would, through the transformers, and the rules are
/// checked there. Nothing of an adapter is needed.
///
/// Safety: the layout of the model holds the descriptor, and the maker of samples holds the registry with the layout.
package struct ValueTrial {
    package let descriptor: ValueDescriptor
    package let rules: ValueRules?
    package let transformers: TransformerRegistry

    package init(descriptor: ValueDescriptor, rules: ValueRules?, transformers: TransformerRegistry) {
        self.descriptor = descriptor
        self.rules = rules
        self.transformers = transformers
    }

    /// Returns the problems with a value that holds no models and is no null.
    package func problems(with value: JSONValue) -> [SampleProblem] {
        let temporary = TemporarySlot(for: descriptor)
        do throws(ModelError) {
            try temporary.slot.store(json: value, transformers: transformers)
            return rules?.problems(with: temporary.slot).map(SampleProblem.init) ?? []
        } catch { return error.problems.map(SampleProblem.init) }
    }

    package func accepts(_ value: JSONValue) -> Bool { problems(with: value).isEmpty }
}

extension ValueTrial {
    /// Tries values of an element, with the rules that it declares.
    package init(_ element: ValueDescriptor, formats: FormatRegistry, transformers: TransformerRegistry) {
        self.init(
            descriptor: element, rules: ValueRules(element.property, formats: formats), transformers: transformers)
    }
}

extension SampleProblem {
    fileprivate init(_ error: ModelError) { self.init(code: error.code, tokens: error.pointer?.tokens ?? []) }
}
