import PalliumJSON

/// The description of a model: its properties and the rules for the whole model.
///
///     ModelSchema(Issue.self, [
///         "number": .integer.required,
///         "htmlURL": .url.json("html_url"),
///     ])
///
/// A schema is a value, and copying it costs one reference. It does nothing until it is registered with a
/// ``SchemaRegistry``, which checks it together with the schemas it refers to, and compiles it.
public struct ModelSchema: Sendable, Hashable {
    /// The content of a schema, behind one reference.
    struct Content: Sendable, Hashable {
        var name: String
        var modelClass: DynamicModel.Type?
        var properties: [Property]
        var parent: ModelReference?
        var version = 1
        var keys: KeyStrategy = .identity
        var identity: [String] = []
        var ignored: [String] = []
        var cluster: ModelCluster?
        var isOpen = false
        var isObserved = false
        var profiles: [Profile] = []
        var upgrades: [SchemaUpgrade] = []
        var documentation = ""
        var rules: [Rule] = []
        var validators: [ModelHook] = []
        var decodingHooks: [ModelHook] = []

        static func == (left: Content, right: Content) -> Bool {
            UTF8Text.equal(left.name, right.name) && left.modelClass == right.modelClass
                && left.properties == right.properties && left.parent == right.parent
                && left.version == right.version && left.keys == right.keys && left.identity == right.identity
                && left.ignored == right.ignored && left.cluster == right.cluster && left.isOpen == right.isOpen
                && left.isObserved == right.isObserved && left.profiles == right.profiles
                && left.upgrades == right.upgrades && left.documentation == right.documentation
                && left.rules == right.rules && left.validators == right.validators
                && left.decodingHooks == right.decodingHooks && left.names == right.names
        }

        /// The names in parts that Swift compares by canonical equivalence. Equal schemas have the same bytes in them.
        private var names: [[UTF8Key]] {
            var names = [identity, ignored, cluster?.paths ?? []] + rules.map(\.keys) + properties.map(\.schema.names)
            for profile in profiles {
                let mappings = profile.mappings.sorted { UTF8Text.precedes($0.key, $1.key) }
                names += [[profile.name]] + mappings.map { [$0.key] + PropertySchema(.json).json($0.value).names }
            }
            for step in upgrades {
                let renamed = step.renamed.sorted { UTF8Text.precedes($0.key, $1.key) }.flatMap { [$0.key, $0.value] }
                let others = Array(step.defaults.keys) + step.transformed.keys + step.when.keys
                names += [[step.oldSchemaName ?? ""], step.removed, renamed, others.sorted(by: UTF8Text.precedes)]
            }
            return names.map { $0.map { UTF8Key($0) } }
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(UTF8Key(name))
            hasher.combine(properties.count)
            hasher.combine(version)
        }
    }

    /// A property and its key.
    public struct Property: Sendable, Hashable {
        private let name: UTF8Key
        /// The name of the property in the model.
        public var key: String { name.text }
        /// The description.
        public let schema: PropertySchema

        /// Pairs a key with a description.
        public init(_ key: String, _ schema: PropertySchema) {
            name = UTF8Key(key)
            self.schema = schema
        }
    }

    private final class Storage: Sendable {
        let content: Content
        init(_ content: Content) { self.content = content }
    }

    private var storage: Storage

    var content: Content {
        get { storage.content }
        set { storage = Storage(newValue) }
    }

    // No more than three initialisers: with a fourth, one mistake in a long literal of properties makes the compiler
    // try them in all combinations, for half a minute, and then report nothing useful.
    /// Describes the models of a class.
    ///
    /// - Parameters:
    ///   - modelClass: The class whose instances the schema describes.
    ///   - properties: The properties in order.
    ///   - name: The schema's name. By default it is the last component of the class's name; nested and generic classes
    ///     need another.
    ///   - extends: The parent, whose properties come first: a name or a class.
    ///   - keys: The rule that derives JSON member names from keys.
    ///   - identity: The keys whose values identify an instance.
    ///   - ignored: Key paths of JSON members that are deliberately not mapped.
    ///   - cluster: The rule that chooses the schema of an object among this schema's descendants.
    ///   - isOpen: Whether schemas that the cluster names may be registered later.
    ///   - isObserved: Whether the models tell of their changes, as those of `Observable` classes do.
    ///   - version: The version that archives store.
    ///   - doc: The meaning of the model, for people.
    public init(
        _ modelClass: DynamicModel.Type, _ properties: KeyValuePairs<String, PropertySchema>, name: String? = nil,
        extends parent: ModelReference? = nil, keys: KeyStrategy = .identity, identity: [String] = [],
        ignored: [String] = [], cluster: ModelCluster? = nil, isOpen: Bool = false, isObserved: Bool = false,
        version: Int = 1, doc: String = ""
    ) {
        self.init(
            name ?? "\(modelClass)", properties, extends: parent, keys: keys, identity: identity,
            ignored: ignored, cluster: cluster, isOpen: isOpen, isObserved: isObserved, version: version, doc: doc)
        content.modelClass = modelClass
    }

    /// Describes the models of a class whose schema extends that of another class.
    public init(
        _ modelClass: DynamicModel.Type, _ properties: KeyValuePairs<String, PropertySchema>, name: String? = nil,
        extends parentClass: DynamicModel.Type, keys: KeyStrategy = .identity, identity: [String] = [],
        ignored: [String] = [], cluster: ModelCluster? = nil, isOpen: Bool = false, isObserved: Bool = false,
        version: Int = 1, doc: String = ""
    ) {
        self.init(
            modelClass, properties, name: name, extends: .modelClass(parentClass), keys: keys, identity: identity,
            ignored: ignored, cluster: cluster, isOpen: isOpen, isObserved: isObserved, version: version, doc: doc)
    }

