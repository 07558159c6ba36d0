import PalliumJSON

/// Checks single properties.
extension SchemaCompiler {
    mutating func checkProperties(of schema: ModelSchema) {
        let chain = lineage(of: schema)
        let inherited = chain.dropLast().flatMap { $0.properties }
        var inheritedByKey: [UTF8Key: PropertySchema] = [:]
        for property in inherited { inheritedByKey[UTF8Key(property.key)] = property.schema }
        var seen = Set<UTF8Key>(minimumCapacity: schema.properties.count)
        for property in schema.properties {
            let key = UTF8Key(property.key)
            if property.key.isEmpty { report(schema, property.key, "a key cannot be empty") }
            if !seen.insert(key).inserted { report(schema, property.key, "the key occurs twice", fix: "keep one") }
            if let parent = inheritedByKey[key] { checkTightening(of: schema, property, parent: parent) }
            check(property.schema, key: property.key, of: schema, isElement: false)
            checkRoles(of: schema, property)
        }
        let hasPolicies = schema.properties.contains { $0.schema.merge != nil }
        if schema.identity.isEmpty, schema.profiles.isEmpty, !hasPolicies { return }
        var all = inheritedByKey
        for property in schema.properties { all[UTF8Key(property.key)] = property.schema }
        for property in schema.properties { checkMerging(of: schema, property, all: all) }
        // An unknown ancestor may have any key.
        guard hasKnownAncestors(schema) else { return }
        for key in schema.identity {
            guard let property = all[UTF8Key(key)], property.storage != .notStored else {
                report(
                    schema, key, "the identity names a key that does not exist", fix: nearestKey(to: key, in: all),
                    in: ["identity"])
                continue
            }
        }
        for profile in schema.profiles {
            for key in profile.mappings.keys.sorted(by: UTF8Text.precedes) {
                if let property = all[UTF8Key(key)], property.storage != .notStored { continue }
                report(
                    schema, key, "the profile \(profile.name) names a key that does not exist",
                    fix: nearestKey(to: key, in: all), in: ["profiles", profile.name, key])
            }
        }
    }

    /// Checks a redeclared property: it may be stricter, but the parent's accessors must still work.
    private mutating func checkTightening(
        of schema: ModelSchema, _ property: ModelSchema.Property, parent: PropertySchema
    ) {
        let own = property.schema
        switch (own.kind, parent.kind) {
        case (.model(let ownModel), .model(let parentModel)):
            guard let ownSchema = self.schema(ownModel), let parentSchema = self.schema(parentModel),
                hasKnownAncestors(ownSchema)
            else { return }
            if !lineage(of: ownSchema).contains(where: { UTF8Text.equal($0.name, parentSchema.name) }) {
                report(
                    schema, property.key,
                    "narrows a model of \(parentSchema.name) to \(ownSchema.name), which is no descendant",
                    fix: "name a descendant of \(parentSchema.name)", in: ["model"])
            }
        case (let ownKind, let parentKind):
            if ownKind != parentKind, UTF8Text.equal(ownKind.name, parentKind.name) {
                report(
                    schema, property.key, "describes the inherited \(parentKind.name) in another way than the parent",
                    fix: "repeat its elements or cases with all their modifiers and rules")
            } else if ownKind != parentKind {
                report(
                    schema, property.key, "changes the inherited kind \(parentKind.name) to \(ownKind.name)",
                    fix: "keep the kind, or choose another key", in: ["kind"])
            }
        }
        if own.isNullable, !parent.isNullable {
            report(
                schema, property.key, "allows null where the parent does not",
                fix: "make it required, give it a default, or refuse null", in: ["nullable"])
        } else if own.isOptional, !parent.isOptional {
            report(
                schema, property.key, "may be absent where the parent may not",
                fix: "make it required or give it a default", in: ["required"])
        }
        let dropped = parent.labels.filter { label in !own.labels.contains { UTF8Text.equal($0, label) } }
        if !dropped.isEmpty {
            report(
                schema, property.key, "drops the inherited \(Self.labelled(dropped))",
                fix: "repeat all labels of the parent", in: ["labels"])
        }
        if own.storage == .notStored, parent.storage != .notStored {
            report(schema, property.key, "drops the storage of an inherited property", in: ["storage"])
        }
    }

