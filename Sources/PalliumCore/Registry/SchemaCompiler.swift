import PalliumJSON

/// Checks a set of schemas together with the registered ones, and compiles it.
///
/// Every schema is checked as far as possible, so that one call reports everything. First come names and parents,
/// properties and references, JSON key paths, clusters and upgrades. Then layouts are made, and dropped if there is any
/// problem, to check transformers that return models, defaults, validators and mergers. If an ancestor is unknown, only
/// checks that depend on its properties are skipped.
struct SchemaCompiler {
    /// The registered schemas. They are only read, so that adding one schema to many copies nothing.
    private let registered: SchemaRegistry.State
    let transformers: TransformerRegistry
    let mergers: MergerRegistry
    let formats: FormatRegistry
    private let registry: SchemaRegistry
    var problems: [SchemaError.Problem] = []
    /// The members that lead from a property to the elements that are being checked.
    var elementPath: [String] = []
    /// The new schemas by name.
    var added: [UTF8Key: ModelSchema] = [:]
    private var addedByClass: [ObjectIdentifier: ModelSchema] = [:]
    /// The current names of the renamed new schemas, by former name.
    private var addedByFormerName: [UTF8Key: [String]] = [:]
    /// The layouts in the order of their schemas, parents first.
    private(set) var made: [ModelLayout] = []
    private var madeByName: [UTF8Key: ModelLayout] = [:]
    private var madeByClass: [ObjectIdentifier: ModelLayout] = [:]
    /// The number of problems after which no more suggestions are made: each compares every name.
    private static let suggestions = 20

    /// The names of the schemas that are too large.
    private var oversized: Set<UTF8Key> = []

    init(
        state: SchemaRegistry.State, transformers: TransformerRegistry, mergers: MergerRegistry,
        formats: FormatRegistry, registry: SchemaRegistry
    ) {
        registered = state
        self.registry = registry
        self.transformers = transformers
        self.mergers = mergers
        self.formats = formats
    }

    mutating func compile(_ schemas: [ModelSchema]) {
        let new = collect(schemas)
        for schema in new {
            let before = problems.count
            checkParents(of: schema)
            // An unknown parent may have a fitting class.
            if problems.count == before { checkSuperclass(of: schema) }
            guard checkLimits(of: schema) else {
                oversized.insert(UTF8Key(schema.name))
                continue
            }
            checkProperties(of: schema)
            checkStubs(of: schema)
            checkMapping(of: schema)
            checkCluster(of: schema)
            checkUpgrades(of: schema)
        }
        checkOpenClusters()
        makeLayouts(new.filter { hasLayout($0) })
        dropInheritedProblems()
        sortProblems(by: schemas)
    }

    /// Drops problems of inherited properties that an ancestor also has, such as mistakes in its profiles.
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

    /// Whether a layout can be made of a schema.
    ///
    /// Its name must be unique, it and its ancestors must not be too large, and the line of ancestors must be known, end,
    /// and not be too long.
    private func hasLayout(_ schema: ModelSchema) -> Bool {
        let chain = lineage(of: schema)
        guard added[UTF8Key(schema.name)] == schema, !chain.contains(where: { oversized.contains(UTF8Key($0.name)) })
        else { return false }
        return chain.first?.parent.map { self.schema($0) == nil } ?? true
    }

    /// Returns the compiled form of a schema, new or registered.
    private func layout(named name: String) -> ModelLayout? {
        madeByName[UTF8Key(name)] ?? registered.layouts[UTF8Key(name)]
    }

    /// Whether the line of ancestors ends in a schema without a parent. If it does not, that is reported separately,
    /// and checks that depend on inherited properties are skipped.
    func hasKnownAncestors(_ schema: ModelSchema) -> Bool { lineage(of: schema).first?.parent == nil }

    /// Sorts the problems by schema. Those of one schema keep their order.
    private mutating func sortProblems(by schemas: [ModelSchema]) {
        var positions: [UTF8Key: Int] = [:]
        for (position, schema) in schemas.enumerated() where positions[UTF8Key(schema.name)] == nil {
            positions[UTF8Key(schema.name)] = position
        }
        let positioned = problems.enumerated().map { number, problem in
            (
                position: problem.schema.flatMap { positions[UTF8Key($0)] } ?? schemas.count, number: number,
                problem: problem
            )
        }
        problems = positioned.sorted { ($0.position, $0.number) < ($1.position, $1.number) }.map(\.problem)
    }

