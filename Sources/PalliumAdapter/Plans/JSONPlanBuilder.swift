import PalliumCore
import PalliumJSON

/// Compiles a layout, and all that it refers to and that has no plan yet.
///
/// Safety: plans refer to one another without counting references; the table holds them all.
struct JSONPlanBuilder {
    let registry: SchemaRegistry
    let options: JSONPlanOptions
    /// The plans of the table, which are used as they are.
    let existing: JSONPlanTable.Plans
    private var format: DocumentFormat { options.format }
    private var made = JSONPlanTable.Plans()
    private var pending: [ModelLayout] = []
    private var requested: Set<ObjectIdentifier> = []
    private var links: [(value: ValuePlan, layout: ModelLayout)] = []
    /// The values of models that the stored format refers to by their identity.
    private var pendingReferences: [(value: ValuePlan, layout: ModelLayout)] = []
    private let clusters: DocumentClusters
    /// The members that rules look at, by the nearest layout with rules.
    private var lookedAt: [ObjectIdentifier: DecodingNode] = [:]

    init(registry: SchemaRegistry, options: JSONPlanOptions, existing: JSONPlanTable.Plans) {
        self.registry = registry
        self.options = options
        self.existing = existing
        clusters = DocumentClusters(registry, profile: options.format.profile)
    }

    /// Returns the plan of a layout and those of the layouts that it refers to, connected with each other and with the
    /// existing ones.
    ///
    /// - Throws: ``ModelError`` if an option names a transformer or kind that does not exist or does not fit.
    mutating func build(_ layout: ModelLayout) throws(ModelError) -> JSONPlanTable.Plans {
        for (kind, name) in options.transformersByKind {
            _ = try registry.transformers.transformer(named: name)
            guard PropertyKind.predefinedNames.contains(kind) || registry.customKind(named: kind.text) != nil else {
                throw ModelError(
                    .unknownKey, expected: "the name of a kind", found: ModelError.quote(kind.text))
            }
        }
        request(layout)
        while let layout = pending.popLast() {
            made.whole[ObjectIdentifier(layout)] = try compile(layout)
            // Writing can always meet descendants, reading only through clusters.
            for child in registry.children(of: layout) { request(child) }
        }
        for (value, layout) in links { unsafe value.link(plan(for: layout)) }
        for plan in made.whole.values { plan.link(registry.descendants(of: plan.layout).compactMap(self.plan)) }
        try finishReferences()
        return made
    }

    private func plan(for layout: ModelLayout) -> JSONPlan? {
        made.whole[ObjectIdentifier(layout)] ?? existing.whole[ObjectIdentifier(layout)]
    }

    private mutating func request(_ layout: ModelLayout) {
        if existing.whole[ObjectIdentifier(layout)] == nil, requested.insert(ObjectIdentifier(layout)).inserted {
            pending.append(layout)
        }
    }

    // MARK: Values

    private mutating func value(_ descriptor: ValueDescriptor) throws(ModelError) -> ValuePlan {
        let property = descriptor.property
        if property.isWeak { return ValuePlan(descriptor, operation: .absent) }
        // A date is held as a number, which is exact.
        if format == .stored, descriptor.kind == .date { return ValuePlan(descriptor, operation: .storedDate) }
        let names = transformerNames(for: property)
        let transformsAsKind = names.count == 1 && names.first == descriptor.traits.transformer
        if names.isEmpty || transformsAsKind { return try plainValue(descriptor) }
        if names.count == 1, descriptor.kind == .date {
            if names[0] == UnixSecondsTransformerName { return ValuePlan(descriptor, operation: .unixSeconds) }
            if names[0] == UnixMillisecondsTransformerName {
                return ValuePlan(descriptor, operation: .unixMilliseconds)
            }
        }
        var transformers: [Transformer] = []
        for name in names { transformers.append(try registry.transformers.transformer(named: name)) }
        // The text is read into the slot, and written from it, without a Swift value on the way.
        if transformers.count == 1, let codec = transformers[0].codec, descriptor.accepts(codec.type),
            codec.type._naturalKind?.traits.storage == descriptor.kind
        {
            return ValuePlan(descriptor, operation: .text, codec: codec)
        }
        return try transformedValue(descriptor, transformers)
    }

    private func transformerNames(for property: PropertySchema) -> [TransformerName] {
        if format != .stored, !property.transformers.isEmpty { return property.transformers }
        if let name = options.transformersByKind[UTF8Key(property.kind.name)] { return [name] }
        if case .custom(let custom) = property.kind { return custom.transformer.map { [$0] } ?? [] }
        switch property.kind.traits.json {
        case .number:
            return options.leniency.contains(.numbersAsText) ? [NumberOrTextTransformerName] : []
        case .boolean: return options.leniency.contains(.boolsAsNumbers) ? [BooleanTransformerName] : []
        default: return []
        }
    }

