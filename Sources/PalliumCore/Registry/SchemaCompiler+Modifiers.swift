import PalliumJSON

/// Reports modifiers that have no effect, and transformers that are missing or have no reverse.
///
/// A modifier that only repeats a rule is allowed: `.nullable` of a nullable property, `.local` of a weak one.
extension SchemaCompiler {
    mutating func checkModifiers(of schema: ModelSchema, _ property: MappedProperty, profiles: [ProfileMapping]) {
        let description = property.schema
        if description.storage == .notStored {
            let names = description.modifierNames
            guard !names.isEmpty else { return }
            return report(
                schema, property.key,
                "is not stored, so \(names.joined(separator: ", ")) \(names.count == 1 ? "means" : "mean") nothing",
                fix: "drop \(names.count == 1 ? "it" : "them"), or store the property",
                in: PropertySchema.member(ofModifier: names[0]))
        }
        let mapped =
            [property.resolved()]
            + profiles.compactMap { $0.mappings[UTF8Key(property.key)].map { property.resolved($0) } }
        let isMapped = !description.isWeak && mapped.contains { !$0.texts.isEmpty }
        checkJSONModifiers(of: schema, property, isMapped: isMapped)
        if description.archive == .conditional, !description.holdsModels {
            report(
                schema, property.key,
                "is archived conditionally, which only properties that hold models can be",
                fix: "choose .archive(.included) or .archive(.excluded)", in: ["archive"])
        }
        checkIndex(of: schema, property)
        checkCustomKind(of: schema, property, isMapped: isMapped)
    }

    private mutating func checkIndex(of schema: ModelSchema, _ property: MappedProperty) {
        let description = property.schema
        guard !description.isOpaque else { return }
        checkDeleteRule(of: schema, property)
        guard let index = description.index else { return }
        if index == .caseInsensitive, description.kind != .string {
            report(
                schema, property.key,
                "is indexed without case, but values of the kind \(description.kind.name) are no texts",
                fix: "choose .indexed()", in: ["index"])
        } else if case .model(let reference) = description.kind.innermost,
            index == .unique || description.isWeak || self.schema(reference).map(isNoRow) == true
        {
            report(
                schema, property.key,
                description.isWeak || index == .unique
                    ? "is indexed, but \(description.isWeak ? "weak" : "unique") references have no index"
                    : "is indexed, but models of \(reference) have no identity, so that none refers to them",
                fix: "drop the index", in: ["index"])
        } else if !description.kind.hasColumn, !description.holdsModels {
            report(
                schema, property.key, "is indexed, but values of the kind \(description.kind.name) have no column",
                fix: "drop the index", in: ["index"])
        } else if description.archiving == .excluded {
            report(
                schema, property.key, "is indexed, but stores and archives do not hold it",
                fix: "drop the index, or add .archive(.included)", in: ["index"])
        }
    }

    /// Whether models of a schema are known to be no rows of a store.
    private func isNoRow(_ schema: ModelSchema) -> Bool {
        hasKnownAncestors(schema) && lineage(of: schema).allSatisfy(\.identity.isEmpty)
    }

    private mutating func checkDeleteRule(of schema: ModelSchema, _ property: MappedProperty) {
        let description = property.schema
        guard let rule = description.deleteRule, rule != .keep else { return }
        func refuse(_ reason: String, fix: String) {
            report(
                schema, property.key, "has the delete rule \(rule.rawValue), but \(reason)", fix: fix,
                in: ["deleteRule"])
        }
        if !description.holdsModels || description.index == nil {
            refuse("no index of references", fix: "make it a reference with .indexed()")
        } else if isNoRow(schema) {
            refuse("models of \(schema.name) are no rows", fix: "give \(schema.name) an identity")
        } else if rule == .nullify, description.kind.element == nil, !description.isNullable {
            refuse("is never null", fix: "choose another rule, or let it be null")
        }
    }

