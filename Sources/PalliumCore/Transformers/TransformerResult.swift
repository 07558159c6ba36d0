// Checks whether the output of a transformer fits a property: it is stored unchanged, or it is JSON that the property's
// kind reads.

extension ValueDescriptor {
    /// Whether a value of the type is stored unchanged and read back as the same type.
    ///
    /// A number of another width or kind can be stored, but is read back as JSON, since the stored number may not fit
    /// the type.
    package func holds(_ type: any PropertyValue.Type) -> Bool {
        accepts(type) && (JSONScalar(Erased.type(type)) == nil || type._fits(self, for: .readOptional))
    }

    /// Whether the output of the transformer may fit the slot. Each value is checked when it is stored.
    package func takes(resultOf transformer: Transformer) -> Bool {
        let type = Erased.type(transformer.outputType)
        if let given = type as? DynamicModel.Type, let model {
            return given.isSubclass(of: model.modelClass) || model.modelClass.isSubclass(of: given)
        }
        if accepts(type) { return true }
        return transformer.outputScalar.map { property.kind.reads($0) } ?? false
    }
}

extension Transformer {
    /// Whether the transformer always returns a JSON number.
    private var givesNumbers: Bool { self === Transformer.numberOrText }

    /// The JSON type of the transformer's output; nil for types that JSON does not have.
    fileprivate var outputScalar: JSONScalar? {
        givesNumbers ? .number : JSONScalar(Erased.type(outputType))
    }

    /// The output of the transformer, for errors.
    package var outputDescription: String { givesNumbers ? "a number" : "\(outputType)" }
}

extension PropertyKind {
    /// Whether the kind reads JSON of this type.
    fileprivate func reads(_ json: JSONScalar) -> Bool {
        switch (self, json) {
        case (.enumeration(let schema), .text): schema.cases.contains { !$0.rawValue.isNumber }
        case (.enumeration(let schema), .number): schema.cases.contains { $0.rawValue.isNumber }
        // Models and custom types are not read from JSON without a transformer.
        case (.model, _), (.custom, _): false
        case (.array(let element), .any), (.set(let element), .any), (.dictionary(let element), .any):
            element.kind.reads(.any)
        default: json == .any || traits.json == .any || traits.json == json
        }
    }
}
