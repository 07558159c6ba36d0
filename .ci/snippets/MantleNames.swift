// One use of every name in Sources/Pallium/Renamed, and what the compiler answers to it.
import Pallium

final class Issue: DynamicModel {}

class Types1: MTLModel {}  // expected-error {{'MTLModel' has been renamed to 'DynamicModel'}}
class Types2: DynamicModel, MTLJSONSerializing {}  // expected-error {{'MTLJSONSerializing' is unavailable: a subclass of DynamicModel needs no protocol}}
class Types3: MTLTransformerErrorHandling {}  // expected-error {{'MTLTransformerErrorHandling' is unavailable: every Transformer throws}}

func types() {
    _ = MTLJSONAdapter(Issue.self)  // expected-error {{'MTLJSONAdapter' has been renamed to 'JSONAdapter'}}
    _ = MTLValueTransformer.self  // expected-error {{'MTLValueTransformer' has been renamed to 'Transformer'}}
    _ = MTLPropertyStorage.permanent  // expected-error {{'MTLPropertyStorage' has been renamed to 'PropertyStorage'}}
    _ = MTLModelEncodingBehavior.excluded  // expected-error {{'MTLModelEncodingBehavior' has been renamed to 'ArchiveBehavior'}}
}

func constants() {
    _ = MTLURLValueTransformerName  // expected-error {{'MTLURLValueTransformerName' has been renamed to 'URLTransformerName'}}
    _ = MTLUUIDValueTransformerName  // expected-error {{'MTLUUIDValueTransformerName' has been renamed to 'UUIDTransformerName'}}
    _ = MTLBooleanValueTransformerName  // expected-error {{'MTLBooleanValueTransformerName' has been renamed to 'BooleanTransformerName'}}
    _ = MTLPropertyStorageNone  // expected-error {{renamed to 'PropertyStorage.notStored'}}
    _ = MTLPropertyStorageTransitory  // expected-error {{renamed to 'PropertyStorage.transitory'}}
    _ = MTLPropertyStoragePermanent  // expected-error {{renamed to 'PropertyStorage.permanent'}}
    _ = MTLModelEncodingBehaviorExcluded  // expected-error {{renamed to 'ArchiveBehavior.excluded'}}
    _ = MTLModelEncodingBehaviorUnconditional  // expected-error {{renamed to 'ArchiveBehavior.included'}}
    _ = MTLModelEncodingBehaviorConditional  // expected-error {{renamed to 'ArchiveBehavior.conditional'}}
    _ = MTLJSONAdapterErrorDomain  // expected-error {{catch ModelError and look at its code}}
    _ = MTLTransformerErrorHandlingErrorDomain  // expected-error {{catch ModelError and look at its code}}
    _ = MTLJSONAdapterErrorNoClassFound  // expected-error {{renamed to 'ModelError.Code.unknownModel'}}
    _ = MTLJSONAdapterErrorInvalidJSONDictionary  // expected-error {{renamed to 'ModelError.Code.typeMismatch'}}
    _ = MTLJSONAdapterErrorInvalidJSONMapping  // expected-error {{reported by SchemaRegistry.register}}
    _ = MTLTransformerErrorHandlingErrorInvalidInput  // expected-error {{renamed to 'ModelError.Code.transformerFailed'}}
    _ = MTLTransformerErrorHandlingInputValueErrorKey  // expected-error {{renamed to 'ModelError.found'}}
    _ = MTLEqualObjects(1, 2)  // expected-error {{use ==}}
}

