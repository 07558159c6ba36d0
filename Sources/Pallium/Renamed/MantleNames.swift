public import PalliumCore

// The names that users of Mantle 2 type first, declared unavailable, so that the compiler suggests the new names. They
// are spelled as Swift imports them.
//
// Members of models are in an extension of the protocol that models conform to, not of the class. So a subclass may
// have an accessor `modelVersion`, and override it in turn, as if that name did not exist. Their types are those that
// Mantle's have in Swift, so that they hardly ever satisfy another protocol.

// MARK: Types

/// Mantle's base class.
@available(*, unavailable, renamed: "DynamicModel")
public typealias MTLModel = DynamicModel

/// Mantle's adapter.
@available(*, unavailable, renamed: "JSONAdapter")
public typealias MTLJSONAdapter = JSONAdapter

/// Mantle's transformer of blocks.
@available(*, unavailable, renamed: "Transformer")
public typealias MTLValueTransformer = Transformer

/// Mantle's protocol of models with a JSON mapping.
@available(
    *, unavailable,
    message: "a subclass of DynamicModel needs no protocol; its ModelSchema says where properties live in JSON"
)
public protocol MTLJSONSerializing {}

// MARK: Constants

/// The name of the transformer between text and URLs.
@available(*, unavailable, renamed: "URLTransformerName")
public var MTLURLValueTransformerName: TransformerName { neverCalled() }

/// The name of the transformer between numbers and booleans.
@available(*, unavailable, renamed: "BooleanTransformerName")
public var MTLBooleanValueTransformerName: TransformerName { neverCalled() }

// MARK: Models

extension PropertyValue where Self: DynamicModel {
    /// Values by key.
    @available(*, unavailable, renamed: "values")
    public var dictionaryValue: [AnyHashable: Any]! { neverCalled() }

    /// Makes a model from values by key.
    @available(*, unavailable, message: "use init(values:) for values by key and JSONAdapter for JSON")
    public init(dictionary: [AnyHashable: Any]?) throws { neverCalled() }

    /// Copies the values of another model.
    @available(*, unavailable, renamed: "merge(from:)")
    public func mergeValues(forKeysFrom model: DynamicModel?) { neverCalled() }

    /// Copies one value of another model.
    @available(*, unavailable, renamed: "merge(_:from:)")
    public func mergeValue(forKey key: String, from model: DynamicModel?) { neverCalled() }

    /// The storage of a property.
    @available(*, unavailable, message: "say it in the ModelSchema: .storage(.transitory)")
    public static func storageBehaviorForProperty(withKey key: String) -> PropertySchema.Storage { neverCalled() }

    /// The mapping of properties to JSON.
    @available(
        *, unavailable,
        message:
            "say in the ModelSchema where a property lives in JSON: .json(\"user.login\"); its own key is the default"
    )
    public static func jsonKeyPathsByPropertyKey() -> [AnyHashable: Any]! { neverCalled() }

    /// The transformer of a property.
    @available(
        *, unavailable,
        message: "name the transformer in the ModelSchema: .date.transformer(ISO8601DateTransformerName)"
    )
    public static func jsonTransformer(forKey key: String) -> Transformer? { neverCalled() }

    /// The class for a piece of JSON.
    @available(*, unavailable, message: "give the ModelSchema a cluster: .discriminator, .rules or .resolver")
    public static func `class`(forParsingJSONDictionary dictionary: [AnyHashable: Any]) -> AnyClass? { neverCalled() }

    /// The version of the class in archives.
    @available(*, unavailable, message: "give the ModelSchema a version; a model's is schema.version")
    public static func modelVersion() -> UInt { neverCalled() }

    /// The archiving of properties.
    @available(*, unavailable, message: "say it in the ModelSchema: .archive(.excluded)")
    public static func encodingBehaviorsByPropertyKey() -> [AnyHashable: Any]! { neverCalled() }

    /// Reads one value of an older archive.
    @available(
        *, unavailable, message: "give the ModelSchema upgrades; see SchemaUpgrade and PropertySchema.unarchived(_:)"
    )
    public func decodeValue(forKey key: String, with coder: Any, modelVersion: Int) -> Any? { neverCalled() }
}

// MARK: Adapters

extension JSONAdapter where Model == DynamicModel {
    /// Decodes a model.
    @available(*, unavailable, message: "make a JSONAdapter(Issue.self), keep it, and call model(from:)")
    public static func model(of modelClass: AnyClass, fromJSONDictionary dictionary: [AnyHashable: Any]?) throws -> Any
    { neverCalled() }

    /// Decodes models.
    @available(*, unavailable, message: "make a JSONAdapter(Issue.self), keep it, and call models(from:)")
    public static func models(of modelClass: AnyClass, fromJSONArray array: [Any]?) throws -> [Any] { neverCalled() }

    /// Writes a model.
    @available(
        *, unavailable, message: "make a JSONAdapter(Issue.self), keep it, and call data(from:) or jsonObject(from:)"
    )
    public static func jsonDictionary(fromModel model: DynamicModel?) throws -> [AnyHashable: Any] { neverCalled() }

    /// Writes models.
    @available(*, unavailable, message: "make a JSONAdapter(Issue.self), keep it, and call data(from:)")
    public static func jsonArray(fromModels models: [DynamicModel]?) throws -> [Any] { neverCalled() }

    /// The transformer between JSON and models.
    @available(*, unavailable, message: "a property of the kind .model(Issue.self) needs no transformer")
    public static func dictionaryTransformer(withModelClass modelClass: AnyClass) -> Transformer { neverCalled() }

    /// The transformer between JSON and arrays of models.
    @available(*, unavailable, message: "a property of the kind .array(of: .model(Issue.self)) needs no transformer")
    public static func arrayTransformer(withModelClass modelClass: AnyClass) -> Transformer { neverCalled() }
}

extension JSONAdapter {
    /// Makes an adapter.
    @available(*, unavailable, renamed: "init(_:profile:registry:options:)")
    public init(modelClass: Model.Type) { neverCalled() }
}

// MARK: Transformers

extension Transformer {
    /// Makes a transformer of blocks.
    @available(*, unavailable, renamed: "init(from:to:forward:reverse:)")
    public convenience init(usingForwardBlock forward: (Any?) -> Any?) { neverCalled() }

    /// Makes a transformer of blocks.
    @available(*, unavailable, renamed: "init(from:to:forward:reverse:)")
    public convenience init(usingForwardBlock forward: (Any?) -> Any?, reverseBlock: (Any?) -> Any?) { neverCalled() }

    /// Converts a value.
    @available(*, unavailable, renamed: "transform(_:as:context:)")
    public func transformedValue(_ value: Any?) -> Any? { neverCalled() }

    /// Converts a value back.
    @available(*, unavailable, renamed: "reverse(_:as:context:)")
    public func reverseTransformedValue(_ value: Any?) -> Any? { neverCalled() }

    /// Makes a transformer of a table.
    @available(*, unavailable, renamed: "mapping(_:default:reverseDefault:)")
    public static func mtl_valueMappingTransformer(with dictionary: [AnyHashable: Any]) -> Transformer { neverCalled() }

    /// Makes a transformer of the elements of arrays.
    @available(*, unavailable, renamed: "each()")
    public static func mtl_arrayMappingTransformer(with transformer: Transformer) -> Transformer { neverCalled() }
}

/// The body of declarations that cannot be called.
///
/// The compiler refuses every use of an unavailable declaration, so this never runs.
private func neverCalled() -> Never { fatalError("an unavailable name was called") }
