import Foundation
import PalliumJSON

/// A set of registered schemas, found by name and by class.
///
/// An application registers its schemas with ``shared`` when it starts; tests and libraries make registries of their
/// own. Registering registers all schemas or none, and reports every problem at once.
///
/// A registered schema cannot be removed. If your schemas change at run time, make a registry for each set and release
/// it: models, adapters, frozen views, identities and reports of changes keep their registry as long as they live.
///
///     try SchemaRegistry.shared.register(
///         ModelSchema(User.self, ["login": .string.required]),
///         ModelSchema(Issue.self, ["number": .integer.required, "assignee": .model(User.self)])
///     )
public final class SchemaRegistry: Sendable {
    /// The application's registry.
    public static let shared = SchemaRegistry(transformers: .shared, mergers: .shared, formats: .shared)

    /// The transformers, which schemas refer to by name.
    public let transformers: TransformerRegistry
    /// The mergers, which merge policies refer to by name.
    public let mergers: MergerRegistry
    /// The formats of text, which rules refer to by name.
    public let formats: FormatRegistry

    struct State: Sendable {
        var layouts: [UTF8Key: ModelLayout] = [:]
        var layoutsByClass: [ObjectIdentifier: ModelLayout] = [:]
        var customKinds: [UTF8Key: PropertyKind.Custom] = [:]
        /// The names in the order of registration.
        var names: [String] = []
        /// The layouts that extend each schema directly.
        var children: [UTF8Key: [ModelLayout]] = [:]
        /// The schemas with an open cluster.
        var openClusters: [UTF8Key] = []
        /// The current names of renamed schemas, by former name.
        var formerNames: [UTF8Key: [String]] = [:]
        /// The threads that are compiling schemas.
        var compilingThreads: Set<ObjectIdentifier> = []
        /// The products that were compiled from these schemas.
        var compiled = CompiledSchemas(generation: 0)

        /// Adds schemas, and returns the products that were compiled without them.
        mutating func add(_ made: [ModelLayout], order: [String]) -> CompiledSchemas {
            let replaced = compiled
            if made.isEmpty { return replaced }
            compiled = CompiledSchemas(generation: replaced.generation + 1)
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
            // A name that occurs twice counts once.
            names += order.filter { new.remove(UTF8Key($0)) != nil }
            return replaced
        }
    }

    private let state = Lock(State())
    /// The products that other modules have compiled from the present schemas; another object after each registration.
    package var compiled: CompiledSchemas { state.withLock(\.compiled) }

    /// Makes an empty registry.
    public init(
        transformers: TransformerRegistry = TransformerRegistry(), mergers: MergerRegistry = MergerRegistry(),
        formats: FormatRegistry = FormatRegistry()
    ) {
        self.formats = formats
        self.transformers = transformers
        self.mergers = mergers
    }

    /// Runs when no model and no other holder of the registry is left, so nothing refers to its layouts.
    deinit { ModelLayout.discard(state.withLock { Array($0.layouts.values) }) }

    /// Registers schemas, which may refer to one another and to schemas that are registered already.
    ///
    /// Registering an equal schema again does nothing.
    ///
    /// Your transformers run when they convert default values, and may run several times when threads register at the
    /// same time. They can use registered schemas, but must not register anything with the same registry.
    ///
    /// - Throws: ``SchemaError`` with every problem; nothing is registered then.
    /// - Complexity: O(*n*) in the number of properties.
    public func register(_ schemas: ModelSchema...) throws(SchemaError) { try register(schemas) }

    /// Registers schemas, which may refer to one another and to schemas that are registered already.
    ///
    /// - Throws: ``SchemaError`` with every problem; nothing is registered then.
    public func register(_ schemas: [ModelSchema]) throws(SchemaError) {
        // The lock is held only for publishing, because your transformers run while default values are converted and
        // released. If another thread publishes meanwhile, everything is compiled again.
        while true {
            let (made, problems, registeredCount) = try compile(schemas)
            let replaced = state.withLock { state -> CompiledSchemas? in
                guard problems.isEmpty, state.names.count == registeredCount else { return nil }
                return state.add(made, order: schemas.map(\.name))
            }
            // What ends with the plans may use the registry, so they are released after the lock is open. Optimised
            // code would otherwise release them earlier.
            if let replaced { return withExtendedLifetime(replaced) {} }
            ModelLayout.discard(made)
            if !problems.isEmpty { throw SchemaError(problems) }
        }
    }

