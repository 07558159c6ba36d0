import PalliumJSON

/// Checks a set of schemas together with those that are registered and compiles it.
///
/// Every schema is checked as far as it can be judged, so that one call reports everything: names and parents, properties
/// and references, JSON key paths, clusters and upgrades; then, with layouts that are made for the purpose and dropped
/// where there is a problem anywhere, transformers that give models, defaults, validators and mergers. Behind an unknown
/// ancestor only that is left open which its properties would decide.
struct SchemaCompiler {
    /// What is registered already. Only read: a registry of many schemas is not copied to add one.
    private let known: SchemaRegistry.State
    let transformers: TransformerRegistry
    let mergers: MergerRegistry
    let sources: [UTF8Key: SchemaSource]
    private let registry: SchemaRegistry
    var problems: [SchemaError.Problem] = []
    /// The schemas that are new, by name.
    var added: [UTF8Key: ModelSchema] = [:]
    private var addedByClass: [ObjectIdentifier: ModelSchema] = [:]
    /// The names of the new schemas that had another name, by that name.
    private var addedByFormerName: [UTF8Key: [String]] = [:]
    /// The layouts that were made, in the order of their schemas, parents first.
    private(set) var made: [ModelLayout] = []
    private var madeByName: [UTF8Key: ModelLayout] = [:]
    private var madeByClass: [ObjectIdentifier: ModelLayout] = [:]
    /// How many problems come with a suggestion: finding one looks at every name.
    private static let suggestions = 20

    /// How many ancestors a schema can have.
    static let maximumAncestors = 64
    /// How many properties a schema can have, inherited ones included.
    static let maximumProperties = 10_000

    init(
        state: SchemaRegistry.State, transformers: TransformerRegistry, mergers: MergerRegistry,
        sources: [UTF8Key: SchemaSource], registry: SchemaRegistry
    ) {
        known = state
        self.registry = registry
        self.transformers = transformers
        self.mergers = mergers
        self.sources = sources
    }

    mutating func compile(_ schemas: [ModelSchema]) {
        let new = collect(schemas)
        for schema in new {
            let before = problems.count
            checkParents(of: schema)
            // Behind an unknown parent there may be what is looked for.
            if problems.count == before { checkSuperclass(of: schema) }
            if propertyCount(of: schema) > Self.maximumProperties {
                report(schema, nil, "has more than \(Self.maximumProperties) properties")
                continue
            }
            checkProperties(of: schema)
            checkMapping(of: schema)
            checkCluster(of: schema)
            checkUpgrades(of: schema)
        }
        checkOpenClusters()
        makeLayouts(new.filter { hasLayout($0) })
        dropInheritedProblems()
        sortProblems(by: schemas)
    }

    /// Drops the problems of inherited properties that an ancestor has as well: mistakes of its profiles.
    private mutating func dropInheritedProblems() {
        func identity(_ schema: String, _ problem: SchemaError.Problem) -> [UTF8Key] {
            [UTF8Key(schema), UTF8Key(problem.property ?? ""), UTF8Key(problem.message)]
        }
        let all = Set(problems.map { identity($0.schema ?? "", $0) })
        problems = problems.filter { problem in
            guard let schema = problem.schema.flatMap({ added[UTF8Key($0)] }), let key = problem.property,
                schema.property(key) == nil
            else { return true }
            return !lineage(of: schema).dropLast().contains { all.contains(identity($0.name, problem)) }
        }
    }

    private func propertyCount(of schema: ModelSchema) -> Int {
        lineage(of: schema).reduce(0) { $0 + $1.properties.count }
    }

    /// Whether a layout can be made of a schema, be it only to judge what depends on one: it has its name for itself, and
    /// its line of ancestors, as far as it is known, is one that ends and is not too long.
    private func hasLayout(_ schema: ModelSchema) -> Bool {
        guard added[UTF8Key(schema.name)] == schema, propertyCount(of: schema) <= Self.maximumProperties else {
            return false
        }
        return lineage(of: schema).first?.parent.map { self.schema($0) == nil } ?? true
    }

    /// The compiled form of a schema, new or registered.
    private func layout(named name: String) -> ModelLayout? {
        madeByName[UTF8Key(name)] ?? known.layouts[UTF8Key(name)]
    }

    /// Whether the chain of ancestors ends in a schema without a parent. Where it does not, that is a problem of its own,
    /// and whatever depends on inherited properties cannot be judged.
    func hasKnownAncestors(_ schema: ModelSchema) -> Bool { lineage(of: schema).first?.parent == nil }

    /// Puts the problems in the order of the schemas; those of one schema stay in the order they were found.
    private mutating func sortProblems(by schemas: [ModelSchema]) {
        var positions: [UTF8Key: Int] = [:]
        for (position, schema) in schemas.enumerated() where positions[UTF8Key(schema.name)] == nil {
            positions[UTF8Key(schema.name)] = position
        }
        let placed = problems.enumerated().map { number, problem in
            (
                place: problem.schema.flatMap { positions[UTF8Key($0)] } ?? schemas.count, number: number,
                problem: problem
            )
        }
        problems = placed.sorted { ($0.place, $0.number) < ($1.place, $1.number) }.map(\.problem)
    }

