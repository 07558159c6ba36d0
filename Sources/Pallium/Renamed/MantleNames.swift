public import PalliumCore

// The names that people who come from Mantle 2 type first, so that the compiler answers with the new one. Both spellings are
// here where they differ: Objective-C's and the one under which Swift imports it. The compiler refuses every use.
//
// Members of models belong to an extension of the protocol that models conform to, not of the class: a subclass may have
// an accessor `modelVersion`, and override it in turn, as if there were nothing of that name. Their types are those that
// Mantle's have in Swift, so that they are hardly ever what another protocol asks for.

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

/// Mantle's kinds of storage.
@available(*, unavailable, renamed: "PropertyStorage")
public typealias MTLPropertyStorage = PropertyStorage

/// Mantle's ways of archiving a property.
@available(*, unavailable, renamed: "ArchiveBehavior")
public typealias MTLModelEncodingBehavior = ArchiveBehavior

/// Mantle's protocol of models with a JSON mapping.
@available(
    *, unavailable,
    message: "a subclass of DynamicModel needs no protocol; its ModelSchema says where properties live in JSON"
)
public protocol MTLJSONSerializing {}

/// Mantle's protocol of transformers that report errors.
@available(*, unavailable, message: "every Transformer throws what its closures throw")
public protocol MTLTransformerErrorHandling {}

// MARK: Constants

/// The name of the transformer between text and URLs.
@available(*, unavailable, renamed: "URLTransformerName")
public var MTLURLValueTransformerName: TransformerName { neverCalled() }

/// The name of the transformer between text and UUIDs.
@available(*, unavailable, renamed: "UUIDTransformerName")
public var MTLUUIDValueTransformerName: TransformerName { neverCalled() }

/// The name of the transformer between numbers and booleans.
@available(*, unavailable, renamed: "BooleanTransformerName")
public var MTLBooleanValueTransformerName: TransformerName { neverCalled() }

/// A kind of storage.
@available(*, unavailable, renamed: "PropertyStorage.notStored")
public var MTLPropertyStorageNone: PropertyStorage { neverCalled() }

/// A kind of storage.
@available(*, unavailable, renamed: "PropertyStorage.transitory")
public var MTLPropertyStorageTransitory: PropertyStorage { neverCalled() }

/// A kind of storage.
@available(*, unavailable, renamed: "PropertyStorage.permanent")
public var MTLPropertyStoragePermanent: PropertyStorage { neverCalled() }

/// A way of archiving a property.
@available(*, unavailable, renamed: "ArchiveBehavior.excluded")
public var MTLModelEncodingBehaviorExcluded: ArchiveBehavior { neverCalled() }

/// A way of archiving a property.
@available(*, unavailable, renamed: "ArchiveBehavior.included")
public var MTLModelEncodingBehaviorUnconditional: ArchiveBehavior { neverCalled() }

/// A way of archiving a property.
@available(*, unavailable, renamed: "ArchiveBehavior.conditional")
public var MTLModelEncodingBehaviorConditional: ArchiveBehavior { neverCalled() }

/// The domain of the adapter's errors.
@available(*, unavailable, message: "catch ModelError and look at its code")
public var MTLJSONAdapterErrorDomain: String { neverCalled() }

/// The domain of the transformers' errors.
@available(*, unavailable, message: "catch ModelError and look at its code")
public var MTLTransformerErrorHandlingErrorDomain: String { neverCalled() }

/// A code of the adapter's errors.
@available(*, unavailable, renamed: "ModelError.Code.unknownModel")
public var MTLJSONAdapterErrorNoClassFound: ModelError.Code { neverCalled() }

/// A code of the adapter's errors.
@available(*, unavailable, renamed: "ModelError.Code.typeMismatch")
public var MTLJSONAdapterErrorInvalidJSONDictionary: ModelError.Code { neverCalled() }

/// A code of the adapter's errors.
@available(
    *, unavailable,
    message: "mistakes in a mapping are reported by SchemaRegistry.register, all at once, as a SchemaError"
)
public var MTLJSONAdapterErrorInvalidJSONMapping: Int { neverCalled() }