    private mutating func checkJSONModifiers(of schema: ModelSchema, _ property: MappedProperty, isMapped: Bool) {
        let description = property.schema
        func refuse(_ names: [String], _ reason: String) {
            guard !names.isEmpty else { return }
            report(
                schema, property.key,
                "\(reason), so \(names.joined(separator: ", ")) \(names.count == 1 ? "means" : "mean") nothing",
                fix: "drop \(names.count == 1 ? "it" : "them")", in: PropertySchema.member(ofModifier: names[0]))
        }
        if description.isWeak {
            // Parents set weak properties, documents never do (see `inverse`).
            refuse(description.jsonModifierNames, "is weak, and weak references are not in JSON")
        } else if !isMapped {
            // An empty list of paths is reported separately.
            var names = description.jsonModifierNames.filter { $0 != ".json" }
            // The transformers convert a default that is JSON.
            if case .json? = description.defaultValue { names.removeAll { $0 == ".transformer" } }
            refuse(names, "is not in JSON")
        } else if description.nilPolicy != nil {
            if description.access == .readOnly { refuse([".nilPolicy"], "is never written") }
            if description.isRequired {
                refuse(
                    [".nilPolicy"],
                    description.isNullable ? "is required, and its null is written" : "is required and never nil")
            } else if description.nullability == .refused, description.defaultValue == nil {
                refuse([".nilPolicy"], "is left out where it has no value")
            }
        }
        guard description.access == .writeOnly, isMapped else { return }
        if case .firstOf(let paths) = description.json, paths.count > 1 {
            refuse(["every path but the first"], "is never read")
        }
        for name in description.transformers {
            guard let transformer = try? transformers.transformer(named: name), !transformer.isReversible else {
                continue
            }
            report(
                schema, property.key, "is only written, but the transformer \(name) has no reverse",
                fix: "give it one, or drop writeOnly", in: ["transformer"])
        }
    }

    /// Checks that a custom type has a transformer if its values are in JSON or archived.
    private mutating func checkCustomKind(of schema: ModelSchema, _ property: MappedProperty, isMapped: Bool) {
        var innermost = property.schema
        var hasTransformer = !innermost.transformers.isEmpty
        while let element = innermost.kind.element {
            innermost = element
            hasTransformer = hasTransformer || !innermost.transformers.isEmpty
        }
        guard case .custom(let custom) = innermost.kind else { return }
        // Such a value can be stored only in a slot of its own kind.
        if let natural = custom.type._naturalKind {
            report(
                schema, property.key,
                "is of the custom kind \(custom.name), but \(custom.type) has a kind of its own",
                fix: "use the kind \(natural.name)", in: ["kind"])
        }
        guard custom.transformer == nil else { return }
        if isMapped, !hasTransformer {
            report(
                schema, property.key, "is in JSON, but the kind \(custom.name) has no transformer",
                fix: "name one, or make the property local", in: ["kind"])
        }
        if property.schema.archiving != .excluded {
            report(
                schema, property.key, "is archived, but the kind \(custom.name) has no transformer",
                fix: "name one, or add .archive(.excluded)", in: ["kind"])
        }
    }
}

extension PropertySchema {
    /// The modifiers of the mapping to JSON, without `.local`.
    fileprivate var jsonModifierNames: [String] {
        var names: [String] = []
        switch json {
        case .path, .firstOf, .allOf: names.append(".json")
        case .ownKey, .none: break
        }
        if !transformers.isEmpty { names.append(".transformer") }
        switch access {
        case .readOnly: names.append(".readOnly")
        case .writeOnly: names.append(".writeOnly")
        case .readWrite: break
        }
        if only != nil { names.append(".only") }
        if nilPolicy != nil { names.append(".nilPolicy") }
        return names
    }

    /// The member of a schema document that says what a modifier does.
    static func member(ofModifier name: String) -> [String] {
        let others = [
            ".nilPolicy": "nil", ".notNull": "nullable", ".indexed": "index", ".local": "json",
            ".byIdentity": "orIdentity",
            "every path but the first": "json",
        ]
        return [others[name] ?? String(name.drop { $0 == "." })]
    }

    /// All modifiers except documentation, and except `required`, which is reported separately.
    var modifierNames: [String] {
        var names = jsonModifierNames
        if json == .none { names.append(".local") }
        if let nullability { names.append(nullability == .allowed ? ".nullable" : ".notNull") }
        if defaultValue != nil { names.append(".default") }
        if archive != nil { names.append(".archive") }
        if isSensitive { names.append(".labels") }
        if index != nil { names.append(".indexed") }
        if deleteRule != nil { names.append(".deleteRule") }
        if isWeak { names.append(".weak") }
        if isByIdentity { names.append(".byIdentity") }
        if inverse != nil { names.append(".inverse") }
        if merge != nil { names.append(".merge") }
        if storedValueHook != nil { names.append(".unarchived") }
        if !rules.isEmpty { names.append(".rules") }
        if !validators.isEmpty { names.append(".validate") }
        return names
    }
}