    /// Makes the plan of a value without transformers.
    ///
    /// - Parameter isInput: Whether it is the input of a transformer, which options for properties do not change.
    private mutating func plainValue(
        _ descriptor: ValueDescriptor, isInput: Bool = false
    ) throws(ModelError) -> ValuePlan {
        let operation: ValueOperation
        switch descriptor.property.kind {
        case .bool: operation = .bool
        case .integer: operation = .integer
        case .double: operation = .double
        case .string: operation = .string
        case .date: operation = .iso8601Date
        case .url: operation = .url
        case .enumeration: operation = .enumeration
        case .json: operation = .json
        case .model:
            let isByIdentity = descriptor.property.isByIdentity && format != .stored
            let value = ValuePlan(descriptor, operation: isByIdentity ? .modelOrIdentity : .model)
            if let layout = descriptor.model {
                if format == .stored, !layout.identitySlots.isEmpty {
                    pendingReferences.append((value, layout))
                } else {
                    request(layout)
                    links.append((value, layout))
                }
            }
            return value
        case .array, .set, .dictionary:
            let operation: ValueOperation =
                descriptor.kind == .array ? .array : descriptor.kind == .set ? .set : .dictionary
            // Descriptors of collections have a descriptor of their elements.
            let element = descriptor.element!
            return ValuePlan(
                descriptor, operation: operation,
                element: try isInput ? plainValue(element, isInput: true) : value(element))
        case .custom(let custom):
            // Without a transformer the value is in no document; registration checks that.
            guard let name = custom.transformer else { return ValuePlan(descriptor, operation: .absent) }
            return try transformedValue(descriptor, [try registry.transformers.transformer(named: name)])
        default: operation = descriptor.traits.text == nil ? .number : .text
        }
        return ValuePlan(descriptor, operation: operation, codec: descriptor.traits.text)
    }

    private mutating func transformedValue(
        _ descriptor: ValueDescriptor, _ transformers: [Transformer]
    ) throws(ModelError) -> ValuePlan {
        let inputType = transformers[0].readType
        guard let kind = inputType._naturalKind else {
            throw ModelError(
                .typeMismatch, descriptor, expected: "a transformer whose input is a JSON type",
                found: "one that takes \(inputType)")
        }
        if let last = transformers.last, !descriptor.takes(resultOf: last) {
            throw ModelError(
                .notConvertible, descriptor, expected: "a transformer that gives \(descriptor.expectation)",
                found: "one that gives \(last.outputDescription)")
        }
        let input = try inputDescriptor(descriptor, PropertySchema(kind).labels(descriptor.property.labels))
        return ValuePlan(
            descriptor, operation: .transformed, transformers: transformers, input: try plainValue(input, isInput: true)
        )
    }

    /// Returns the descriptor of a transformer's input; models have the schema that is registered for their class.
    private func inputDescriptor(
        _ descriptor: ValueDescriptor, _ property: PropertySchema
    ) throws(ModelError) -> ValueDescriptor {
        guard case .model(.modelClass(let modelClass)) = property.kind.innermost else {
            return ValueDescriptor(
                schema: descriptor.schema, key: descriptor.key, path: descriptor.path, property: property,
                isElement: false)
        }
        guard let layout = registry.layout(for: modelClass) else {
            throw ModelError(
                .unknownSchema, descriptor, expected: "a schema registered for the class \(modelClass)", found: "none")
        }
        return ValueDescriptor(
            schema: descriptor.schema, key: descriptor.key, path: descriptor.path, property: property, models: layout)
    }

    // MARK: Nodes