func models(_ issue: Issue, _ dictionary: [String: Any], _ coder: Any) throws {
    _ = issue.dictionaryValue  // expected-error {{'dictionaryValue' has been renamed to 'values'}}
    _ = try Issue(dictionary: dictionary)  // expected-error {{use init(values:) for values by key and JSONAdapter for JSON}}
    _ = try Issue.modelWithDictionary(dictionary)  // expected-error {{use init(values:) for values by key and JSONAdapter for JSON}}
    _ = Issue.propertyKeys()  // expected-error {{the keys are those of schema.properties}}
    issue.mergeValuesForKeysFromModel(issue)  // expected-error {{renamed to 'merge(from:)'}}
    issue.mergeValuesForKeys(from: issue)  // expected-error {{renamed to 'merge(from:)'}}
    issue.mergeValues(forKeysFrom: issue)  // expected-error {{renamed to 'merge(from:)'}}
    issue.mergeValueForKey("title", fromModel: issue)  // expected-error {{renamed to 'merge(_:from:)'}}
    issue.mergeValue(forKey: "title", from: issue)  // expected-error {{renamed to 'merge(_:from:)'}}
    _ = Issue.storageBehaviorForPropertyWithKey("title")  // expected-error {{.storage(.transitory)}}
    _ = Issue.storageBehaviorForProperty(withKey: "title")  // expected-error {{.storage(.transitory)}}
    _ = Issue.JSONKeyPathsByPropertyKey()  // expected-error {{.json("user.login")}}
    _ = Issue.jsonKeyPathsByPropertyKey()  // expected-error {{.json("user.login")}}
    _ = Issue.JSONTransformerForKey("updatedAt")  // expected-error {{.date.transformer(ISO8601DateTransformerName)}}
    _ = Issue.jsonTransformer(forKey: "updatedAt")  // expected-error {{.date.transformer(ISO8601DateTransformerName)}}
    _ = Issue.classForParsingJSONDictionary(dictionary)  // expected-error {{give the ModelSchema a cluster}}
    _ = Issue.class(forParsingJSONDictionary: dictionary)  // expected-error {{give the ModelSchema a cluster}}
    _ = Issue.modelVersion()  // expected-error {{give the ModelSchema a version}}
    _ = Issue.encodingBehaviorsByPropertyKey()  // expected-error {{.archive(.excluded)}}
    _ = Issue.allowedSecureCodingClassesByPropertyKey()  // expected-error {{see ModelUnarchiver.init(registry:allowing:)}}
    _ = issue.decodeValueForKey("title", withCoder: coder, modelVersion: 0)  // expected-error {{give the ModelSchema upgrades}}
    _ = issue.decodeValue(forKey: "title", with: coder, modelVersion: 0)  // expected-error {{give the ModelSchema upgrades}}
    _ = Issue.dictionaryValueFromArchivedExternalRepresentation(dictionary, version: 0)  // expected-error {{give the ModelSchema upgrades}}
    _ = Issue(coder: coder)  // expected-error {{ModelUnarchiver.unarchive(_:from:)}}
    issue.encode(with: coder)  // expected-error {{ModelArchiver.archive(_:)}}
}

func adapters(_ issue: Issue, _ dictionary: [String: Any], _ array: [Any]) throws {
    _ = try JSONAdapter.modelOfClass(Issue.self, fromJSONDictionary: dictionary)  // expected-error {{call model(from:)}}
    _ = try JSONAdapter.model(of: Issue.self, fromJSONDictionary: dictionary)  // expected-error {{call model(from:)}}
    _ = try JSONAdapter.modelsOfClass(Issue.self, fromJSONArray: array)  // expected-error {{call models(from:)}}
    _ = try JSONAdapter.models(of: Issue.self, fromJSONArray: array)  // expected-error {{call models(from:)}}
    _ = try JSONAdapter.JSONDictionaryFromModel(issue)  // expected-error {{call data(from:) or jsonObject(from:)}}
    _ = try JSONAdapter.jsonDictionary(fromModel: issue)  // expected-error {{call data(from:) or jsonObject(from:)}}
    _ = try JSONAdapter.JSONArrayFromModels([issue])  // expected-error {{call data(from:)}}
    _ = try JSONAdapter.jsonArray(fromModels: [issue])  // expected-error {{call data(from:)}}
    _ = JSONAdapter.dictionaryTransformerWithModelClass(Issue.self)  // expected-error {{.model(Issue.self) needs no transformer}}
    _ = JSONAdapter.dictionaryTransformer(withModelClass: Issue.self)  // expected-error {{.model(Issue.self) needs no transformer}}
    _ = JSONAdapter.arrayTransformerWithModelClass(Issue.self)  // expected-error {{.array(of: .model(Issue.self)) needs no transformer}}
    _ = JSONAdapter.arrayTransformer(withModelClass: Issue.self)  // expected-error {{.array(of: .model(Issue.self)) needs no transformer}}
    _ = JSONAdapter.transformerForModelPropertiesOfClass(Issue.self)  // expected-error {{JSONAdapterOptions.transformersByKind}}
    _ = JSONAdapter.transformerForModelProperties(of: Issue.self)  // expected-error {{JSONAdapterOptions.transformersByKind}}
    let adapter = JSONAdapter(modelClass: Issue.self)  // expected-error {{renamed to 'init(_:profile:registry:options:)'}}
    _ = try adapter.modelFromJSONDictionary(dictionary)  // expected-error {{renamed to 'model(from:)'}}
    _ = try adapter.model(fromJSONDictionary: dictionary)  // expected-error {{renamed to 'model(from:)'}}
    _ = try adapter.JSONDictionaryFromModel(issue)  // expected-error {{renamed to 'jsonObject(from:only:except:)'}}
    _ = try adapter.jsonDictionary(fromModel: issue)  // expected-error {{renamed to 'jsonObject(from:only:except:)'}}
    _ = adapter.serializablePropertyKeys(["title"], forModel: issue)  // expected-error {{data(from:only:except:)}}
}

