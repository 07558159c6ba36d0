import PalliumJSON

/// The description of a model: its properties and the rules for the whole model.
///
///     ModelSchema(Issue.self, [
///         "number": .integer.required,
///         "htmlURL": .url.json("html_url"),
///     ])
///
/// A schema is a value. It does nothing until it is registered with a ``SchemaRegistry``, which checks it together with
/// the schemas it refers to, and compiles it.
public struct ModelSchema: Sendable, Hashable {
    /// The name, unique in a registry.
    public let name: String
    /// The class whose instances the schema describes; nil for plain ``DynamicModel``s.
    public var modelClass: DynamicModel.Type?
    /// The schema's own properties in order. Inherited ones belong to the parent.
    public var properties: [Property]
    /// The parent, whose properties come first.
    public var parent: ModelReference?
    /// The version that archives store, from 1.
    public var version: Int
    /// The rule that derives JSON member names from keys.
    public var keys: KeyStrategy
    /// The keys whose values identify an instance.
    public var identity: [String]
    /// Whether models may have nothing but their identity, although other properties are required.
    ///
    /// Such a stub stands for a model that is known elsewhere, where it comes from a property that is `byIdentity`, from an
    /// import into an ``IdentityMap``, or from a store. It is valid, and neither rules for whole models nor hooks run for it.
    /// The accessors of required properties are optional, except those of the identity. An object of a document that is
    /// decoded must still be complete.
    ///
    /// The schema declares the identity, and its descendants allow stubs as well.
    public var allowsStubs: Bool
    /// Whether documents may have no other members than those of properties, clusters and ``ignored``, whatever the
    /// adapter's ``JSONAdapterOptions/unknownMembers`` says.
    ///
    /// It holds for objects that are read as models of exactly this schema, and for objects on key paths in them. Descendants
    /// say it themselves.
    public var refusesUnknownMembers: Bool
    /// Key paths of JSON members that are deliberately not mapped.
    public var ignored: [String]
    /// The rule that chooses the schema of an object among this schema's descendants.
    public var cluster: ModelCluster?
    /// Whether schemas that the cluster names may be registered later.
    ///
    ///     ModelSchema(
    ///         Shape.self, ["kind": .string],
    ///         cluster: .discriminator("kind", ["circle": "Circle", "hexagon": "Hexagon"]), isOpen: true)
    ///
    /// An adapter knows only the schemas that were registered when it was made. Objects of other schemas then count as
    /// objects of an unknown model, or of the cluster's default.
    public var isOpen: Bool
    /// Whether the models tell of their changes; see ``DynamicModel/changes(of:)``.
    ///
    /// Models of classes that conform to `Observable` do so anyway, and models of descendants do if their parent's do.
    public var isObserved: Bool
    /// Named alternative mappings to JSON.
    public var profiles: [Profile] = []
    /// The steps that upgrade archives of older versions.
    public var upgrades: [SchemaUpgrade] = []
    /// The meaning of the model, for people.
    public var documentation: String
    /// The rules about several properties. Those of the parent hold as well.
    public var rules: [Rule] = []
    /// The texts for people about broken rules.
    public internal(set) var messages: [Rule: String] = [:]
    /// The rules in Swift for the whole model.
    var validators: [ModelHook] = []
    /// The hooks that run after decoding.
    var decodingHooks: [ModelHook] = []

    /// A property and its key.
    public struct Property: Sendable, Hashable {
        /// The key, and the names in the description that Swift compares by canonical equivalence.
        private let names: [UTF8Key]
        /// The name of the property in the model.
        public var key: String { names[0].text }
        /// The description.
        public let schema: PropertySchema

        /// Pairs a key with a description.
        public init(_ key: String, _ schema: PropertySchema) {
            names = ([key] + schema.names).map { UTF8Key($0) }
            self.schema = schema
        }
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
    ///   - allowsStubs: Whether models may have nothing but their identity.
    ///   - refusesUnknownMembers: Whether documents may have no other members.
    ///   - ignored: Key paths of JSON members that are deliberately not mapped.
    ///   - cluster: The rule that chooses the schema of an object among this schema's descendants.
    ///   - isOpen: Whether schemas that the cluster names may be registered later.
    ///   - isObserved: Whether the models tell of their changes, as those of `Observable` classes do.
    ///   - version: The version that archives store.
    ///   - doc: The meaning of the model, for people.
    public init(
        _ modelClass: DynamicModel.Type, _ properties: KeyValuePairs<String, PropertySchema>, name: String? = nil,
        extends parent: ModelReference? = nil, keys: KeyStrategy = .identity, identity: [String] = [],
        allowsStubs: Bool = false, refusesUnknownMembers: Bool = false, ignored: [String] = [],
        cluster: ModelCluster? = nil, isOpen: Bool = false, isObserved: Bool = false, version: Int = 1, doc: String = ""
    ) {
        self.init(
            name ?? "\(modelClass)", properties, extends: parent, keys: keys, identity: identity,
            allowsStubs: allowsStubs, refusesUnknownMembers: refusesUnknownMembers, ignored: ignored, cluster: cluster,
            isOpen: isOpen, isObserved: isObserved, version: version, doc: doc)
        self.modelClass = modelClass
    }

