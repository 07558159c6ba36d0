// One use of every name in Sources/Pallium/Renamed, and what the compiler answers to it.
import Pallium

final class Issue: DynamicModel {}

class Types1: MTLModel {}  // expected-error {{'MTLModel' has been renamed to 'DynamicModel'}}
class Types2: DynamicModel, MTLJSONSerializing {}  // expected-error {{'MTLJSONSerializing' is unavailable: a subclass of DynamicModel needs no protocol}}

func types() {
    _ = MTLJSONAdapter(Issue.self)  // expected-error {{'MTLJSONAdapter' has been renamed to 'JSONAdapter'}}
    _ = MTLValueTransformer.self  // expected-error {{'MTLValueTransformer' has been renamed to 'Transformer'}}
}

func constants() {
    _ = MTLURLValueTransformerName  // expected-error {{'MTLURLValueTransformerName' has been renamed to 'URLTransformerName'}}
    _ = MTLBooleanValueTransformerName  // expected-error {{'MTLBooleanValueTransformerName' has been renamed to 'BooleanTransformerName'}}
}

func models(_ issue: Issue, _ dictionary: [String: Any], _ coder: Any) throws {
    _ = issue.dictionaryValue  // expected-error {{'dictionaryValue' has been renamed to 'values'}}
    _ = try Issue(dictionary: dictionary)  // expected-error {{use init(values:) for values by key and JSONAdapter for JSON}}
    issue.mergeValues(forKeysFrom: issue)  // expected-error {{renamed to 'merge(from:)'}}
    issue.mergeValue(forKey: "title", from: issue)  // expected-error {{renamed to 'merge(_:from:)'}}
    _ = Issue.storageBehaviorForProperty(withKey: "title")  // expected-error {{.storage(.transitory)}}
    _ = Issue.jsonKeyPathsByPropertyKey()  // expected-error {{.json("user.login")}}
    _ = Issue.jsonTransformer(forKey: "updatedAt")  // expected-error {{.date.transformer(ISO8601DateTransformerName)}}
    _ = Issue.class(forParsingJSONDictionary: dictionary)  // expected-error {{give the ModelSchema a cluster}}
    _ = Issue.modelVersion()  // expected-error {{give the ModelSchema a version}}
    _ = Issue.encodingBehaviorsByPropertyKey()  // expected-error {{.archive(.excluded)}}
    _ = issue.decodeValue(forKey: "title", with: coder, modelVersion: 0)  // expected-error {{give the ModelSchema upgrades}}
}

func adapters(_ issue: Issue, _ dictionary: [String: Any], _ array: [Any]) throws {
    _ = try JSONAdapter.model(of: Issue.self, fromJSONDictionary: dictionary)  // expected-error {{call model(from:)}}
    _ = try JSONAdapter.models(of: Issue.self, fromJSONArray: array)  // expected-error {{call models(from:)}}
    _ = try JSONAdapter.jsonDictionary(fromModel: issue)  // expected-error {{call data(from:) or jsonObject(from:)}}
    _ = try JSONAdapter.jsonArray(fromModels: [issue])  // expected-error {{call data(from:)}}
    _ = JSONAdapter.dictionaryTransformer(withModelClass: Issue.self)  // expected-error {{.model(Issue.self) needs no transformer}}
    _ = JSONAdapter.arrayTransformer(withModelClass: Issue.self)  // expected-error {{.array(of: .model(Issue.self)) needs no transformer}}
    _ = JSONAdapter(modelClass: Issue.self)  // expected-error {{renamed to 'init(_:profile:registry:options:)'}}
}

func transformers(_ transformer: Transformer, _ table: [String: Any]) {
    _ = Transformer(usingForwardBlock: { $0 })  // expected-error {{renamed to 'init(from:to:forward:reverse:)'}}
    _ = Transformer(usingForwardBlock: { $0 }, reverseBlock: { $0 })  // expected-error {{renamed to 'init(from:to:forward:reverse:)'}}
    _ = transformer.transformedValue("a")  // expected-error {{renamed to 'transform(_:as:context:)'}}
    _ = transformer.reverseTransformedValue("a")  // expected-error {{renamed to 'reverse(_:as:context:)'}}
    _ = Transformer.mtl_valueMappingTransformer(with: table)  // expected-error {{renamed to 'mapping(_:default:reverseDefault:)'}}
    _ = Transformer.mtl_arrayMappingTransformer(with: transformer)  // expected-error {{renamed to 'each()'}}
}
