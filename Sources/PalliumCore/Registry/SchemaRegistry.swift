import Foundation
package import PalliumJSON

/// Schemas by name and by class.
///
/// An application registers its schemas with ``shared`` at start-up; tests and libraries make registries of their own.
/// Registration is all or nothing and reports every problem of the whole set at once.
///
/// Schemas are never taken out of a registry. A program whose schemas come and go makes a registry for each set of them and
/// drops it: models, adapters, frozen views and reports of changes keep the registry they were made with until they are gone.
///
///     try SchemaRegistry.shared.register(
///         ModelSchema(User.self, ["login": .string.required]),
///         ModelSchema(Issue.self, ["number": .integer.required, "assignee": .model(User.self)])
///     )
public final class SchemaRegistry: Sendable {
    /// The application's registry.
    public static let shared = SchemaRegistry(transformers: .shared, mergers: .shared)

    /// The transformers that schemas name.
    public let transformers: TransformerRegistry
    /// The mergers that merge policies name.
    public let mergers: MergerRegistry

    struct State: Sendable {
        var layouts: [UTF8Key: ModelLayout] = [:]
        var layoutsByClass: [ObjectIdentifier: ModelLayout] = [:]
        var customKinds: [UTF8Key: CustomKind] = [:]
        /// The names in the order of registration.
        var names: [String] = []
        /// The layouts that extend each schema directly.
        var children: [UTF8Key: [ModelLayout]] = [:]
        /// The schemas with a cluster that names schemas which may come later.
        var openClusters: [UTF8Key] = []
        /// The names of the schemas that had another name, by that name.
        var formerNames: [UTF8Key: [String]] = [:]
        /// The threads that compile schemas.
        var compilingThreads: Set<ObjectIdentifier> = []

        mutating func add(_ made: [ModelLayout], order: [String]) {
            var new: Set<UTF8Key> = []
            for layout in made {
                new.insert(UTF8Key(layout.schema.name))
                layouts[UTF8Key(layout.schema.name)] = layout
                if layout.schema.isOpen { openClusters.append(UTF8Key(layout.schema.name)) }
                if let modelClass = layout.schema.modelClass { layoutsByClass[ObjectIdentifier(modelClass)] = layout }
                if let parent = layout.parent { children[UTF8Key(parent.schema.name), default: []].append(layout) }
                for former in layout.schema.formerNames {
                    formerNames[UTF8Key(former), default: []].append(layout.schema.name)
                }
            }
            // A name that was given twice is new once.
            names += order.filter { new.remove(UTF8Key($0)) != nil }
        }
    }

    private let state = Lock(State())
    /// What other modules compile from layouts and keep: programs of the JSON adapter by layout and options.
    package let compiled = CompilationCache()

    /// Makes an empty registry.
    public init(
        transformers: TransformerRegistry = TransformerRegistry(), mergers: MergerRegistry = MergerRegistry()
    ) {
        self.transformers = transformers
        self.mergers = mergers
    }

    /// Reached when no model is left and nobody else holds the registry: nothing leads to its layouts any more.
    deinit { ModelLayout.discard(state.withLock { Array($0.layouts.values) }) }

    /// Registers schemas, which may refer to one another and to schemas that are registered already.
    ///
    /// Registering an equal schema again does nothing.
    ///
    /// Transformers of the program that convert defaults run meanwhile, several times when other threads register too.
    /// They can use what is registered already, but not register anything with the same registry.
    ///
    /// - Throws: ``SchemaError`` with every problem; nothing is registered then.
    /// - Complexity: O(*n*) in the number of properties.
    public func register(_ schemas: ModelSchema...) throws(SchemaError) { try register(schemas) }

    /// Registers schemas, which may refer to one another and to schemas that are registered already.
    ///
    /// - Throws: ``SchemaError`` with every problem; nothing is registered then.
    public func register(_ schemas: [ModelSchema]) throws(SchemaError) { try register(schemas, sources: [:]) }

    /// Registers schemas; problems name the place in the document that a schema was read from.
    package func register(_ schemas: [ModelSchema], sources: [UTF8Key: SchemaSource]) throws(SchemaError) {
        // Code of the program converts the defaults and ends with them, so no lock is held but to publish. What was
        // compiled while somebody else published is compiled again: one of the two was first.
        while true {
            let (made, problems, knownCount) = try compile(schemas, sources: sources)
            let isPublished = state.withLock { state in
                guard problems.isEmpty, state.names.count == knownCount else { return false }
                state.add(made, order: schemas.map(\.name))
                return true
            }
            if isPublished { break }
            ModelLayout.discard(made)
            if !problems.isEmpty { throw SchemaError(problems) }
        }
        // What is compiled from now on knows the new schemas; what was compiled before stays as it is.
        compiled.removeAll()
    }