/// The code of the transformers' errors.
@available(*, unavailable, renamed: "ModelError.Code.transformerFailed")
public var MTLTransformerErrorHandlingErrorInvalidInput: ModelError.Code { neverCalled() }

/// Where the transformers' errors keep what they were given.
@available(*, unavailable, renamed: "ModelError.found")
public var MTLTransformerErrorHandlingInputValueErrorKey: String { neverCalled() }

/// Compares objects that may be nil.
@available(*, unavailable, message: "use ==")
public func MTLEqualObjects(_ left: Any?, _ right: Any?) -> Bool { neverCalled() }

// MARK: Models

extension PropertyValue where Self: DynamicModel {
    /// Values by key.
    @available(*, unavailable, renamed: "values")
    public var dictionaryValue: [AnyHashable: Any]! { neverCalled() }

    /// Makes a model from values by key.
    @available(*, unavailable, message: "use init(values:) for values by key and JSONAdapter for JSON")
    public init(dictionary: [AnyHashable: Any]?) throws { neverCalled() }

    /// Makes a model from values by key.
    @available(*, unavailable, message: "use init(values:) for values by key and JSONAdapter for JSON")
    public static func modelWithDictionary(_ dictionary: [AnyHashable: Any]?) throws -> Self { neverCalled() }

    /// The keys of the properties.
    @available(*, unavailable, message: "the keys are those of schema.properties")
    public static func propertyKeys() -> Set<String>! { neverCalled() }

    /// Takes over the values of another model.
    @available(*, unavailable, renamed: "merge(from:)")
    public func mergeValuesForKeysFromModel(_ model: DynamicModel?) { neverCalled() }

    /// Takes over the values of another model.
    @available(*, unavailable, renamed: "merge(from:)")
    public func mergeValuesForKeys(from model: DynamicModel?) { neverCalled() }

    /// Takes over the values of another model.
    @available(*, unavailable, renamed: "merge(from:)")
    public func mergeValues(forKeysFrom model: DynamicModel?) { neverCalled() }

    /// Takes over one value of another model.
    @available(*, unavailable, renamed: "merge(_:from:)")
    public func mergeValueForKey(_ key: String, fromModel model: DynamicModel?) { neverCalled() }

    /// Takes over one value of another model.
    @available(*, unavailable, renamed: "merge(_:from:)")
    public func mergeValue(forKey key: String, from model: DynamicModel?) { neverCalled() }

    /// How a property is stored.
    @available(*, unavailable, message: "say it in the ModelSchema: .storage(.transitory)")
    public static func storageBehaviorForPropertyWithKey(_ key: String) -> PropertyStorage { neverCalled() }

    /// How a property is stored.
    @available(*, unavailable, message: "say it in the ModelSchema: .storage(.transitory)")
    public static func storageBehaviorForProperty(withKey key: String) -> PropertyStorage { neverCalled() }

    /// Where properties live in JSON.
    @available(
        *, unavailable,
        message:
            "say in the ModelSchema where a property lives in JSON: .json(\"user.login\"); its own key is the default"
    )
    public static func JSONKeyPathsByPropertyKey() -> [AnyHashable: Any]! { neverCalled() }

    /// Where properties live in JSON.
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
    public static func JSONTransformerForKey(_ key: String) -> Transformer? { neverCalled() }

    /// The transformer of a property.
    @available(
        *, unavailable,
        message: "name the transformer in the ModelSchema: .date.transformer(ISO8601DateTransformerName)"
    )
    public static func jsonTransformer(forKey key: String) -> Transformer? { neverCalled() }

    /// The class for a piece of JSON.
    @available(*, unavailable, message: "give the ModelSchema a cluster: .discriminator, .rules or .resolver")
    public static func classForParsingJSONDictionary(_ dictionary: [AnyHashable: Any]) -> AnyClass? { neverCalled() }

    /// The class for a piece of JSON.
    @available(*, unavailable, message: "give the ModelSchema a cluster: .discriminator, .rules or .resolver")
    public static func `class`(forParsingJSONDictionary dictionary: [AnyHashable: Any]) -> AnyClass? { neverCalled() }