    /// Compiles schemas against the registered ones, and returns the number of those.
    ///
    /// Nothing is ever removed, so an equal number means an equal state. The copy of the state is released before the
    /// state changes.
    ///
    /// - Throws: ``SchemaError`` when this thread is compiling schemas already: a schema that registers itself would
    ///   never end.
    private func compile(
        _ schemas: [ModelSchema]
    ) throws(SchemaError) -> (made: [ModelLayout], problems: [SchemaError.Problem], registeredCount: Int) {
        let thread = ObjectIdentifier(Thread.current)
        let current = state.withLock { $0.compilingThreads.insert(thread).inserted ? $0 : nil }
        guard let current else {
            throw SchemaError([
                SchemaError.Problem(
                    message: "schemas are registered while the default of another is converted",
                    fix: "register them before, or outside of the transformer")
            ])
        }
        defer { _ = state.withLock { $0.compilingThreads.remove(thread) } }
        var compiler = SchemaCompiler(
            state: current, transformers: transformers, mergers: mergers, formats: formats, registry: self)
        compiler.compile(schemas)
        return (compiler.made, compiler.problems, current.names.count)
    }

    /// Returns the layouts that extend a layout directly.
    package func children(of layout: ModelLayout) -> [ModelLayout] {
        state.withLock { $0.children[UTF8Key(layout.schema.name)] ?? [] }
    }

    /// Returns the layouts that extend a layout, directly or not, parents before their children.
    package func descendants(of layout: ModelLayout) -> [ModelLayout] {
        state.withLock { state in
            var found = state.children[UTF8Key(layout.schema.name)] ?? []
            var next = 0
            while next < found.count {
                found += state.children[UTF8Key(found[next].schema.name)] ?? []
                next += 1
            }
            return found
        }
    }

    /// Registers a Swift type as a kind, so that schema documents can name it.
    ///
    /// - Throws: ``SchemaError`` when the library or another type has the name.
    public func register(_ kind: PropertyKind.Custom) throws(SchemaError) {
        let isTaken = state.withLock { state in
            if let existing = state.customKinds[UTF8Key(kind.name)] { return existing != kind }
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

    /// Returns a registry with the same kinds, transformers, mergers and formats, to try something with.
    ///
    /// - Parameter schemas: The schemas; the same ones by default.
    package func copy(with schemas: [ModelSchema]? = nil) throws(SchemaError) -> SchemaRegistry {
        let copy = SchemaRegistry(transformers: transformers, mergers: mergers, formats: formats)
        for kind in state.withLock({ Array($0.customKinds.values) }) { try copy.register(kind) }
        try copy.register(schemas ?? self.schemas)
        return copy
    }

    /// Returns the custom kind with a name.
    package func customKind(named name: String) -> PropertyKind.Custom? {
        state.withLock { $0.customKinds[UTF8Key(name)] }
    }

    /// The names of the custom kinds, sorted.
    package var customKindNames: [String] {
        state.withLock { $0.customKinds.keys.map(\.text).sorted(by: UTF8Text.precedes) }
    }

    /// Returns the registered schema with a name.
    ///
    /// - Throws: ``ModelError`` with the code `unknownSchema`, which suggests a similar name.
    public func schema(named name: String) throws(ModelError) -> ModelSchema { try layout(named: name).schema }

    /// Returns the registered schema of a class.
    ///
    /// - Throws: ``ModelError`` with the code `unknownSchema`.
    public func schema(for modelClass: DynamicModel.Type) throws(ModelError) -> ModelSchema {
        try layout(.modelClass(modelClass)).schema
    }

    /// All registered schemas, in the order of registration.
    public var schemas: [ModelSchema] {
        state.withLock { state in state.names.compactMap { state.layouts[UTF8Key($0)]?.schema } }
    }

    /// Returns the compiled schema with a name.
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

    /// Returns the compiled schema of exactly this class; nil when there is none.
    package func layout(for modelClass: DynamicModel.Type) -> ModelLayout? {
        state.withLock { $0.layoutsByClass[ObjectIdentifier(modelClass)] }
    }

    /// Returns the compiled form of a schema; nil when it was not registered, or not with this content.
    package func layout(for schema: ModelSchema) -> ModelLayout? {
        guard let layout = state.withLock({ $0.layouts[UTF8Key(schema.name)] }), layout.schema == schema else {
            return nil
        }
        return layout
    }
}