    /// Describes the models of a class whose schema extends that of another class.
    public init(
        _ modelClass: DynamicModel.Type, _ properties: KeyValuePairs<String, PropertySchema>, name: String? = nil,
        extends parentClass: DynamicModel.Type, keys: KeyStrategy = .identity, identity: [String] = [],
        allowsStubs: Bool = false, refusesUnknownMembers: Bool = false, ignored: [String] = [],
        cluster: ModelCluster? = nil, isOpen: Bool = false, isObserved: Bool = false, version: Int = 1, doc: String = ""
    ) {
        self.init(
            modelClass, properties, name: name, extends: .modelClass(parentClass), keys: keys, identity: identity,
            allowsStubs: allowsStubs, refusesUnknownMembers: refusesUnknownMembers, ignored: ignored, cluster: cluster,
            isOpen: isOpen, isObserved: isObserved, version: version, doc: doc)
    }

    /// Describes models without a class of their own.
    public init(
        _ name: String, _ properties: KeyValuePairs<String, PropertySchema>, extends parent: ModelReference? = nil,
        keys: KeyStrategy = .identity, identity: [String] = [], allowsStubs: Bool = false,
        refusesUnknownMembers: Bool = false, ignored: [String] = [], cluster: ModelCluster? = nil, isOpen: Bool = false,
        isObserved: Bool = false, version: Int = 1, doc: String = ""
    ) {
        self.name = name
        self.properties = properties.map { Property($0.key, $0.value) }
        self.parent = parent
        self.keys = keys
        self.identity = identity
        self.allowsStubs = allowsStubs
        self.refusesUnknownMembers = refusesUnknownMembers
        self.ignored = ignored
        self.cluster = cluster
        self.isOpen = isOpen
        self.isObserved = isObserved
        self.version = version
        documentation = doc
    }

    /// Describes models by a list of properties made at run time.
    ///
    ///     ModelSchema.named("Row", properties: columns.map { ModelSchema.Property($0, .string) })
    public static func named(_ name: String, properties: [Property]) -> ModelSchema {
        var schema = ModelSchema(name, [:])
        schema.properties = properties
        return schema
    }
}

extension ModelSchema {
    /// Returns the schema's own property with a key; nil when there is none.
    public func property(_ key: String) -> PropertySchema? {
        properties.first { UTF8Text.equal($0.key, key) }?.schema
    }

    /// Whether the schema contains Swift code, which no document can hold.
    public var hasClosures: Bool {
        if case .resolver = cluster { return true }
        return !validators.isEmpty || !decodingHooks.isEmpty
            || properties.contains { $0.schema.hasClosures }
            || upgrades.contains { $0.hasClosures }
    }

    /// Adds a rule for the whole model. It runs after decoding, once every property is set, after merges that change the
    /// model, and in `validate()`.
    public func validate(_ check: @escaping @Sendable (DynamicModel) throws -> Void) -> ModelSchema {
        var copy = self
        copy.validators.append(ModelHook(check))
        return copy
    }

    /// Adds a hook that runs after a model was decoded from JSON or an archive, or changed by a document that was merged.
    ///
    /// It does not run after a copy or a merge of two models.
    public func didDecode(_ hook: @escaping @Sendable (DynamicModel) throws -> Void) -> ModelSchema {
        var copy = self
        copy.decodingHooks.append(ModelHook(hook))
        return copy
    }
}

extension ModelSchema {
    /// Whether the two are equal.
    public static func == (left: ModelSchema, right: ModelSchema) -> Bool {
        UTF8Text.equal(left.name, right.name) && left.modelClass == right.modelClass
            && (left.properties, left.parent, left.version) == (right.properties, right.parent, right.version)
            && (left.keys, left.identity, left.ignored) == (right.keys, right.identity, right.ignored)
            && (left.cluster, left.isOpen, left.isObserved) == (right.cluster, right.isOpen, right.isObserved)
            && left.allowsStubs == right.allowsStubs && left.refusesUnknownMembers == right.refusesUnknownMembers
            && (left.profiles, left.upgrades, left.rules) == (right.profiles, right.upgrades, right.rules)
            && (left.documentation, left.validators) == (right.documentation, right.validators)
            && left.messages == right.messages
            && left.decodingHooks == right.decodingHooks && left.names == right.names
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(UTF8Key(name))
        hasher.combine(properties.count)
        hasher.combine(version)
    }

    /// The names beside those of properties that Swift compares by canonical equivalence. In equal schemas, their bytes are.
    private var names: [[UTF8Key]] {
        var names = [identity, ignored, cluster?.paths ?? []] + rules.map(\.keys)
        for profile in profiles {
            let mappings = profile.mappings.sorted { UTF8Text.precedes($0.key, $1.key) }
            names += [[profile.name]] + mappings.map { [$0.key] + $0.value.texts }
        }
        for step in upgrades {
            let renamed = step.renamed.sorted { UTF8Text.precedes($0.key, $1.key) }.flatMap { [$0.key, $0.value] }
            let others = Array(step.defaults.keys) + step.transformed.keys + step.when.keys
            names += [[step.oldSchemaName ?? ""], step.removed, renamed, others.sorted(by: UTF8Text.precedes)]
        }
        return names.map { $0.map { UTF8Key($0) } }
    }
}

extension ModelSchema: CustomStringConvertible {
    /// The name and the number of properties.
    public var description: String {
        "\(name) (\(properties.count.counted("property", "properties"))\(parent.map { ", extends \($0)" } ?? ""))"
    }
}
