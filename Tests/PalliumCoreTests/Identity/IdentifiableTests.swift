import PalliumCore
import TestSupport
import Testing

/// Classes that are `Identifiable`: with an accessor called `id` and without one.
struct IdentifiableTests {
    private final class Numbered: DynamicModel, Identifiable { var id: Int { value() } }
    private final class Named: DynamicModel, Identifiable { var id: String? { value() } }
    private final class Keyed: DynamicModel, Identifiable { var key: String { value() } }
    /// Not identifiable, though there is an `id`.
    private final class Plain: DynamicModel { var id: Int { value() } }
    /// A model as an `id` is odd, but no error.
    private final class Odd: DynamicModel, Identifiable { var id: [Node] { value() } }
    private class Base: DynamicModel, Identifiable {}
    private final class Late: Base { var id: Int { value() } }

    private let registry: SchemaRegistry

    init() throws {
        registry = try .of(
            Node.schema, ModelSchema(Numbered.self, ["id": .integer.required]),
            ModelSchema(Named.self, ["id": .string]),
            ModelSchema(Keyed.self, ["key": .string.required], identity: ["key"]),
            ModelSchema(Plain.self, ["id": .integer.required]),
            ModelSchema(Odd.self, ["id": .array(of: .model(Node.self)).required]),
            ModelSchema(Base.self, ["name": .string], identity: ["name"]),
            ModelSchema(Late.self, ["id": .integer.required], extends: Base.self))
    }

    private func generic<T: Identifiable>(_ value: T) -> T.ID { value.id }

    @Test func anAccessorOfTheClassIsItsID() throws {
        let numbered = try Numbered(values: ["id": 7], registry: registry)
        let numbers: [Int] = [numbered.id, generic(numbered), numbered.frozen().id, generic(numbered.frozen())]
        #expect(numbers == [7, 7, 7, 7])
        let named = try Named(values: ["id": "ada"], registry: registry)
        let names: [String?] = [named.id, generic(named), named.frozen().id, generic(named.frozen())]
        #expect(names == ["ada", "ada", "ada", "ada"])
        let unnamed: String? = Named(registry: registry).frozen().id
        #expect(unnamed == nil)
    }

    @Test func aClassWithoutAnAccessorHasTheIdentityOfItsSchema() throws {
        let keyed = try Keyed(values: ["key": "a"], registry: registry)
        let ids: [ModelIdentity] = [keyed.id, generic(keyed), keyed.frozen().id, generic(keyed.frozen())]
        #expect(Set(ids).count == 1)
        #expect(ids[0].description == #"Keyed "a""#)
    }

    @Test func anAccessorOfAClassThatIsNotIdentifiableIsRead() throws {
        let plain = try Plain(values: ["id": 7], registry: registry)
        let read: Int = plain.frozen().id
        #expect(read == 7)
    }

    @Test func aModelAsAnIDLeavesNoFrozenGraph() throws {
        let odd = try Odd(values: ["id": [registry.node(1)]], registry: registry)
        let frozen = odd.frozen()
        let id: [Node] = frozen.id
        id[0].label = 2
        #expect(frozen.id[0].label == 1)
        #expect(generic(frozen)[0].label == 1)
    }

    /// As in Swift, the class that declares the conformance decides.
    @Test func anAccessorOfASubclassIsNotTheIDOfTheBase() throws {
        let late = try Late(values: ["id": 7, "name": "n"], registry: registry)
        let own: Int = late.id
        #expect(own == 7)
        #expect(generic(late).description == #"Base "n""#)
        #expect(late.frozen().id.description == #"Base "n""#)
        #expect(late.frozen()["id", as: Int.self] == 7)
    }
}