    /// The version of the class in archives.
    @available(*, unavailable, message: "give the ModelSchema a version; a model's is schema.version")
    public static func modelVersion() -> UInt { neverCalled() }

    /// How properties are archived.
    @available(*, unavailable, message: "say it in the ModelSchema: .archive(.excluded)")
    public static func encodingBehaviorsByPropertyKey() -> [AnyHashable: Any]! { neverCalled() }

    /// The classes that archives may hold.
    @available(
        *, unavailable,
        message: "archives hold only what their schemas describe; see ModelUnarchiver.init(registry:allowing:)"
    )
    public static func allowedSecureCodingClassesByPropertyKey() -> [AnyHashable: Any]! { neverCalled() }

    /// Reads one value of an older archive.
    @available(
        *, unavailable, message: "give the ModelSchema upgrades; see SchemaUpgrade and PropertySchema.unarchived(_:)"
    )
    public func decodeValueForKey(_ key: String, withCoder coder: Any, modelVersion: Int) -> Any? { neverCalled() }

    /// Reads one value of an older archive.
    @available(
        *, unavailable, message: "give the ModelSchema upgrades; see SchemaUpgrade and PropertySchema.unarchived(_:)"
    )
    public func decodeValue(forKey key: String, with coder: Any, modelVersion: Int) -> Any? { neverCalled() }

    /// Reads a model of a very old archive.
    @available(
        *, unavailable, message: "give the ModelSchema upgrades; see SchemaUpgrade and PropertySchema.unarchived(_:)"
    )
    public static func dictionaryValueFromArchivedExternalRepresentation(
        _ representation: [AnyHashable: Any], version: Int
    ) -> [String: Any]? { neverCalled() }

    /// Reads a model from an archive.
    @available(*, unavailable, renamed: "ModelUnarchiver.unarchive(_:from:)")
    public init?(coder: Any) { neverCalled() }

    /// Writes a model to an archive.
    @available(*, unavailable, renamed: "ModelArchiver.archive(_:)")
    public func encode(with coder: Any) { neverCalled() }
}

// MARK: Adapters

extension JSONAdapter where Model == DynamicModel {
    /// Decodes a model.
    @available(*, unavailable, message: "make a JSONAdapter(Issue.self), keep it, and call model(from:)")
    public static func modelOfClass(_ modelClass: AnyClass, fromJSONDictionary dictionary: [AnyHashable: Any]?) throws
        -> Any
    { neverCalled() }

    /// Decodes a model.
    @available(*, unavailable, message: "make a JSONAdapter(Issue.self), keep it, and call model(from:)")
    public static func model(of modelClass: AnyClass, fromJSONDictionary dictionary: [AnyHashable: Any]?) throws -> Any
    { neverCalled() }

    /// Decodes models.
    @available(*, unavailable, message: "make a JSONAdapter(Issue.self), keep it, and call models(from:)")
    public static func modelsOfClass(_ modelClass: AnyClass, fromJSONArray array: [Any]?) throws -> [Any] {
        neverCalled()
    }

    /// Decodes models.
    @available(*, unavailable, message: "make a JSONAdapter(Issue.self), keep it, and call models(from:)")
    public static func models(of modelClass: AnyClass, fromJSONArray array: [Any]?) throws -> [Any] { neverCalled() }

    /// Writes a model.
    @available(
        *, unavailable, message: "make a JSONAdapter(Issue.self), keep it, and call data(from:) or jsonObject(from:)"
    )
    public static func JSONDictionaryFromModel(_ model: DynamicModel?) throws -> [AnyHashable: Any] { neverCalled() }

    /// Writes a model.
    @available(
        *, unavailable, message: "make a JSONAdapter(Issue.self), keep it, and call data(from:) or jsonObject(from:)"
    )
    public static func jsonDictionary(fromModel model: DynamicModel?) throws -> [AnyHashable: Any] { neverCalled() }

    /// Writes models.
    @available(*, unavailable, message: "make a JSONAdapter(Issue.self), keep it, and call data(from:)")
    public static func JSONArrayFromModels(_ models: [DynamicModel]?) throws -> [Any] { neverCalled() }

