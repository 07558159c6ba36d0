// What a transformer gives stands in a slot as it is, or is JSON that the kind of the property reads by its own rules.

extension ValueDescriptor {
    /// Whether a value of the type stands in the slot as it is and is read from it as the same type again.
    ///
    /// A number of another width or kind can be stored, but comes back as JSON: what stands in the slot need not fit the
    /// type.
    package func holds(_ type: any PropertyValue.Type) -> Bool {
        accepts(type) && (JSONScalar(Erased.type(type)) == nil || type._fits(self, for: .readOptional))
    }

    /// Whether what the transformer gives can stand in the slot at all; whether a single value does is seen when it comes.
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
    /// Whether the JSON that the transformer gives is always a number.
    private var givesNumbers: Bool { Self.same(self, .numberOrText) }

    /// What JSON calls the values that the transformer gives; nil for types that JSON does not have.
    fileprivate var outputScalar: JSONScalar? {
        givesNumbers ? .number : JSONScalar(Erased.type(outputType))
    }

    /// What the transformer gives, as it stands in an error.
    package var outputDescription: String { givesNumbers ? "a number" : "\(outputType)" }
}

extension PropertyKind {
    /// Whether JSON of this sort can be read by the kind's own rules.
    fileprivate func reads(_ json: JSONScalar) -> Bool {
        switch (self, json) {
        case (.json, _), (.bool, .boolean): true
        case (.integer, .number), (.unsigned, .number), (.double, .number), (.float, .number), (.decimal, .number): true
        case (.string, .text), (.date, .text), (.url, .text), (.uuid, .text), (.data, .text): true
        case (.enumeration(let schema), .text): schema.cases.contains { !$0.rawValue.isNumber }
        case (.enumeration(let schema), .number): schema.cases.contains { $0.rawValue.isNumber }
        // Models and types of the program have no rules of their own for JSON.
        case (.model, _), (.custom, _): false
        case (.array(let element), .any), (.set(let element), .any), (.dictionary(let element), .any):
            element.kind.reads(.any)
        case (_, .any): true
        default: false
        }
    }
}
