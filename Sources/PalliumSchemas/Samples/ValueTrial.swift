import PalliumCore
import PalliumJSON

/// A problem that a document would have, as an adapter reports it.
struct SampleProblem: Hashable {
    let code: ModelError.Code
    /// The tokens of the pointer.
    let tokens: [String]

    func under(_ prefix: [String]) -> SampleProblem { SampleProblem(code: code, tokens: prefix + tokens) }
}

/// Tries whether a property, or an element of a collection, takes a value in JSON.
///
/// The value goes into a slot as a default of a schema document would, through the transformers, and the rules are
/// checked there. Nothing of an adapter is needed.
///
/// Safety: the layout of the model holds the descriptor, and the maker of samples holds the registry with the layout.
struct ValueTrial {
    let descriptor: ValueDescriptor
    let rules: ValueRules?
    let transformers: TransformerRegistry

    /// Returns the problems with a value that holds no models and is no null.
    func problems(with value: JSONValue) -> [SampleProblem] {
        let temporary = unsafe TemporarySlot(descriptor: descriptor.reference)
        do throws(ModelError) {
            try temporary.slot.store(json: value, transformers: transformers)
            return rules?.problems(with: temporary.slot).map(SampleProblem.init) ?? []
        } catch { return error.problems.map(SampleProblem.init) }
    }

    func accepts(_ value: JSONValue) -> Bool { problems(with: value).isEmpty }
}

extension ValueTrial {
    /// Tries values of an element, with the rules that it declares.
    init(_ element: ValueDescriptor, formats: FormatRegistry, transformers: TransformerRegistry) {
        self.init(
            descriptor: element, rules: ValueRules(element.property, formats: formats), transformers: transformers)
    }
}

extension SampleProblem {
    fileprivate init(_ error: ModelError) { self.init(code: error.code, tokens: error.pointer?.tokens ?? []) }
}