    mutating func report(
        _ schema: ModelSchema, _ property: String? = nil, _ message: String, fix: String? = nil
    ) {
        let source = sources[UTF8Key(schema.name)]
        problems.append(
            SchemaError.Problem(
                schema: schema.name, property: property, message: message, fix: fix,
                source: property.flatMap { source?.properties[UTF8Key($0)] } ?? source?.schema))
    }

    /// Finds the schemas that are not registered yet.
    private mutating func collect(_ schemas: [ModelSchema]) -> [ModelSchema] {
        var new: [ModelSchema] = []
        for schema in schemas {
            let name = UTF8Key(schema.name)
            if schema.name.isEmpty {
                report(schema, nil, "a schema needs a name")
                new.append(schema)
                continue
            }
            if let other = known.layouts[name]?.schema ?? added[name] {
                if other != schema {
                    report(
                        schema, nil, "another schema of this name is registered",
                        fix: "choose another name, or register the same value")
                    new.append(schema)
                }
                continue
            }
            if let modelClass = schema.modelClass {
                let identifier = ObjectIdentifier(modelClass)
                if let other = known.layoutsByClass[identifier]?.schema ?? addedByClass[identifier] {
                    report(
                        schema, nil, "the class \(modelClass) already belongs to the schema \(other.name)",
                        fix: "bind the class to one schema")
                } else if modelClass == DynamicModel.self {
                    report(schema, nil, "DynamicModel itself cannot be bound", fix: "give the schema a name only")
                } else {
                    addedByClass[identifier] = schema
                }
            }
            added[name] = schema
            for former in schema.formerNames { addedByFormerName[UTF8Key(former), default: []].append(schema.name) }
            new.append(schema)
        }
        return new
    }

    /// The registered schemas with a cluster that names schemas which may come later.
    var openClusters: [ModelSchema] { known.openClusters.compactMap { known.layouts[$0]?.schema } }

    /// The schema a reference names, new or registered.
    func schema(_ reference: ModelReference) -> ModelSchema? {
        switch reference {
        case .named(let name): added[UTF8Key(name)] ?? known.layouts[UTF8Key(name)]?.schema
        case .modelClass(let type):
            addedByClass[ObjectIdentifier(type)] ?? known.layoutsByClass[ObjectIdentifier(type)]?.schema
        }
    }

    /// The names of the schemas that have a name or had it.
    func schemasCalled(_ name: String) -> [String] {
        [name] + (addedByFormerName[UTF8Key(name)] ?? []) + (known.formerNames[UTF8Key(name)] ?? [])
    }

    /// Whether problems of a new schema with another one are its own to report: of two new ones, one reports.
    func isNew(_ schema: ModelSchema, after other: ModelSchema) -> Bool {
        added[UTF8Key(other.name)] == nil || UTF8Text.precedes(other.name, schema.name)
    }

    /// The schema and its ancestors as far as they are known, root first. A cycle ends before it closes.
    func lineage(of schema: ModelSchema) -> [ModelSchema] {
        var chain = [schema]
        while let parent = chain.last?.parent, let next = self.schema(parent), chain.count <= Self.maximumAncestors,
            !chain.contains(where: { UTF8Text.equal($0.name, next.name) })
        {
            chain.append(next)
        }
        return chain.reversed()
    }

    private mutating func checkParents(of schema: ModelSchema) {
        var current = schema
        for _ in 0...Self.maximumAncestors {
            guard let reference = current.parent else { return }
            guard let parent = self.schema(reference) else {
                if current == schema {
                    report(
                        schema, nil, "extends \(reference), which is not registered",
                        fix: nearestSchema(to: reference, besides: schema) ?? "register it in the same call")
                }
                return
            }
            // A schema without a class makes models of the class that its nearest ancestor with one has.
            if current == schema, let modelClass = schema.modelClass,
                let parentClass = lineage(of: parent).last(where: { $0.modelClass != nil })?.modelClass,
                !modelClass.isSubclass(of: parentClass)
            {
                report(
                    schema, nil,
                    "extends \(parent.name), but the class \(modelClass) is no subclass of \(parentClass)",
                    fix: "bind a subclass of \(parentClass)")
            }
            if parent == schema {
                report(schema, nil, "extends itself through \(current.name)", fix: "break the cycle")
                return
            }
            current = parent
        }
        report(schema, nil, "has more than \(Self.maximumAncestors) ancestors or extends a cycle")
    }

    /// A class inherits the accessors of its superclass, so its schema extends the superclass's, where there is one.
    private mutating func checkSuperclass(of schema: ModelSchema) {
        var superclass = schema.modelClass.flatMap { _getSuperclass($0) } as? DynamicModel.Type
        while let modelClass = superclass, modelClass != DynamicModel.self {
            if let owner = self.schema(.modelClass(modelClass)) {
                if !lineage(of: schema).contains(where: { UTF8Text.equal($0.name, owner.name) }) {
                    report(
                        schema, nil,
                        "does not extend \(owner.name), but \(schema.modelClass.map { "\($0)" } ?? "its class") inherits the "
                            + "accessors of its class \(modelClass)", fix: "add extends: \"\(owner.name)\"")
                }
                return
            }
            superclass = _getSuperclass(modelClass) as? DynamicModel.Type
        }
    }

