import Pallium
import TestSupport
import Testing

/// A model that holds a set of children, each of which knows its parent: what once made people write a class of their own
/// instead of using Mantle.
struct FamilyTests {
    private let registry: SchemaRegistry
    private let adapter: JSONAdapter<Mother>

    private static let text = #"""
        {"name":"Ada","isAtHome":true,"coins":7,"height":1.65,"place":"{3, -4}","children":[{"name":"Zoe"},{"name":"Ben"}]}
        """#

    init() throws {
        let transformers = TransformerRegistry()
        try transformers.register(
            Transformer(from: String.self, to: Place.self) { text, _ in
                guard let match = text.wholeMatch(of: /\{(-?\d+), *(-?\d+)\}/), let x = Int(match.1),
                    let y = Int(match.2)
                else { throw FixtureError.refused }
                return Place(x: x, y: y)
            } reverse: { place, _ in
                "{\(place.x), \(place.y)}"
            }, as: "Place")
        registry = SchemaRegistry(transformers: transformers)
        try registry.register(Mother.schema, Child.schema)
        adapter = JSONAdapter(Mother.self, registry: registry)
    }

    @Test func primitivesAndAPointFromText() throws {
        let ada = try adapter.model(from: Self.text)
        #expect(ada.isAtHome)
        #expect(ada.coins == 7)
        #expect(ada.height == 1.65)
        #expect(ada.place == Place(x: 3, y: -4))
    }

    @Test func childrenKnowTheirMotherWithoutKeepingHer() throws {
        var ada: Mother? = try adapter.model(from: Self.text)
        let children = try #require(ada?.children)
        #expect(children.map(\.name) == ["Zoe", "Ben"])
        #expect(children.allSatisfy { $0.mother === ada })
        ada = nil
        #expect(children.allSatisfy { $0.mother == nil })
    }

    @Test func theCycleIsComparedHashedCopiedAndDescribed() throws {
        let ada = try adapter.model(from: Self.text)
        let twin = try adapter.model(from: Self.text)
        #expect(ada == twin)
        #expect(ada.hashValue == twin.hashValue)
        #expect(ada.deepCopy() == ada)
        #expect(ada.deepCopy().children?.first !== ada.children?.first)
        #expect(
            ada.description
                == #"Mother(name: "Ada", isAtHome: true, coins: 7, height: 1.65, place: Place(x: 3, y: -4), "#
                + #"children: [Child(name: "Zoe"), Child(name: "Ben")])"#)
        #expect(
            ada.debugDescription
                == """
                Mother
                  name: "Ada"
                  isAtHome: true
                  coins: 7
                  height: 1.65
                  place: Place(x: 3, y: -4)
                  children: [
                    Child
                      name: "Zoe"
                    Child
                      name: "Ben"]
                """)
        twin.children?[1].name = "Bo"
        #expect(ada != twin)
    }

    @Test func theSetIsWrittenInTheOrderOfItsFirstAppearance() throws {
        let ada = try adapter.model(from: Self.text)
        #expect(String(decoding: try adapter.data(from: ada), as: UTF8.self) == Self.text)
        let repeated = #"{"name":"Ada","children":[{"name":"Zoe"},{"name":"Ben"},{"name":"Zoe"}]}"#
        let order = try adapter.model(from: repeated).children?.map(\.name)
        #expect(order == ["Zoe", "Ben"])
    }

    /// A `Set` of Swift has no order; the slot keeps one, so that the text does not change from call to call.
    @Test func aSetOfSwiftIsWrittenTheSameEveryTime() throws {
        let ada = try adapter.model(from: #"{"name":"Ada"}"#)
        let names = (0..<20).map { "child \($0)" }
        let children = try names.map { try Child(values: ["name": $0], registry: registry) }
        try ada.setValue(Set(children), forKey: "children")
        #expect(children.allSatisfy { $0.mother === ada })
        let first = try adapter.data(from: ada)
        #expect(try adapter.data(from: ada) == first)
        #expect(try adapter.data(from: ada.copy()) == first)
        #expect(try adapter.data(from: adapter.model(from: first)) == first)
        #expect(try Set(#require(adapter.model(from: first).children).map(\.name)) == Set(names))
    }

    @Test func modelsChangeInPlaceAndKeepTheirIdentity() throws {
        let ada = try adapter.model(from: Self.text)
        let zoe = try #require(ada.children?.first)
        zoe.name = "Zoë"
        ada.coins += 1
        ada.place = Place(x: 0, y: 0)
        #expect(ada.children?.first === zoe)
        let written = String(decoding: try adapter.data(from: ada), as: UTF8.self)
        #expect(written.contains(#""coins":8"#))
        #expect(written.contains(#""place":"{0, 0}""#))
        #expect(written.contains(#"[{"name":"Zoë"}"#))
    }

    @Test func documentsAndModelsUpdateTheFamilyInPlace() throws {
        let ada = try adapter.model(from: Self.text)
        let children = try #require(ada.children)
        try adapter.merge(#"{"coins":8,"children":[{"name":"Ben","age":3},{"name":"Eve"}]}"#, into: ada)
        #expect(ada.coins == 8)
        #expect(ada.height == 1.65)
        #expect(ada.children?.map(\.name) == ["Zoe", "Ben", "Eve"])
        #expect(children[1].age == 3)

        let news = try adapter.model(from: #"{"name":"Ada","height":null,"children":[{"name":"Zoe","age":5}]}"#)
        try ada.merge(from: news)
        #expect(ada.height == nil)
        #expect(ada.isAtHome)
        #expect(ada.children?.map(\.age) == [5, 3, nil])
        #expect(ada.children?[0] === children[0] && ada.children?[1] === children[1])
        #expect(ada.children?.allSatisfy { $0.mother === ada } == true)

        // What is refused changes nothing.
        #expect(throws: ModelError.self) {
            try adapter.merge(#"{"coins":9,"children":[{"name":"Zoe","age":"six"}]}"#, into: ada)
        }
        #expect(ada.coins == 8)
        #expect(ada.children?.map(\.age) == [5, 3, nil])
    }

    @Test func aPointThatIsNoneIsRefusedWithItsPlace() throws {
        let error = #expect(throws: ModelError.self) { try adapter.model(from: #"{"name":"Ada","place":"{3}"}"#) }
        #expect(error?.pointer?.description == "/place")
        #expect(error?.underlying as? FixtureError == .refused)
    }
}

private struct Place: Hashable, Sendable, PropertyValue {
    var x: Int
    var y: Int
}

private final class Mother: DynamicModel {
    var isAtHome: Bool { value() }
    var coins: UInt {
        get { value() }
        set { set(newValue) }
    }
    var height: Double? { value() }
    var place: Place? {
        get { value() }
        set { set(newValue) }
    }
    var children: [Child]? { value() }

    static let schema = ModelSchema(
        Mother.self,
        [
            "name": .string.required, "isAtHome": .bool.default(false), "coins": .unsigned.default(0 as UInt),
            "height": .double, "place": .custom(Place.self, transformer: "Place"),
            "children": .set(of: .model(Child.self)).inverse("mother").merge(.byIdentifier("name")),
        ])
}

private final class Child: DynamicModel {
    var name: String {
        get { value() }
        set { set(newValue) }
    }
    var age: Int? { value() }
    var mother: Mother? { value() }

    static let schema = ModelSchema(
        Child.self, ["name": .string.required, "age": .integer, "mother": .model(Mother.self).weak.local])
}