    /// - Parameter members: The member of the property or the schema that is wrong, and those inside of it.
    mutating func report(
        _ schema: ModelSchema, _ property: String?, _ message: String, fix: String? = nil, in members: [String] = []
    ) {
        problems.append(
            SchemaError.Problem(
                schema: schema.name, property: property, message: message, fix: fix, members: elementPath + members))
    }

    /// Collects the schemas that are not registered yet.
    private mutating func collect(_ schemas: [ModelSchema]) -> [ModelSchema] {
        var new: [ModelSchema] = []
        for schema in schemas {
            let name = UTF8Key(schema.name)
            if schema.name.isEmpty {
                report(schema, nil, "a schema needs a name")
                new.append(schema)
                continue
            }
            if let other = registered.layouts[name]?.schema ?? added[name] {
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
                if let other = registered.layoutsByClass[identifier]?.schema ?? addedByClass[identifier] {
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

    /// The registered schemas with an open cluster.
    var openClusters: [ModelSchema] { registered.openClusters.compactMap { registered.layouts[$0]?.schema } }

    /// Returns the schema of a reference, new or registered.
    func schema(_ reference: ModelReference) -> ModelSchema? {
        switch reference {
        case .named(let name): added[UTF8Key(name)] ?? registered.layouts[UTF8Key(name)]?.schema
        case .modelClass(let type):
            addedByClass[ObjectIdentifier(type)] ?? registered.layoutsByClass[ObjectIdentifier(type)]?.schema
        }
    }

    /// Returns the names of the schemas that have or had a name.
    func schemasCalled(_ name: String) -> [String] {
        [name] + (addedByFormerName[UTF8Key(name)] ?? []) + (registered.formerNames[UTF8Key(name)] ?? [])
    }

    /// Whether a problem between two schemas is reported for this one, so that it is reported once.
    func isNew(_ schema: ModelSchema, after other: ModelSchema) -> Bool {
        added[UTF8Key(other.name)] == nil || UTF8Text.precedes(other.name, schema.name)
    }

    /// Returns the schema and its known ancestors, root first. A cycle ends before it closes.
    func lineage(of schema: ModelSchema) -> [ModelSchema] {
        var chain = [schema]
        while let parent = chain.last?.parent, let next = self.schema(parent), chain.count <= SchemaLimits.ancestors,
            !chain.contains(where: { UTF8Text.equal($0.name, next.name) })
        {
            chain.append(next)
        }
        return chain.reversed()
    }

    private mutating func checkParents(of schema: ModelSchema) {
        var current = schema
        for _ in 0...SchemaLimits.ancestors {
            guard let reference = current.parent else { return }
            guard let parent = self.schema(reference) else {
                if current == schema {
                    report(
                        schema, nil, "extends \(reference), which is not registered",
                        fix: nearestSchema(to: reference, besides: schema) ?? "register it in the same call",
                        in: ["extends"])
                }
                return
            }
            // A schema without a class makes models of the class of its nearest ancestor that has one.
            if current == schema, let modelClass = schema.modelClass,
                let parentClass = lineage(of: parent).last(where: { $0.modelClass != nil })?.modelClass,
                !modelClass.isSubclass(of: parentClass)
            {
                report(
                    schema, nil,
                    "extends \(parent.name), but the class \(modelClass) is no subclass of \(parentClass)",
                    fix: "bind a subclass of \(parentClass)", in: ["extends"])
            }
            if parent == schema {
                report(schema, nil, "extends itself through \(current.name)", fix: "break the cycle", in: ["extends"])
                return
            }
            current = parent
        }
        report(schema, nil, "has more than \(SchemaLimits.ancestors) ancestors or extends a cycle", in: ["extends"])
    }

    /// Checks that a schema extends the schema of its superclass, whose accessors its class inherits.
    private mutating func checkSuperclass(of schema: ModelSchema) {
        var superclass = schema.modelClass.flatMap { _getSuperclass($0) } as? DynamicModel.Type
        while let modelClass = superclass, modelClass != DynamicModel.self {
            if let owner = self.schema(.modelClass(modelClass)) {
                if !lineage(of: schema).contains(where: { UTF8Text.equal($0.name, owner.name) }) {
                    report(
                        schema, nil,
                        "does not extend \(owner.name), but \(schema.modelClass.map { "\($0)" } ?? "its class") inherits the "
                            + "accessors of its class \(modelClass)", fix: "add extends: \"\(owner.name)\"",
                        in: ["extends"])
                }
                return
            }
            superclass = _getSuperclass(modelClass) as? DynamicModel.Type
        }
    }

    /// Suggests a schema with a similar name.
    func nearestSchema(to reference: ModelReference, besides schema: ModelSchema? = nil) -> String? {
        guard problems.count < Self.suggestions, case .named(let name) = reference else { return nil }
        let names = (registered.names + added.values.map(\.name)).filter { $0 != schema?.name }
        return Self.suggestion(for: name, among: names)
    }

    /// Suggests a similar key.
    func nearestKey(to key: String, in properties: [UTF8Key: PropertySchema]) -> String? {
        nearestKey(to: key, among: properties.filter { $0.value.storage != .notStored }.keys.map(\.text))
    }

    /// Suggests a similar key.
    func nearestKey(to key: String, among candidates: [String]) -> String? {
        problems.count < Self.suggestions ? Self.suggestion(for: key, among: candidates) : nil
    }

    static func suggestion(for name: String, among candidates: [String]) -> String? {
        // Sorted, so that the same name is suggested every time when two are equally near.
        ModelError.nearest(to: name, among: candidates.sorted(by: UTF8Text.precedes)).map { "did you mean \($0)?" }
    }

    // MARK: Layouts

    private mutating func makeLayouts(_ new: [ModelSchema]) {
        // Parents first. The lines are short and without cycles.
        for schema in new {
            for ancestor in lineage(of: schema) where layout(named: ancestor.name) == nil {
                let parent = ancestor.parent.flatMap { self.schema($0) }.flatMap { layout(named: $0.name) }
                let compiled = ModelLayout(
                    schema: ancestor, parent: parent, transformers: transformers, mergers: mergers,
                    formats: formats, registry: registry,
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
                    madeByClass[ObjectIdentifier(type)] ?? registered.layoutsByClass[ObjectIdentifier(type)]
                }
            }
        }
        // A property with a mistake is not checked further.
        let unsound = Set(problems.map { [UTF8Key($0.schema ?? ""), UTF8Key($0.property ?? "")] })
        for layout in made {
            layout.findChildSlots()
            let schema = layout.schema
            // Inherited properties were checked with their own schema.
            let own = layout.properties.filter {
                $0.descriptor.schema == schema.name && !unsound.contains([UTF8Key(schema.name), UTF8Key($0.key)])
            }
            let keys = Set(own.map { UTF8Key($0.key) })
            for (key, error) in layout.makeTemplate() where keys.contains(UTF8Key(key)) {
                report(
                    schema, key, "the default value does not fit: \(error)", fix: "change the default", in: ["default"])
            }
            checkConversions(own, of: layout)
            checkValidators(own, of: layout)
            checkMergers(own, of: layout)
            checkModelRules(of: layout)
        }
    }

    /// Checks transformers of properties that hold models, which requires layouts.
    private mutating func checkConversions(_ properties: [ModelLayout.Property], of layout: ModelLayout) {
        for property in properties where property.descriptor.isLinked {
            var descriptor: ValueDescriptor? = property.descriptor
            while let current = descriptor {
                if current.property.holdsModels { checkOutput(of: current, in: layout.schema) }
                descriptor = current.element
                elementPath.append("of")
            }
            elementPath = []
        }
    }

    /// Checks that validators can read their property: they receive nil for null and unset, so the type must be optional
    /// (conformance C075), unless the property is never null.
    private mutating func checkValidators(_ properties: [ModelLayout.Property], of layout: ModelLayout) {
        for property in properties {
            // Without the schema of its model, a property cannot be checked.
            guard property.descriptor.isLinked else { continue }
            for validator in property.schema.validators where !property.descriptor.fits(validator.content.valueType) {
                report(
                    layout.schema, property.key,
                    "a validator of \(validator.content.valueType) cannot read \(property.descriptor.expectation)",
                    fix:
                        "declare its value as \(property.descriptor.naturalType)\(property.descriptor.isOptional ? "?" : "")"
                )
            }
        }
    }
}

extension ValueDescriptor {
    /// Whether the layouts of all models in the value are known.
    fileprivate var isLinked: Bool {
        if kind == .model || kind == .weakModel { return model != nil }
        return element?.isLinked ?? true
    }
}

extension ModelError {
    /// The advice for a name that is not registered.
    var registrationFix: String { suggestion.map { "did you mean \($0)?" } ?? "register it before the schema" }
}