func transformers(_ transformer: Transformer, _ table: [String: Any], _ any: Any) {
    _ = Transformer.transformerUsingForwardBlock { $0 }  // expected-error {{replaced by 'init(from:to:forward:reverse:)'}}
    _ = Transformer.transformerUsingForwardBlock({ $0 }, reverseBlock: { $0 })  // expected-error {{replaced by 'init(from:to:forward:reverse:)'}}
    _ = Transformer.transformerUsingReversibleBlock { $0 }  // expected-error {{replaced by 'init(from:to:forward:reverse:)'}}
    _ = Transformer(usingForwardBlock: { $0 })  // expected-error {{renamed to 'init(from:to:forward:reverse:)'}}
    _ = Transformer(usingForwardBlock: { $0 }, reverseBlock: { $0 })  // expected-error {{renamed to 'init(from:to:forward:reverse:)'}}
    _ = Transformer(usingReversibleBlock: { $0 })  // expected-error {{renamed to 'init(from:to:forward:reverse:)'}}
    _ = transformer.transformedValue("a")  // expected-error {{renamed to 'transform(_:as:context:)'}}
    _ = transformer.reverseTransformedValue("a")  // expected-error {{renamed to 'reverse(_:as:context:)'}}
    _ = Transformer.mtl_valueMappingTransformerWithDictionary(table)  // expected-error {{renamed to 'mapping(_:default:reverseDefault:)'}}
    _ = Transformer.mtl_valueMappingTransformer(with: table)  // expected-error {{renamed to 'mapping(_:default:reverseDefault:)'}}
    _ = Transformer.mtl_valueMappingTransformer(with: table, defaultValue: 1, reverseDefaultValue: nil)  // expected-error {{renamed to 'mapping(_:default:reverseDefault:)'}}
    _ = Transformer.mtl_arrayMappingTransformerWithTransformer(transformer)  // expected-error {{renamed to 'each()'}}
    _ = Transformer.mtl_arrayMappingTransformer(with: transformer)  // expected-error {{renamed to 'each()'}}
    _ = Transformer.mtl_validatingTransformerForClass(Issue.self)  // expected-error {{renamed to 'validating(_:expected:_:)'}}
    _ = Transformer.mtl_validatingTransformer(for: Issue.self)  // expected-error {{renamed to 'validating(_:expected:_:)'}}
    _ = Transformer.mtl_dateTransformer(withDateFormat: "y", locale: any)  // expected-error {{renamed to 'date(format:locale:calendar:timeZone:default:)'}}
    _ = Transformer.mtl_dateTransformer(withDateFormat: "y", calendar: any, locale: any, timeZone: any, defaultDate: any)  // expected-error {{renamed to 'date(format:locale:calendar:timeZone:default:)'}}
    _ = Transformer.mtl_numberTransformer(with: any, locale: any)  // expected-error {{renamed to 'number(locale:fractionDigits:)'}}
    _ = Transformer.mtl_transformer(with: any, forObjectClass: Issue.self)  // expected-error {{renamed to 'formatted(_:)'}}
    _ = transformer.mtl_invertedTransformer()  // expected-error {{renamed to 'inverted()'}}
}