    /// Writes models.
    @available(*, unavailable, message: "make a JSONAdapter(Issue.self), keep it, and call data(from:)")
    public static func jsonArray(fromModels models: [DynamicModel]?) throws -> [Any] { neverCalled() }

    /// The transformer between JSON and models.
    @available(*, unavailable, message: "a property of the kind .model(Issue.self) needs no transformer")
    public static func dictionaryTransformerWithModelClass(_ modelClass: AnyClass) -> Transformer { neverCalled() }

    /// The transformer between JSON and models.
    @available(*, unavailable, message: "a property of the kind .model(Issue.self) needs no transformer")
    public static func dictionaryTransformer(withModelClass modelClass: AnyClass) -> Transformer { neverCalled() }

    /// The transformer between JSON and arrays of models.
    @available(*, unavailable, message: "a property of the kind .array(of: .model(Issue.self)) needs no transformer")
    public static func arrayTransformerWithModelClass(_ modelClass: AnyClass) -> Transformer { neverCalled() }

    /// The transformer between JSON and arrays of models.
    @available(*, unavailable, message: "a property of the kind .array(of: .model(Issue.self)) needs no transformer")
    public static func arrayTransformer(withModelClass modelClass: AnyClass) -> Transformer { neverCalled() }

    /// The transformer for properties of a class.
    @available(
        *, unavailable, message: "kinds have their own conversion; JSONAdapterOptions.transformersByKind overrides it"
    )
    public static func transformerForModelPropertiesOfClass(_ propertyClass: AnyClass) -> Transformer? { neverCalled() }

    /// The transformer for properties of a class.
    @available(
        *, unavailable, message: "kinds have their own conversion; JSONAdapterOptions.transformersByKind overrides it"
    )
    public static func transformerForModelProperties(of propertyClass: AnyClass) -> Transformer? { neverCalled() }
}

extension JSONAdapter {
    /// Makes an adapter.
    @available(*, unavailable, renamed: "init(_:profile:registry:options:)")
    public init(modelClass: Model.Type) { neverCalled() }

    /// Decodes a model.
    @available(*, unavailable, renamed: "model(from:)")
    public func modelFromJSONDictionary(_ dictionary: [AnyHashable: Any]?) throws -> Model { neverCalled() }

    /// Decodes a model.
    @available(*, unavailable, renamed: "model(from:)")
    public func model(fromJSONDictionary dictionary: [AnyHashable: Any]?) throws -> Model { neverCalled() }

    /// Writes a model.
    @available(*, unavailable, renamed: "jsonObject(from:only:except:)")
    public func JSONDictionaryFromModel(_ model: Model?) throws -> [AnyHashable: Any] { neverCalled() }

    /// Writes a model.
    @available(*, unavailable, renamed: "jsonObject(from:only:except:)")
    public func jsonDictionary(fromModel model: Model?) throws -> [AnyHashable: Any] { neverCalled() }

    /// The properties that are written.
    @available(*, unavailable, message: "give the keys to the call: data(from:only:except:)")
    public func serializablePropertyKeys(_ keys: Set<String>, forModel model: Model?) -> Set<String> { neverCalled() }
}

// MARK: Transformers

extension Transformer {
    /// Makes a transformer of blocks.
    @available(*, unavailable, renamed: "init(from:to:forward:reverse:)")
    public static func transformerUsingForwardBlock(_ forward: (Any?) -> Any?) -> Transformer { neverCalled() }

    /// Makes a transformer of blocks.
    @available(*, unavailable, renamed: "init(from:to:forward:reverse:)")
    public static func transformerUsingForwardBlock(_ forward: (Any?) -> Any?, reverseBlock: (Any?) -> Any?)
        -> Transformer
    { neverCalled() }

    /// Makes a transformer of blocks.
    @available(*, unavailable, renamed: "init(from:to:forward:reverse:)")
    public static func transformerUsingReversibleBlock(_ block: (Any?) -> Any?) -> Transformer { neverCalled() }

    /// Makes a transformer of blocks.
    @available(*, unavailable, renamed: "init(from:to:forward:reverse:)")
    public init(usingForwardBlock forward: (Any?) -> Any?) { neverCalled() }