    /// The suggestion of a schema whose name is spelled almost like a reference.
    func nearestSchema(to reference: ModelReference, besides schema: ModelSchema? = nil) -> String? {
        guard problems.count < Self.suggestions, case .named(let name) = reference else { return nil }
        let names = (known.names + added.values.map(\.name)).filter { $0 != schema?.name }
        return Self.suggestion(for: name, among: names)
    }

    /// The suggestion of a key that is spelled almost like an unknown one.
    func nearestKey(to key: String, in properties: [UTF8Key: PropertySchema]) -> String? {
        nearestKey(to: key, among: properties.filter { $0.value.storage != .notStored }.keys.map(\.text))
    }

    /// The suggestion of a key that is spelled almost like an unknown one.
    func nearestKey(to key: String, among known: [String]) -> String? {
        problems.count < Self.suggestions ? Self.suggestion(for: key, among: known) : nil
    }

    private static func suggestion(for name: String, among known: [String]) -> String? {
        // Sorted, so that of two names that are equally near the same is suggested every time.
        ModelError.nearest(to: name, among: known.sorted(by: UTF8Text.precedes)).map { "did you mean \($0)?" }
    }

    // MARK: Layouts

    private mutating func makeLayouts(_ new: [ModelSchema]) {
        // Parents first; chains are short and free of cycles.
        for schema in new {
            for ancestor in lineage(of: schema) where layout(named: ancestor.name) == nil {
                let parent = ancestor.parent.flatMap { self.schema($0) }.flatMap { layout(named: $0.name) }
                let compiled = ModelLayout(
                    schema: ancestor, parent: parent, transformers: transformers, mergers: mergers, registry: registry,
                    isShared: registry === SchemaRegistry.shared)
                madeByName[UTF8Key(ancestor.name)] = compiled
                if let modelClass = ancestor.modelClass, addedByClass[ObjectIdentifier(modelClass)] == ancestor {
                    madeByClass[ObjectIdentifier(modelClass)] = compiled
                }
                made.append(compiled)
            }
        }
        for layout in made {
            layout.link { reference in
                switch reference {
                case .named(let name): self.layout(named: name)
                case .modelClass(let type):
                    madeByClass[ObjectIdentifier(type)] ?? known.layoutsByClass[ObjectIdentifier(type)]
                }
            }
        }
        // A property that is wrong in itself is not judged by what follows from it.
        let unsound = Set(problems.map { [UTF8Key($0.schema ?? ""), UTF8Key($0.property ?? "")] })
        for layout in made {
            layout.findChildSlots()
            let schema = layout.schema
            // What is inherited was checked with the schema it comes from.
            let own = layout.properties.filter {
                $0.descriptor.schema == schema.name && !unsound.contains([UTF8Key(schema.name), UTF8Key($0.key)])
            }
            let keys = Set(own.map { UTF8Key($0.key) })
            for (key, error) in layout.makeTemplate() where keys.contains(UTF8Key(key)) {
                report(schema, key, "the default value does not fit: \(error)", fix: "change the default")
            }
            checkConversions(own, of: layout)
            checkValidators(own, of: layout)
            checkMergers(own, of: layout)
        }
    }

    /// Checks transformers of properties that hold models: what fits them is known by their layouts only.
    private mutating func checkConversions(_ properties: [ModelLayout.Property], of layout: ModelLayout) {
        for property in properties where property.descriptor.isLinked {
            var descriptor: ValueDescriptor? = property.descriptor
            while let current = descriptor {
                if current.property.holdsModels { checkOutput(of: current, in: layout.schema) }
                descriptor = current.element
            }
        }
    }

    private mutating func checkValidators(_ properties: [ModelLayout.Property], of layout: ModelLayout) {
        for property in properties {
            // Where a model's own schema is not known, there is no layout to judge by.
            guard property.descriptor.isLinked else { continue }
            for validator in property.schema.validators where !fits(validator.valueType, property) {
                report(
                    layout.schema, property.key,
                    "a validator of \(validator.valueType) cannot read \(property.descriptor.expectation)",
                    fix:
                        "declare its value as \(property.descriptor.naturalType)\(property.descriptor.isNullable ? "?" : "")"
                )
            }
        }
    }

    /// Validators see null and unset as nil, so the type must be optional (conformance C075) unless the property is never
    /// null: then a plain type will do, and nothing is asked about a value that is missing.
    private func fits(_ type: any PropertyValue.Type, _ property: ModelLayout.Property) -> Bool {
        type._isOptional
            ? type._fits(property.descriptor, for: .readOptional)
            : !property.descriptor.isNullable && type._fits(property.descriptor, for: .read)
    }
}

extension ValueDescriptor {
    /// Whether the layouts of all models that may stand in the value are known.
    fileprivate var isLinked: Bool {
        if kind == .model || kind == .weakModel { return model != nil }
        return element?.isLinked ?? true
    }
}
