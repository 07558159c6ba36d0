import PalliumJSON

/// Checks merge policies.
extension SchemaCompiler {
    mutating func checkMerging(
        of schema: ModelSchema, _ property: ModelSchema.Property, all: [UTF8Key: PropertySchema]
    ) {
        guard let policy = property.schema.merge else { return }
        let kind = property.schema.kind
        func refuse(_ needs: String) {
            report(
                schema, property.key, "the merge policy \(policy.name) needs \(needs)",
                fix: "choose another policy or kind", in: ["merge"])
        }
        if policy.missing != nil, policy.name != "byIdentifier", policy.name != "recurse" || kind.element == nil {
            report(
                schema, property.key, "missing elements are known only to byIdentifier and to recurse of dictionaries",
                in: ["merge"])
        }
        if policy.identifiers != nil, policy.name != "byIdentifier" {
            report(schema, property.key, "identifiers are known to the merge policy byIdentifier only", in: ["merge"])
        }
        if policy.by != nil, policy.name != "byIdentifier", policy.name != "newest" {
            report(
                schema, property.key, "the merge policy \(policy.name) does not go by another property", in: ["merge"])
        }
        switch policy.name {
        case "replace", "keep", "skipNull": break
        case "max", "min":
            if kind.traits.precedes == nil { refuse("values with an order, such as numbers, dates and text") }
        case "newest":
            guard let by = policy.by, let deciding = all[UTF8Key(by)], deciding.storage != .notStored else {
                // An unknown ancestor may have the key.
                if policy.by != nil, !hasKnownAncestors(schema) { return }
                return report(
                    schema, property.key, "the merge policy newest goes by \(policy.by ?? "nothing"), which is no key",
                    fix: policy.by.flatMap { nearestKey(to: $0, in: all) } ?? "name the property that decides",
                    in: ["merge"])
            }
            if deciding.kind.traits.precedes == nil {
                refuse("values with an order to go by, such as numbers, dates and text, and \(by) has none")
            }
        case "union":
            if kind.element == nil { refuse("an array, a set or a dictionary") }
        case "append":
            guard case .array = kind else { return refuse("an array") }
        case "recurse":
            var merged = property.schema
            if case .dictionary(let element) = kind { merged = element }
            guard case .model = merged.kind, !merged.isWeak else { return refuse("a model or a dictionary of models") }
        case "byIdentifier": checkIdentifier(policy, of: schema, property)
        default:
            if mergers.merger(named: policy.name) == nil {
                let names = MergePolicy.predefinedNames.map(\.text) + mergers.names
                report(
                    schema, property.key, "names the merger \(ModelError.quote(policy.name)), which is not registered",
                    fix: Self.suggestion(for: policy.name, among: names) ?? "register it before the schema",
                    in: ["merge"])
            }
        }
    }

    private mutating func checkIdentifier(
        _ policy: MergePolicy, of schema: ModelSchema, _ property: ModelSchema.Property
    ) {
        let element: PropertySchema
        switch property.schema.kind {
        case .array(let schema), .set(let schema): element = schema
        default:
            return report(
                schema, property.key, "the merge policy byIdentifier needs an array or set of models",
                fix: "choose another policy or kind", in: ["merge"])
        }
        guard case .model(let reference) = element.kind, !element.isWeak else {
            return report(
                schema, property.key, "the merge policy byIdentifier needs an array or set of models",
                fix: "choose another policy or kind", in: ["merge"])
        }
        // A model that is not registered is reported separately.
        guard let model = self.schema(reference), hasKnownAncestors(model) else { return }
        let chain = lineage(of: model)
        if let key = policy.by {
            if !chain.contains(where: { $0.property(key).map { $0.storage != .notStored } ?? false }) {
                report(
                    schema, property.key,
                    "the merge policy byIdentifier goes by \(key), which is no key of \(model.name)",
                    fix: nearestKey(to: key, among: chain.flatMap(\.properties).map(\.key)), in: ["merge"])
            }
        } else if chain.allSatisfy({ $0.identity.isEmpty }) {
            report(
                schema, property.key, "the merge policy byIdentifier names no key, and \(model.name) has no identity",
                fix: "name a key, or declare the identity of \(model.name)", in: ["merge"])
        }
    }

    /// Checks that the mergers of properties take and return values of the right type.
    mutating func checkMergers(_ properties: [ModelLayout.Property], of layout: ModelLayout) {
        for property in properties {
            guard let index = layout.index(of: property.key), case .merger(let merger) = layout.mergeRules[index] else {
                continue
            }
            if !merger.valueType._fits(property.descriptor, for: .readOptional)
                || !property.descriptor.accepts(merger.storedType)
            {
                report(
                    layout.schema, property.key,
                    "the merger of \(merger.storedType) cannot merge \(property.descriptor.expectation)",
                    fix: "make it for \(property.descriptor.naturalType)", in: ["merge"])
            }
        }
    }
}