    /// Describes models without a class of their own.
    public init(
        _ name: String, _ properties: KeyValuePairs<String, PropertySchema>, extends parent: ModelReference? = nil,
        keys: KeyStrategy = .identity, identity: [String] = [], ignored: [String] = [], cluster: ModelCluster? = nil,
        isOpen: Bool = false, isObserved: Bool = false, version: Int = 1, doc: String = ""
    ) {
        var content = Content(name: name, properties: properties.map { Property($0.key, $0.value) })
        content.parent = parent
        content.keys = keys
        content.identity = identity
        content.ignored = ignored
        content.cluster = cluster
        content.isOpen = isOpen
        content.isObserved = isObserved
        content.version = version
        content.documentation = doc
        storage = Storage(content)
    }

    /// Describes models by a list of properties made at run time.
    ///
    ///     ModelSchema.named("Row", properties: columns.map { ModelSchema.Property($0, .string) })
    public static func named(_ name: String, properties: [Property]) -> ModelSchema {
        var schema = ModelSchema(name, [:])
        schema.properties = properties
        return schema
    }

    /// Whether the two are equal.
    public static func == (left: ModelSchema, right: ModelSchema) -> Bool {
        left.storage === right.storage || left.content == right.content
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(content) }
}

extension ModelSchema {
    /// The name, unique in a registry.
    public var name: String { content.name }

    /// The class whose instances the schema describes; nil for plain ``DynamicModel``s.
    public var modelClass: DynamicModel.Type? {
        get { content.modelClass }
        set { content.modelClass = newValue }
    }

    /// The schema's own properties in order. Inherited ones belong to the parent.
    public var properties: [Property] {
        get { content.properties }
        set { content.properties = newValue }
    }

    /// The parent, whose properties come first.
    public var parent: ModelReference? {
        get { content.parent }
        set { content.parent = newValue }
    }

    /// The version that archives store, from 1.
    public var version: Int {
        get { content.version }
        set { content.version = newValue }
    }

    /// The rule that derives JSON member names from keys.
    public var keys: KeyStrategy {
        get { content.keys }
        set { content.keys = newValue }
    }

    /// The keys whose values identify an instance.
    public var identity: [String] {
        get { content.identity }
        set { content.identity = newValue }
    }

    /// Key paths of JSON members that are deliberately not mapped.
    public var ignored: [String] {
        get { content.ignored }
        set { content.ignored = newValue }
    }

    /// The rule that chooses the schema of an object among this schema's descendants.
    public var cluster: ModelCluster? {
        get { content.cluster }
        set { content.cluster = newValue }
    }

    /// Whether schemas that the cluster names may be registered later.
    ///
    ///     ModelSchema(
    ///         Shape.self, ["kind": .string],
    ///         cluster: .discriminator("kind", ["circle": "Circle", "hexagon": "Hexagon"]), isOpen: true)
    ///
    /// An adapter knows only the schemas that were registered when it was made. Objects of other schemas then count as
    /// objects of an unknown model, or of the cluster's default.
    public var isOpen: Bool {
        get { content.isOpen }
        set { content.isOpen = newValue }
    }

    /// Whether the models tell of their changes; see ``DynamicModel/changes(of:)``.
    ///
    /// Models of classes that conform to `Observable` do so anyway, and models of descendants do if their parent's do.
    public var isObserved: Bool {
        get { content.isObserved }
        set { content.isObserved = newValue }
    }

    /// Named alternative mappings to JSON.
    public var profiles: [Profile] {
        get { content.profiles }
        set { content.profiles = newValue }
    }

    /// The steps that upgrade archives of older versions.
    public var upgrades: [SchemaUpgrade] {
        get { content.upgrades }
        set { content.upgrades = newValue }
    }

    /// The meaning of the model, for people.
    public var documentation: String {
        get { content.documentation }
        set { content.documentation = newValue }
    }

    /// Returns the schema's own property with a key; nil when there is none.
    public func property(_ key: String) -> PropertySchema? {
        properties.first { UTF8Text.equal($0.key, key) }?.schema
    }

    /// Whether the schema contains Swift code, which no document can hold.
    public var hasClosures: Bool {
        if case .resolver = cluster { return true }
        return !content.validators.isEmpty || !content.decodingHooks.isEmpty
            || properties.contains { $0.schema.hasClosures }
            || upgrades.contains { $0.hasClosures }
    }

    /// Adds a rule for the whole model. It runs after decoding, once every property is set, after merges that change the
    /// model, and in `validate()`.
    public func validate(_ check: @escaping @Sendable (DynamicModel) throws -> Void) -> ModelSchema {
        var copy = self
        copy.content.validators.append(ModelHook(check))
        return copy
    }

    /// Adds a hook that runs after a model was decoded from JSON or an archive, or changed by a document that was merged.
    ///
    /// It does not run after a copy or a merge of two models.
    public func didDecode(_ hook: @escaping @Sendable (DynamicModel) throws -> Void) -> ModelSchema {
        var copy = self
        copy.content.decodingHooks.append(ModelHook(hook))
        return copy
    }
}

extension ModelSchema: CustomStringConvertible {
    /// The name and the number of properties.
    public var description: String {
        "\(name) (\(properties.count.counted("property", "properties"))\(parent.map { ", extends \($0)" } ?? ""))"
    }
}
