package import Foundation
public import PalliumCore
package import PalliumJSON

// The models of the conformance table, translated. Every test registers them in a registry of its own.

/// Reported by the validators of the fixtures.
package enum FixtureError: Error, Equatable { case nameTooLong, nameMissing, refused }

package final class EmptyModel: DynamicModel {
    package static let schema = ModelSchema(EmptyModel.self, [:])
}

open class TestModel: DynamicModel {
    package final var name: String? {
        get { value() }
        set { set(newValue) }
    }
    package final var count: UInt {
        get { value() }
        set { set(newValue) }
    }
    package final var nestedName: String? {
        get { value() }
        set { set(newValue) }
    }
    package final var weakModel: EmptyModel? {
        get { value() }
        set { set(newValue) }
    }

    package final var dynamicName: String { name ?? "" }

    package static let schema = ModelSchema(
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

package final class SubTestModel: TestModel {
    package var role: String? {
        get { value() }
        set { set(newValue) }
    }
    package var generation: Int? {
        get { value() }
        set { set(newValue) }
    }

    package static let subSchema = ModelSchema(
        SubTestModel.self, ["role": .string, "generation": .integer], extends: .modelClass(TestModel.self))
}

package final class ValidationModel: DynamicModel {
    package var name: String? {
        get { value() }
        set { set(newValue) }
    }

    package static let schema = ModelSchema(
        ValidationModel.self,
        [
            "name": .string.validate { (name: inout String?, _) in
                if name == nil { throw FixtureError.nameMissing }
            }
        ])
}

package final class SelfValidatingModel: DynamicModel {
    package var name: String? {
        get { value() }
        set { set(newValue) }
    }

    package static let schema = ModelSchema(
        SelfValidatingModel.self,
        [
            "name": .string.validate { (name: inout String?, _) in
                if name == nil { name = "foobar" }
            }
        ])
}

package class URLModel: DynamicModel {
    package final var url: URL? {
        get { value("URL") }
        set { set(newValue, "URL") }
    }

    package static let schema = ModelSchema(
        URLModel.self, ["URL": .url.default(json: "http://github.com").nullable])
}

package final class URLSubModel: URLModel {
    package var otherURL: URL? {
        get { value() }
        set { set(newValue) }
    }

    package static let subSchema = ModelSchema(
        URLSubModel.self,
        [
            "otherURL": .url.default(json: "http://github.com/Mantle/Mantle").nullable
                .transformer(URLTransformerName)
        ], extends: .modelClass(URLModel.self))
}

package class UUIDModel: DynamicModel {
    package final var uuid: UUID? {
        get { value("UUID") }
        set { set(newValue, "UUID") }
    }

    package static let schema = ModelSchema(
        UUIDModel.self, ["UUID": .uuid.default(json: "4A275FBD-8217-4397-964B-403F4C2B8545").nullable])
}

package final class UUIDSubModel: UUIDModel {
    package var otherUUID: UUID? {
        get { value() }
        set { set(newValue) }
    }

    package static let subSchema = ModelSchema(
        UUIDSubModel.self, ["otherUUID": .uuid.transformer(UUIDTransformerName)], extends: .modelClass(UUIDModel.self))
}

package final class BoolModel: DynamicModel {
    package var flag: Bool {
        get { value() }
        set { set(newValue) }
    }

    package static let schema = ModelSchema(BoolModel.self, ["flag": .bool.default(false)])
}

package final class StringModel: DynamicModel {
    package var string: String? {
        get { value() }
        set { set(newValue) }
    }

    package static let schema = ModelSchema(StringModel.self, ["string": .string])
}

/// The property that Mantle leaves untyped.
package final class AnyModel: DynamicModel {
    package var anyObject: JSONValue? {
        get { value() }
        set { set(newValue) }
    }

    package static let schema = ModelSchema(AnyModel.self, ["anyObject": .jsonValue])
}

package final class MultiPathModel: DynamicModel {
    package var range: Range? {
        get { value() }
        set { set(newValue) }
    }
    package var nestedRange: Range? {
        get { value() }
        set { set(newValue) }
    }

    package static let schema = ModelSchema(
        MultiPathModel.self,
        [
            "range": .custom(Range.self, transformer: "Range").json(allOf: ["location", "length"]),
            "nestedRange": .custom(Range.self, transformer: "NestedRange")
                .json(allOf: ["nested.location", "nested.length"]),
        ])
}

/// A plain property, a model, and a model that has nothing to do with JSON.
package final class NestedDefaultModel: DynamicModel {
    package var property: String? {
        get { value() }
        set { set(newValue) }
    }
    package var conforming: TestModel? {
        get { value() }
        set { set(newValue) }
    }
    package var nonConforming: EmptyModel? {
        get { value() }
        set { set(newValue) }
    }

    package static let schema = ModelSchema(
        NestedDefaultModel.self,
        ["property": .string, "conforming": .model(TestModel.self), "nonConforming": .model(EmptyModel.self).local])
}

/// One property for each answer to the question who sees it.
package class StorageModel: DynamicModel {
    package static let schema = ModelSchema(
        StorageModel.self,
        [
            "primitive": .bool.readOnly, "assignProperty": .model(EmptyModel.self), "strongProperty": .string,
            "weakProperty": .model(EmptyModel.self).weak, "transitoryProperty": .string.storage(.transitory),
            "documented": .string.storage(.notStored), "shadowedInSubclass": .string,
        ])
}

package final class StorageSubModel: StorageModel {
    package static let subSchema = ModelSchema(
        StorageSubModel.self, ["shadowedInSubclass": .string.required, "own": .string],
        extends: .modelClass(StorageModel.self))
}
