import Foundation
import PalliumCore
import PalliumJSON
import Testing

// The models of the conformance table, and the few others that many tests share. Every test registers them in a
// registry of its own.

/// Reported by the validators of the fixtures.
enum FixtureError: Error, Equatable { case nameTooLong, nameMissing }

final class EmptyModel: DynamicModel {}

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
    final var dynamicName: String { name ?? "" }

    static let schema = ModelSchema(
        TestModel.self,
        [
            "name": .string.json("username").validate { (name: inout String?, _) in
                if let length = name?.utf8.count, length >= 10 { throw FixtureError.nameTooLong }
            },
            "count": .unsigned.default(1).transformer(IntegerTextTransformerName),
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

final class URLModel: DynamicModel {
    var url: URL? {
        get { value() }
        set { set(newValue) }
    }
    var otherURL: URL { value() }

    static let schema = ModelSchema(
        URLModel.self,
        [
            "url": .url.default(json: "http://github.com").nullable,
            "otherURL": .url.default(json: "http://github.com/Mantle/Mantle").transformer(URLTransformerName),
        ])
}

/// One property for each answer to the question who sees it.
class StorageModel: DynamicModel {
    static let schema = ModelSchema(
        StorageModel.self,
        [
            "primitive": .bool.readOnly, "assignProperty": .model(EmptyModel.self), "strongProperty": .string,
            "weakProperty": .model(EmptyModel.self).weak, "transitoryProperty": .string.storage(.transitory),
            "documented": .string.storage(.notStored), "shadowedInSubclass": .string,
        ])
}

final class StorageSubModel: StorageModel {
    static let subSchema = ModelSchema(
        StorageSubModel.self, ["shadowedInSubclass": .string.required, "own": .string],
        extends: .modelClass(StorageModel.self))
}

/// A model of graphs: chains, trees, shared models, cycles.
final class Node: DynamicModel {
    var label: Int? {
        get { value() }
        set { set(newValue) }
    }
    var next: Node? {
        get { value() }
        set { set(newValue) }
    }
    var children: [Node]? {
        get { value() }
        set { set(newValue) }
    }
    var friends: Set<Node>? {
        get { value() }
        set { set(newValue) }
    }
    var named: [String: Node]? {
        get { value() }
        set { set(newValue) }
    }
    var gaps: [Node?]? {
        get { value() }
        set { set(newValue) }
    }
    var owner: Node? {
        get { value() }
        set { set(newValue) }
    }

    /// `owner` comes first: what follows a weak link must not depend on the order of the slots.
    static let schema = ModelSchema(
        Node.self,
        [
            "owner": .model(Node.self).weak, "label": .integer, "next": .model(Node.self),
            "children": .array(of: .model(Node.self)), "friends": .set(of: .model(Node.self)),
            "named": .dictionary(of: .model(Node.self)), "gaps": .array(of: .model(Node.self).nullable),
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

extension SchemaRegistry {
    /// A registry with all models above.
    static func ofFixtures() throws -> SchemaRegistry {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema(EmptyModel.self, [:]), TestModel.schema, SubTestModel.subSchema, ValidationModel.schema,
            SelfValidatingModel.schema, URLModel.schema, StorageModel.schema, StorageSubModel.subSchema, Node.schema,
            User.schema, Group.schema)
        return registry
    }

    /// A registry with one schema without a class, and an empty model of it.
    static func plainModel(
        _ properties: KeyValuePairs<String, PropertySchema>, name: String = "Plain"
    ) throws -> DynamicModel {
        let registry = SchemaRegistry()
        let schema = ModelSchema(name, properties)
        try registry.register(schema)
        return DynamicModel(schema: schema, registry: registry)
    }

    /// A node of the registry.
    func node(_ label: Int? = nil, next: Node? = nil) -> Node {
        let node = Node(registry: self)
        node.label = label
        node.next = next
        return node
    }

    /// Nodes in a ring, each the `next` of the one before; the first is returned. Rings leak unless they are broken.
    func ring(_ labels: [Int]) -> Node {
        let nodes = labels.map { node($0) }
        for (index, node) in nodes.enumerated() { node.next = nodes[(index + 1) % nodes.count] }
        return nodes[0]
    }
}

extension Node {
    /// Lets the models of a ring or chain go.
    func breakRing() {
        let following = next
        next = nil
        _ = following
    }
}

/// The hash of a value by itself.
func hash(_ value: some Hashable) -> Int {
    var hasher = Hasher()
    value.hash(into: &hasher)
    return hasher.finalize()
}

extension DynamicModel {
    /// What an accessor of exactly this type reads. In an expression the compiler may take `value(_:)` for an accessor of
    /// the type without the optional, and wrap its result.
    func read<Value: PropertyValue>(_ key: StaticString, as type: Value.Type) -> Value { value(key) }
}

extension DynamicModel {
    /// What an accessor of the optional type sets.
    func write<Value: PropertyValue>(_ newValue: Value?, _ key: StaticString) { set(newValue, key) }
}
