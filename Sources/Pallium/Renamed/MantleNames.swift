// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The names are Mantle's, as Objective-C spells them and as Swift imports them.
public import PalliumCore

// What people who know Mantle type first. Nothing here can be called: the compiler answers with the new name.

/// Models inherit from ``DynamicModel``.
@available(*, unavailable, renamed: "DynamicModel")
public typealias MTLModel = DynamicModel

/// JSON goes through a ``JSONAdapter``, which is made once per model class and kept.
@available(*, unavailable, renamed: "JSONAdapter")
public typealias MTLJSONAdapter = JSONAdapter<DynamicModel>

/// Conversions are values of the type ``Transformer``.
@available(*, unavailable, renamed: "Transformer")
public typealias MTLValueTransformer = Transformer

/// The transformer's name is ``URLTransformerName``.
@available(*, unavailable, renamed: "URLTransformerName")
public let MTLURLValueTransformerName = ""

/// The transformer's name is ``UUIDTransformerName``.
@available(*, unavailable, renamed: "UUIDTransformerName")
public let MTLUUIDValueTransformerName = ""

/// The transformer's name is ``BooleanTransformerName``.
@available(*, unavailable, renamed: "BooleanTransformerName")
public let MTLBooleanValueTransformerName = ""

extension JSONAdapter {
    /// One model from a dictionary.
    @available(*, unavailable, message: "use JSONAdapter(Issue.self).model(from: dictionary)")
    public static func modelOfClass(_ modelClass: DynamicModel.Type, fromJSONDictionary json: [String: Any]) {}

    /// One model from a dictionary.
    @available(*, unavailable, message: "use JSONAdapter(Issue.self).model(from: dictionary)")
    public static func model(of modelClass: DynamicModel.Type, fromJSONDictionary json: [String: Any]) {}

    /// Many models from an array.
    @available(*, unavailable, message: "use JSONAdapter(Issue.self).models(from: array)")
    public static func modelsOfClass(_ modelClass: DynamicModel.Type, fromJSONArray json: [Any]) {}

    /// Many models from an array.
    @available(*, unavailable, message: "use JSONAdapter(Issue.self).models(from: array)")
    public static func models(of modelClass: DynamicModel.Type, fromJSONArray json: [Any]) {}

    /// The dictionary of a model.
    @available(*, unavailable, message: "use JSONAdapter(Issue.self).jsonObject(from: model) or data(from: model)")
    public static func JSONDictionaryFromModel(_ model: DynamicModel) {}

    /// The dictionary of a model.
    @available(*, unavailable, message: "use JSONAdapter(Issue.self).jsonObject(from: model) or data(from: model)")
    public static func jsonDictionary(fromModel model: DynamicModel) {}

    /// The array of many models.
    @available(*, unavailable, message: "use JSONAdapter(Issue.self).data(from: models)")
    public static func JSONArrayFromModels(_ models: [DynamicModel]) {}

    /// The array of many models.
    @available(*, unavailable, message: "use JSONAdapter(Issue.self).data(from: models)")
    public static func jsonArray(fromModels models: [DynamicModel]) {}
}

extension DynamicModel {
    /// A model from values by key.
    @available(*, unavailable, message: "use init(values:)")
    public convenience init(dictionary: [String: Any]) { self.init() }

    /// The values by key.
    @available(*, unavailable, renamed: "values")
    public final var dictionaryValue: [String: Any] { [:] }

    /// The keys stand in the schema.
    @available(*, unavailable, message: "use schema.properties: the schema lists the keys")
    public static func propertyKeys() {}

    /// Where properties live in JSON stands in the schema.
    @available(
        *, unavailable, message: "give the properties of the ModelSchema key paths: .string.json(\"user.login\")"
    )
    public static func JSONKeyPathsByPropertyKey() {}

    /// Where properties live in JSON stands in the schema.
    @available(
        *, unavailable, message: "give the properties of the ModelSchema key paths: .string.json(\"user.login\")"
    )
    public static func jsonKeyPathsByPropertyKey() {}

    /// Which transformer converts a property stands in the schema.
    @available(*, unavailable, message: "name it in the ModelSchema: .url.transformer(URLTransformerName)")
    public static func JSONTransformerForKey(_ key: String) {}

    /// Which transformer converts a property stands in the schema.
    @available(*, unavailable, message: "name it in the ModelSchema: .url.transformer(URLTransformerName)")
    public static func jsonTransformer(forKey key: String) {}

    /// Which class an object becomes stands in the schema.
    @available(*, unavailable, message: "give the ModelSchema a cluster: .discriminator(\"type\", [\"circle\": …])")
    public static func classForParsingJSONDictionary(_ json: [String: Any]) {}

    /// Who sees a property stands in the schema.
    @available(*, unavailable, message: "say it in the ModelSchema: .string.storage(.transitory)")
    public static func storageBehaviorForPropertyWithKey(_ key: String) {}

    /// The version stands in the schema.
    @available(*, unavailable, message: "give the ModelSchema a version: and upgrades")
    public static func modelVersion() {}

    /// Who is archived stands in the schema.
    @available(*, unavailable, message: "say it in the ModelSchema: .string.archive(.excluded)")
    public static func encodingBehaviorsByPropertyKey() {}

    /// Kinds in the schema decide what an archive may hold.
    @available(*, unavailable, message: "not needed: an archive may hold what the kinds of the ModelSchema say")
    public static func allowedSecureCodingClassesByPropertyKey() {}

    /// Old archives go through the upgrades of the schema.
    @available(*, unavailable, message: "describe old versions by the upgrades of the ModelSchema")
    public final func decodeValueForKey(_ key: String, withCoder coder: Any, modelVersion: Int) {}

    /// How a property merges stands in the schema.
    @available(*, unavailable, message: "use merge(from:); how a property merges stands in the ModelSchema: .merge(…)")
    public final func mergeValueForKey(_ key: String, fromModel model: DynamicModel) {}

    /// How properties merge stands in the schema.
    @available(*, unavailable, message: "use merge(from:)")
    public final func mergeValuesForKeysFromModel(_ model: DynamicModel) {}

    /// How properties merge stands in the schema.
    @available(*, unavailable, message: "use merge(from:)")
    public final func mergeValues(forKeysFrom model: DynamicModel) {}
}