    /// Checks the rules for properties that also apply to elements of collections.
    private mutating func check(_ property: PropertySchema, key: String, of schema: ModelSchema, isElement: Bool) {
        var element: PropertySchema? = property
        var isElement = isElement
        defer { elementPath = [] }
        while let current = element {
            checkReferences(current, key: key, of: schema)
            checkIdentity(of: current, key: key, of: schema)
            if isElement { checkElement(current, key: key, of: schema) }
            checkRules(current, key: key, of: schema)
            element = current.kind.element
            elementPath.append("of")
            isElement = true
        }
    }

    private mutating func checkReferences(_ property: PropertySchema, key: String, of schema: ModelSchema) {
        switch property.kind {
        case .model(let reference):
            if self.schema(reference) == nil {
                report(
                    schema, key, "names the model \(reference), which is not registered",
                    fix: nearestSchema(to: reference) ?? "register it in the same call", in: ["model"])
            }
        case .enumeration(let enumeration): checkEnumeration(enumeration, key: key, of: schema)
        case .custom(let custom): checkTransformer(of: custom, property, key: key, of: schema)
        default: break
        }
        checkTransformers(property, key: key, of: schema)
        if property.isWeak {
            guard case .model = property.kind else {
                return report(schema, key, "only a model can be weak", in: ["weak"])
            }
            if property.isRequired || property.defaultValue != nil {
                report(
                    schema, key, "a weak property cannot be required or have a default: its model may be gone",
                    in: ["weak"])
            }
        }
    }

    private mutating func checkTransformers(_ property: PropertySchema, key: String, of schema: ModelSchema) {
        var last: Transformer?
        for (position, name) in property.transformers.enumerated() {
            do {
                let transformer = try transformers.transformer(named: name)
                if let last, !Transformer.passes(last.outputType, to: transformer.inputType) {
                    report(
                        schema, key,
                        "the transformer \(name) takes \(transformer.inputType), but the one before it gives \(last.outputType)",
                        in: ["transformer"])
                }
                if position == 0 { checkInput(of: transformer, name, key: key, of: schema) }
                last = transformer
            } catch {
                // Its output type is unknown.
                last = nil
                report(
                    schema, key, "names the transformer \(ModelError.quote(name.description)), which is not registered",
                    fix: error.registrationFix, in: ["transformer"])
            }
        }
        // Values with models are checked later, with layouts.
        if last == nil || property.holdsModels { return }
        checkOutput(
            of: ValueDescriptor(
                schema: schema.name, key: key, path: "\(schema.name).\(key)", property: property, isElement: false),
            in: schema)
    }

    /// Checks that the output of the last transformer fits the value.
    mutating func checkOutput(of descriptor: ValueDescriptor, in schema: ModelSchema) {
        guard let name = descriptor.property.transformers.last,
            let transformer = try? transformers.transformer(named: name),
            !descriptor.takes(resultOf: transformer)
        else { return }
        report(
            schema, descriptor.key,
            "the transformer \(name) gives \(transformer.outputDescription), which does not fit "
                + descriptor.expectation, fix: "choose a transformer or a kind that fits", in: ["transformer"])
    }

    /// Checks that the input of a transformer exists in JSON.
    private mutating func checkInput(
        of transformer: Transformer, _ name: TransformerName, key: String, of schema: ModelSchema
    ) {
        guard let kind = transformer.inputType._naturalKind else {
            return report(
                schema, key, "the transformer \(name) takes \(transformer.inputType), which does not stand in JSON",
                fix: "put a transformer before it that gives one", in: ["transformer"])
        }
        if case .model(let reference) = kind.innermost, self.schema(reference) == nil {
            report(
                schema, key, "the transformer \(name) takes models of \(reference), which is not registered",
                fix: "register it in the same call", in: ["transformer"])
        }
    }

    private mutating func checkTransformer(
        of custom: PropertyKind.Custom, _ property: PropertySchema, key: String, of schema: ModelSchema
    ) {
        // `checkCustomKind` reports a missing transformer.
        guard let name = custom.transformer else { return }
        let transformer: Transformer
        do { transformer = try transformers.transformer(named: name) } catch {
            return report(
                schema, key, "names the transformer \(name), which is not registered",
                fix: error.registrationFix, in: ["kind"])
        }
        checkInput(of: transformer, name, key: key, of: schema)
        if !Transformer.isSame(transformer.outputType, custom.type) {
            report(
                schema, key, "the transformer \(name) gives \(transformer.outputType), which is no \(custom.type)",
                fix: "choose a transformer that fits", in: ["kind"])
        }
    }