    /// Compiles against what is registered now: so many schemas, of which none is ever taken away. What the compiler
    /// borrowed of the state is given back before the state changes.
    ///
    /// - Throws: ``SchemaError`` when the thread is about to compile schemas already: for a schema that registers itself
    ///   there would be no end.
    private func compile(
        _ schemas: [ModelSchema], sources: [UTF8Key: SchemaSource]
    ) throws(SchemaError) -> (made: [ModelLayout], problems: [SchemaError.Problem], knownCount: Int) {
        let thread = ObjectIdentifier(Thread.current)
        let known = state.withLock { $0.compilingThreads.insert(thread).inserted ? $0 : nil }
        guard let known else {
            throw SchemaError([
                SchemaError.Problem(
                    message: "schemas are registered while the default of another is converted",
                    fix: "register them before, or outside of the transformer")
            ])
        }
        defer { _ = state.withLock { $0.compilingThreads.remove(thread) } }
        var compiler = SchemaCompiler(
            state: known, transformers: transformers, mergers: mergers, sources: sources, registry: self)
        compiler.compile(schemas)
        return (compiler.made, compiler.problems, known.names.count)
    }

    /// The layouts that extend a layout directly.
    package func children(of layout: ModelLayout) -> [ModelLayout] {
        state.withLock { $0.children[UTF8Key(layout.schema.name)] ?? [] }
    }

    /// Makes a Swift type known as a kind, so that schema documents can name it.
    ///
    /// - Throws: ``SchemaError`` when the name is a kind of the library or taken by another type.
    public func register(_ kind: CustomKind) throws(SchemaError) {
        let isTaken = state.withLock { state in
            if let known = state.customKinds[UTF8Key(kind.name)] { return known != kind }
            if PropertyKind.predefinedNames.contains(UTF8Key(kind.name)) { return true }
            state.customKinds[UTF8Key(kind.name)] = kind
            return false
        }
        if isTaken {
            throw SchemaError([
                SchemaError.Problem(
                    message: "the kind name \(ModelError.quote(kind.name)) is taken", fix: "choose another")
            ])
        }
    }

    /// The custom kind with a name.
    package func customKind(named name: String) -> CustomKind? { state.withLock { $0.customKinds[UTF8Key(name)] } }

    /// The names of the custom kinds, sorted.
    package var customKindNames: [String] {
        state.withLock { $0.customKinds.keys.map(\.text).sorted(by: UTF8Text.precedes) }
    }

    /// The registered schema with a name.
    ///
    /// - Throws: ``ModelError`` with the code `unknownSchema`, which suggests a name that is spelled almost alike.
    public func schema(named name: String) throws(ModelError) -> ModelSchema { try layout(named: name).schema }

    /// The registered schema of a class.
    ///
    /// - Throws: ``ModelError`` with the code `unknownSchema`.
    public func schema(for modelClass: DynamicModel.Type) throws(ModelError) -> ModelSchema {
        guard let layout = layout(for: modelClass) else {
            throw ModelError(.unknownSchema, expected: "a schema registered for the class \(modelClass)", found: "none")
        }
        return layout.schema
    }

    /// All registered schemas, in the order of registration.
    public var schemas: [ModelSchema] {
        state.withLock { state in state.names.compactMap { state.layouts[UTF8Key($0)]?.schema } }
    }

    /// The compiled schema with a name.
    package func layout(named name: String) throws(ModelError) -> ModelLayout {
        let (layout, names) = state.withLock { state in
            let layout = state.layouts[UTF8Key(name)]
            return (layout, layout == nil ? state.names : [])
        }
        if let layout { return layout }
        throw ModelError(
            .unknownSchema, expected: "the name of a registered schema", found: ModelError.quote(name)
        ).suggesting(ModelError.nearest(to: name, among: names))
    }

    /// The compiled schema of a class; nil when none is registered for this very class.
    package func layout(for modelClass: DynamicModel.Type) -> ModelLayout? {
        state.withLock { $0.layoutsByClass[ObjectIdentifier(modelClass)] }
    }

    /// The compiled form of a schema that was registered as it is.
    package func layout(for schema: ModelSchema) -> ModelLayout? {
        guard let layout = state.withLock({ $0.layouts[UTF8Key(schema.name)] }), layout.schema == schema else {
            return nil
        }
        return layout
    }
}

/// Where a schema and its properties stand in a document, for messages.
package struct SchemaSource: Sendable {
    package var schema: String
    package var properties: [UTF8Key: String]

    package init(schema: String, properties: [UTF8Key: String] = [:]) {
        self.schema = schema
        self.properties = properties
    }
}