    /// Makes a transformer of blocks.
    @available(*, unavailable, renamed: "init(from:to:forward:reverse:)")
    public init(usingForwardBlock forward: (Any?) -> Any?, reverseBlock: (Any?) -> Any?) { neverCalled() }

    /// Makes a transformer of blocks.
    @available(*, unavailable, renamed: "init(from:to:forward:reverse:)")
    public init(usingReversibleBlock block: (Any?) -> Any?) { neverCalled() }

    /// Converts a value.
    @available(*, unavailable, renamed: "transform(_:as:context:)")
    public func transformedValue(_ value: Any?) -> Any? { neverCalled() }

    /// Converts a value back.
    @available(*, unavailable, renamed: "reverse(_:as:context:)")
    public func reverseTransformedValue(_ value: Any?) -> Any? { neverCalled() }

    /// Makes a transformer of a table.
    @available(*, unavailable, renamed: "mapping(_:default:reverseDefault:)")
    public static func mtl_valueMappingTransformerWithDictionary(_ dictionary: [AnyHashable: Any]) -> Transformer {
        neverCalled()
    }

    /// Makes a transformer of a table.
    @available(*, unavailable, renamed: "mapping(_:default:reverseDefault:)")
    public static func mtl_valueMappingTransformer(with dictionary: [AnyHashable: Any]) -> Transformer { neverCalled() }

    /// Makes a transformer of a table.
    @available(*, unavailable, renamed: "mapping(_:default:reverseDefault:)")
    public static func mtl_valueMappingTransformer(
        with dictionary: [AnyHashable: Any], defaultValue: Any?, reverseDefaultValue: Any?
    ) -> Transformer { neverCalled() }

    /// Makes a transformer of the elements of arrays.
    @available(*, unavailable, renamed: "each()")
    public static func mtl_arrayMappingTransformerWithTransformer(_ transformer: Transformer) -> Transformer {
        neverCalled()
    }

    /// Makes a transformer of the elements of arrays.
    @available(*, unavailable, renamed: "each()")
    public static func mtl_arrayMappingTransformer(with transformer: Transformer) -> Transformer { neverCalled() }

    /// Makes a transformer that checks the class of values.
    @available(*, unavailable, renamed: "validating(_:expected:_:)")
    public static func mtl_validatingTransformerForClass(_ valueClass: AnyClass) -> Transformer { neverCalled() }

    /// Makes a transformer that checks the class of values.
    @available(*, unavailable, renamed: "validating(_:expected:_:)")
    public static func mtl_validatingTransformer(for valueClass: AnyClass) -> Transformer { neverCalled() }

    /// Makes a transformer of dates.
    @available(*, unavailable, renamed: "date(format:locale:calendar:timeZone:default:)")
    public static func mtl_dateTransformer(withDateFormat format: String, locale: Any?) -> Transformer { neverCalled() }

    /// Makes a transformer of dates.
    @available(*, unavailable, renamed: "date(format:locale:calendar:timeZone:default:)")
    public static func mtl_dateTransformer(
        withDateFormat format: String, calendar: Any?, locale: Any?, timeZone: Any?, defaultDate: Any?
    ) -> Transformer { neverCalled() }

    /// Makes a transformer of numbers.
    @available(*, unavailable, renamed: "number(locale:fractionDigits:)")
    public static func mtl_numberTransformer(with style: Any, locale: Any?) -> Transformer { neverCalled() }

    /// Makes a transformer of a formatter.
    @available(*, unavailable, renamed: "formatted(_:)")
    public static func mtl_transformer(with formatter: Any, forObjectClass objectClass: AnyClass) -> Transformer {
        neverCalled()
    }

    /// The transformer in the other direction.
    @available(*, unavailable, renamed: "inverted()")
    public func mtl_invertedTransformer() -> Transformer { neverCalled() }
}

/// The body of what cannot be called.
///
/// The compiler refuses every use of an unavailable declaration, so nothing ever gets here.
private func neverCalled() -> Never { fatalError("an unavailable name was called") }