    private mutating func checkEnumeration(_ enumeration: EnumerationSchema, key: String, of schema: ModelSchema) {
        if enumeration.cases.isEmpty { report(schema, key, "an enumeration needs a case", in: ["cases"]) }
        var seen: Set<EnumerationSchema.RawValue> = []
        for raw in enumeration.cases.flatMap({ [$0.rawValue] + $0.aliases }) where !seen.insert(raw).inserted {
            report(schema, key, "the case \(raw) occurs twice", fix: "give each text to one case", in: ["cases"])
        }
        if case .fallback(let raw) = enumeration.unknown, !enumeration.cases.contains(where: { $0.rawValue == raw }) {
            report(schema, key, "the fallback \(raw) is no case", in: ["unknown"])
        }
    }

    private mutating func checkElement(_ element: PropertySchema, key: String, of schema: ModelSchema) {
        let others = element.modifierNames.filter {
            ![".nullable", ".rules", ".transformer", ".byIdentity"].contains($0)
        }
        if !others.isEmpty || element.isRequired || element.storage != .permanent {
            report(
                schema, key, "elements of a collection have a kind, null, rules, transformers and byIdentity only",
                fix: "put the other modifiers on the property",
                in: PropertySchema.member(ofModifier: others.first ?? (element.isRequired ? ".required" : ".storage")))
        }
    }

    private static func labelled(_ labels: [String]) -> String {
        (labels.count == 1 ? "label " : "labels ") + labels.map(ModelError.quote).joined(separator: ", ")
    }

    private mutating func checkLabels(of schema: ModelSchema, _ property: ModelSchema.Property) {
        let wrong = property.schema.labels.filter { !PropertySchema.isLabel($0) }
        if wrong.isEmpty { return }
        report(
            schema, property.key, "has the \(Self.labelled(wrong)), which cannot be",
            fix: "begin with an ASCII letter, and use letters, digits, -, _ and . only, 64 at most", in: ["labels"])
    }

    /// Checks the modifiers that only whole properties have.
    private mutating func checkRoles(of schema: ModelSchema, _ property: ModelSchema.Property) {
        let description = property.schema
        checkLabels(of: schema, property)
        if description.isRequired, description.defaultValue != nil {
            report(
                schema, property.key, "is required and has a default", fix: "drop one: a default is never missing",
                in: ["default"])
        }
        if description.isRequired, description.nullability == .refused {
            report(
                schema, property.key, "is required, and so never null", fix: "drop notNull", in: ["nullable"])
        }
        if description.isRequired, description.storage == .notStored {
            report(schema, property.key, "is required but not stored", in: ["storage"])
        }
        if description.isRequired, description.archive == .excluded || description.archive == .conditional {
            report(
                schema, property.key, "is required, but archives leave it out", fix: "archive it, or make it nullable",
                in: ["archive"])
        }
        if description.isRequired, description.storage == .transitory, description.archive != .included {
            report(
                schema, property.key, "is required, but transitory properties are not archived",
                fix: "add .archive(.included), or make it nullable", in: ["storage"])
        }
        if description.isRequired, description.access == .writeOnly {
            report(
                schema, property.key, "is required, but never read from JSON",
                fix: "drop writeOnly, or make it nullable", in: ["writeOnly"])
        }
        if let inverse = description.inverse { checkInverse(inverse, of: schema, property) }
    }

    private mutating func checkInverse(_ inverse: String, of schema: ModelSchema, _ property: ModelSchema.Property) {
        guard case .model(let reference) = property.schema.kind.innermost, let child = self.schema(reference) else {
            return report(schema, property.key, "has an inverse but holds no models", in: ["inverse"])
        }
        if property.schema.isWeak {
            return report(
                schema, property.key, "is weak, but only a property that keeps its models alive can have an inverse",
                fix: "drop one", in: ["inverse"])
        }
        let parentReference = lineage(of: child).flatMap(\.properties).last { UTF8Text.equal($0.key, inverse) }
        // An unknown ancestor of the child may have the parent reference.
        if parentReference == nil, !hasKnownAncestors(child) { return }
        guard let parentReference, parentReference.schema.isWeak, case .model = parentReference.schema.kind else {
            return report(
                schema, property.key, "names the inverse \(inverse), which is no weak model property of \(child.name)",
                fix: nearestKey(
                    to: inverse, among: lineage(of: child).flatMap(\.properties).filter(\.schema.isWeak).map(\.key))
                    ?? "declare it there as .model(\"\(schema.name)\").weak", in: ["inverse"])
        }
    }
}
