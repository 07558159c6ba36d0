import Foundation
import Pallium

// The models of the conformance table, translated. Every test registers them in a registry of its own.

/// Reported by the validators of the fixtures.
enum FixtureError: Error, Equatable { case nameTooLong, nameMissing, refused }

final class EmptyModel: DynamicModel {
    static let schema = ModelSchema(EmptyModel.self, [:])
}

class TestModel: DynamicModel {
    final var name: String? {
        get { value() }
        set { set(newValue) }
    }
    final var count: UInt {
        get { value() }
        set { set(newValue) }
    }
    final var nestedName: String? {
        get { value() }
        set { set(newValue) }
    }
    final var weakModel: EmptyModel? {
        get { value() }
        set { set(newValue) }
    }

    static let schema = ModelSchema(
        TestModel.self,
        [
            "name": .string.json("username").validate { (name: inout String?, _) in
                if let length = name?.utf8.count, length >= 10 { throw FixtureError.nameTooLong }
            },
            "count": .unsigned.default(1).transformer("CountText"),
            "nestedName": .string.json("nested.name").archive(.excluded),
            "weakModel": .model(EmptyModel.self).weak.storage(.transitory).local,
        ])
}

final class SubTestModel: TestModel {
    var role: String? {
        get { value() }
        set { set(newValue) }
    }
    var generation: Int? {
        get { value() }
        set { set(newValue) }
    }

    static let subSchema = ModelSchema(
        SubTestModel.self, ["role": .string, "generation": .integer], extends: .modelClass(TestModel.self))
}

final class ValidationModel: DynamicModel {
    var name: String? {
        get { value() }
        set { set(newValue) }
    }

    static let schema = ModelSchema(
        ValidationModel.self,
        [
            "name": .string.validate { (name: inout String?, _) in
                if name == nil { throw FixtureError.nameMissing }
            }
        ])
}

final class SelfValidatingModel: DynamicModel {
    var name: String? {
        get { value() }
        set { set(newValue) }
    }

    static let schema = ModelSchema(
        SelfValidatingModel.self,
        [
            "name": .string.validate { (name: inout String?, _) in
                if name == nil { name = "foobar" }
            }
        ])
}

class URLModel: DynamicModel {
    final var url: URL? {
        get { value("URL") }
        set { set(newValue, "URL") }
    }

    static let schema = ModelSchema(
        URLModel.self, ["URL": .url.default(json: "http://github.com").nullable])
}

final class URLSubModel: URLModel {
    var otherURL: URL? {
        get { value() }
        set { set(newValue) }
    }

    static let subSchema = ModelSchema(
        URLSubModel.self,
        [
            "otherURL": .url.default(json: "http://github.com/Mantle/Mantle").nullable
                .transformer(URLTransformerName)
        ], extends: .modelClass(URLModel.self))
}

class UUIDModel: DynamicModel {
    final var uuid: UUID? {
        get { value("UUID") }
        set { set(newValue, "UUID") }
    }

    static let schema = ModelSchema(
        UUIDModel.self, ["UUID": .uuid.default(json: "4A275FBD-8217-4397-964B-403F4C2B8545").nullable])
}

final class UUIDSubModel: UUIDModel {
    var otherUUID: UUID? {
        get { value() }
        set { set(newValue) }
    }

    static let subSchema = ModelSchema(
        UUIDSubModel.self, ["otherUUID": .uuid.transformer(UUIDTransformerName)], extends: .modelClass(UUIDModel.self))
}

final class BoolModel: DynamicModel {
    var flag: Bool {
        get { value() }
        set { set(newValue) }
    }

    static let schema = ModelSchema(BoolModel.self, ["flag": .bool.default(false)])
}

final class StringModel: DynamicModel {
    var string: String? {
        get { value() }
        set { set(newValue) }
    }

    static let schema = ModelSchema(StringModel.self, ["string": .string])
}

/// The property that Mantle leaves untyped.
final class AnyModel: DynamicModel {
    var anyObject: JSONValue? {
        get { value() }
        set { set(newValue) }
    }

    static let schema = ModelSchema(AnyModel.self, ["anyObject": .json])
}

/// A range whose parts stand apart in JSON.
struct Range: Hashable, Sendable, PropertyValue {
    var location: Int
    var length: Int
}

