import PalliumJSON

/// The description of a model: its properties and everything that is derived from them.
///
///     ModelSchema(Issue.self, [
///         "number": .integer.required,
///         "htmlURL": .url.json("html_url"),
///     ])
///
/// A schema is a value. It does nothing until it is registered with a ``SchemaRegistry``, which checks it, together with
/// the schemas it refers to, and compiles it. Copying a schema costs one reference.
public struct ModelSchema: Sendable, Hashable {
    /// What a schema says, behind one reference.
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
        var profiles: [JSONProfile] = []
        var upgrades: [SchemaUpgrade] = []
        var documentation = ""
        var validators: [ModelHook] = []
        var decodingHooks: [ModelHook] = []

        static func == (left: Content, right: Content) -> Bool {
            UTF8Text.equal(left.name, right.name) && left.modelClass == right.modelClass
                && left.properties == right.properties && left.parent == right.parent
                && left.version == right.version && left.keys == right.keys && left.identity == right.identity
                && left.ignored == right.ignored && left.cluster == right.cluster && left.isOpen == right.isOpen
                && left.profiles == right.profiles
                && left.upgrades == right.upgrades && left.documentation == right.documentation
                && left.validators == right.validators && left.decodingHooks == right.decodingHooks
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(UTF8Key(name))
            hasher.combine(properties.count)
            hasher.combine(version)
        }
    }

    /// A property and its key.
    public struct Property: Sendable, Hashable {
        /// The name of the property in the model.
        public let key: String
        /// The description.
        public let schema: PropertySchema

        /// Pairs a key with a description.
        public init(_ key: String, _ schema: PropertySchema) {
            self.key = key
            self.schema = schema
        }

        /// Whether the two say the same.
        public static func == (left: Property, right: Property) -> Bool {
            UTF8Text.equal(left.key, right.key) && left.schema == right.schema
        }

        /// Mixes what `==` compares.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(UTF8Key(key))
            hasher.combine(schema)
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

    // Three initialisers and no more: with a fourth, of whatever labels, one mistake in a long literal of properties makes
    // the compiler try the properties in all combinations, for half a minute, and then say nothing useful.
    /// Describes the models of a class.
    ///
    /// - Parameters:
    ///   - modelClass: The class whose instances the schema describes.
    ///   - properties: The properties in order.
    ///   - name: The schema's name; the class's last name component unless given, which nested and generic classes need.
    ///   - extends: The parent, whose properties come first: a name or a class.
    ///   - keys: How keys become JSON member names.
    ///   - identity: The keys that tell one instance from another.
    ///   - ignored: Key paths of JSON members that are known and deliberately not mapped.
    ///   - cluster: How the schema of an object is chosen among this one's descendants.
    ///   - isOpen: Whether schemas that the cluster names may be registered later.
    ///   - version: The version that archives carry.
    ///   - doc: What the model means, for people.
    public init(
        _ modelClass: DynamicModel.Type, _ properties: KeyValuePairs<String, PropertySchema>, name: String? = nil,
        extends parent: ModelReference? = nil, keys: KeyStrategy = .identity, identity: [String] = [],
        ignored: [String] = [], cluster: ModelCluster? = nil, isOpen: Bool = false, version: Int = 1, doc: String = ""
    ) {
        self.init(
            name ?? Self.lastComponent(of: modelClass), properties, extends: parent, keys: keys, identity: identity,
            ignored: ignored, cluster: cluster, isOpen: isOpen, version: version, doc: doc)
        content.modelClass = modelClass
    }

    /// Describes the models of a class whose schema extends that of another class.
    public init(
        _ modelClass: DynamicModel.Type, _ properties: KeyValuePairs<String, PropertySchema>, name: String? = nil,
        extends parentClass: DynamicModel.Type, keys: KeyStrategy = .identity, identity: [String] = [],
        ignored: [String] = [], cluster: ModelCluster? = nil, isOpen: Bool = false, version: Int = 1, doc: String = ""
    ) {
        self.init(
            modelClass, properties, name: name, extends: .modelClass(parentClass), keys: keys, identity: identity,
            ignored: ignored, cluster: cluster, isOpen: isOpen, version: version, doc: doc)
    }

    /// Describes models without a class of their own.
    public init(
        _ name: String, _ properties: KeyValuePairs<String, PropertySchema>, extends parent: ModelReference? = nil,
        keys: KeyStrategy = .identity, identity: [String] = [], ignored: [String] = [], cluster: ModelCluster? = nil,
        isOpen: Bool = false, version: Int = 1, doc: String = ""
    ) {
        var content = Content(name: name, properties: properties.map { Property($0.key, $0.value) })
        content.parent = parent
        content.keys = keys
        content.identity = identity
        content.ignored = ignored
        content.cluster = cluster
        content.isOpen = isOpen
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

    /// `Module.Outer.Issue` is called `Issue`.
    static func lastComponent(of modelClass: DynamicModel.Type) -> String { "\(modelClass)" }

    /// Whether the two say the same.
    public static func == (left: ModelSchema, right: ModelSchema) -> Bool {
        left.storage === right.storage || left.content == right.content
    }

    /// Mixes what `==` compares.
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

    /// The schema's own properties in order; inherited ones are the parent's.
    public var properties: [Property] {
        get { content.properties }
        set { content.properties = newValue }
    }

    /// The parent, whose properties come first.
    public var parent: ModelReference? {
        get { content.parent }
        set { content.parent = newValue }
    }

    /// The version that archives carry, from 1.
    public var version: Int {
        get { content.version }
        set { content.version = newValue }
    }

    /// How keys become JSON member names.
    public var keys: KeyStrategy {
        get { content.keys }
        set { content.keys = newValue }
    }

    /// The keys that tell one instance from another.
    public var identity: [String] {
        get { content.identity }
        set { content.identity = newValue }
    }

    /// Key paths of JSON members that are known and deliberately not mapped.
    public var ignored: [String] {
        get { content.ignored }
        set { content.ignored = newValue }
    }

    /// How the schema of an object is chosen among this one's descendants.
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
    /// An adapter knows the ones that were registered when it was made; to it, objects of the others are of an unknown
    /// model, or of the cluster's default.
    public var isOpen: Bool {
        get { content.isOpen }
        set { content.isOpen = newValue }
    }

    /// Named alternative mappings to JSON.
    public var profiles: [JSONProfile] {
        get { content.profiles }
        set { content.profiles = newValue }
    }

    /// How archives of older versions become the present one.
    public var upgrades: [SchemaUpgrade] {
        get { content.upgrades }
        set { content.upgrades = newValue }
    }

    /// What the model means, for people.
    public var documentation: String {
        get { content.documentation }
        set { content.documentation = newValue }
    }

    /// The schema's own property with a key, or nil.
    public func property(_ key: String) -> PropertySchema? {
        properties.first { UTF8Text.equal($0.key, key) }?.schema
    }

    /// Whether something in the schema is Swift code, which no document can hold.
    public var hasClosures: Bool {
        if case .resolver = cluster { return true }
        return !content.validators.isEmpty || !content.decodingHooks.isEmpty
            || properties.contains { !$0.schema.validators.isEmpty || $0.schema.storedValueHook != nil }
            || upgrades.contains { $0.conversion != nil }
    }

    /// Adds a rule over the whole model. It runs after decoding, once every property is set, and in `validate()`.
    public func validate(_ check: @escaping @Sendable (DynamicModel) throws -> Void) -> ModelSchema {
        var copy = self
        copy.content.validators.append(ModelHook(check))
        return copy
    }

    /// Adds a hook that runs once a model came from JSON or an archive; not after a copy.
    public func didDecode(_ hook: @escaping @Sendable (DynamicModel) throws -> Void) -> ModelSchema {
        var copy = self
        copy.content.decodingHooks.append(ModelHook(hook))
        return copy
    }
}

extension ModelSchema: CustomStringConvertible {
    /// The name and the number of properties.
    public var description: String {
        "\(name) (\(properties.count) properties\(parent.map { ", extends \($0)" } ?? ""))"
    }
}