    private mutating func compile(_ layout: ModelLayout) throws(ModelError) -> JSONPlan {
        if format == .stored { return try compileStored(layout) }
        var values: [ValuePlan] = []
        for property in layout.properties { values.append(try value(property.descriptor)) }
        let tree = MemberTree()
        var deferred: [DeferredProperty] = []
        var required: [(slot: Int, member: String)] = []
        let shape = DocumentShape(layout, profile: format.profile)
        for (slot, property) in layout.properties.enumerated() {
            let place = shape.properties[slot]
            let paths = place.paths
            guard !paths.isEmpty, values[slot].operation != .absent else { continue }
            if let mode = options.mode, let only = property.schema.only, only != mode {
                for path in paths { tree.ignore(path.leadingMembers) }
                continue
            }
            if property.schema.access != .writeOnly {
                if let only = paths.first, place.combination == .single, let members = only.members {
                    tree.read(members, slot: slot)
                } else {
                    deferred.append(DeferredProperty(slot: slot, combination: place.combination, paths: paths))
                }
                if property.schema.isRequired { required.append((slot, paths[0].description)) }
            } else {
                // Written constants must not be unknown members when they are read again.
                for path in paths { tree.ignore(path.leadingMembers) }
            }
            if property.schema.access != .readOnly {
                if place.combination == .allOf {
                    tree.writeParts(paths, slot: slot)
                } else if let members = paths[0].members {
                    tree.write(members, slot: slot)
                }
            }
        }
        for members in layout.ignoredPaths.compactMap(\.members) { tree.ignore(members) }
        // If a deferred property or several properties read from one first member, it is captured whole. They read from
        // the captured value, so no byte is read twice.
        var captured: Set<UTF8Key> = []
        for property in deferred {
            for path in property.paths {
                if case .member(let name) = path.steps[0] { captured.insert(UTF8Key(name)) }
            }
        }
        captured.formUnion(tree.contestedMembers())
        for (slot, members) in tree.takeReaders(below: captured) {
            deferred.append(
                DeferredProperty(
                    slot: slot, combination: .single,
                    paths: [JSONKeyPath(steps: members.map { .member($0) })]))
        }
        for path in deferred.flatMap(\.paths) { tree.ignore(path.leadingMembers) }
        let checks = try DiscriminatorCheck.checks(for: layout, clusters)
        for check in checks { tree.check(check) }
        deferred.sort { $0.slot < $1.slot }
        let cluster = try clusters.cluster(of: layout)
        let clusterMembers = try ClusterMembers(layout, clusters)
        for constant in clusterMembers.constants { tree.writeConstant(constant) }
        return JSONPlan(
            layout: layout, paths: shape.properties.map(\.paths),
            input: tree.decodingNode(
                values: values, capturing: captured, lookedAt: try membersLookedAt(by: layout)),
            output: tree.encodingNode(
                values: values, readabilities: clusterMembers.readabilities { members in tree.canWrite(members) }),
            values: values, deferred: deferred, required: required,
            cluster: cluster.map { ClusterPlan($0) }, checks: checks,
            refusesUnknownMembers: layout.schema.refusesUnknownMembers)
    }

    /// Returns the members that rules of a layout and its ancestors read; nil if there are none. They are never unknown,
    /// even if no property maps them.
    private mutating func membersLookedAt(by layout: ModelLayout) throws(ModelError) -> DecodingNode? {
        var rules: [ClusterRules] = []
        for ancestor in layout.lineage {
            if let own = try clusters.cluster(of: ancestor)?.rules { rules.append(own) }
        }
        guard let nearest = rules.first.map({ ObjectIdentifier($0.owner) }) else { return nil }
        if let made = lookedAt[nearest] { return made }
        let tree = MemberTree()
        for condition in rules.flatMap(\.rules).flatMap(\.conditions) {
            if let members = condition.path.members { tree.ignore(members) }
        }
        let made = tree.decodingNode(values: [], capturing: [])
        lookedAt[nearest] = made
        return made
    }

    // MARK: The stored format

    private mutating func compileStored(_ layout: ModelLayout) throws(ModelError) -> JSONPlan {
        var values: [ValuePlan] = []
        for property in layout.properties {
            values.append(
                try property.isStored
                    ? value(property.descriptor) : ValuePlan(property.descriptor, operation: .absent))
        }
        return StoredFormat.plan(
            layout, values, cluster: ClusterPlan(storing: layout, descendants: registry.descendants(of: layout)))
    }

    /// Compiles the plans of models that are referred to, which have nothing but the identity.
    private mutating func finishReferences() throws(ModelError) {
        for (value, layout) in pendingReferences {
            unsafe value.link(try reference(layout))
            for descendant in registry.descendants(of: layout) { _ = try reference(descendant) }
        }
        for plan in made.references.values {
            plan.link(registry.descendants(of: plan.layout).compactMap { made.references[ObjectIdentifier($0)] })
        }
    }

    private mutating func reference(_ layout: ModelLayout) throws(ModelError) -> JSONPlan {
        let key = ObjectIdentifier(layout)
        if let plan = made.references[key] ?? existing.references[key] { return plan }
        var values = layout.properties.map { ValuePlan($0.descriptor, operation: .absent) }
        for slot in layout.identitySlots { values[slot] = try value(layout.properties[slot].descriptor) }
        let plan = StoredFormat.reference(layout, values)
        made.references[key] = plan
        return plan
    }
}