final class MultiPathModel: DynamicModel {
    var range: Range? {
        get { value() }
        set { set(newValue) }
    }
    var nestedRange: Range? {
        get { value() }
        set { set(newValue) }
    }

    static let schema = ModelSchema(
        MultiPathModel.self,
        [
            "range": .custom(Range.self, transformer: "Range").json(allOf: ["location", "length"]),
            "nestedRange": .custom(Range.self, transformer: "NestedRange")
                .json(allOf: ["nested.location", "nested.length"]),
        ])
}

final class User: DynamicModel {
    var name: String? {
        get { value() }
        set { set(newValue) }
    }
    var groups: [Group]? {
        get { value() }
        set { set(newValue) }
    }

    static let schema = ModelSchema(User.self, ["name": .string, "groups": .array(of: .model(Group.self))])
}

final class Group: DynamicModel {
    var owner: User? {
        get { value() }
        set { set(newValue) }
    }
    var users: [User]? {
        get { value() }
        set { set(newValue) }
    }

    static let schema = ModelSchema(
        Group.self, ["owner": .model(User.self), "users": .array(of: .model(User.self))])
}

/// A plain property, a model, and a model that has nothing to do with JSON.
final class NestedDefaultModel: DynamicModel {
    var property: String? {
        get { value() }
        set { set(newValue) }
    }
    var conforming: TestModel? {
        get { value() }
        set { set(newValue) }
    }
    var nonConforming: EmptyModel? {
        get { value() }
        set { set(newValue) }
    }

    static let schema = ModelSchema(
        NestedDefaultModel.self,
        ["property": .string, "conforming": .model(TestModel.self), "nonConforming": .model(EmptyModel.self).local])
}

/// A list of itself, for depth.
final class Node: DynamicModel {
    var next: Node? {
        get { value() }
        set { set(newValue) }
    }

    static let schema = ModelSchema(Node.self, ["next": .model(Node.self)])
}

extension TransformerRegistry {
    /// The transformers that the fixtures name.
    static func ofFixtures() throws -> TransformerRegistry {
        let registry = TransformerRegistry()
        try registry.register(countText, as: "CountText")
        try registry.register(range(under: ""), as: "Range")
        try registry.register(range(under: "nested."), as: "NestedRange")
        return registry
    }

    /// A count that JSON holds as text.
    private static let countText = Transformer(from: String.self, to: UInt64.self) { text, _ in
        guard let count = UInt64(text) else { throw FixtureError.refused }
        return count
    } reverse: { count, _ in
        "\(count)"
    }

    private static func range(under prefix: String) -> Transformer {
        Transformer(from: JSONValue.self, to: Range.self) { parts, _ in
            Range(
                location: parts["\(prefix)location"]?.intValue ?? 0, length: parts["\(prefix)length"]?.intValue ?? 0)
        } reverse: { range, _ in
            .object([
                "\(prefix)location": .number(JSONNumber(range.location)),
                "\(prefix)length": .number(JSONNumber(range.length)),
            ])
        }
    }
}

extension SchemaRegistry {
    /// A registry with all models above and the clusters.
    static func ofFixtures() throws -> SchemaRegistry {
        let registry = SchemaRegistry(transformers: try .ofFixtures())
        try registry.register(
            EmptyModel.schema, TestModel.schema, SubTestModel.subSchema, ValidationModel.schema,
            SelfValidatingModel.schema, URLModel.schema, URLSubModel.subSchema, UUIDModel.schema,
            UUIDSubModel.subSchema, BoolModel.schema, StringModel.schema, AnyModel.schema, MultiPathModel.schema,
            User.schema, Group.schema, NestedDefaultModel.schema, Node.schema)
        try registry.register(ClusterModel.schema, ChocolateModel.chocolateSchema, StrawberryModel.strawberrySchema)
        return registry
    }
}

/// All entrances of an adapter for a class of the fixtures.
func entrances<Model: DynamicModel>(
    _ modelClass: Model.Type, registry: SchemaRegistry? = nil, options: JSONAdapterOptions = JSONAdapterOptions()
) throws -> Entrances<Model> {
    Entrances(JSONAdapter(modelClass, registry: try registry ?? .ofFixtures(), options: options))
}
