import PalliumJSON

/// Checks stubs: schemas that allow them, and properties of which documents have the identity alone.
extension SchemaCompiler {
    /// Checks that a schema that allows stubs declares their identity, and that accessors know what stubs lack.
    mutating func checkStubs(of schema: ModelSchema) {
        guard schema.allowsStubs, hasKnownAncestors(schema) else { return }
        if schema.identity.isEmpty {
            return report(
                schema, nil, "allows stubs, but declares no identity",
                fix: "declare it here, or allow stubs where it is declared", in: ["allowsStubs"])
        }
        let ancestors = lineage(of: schema).dropLast()
        if ancestors.contains(where: \.allowsStubs) { return }
        for property in ancestors.flatMap(\.properties)
        where property.schema.isRequired && schema.property(property.key) == nil
            && !schema.identity.contains(where: { UTF8Text.equal($0, property.key) })
        {
            report(
                schema, property.key, "is inherited and required, but stubs lack it",
                fix: "declare identity and stubs in the schema of the property, or repeat it here", in: ["allowsStubs"])
        }
    }

    /// Checks that the identity of a property's models is a single text or number of documents, and enough for a model.
    mutating func checkIdentity(of property: PropertySchema, key: String, of schema: ModelSchema) {
        func refuse(_ message: String, fix: String) { report(schema, key, message, fix: fix, in: ["orIdentity"]) }
        guard property.isByIdentity else { return }
        guard case .model(let reference) = property.kind, !property.isWeak, property.transformers.isEmpty else {
            return refuse(
                "is given by its identity, which only a model without transformers can be",
                fix: property.holdsModels ? "put byIdentity on the models" : "drop it")
        }
        if case .allOf = property.json {
            return refuse("is given by its identity, but made of several members", fix: "give it one path")
        }
        // A model that is not registered is reported separately.
        guard let model = self.schema(reference), hasKnownAncestors(model) else { return }
        let chain = lineage(of: model)
        let identity = chain.last { !$0.identity.isEmpty }?.identity ?? []
        guard identity.count == 1 else {
            return refuse(
                "is given by its identity, but that of \(model.name) is \(identity.isEmpty ? "not declared" : "several properties")",
                fix: "declare one property as the identity of \(model.name)")
        }
        var properties: [UTF8Key: (schema: PropertySchema, keys: ModelSchema.KeyStrategy)] = [:]
        for owner in chain {
            for property in owner.properties { properties[UTF8Key(property.key)] = (property.schema, owner.keys) }
        }
        guard let found = properties[UTF8Key(identity[0])] else { return }
        let resolved = ResolvedMapping(found.schema, key: identity[0], keys: found.keys)
        guard found.schema.access != .writeOnly, resolved.combination != .allOf, !resolved.texts.isEmpty else {
            return refuse(
                "is given by its identity, but \(model.name).\(identity[0]) is read from no member of documents",
                fix: "map it, or choose another identity")
        }
        let first = found.schema.conversions.first.flatMap { try? transformers.transformer(named: $0) }
        let kind = first?.inputType._naturalKind ?? found.schema.kind
        let isScalar =
            switch kind {
            case .enumeration: true
            default: kind.traits.json == .text || kind.traits.json == .number
            }
        guard isScalar else {
            return refuse(
                "is given by its identity, but \(model.name).\(identity[0]) is no text or number in documents",
                fix: "choose another identity")
        }
        if chain.contains(where: \.allowsStubs) { return }
        let required = properties.filter { $0.value.schema.isRequired && $0.key != UTF8Key(identity[0]) }.keys
        guard let missing = required.map(\.text).min(by: UTF8Text.precedes) else { return }
        refuse(
            "is given by its identity, but \(model.name) requires \(missing)",
            fix: "add allowsStubs to the schema \(chain.last { !$0.identity.isEmpty }?.name ?? model.name)")
    }
}
