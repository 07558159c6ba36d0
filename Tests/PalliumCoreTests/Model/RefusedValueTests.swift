import Foundation
import PalliumCore
import PalliumJSON
import TestSupport
import Testing

/// A value that a property refuses, and what is said about it.
struct RefusedValue: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let schema: PropertySchema
    let value: any PropertyValue & Sendable
    let code: ModelError.Code

    init(
        _ schema: PropertySchema, _ value: any PropertyValue & Sendable, _ message: String,
        _ code: ModelError.Code = .typeMismatch
    ) {
        self.schema = schema
        self.value = value
        self.code = code
        testDescription = "expected " + message
    }

    private enum Letter: String, PropertyEnumeration { case a, b, c, d, e, f, g, h, i, j, k, l, m }

    static let all: [RefusedValue] = [
        RefusedValue(.bool, 1, "a bool but found a value of the type Int"),
        RefusedValue(.integer, "5", "an integer but found a value of the type String"),
        RefusedValue(.integer, UInt64.max, "an integer of 64 bits but found 18446744073709551615", .numberOutOfRange),
        RefusedValue(.integer(as: Int8.self), 128, "an integer of 8 bits but found 128", .numberOutOfRange),
        RefusedValue(.unsigned, -1, "an unsigned integer of 64 bits but found -1", .numberOutOfRange),
        RefusedValue(
            .integer(as: UInt16.self), 65536, "an unsigned integer of 16 bits but found 65536", .numberOutOfRange),
        RefusedValue(.integer, 1.5, "an integer but found 1.5"),
        RefusedValue(.integer(as: Int8.self), 128.0, "an integer of 8 bits but found 128", .numberOutOfRange),
        RefusedValue(.unsigned, Decimal(string: "0.5") ?? 0, "an unsigned integer but found 0.5"),
        RefusedValue(.double, true, "a number but found a value of the type Bool"),
        RefusedValue(
            .double, (1 << 53) + 1, "a number that a double holds exactly but found 9007199254740993",
            .numberOutOfRange),
        RefusedValue(
            .double, Decimal(string: "0.1") ?? 0, "a number that a double holds exactly but found 0.1",
            .numberOutOfRange),
        RefusedValue(.float, 0.1, "a number that a float holds exactly but found 0.1", .numberOutOfRange),
        RefusedValue(
            .float, (1 << 24) + 1, "a number that a float holds exactly but found 16777217", .numberOutOfRange),
        RefusedValue(
            .decimal, Decimal.nan, "a number that a decimal holds exactly but found NaN", .numberOutOfRange),
        RefusedValue(.decimal, 0.1, "a number that a decimal holds exactly but found 0.1", .numberOutOfRange),
        RefusedValue(
            .decimal, Double.infinity, "a number that a decimal holds exactly but found inf", .numberOutOfRange),
        RefusedValue(.string, 5, "a string but found a value of the type Int"),
        RefusedValue(.string, Color.red, "a string but found a value of the type Color"),
        RefusedValue(.string, ["a"], "a string but found a value of the type Array<String>"),
        RefusedValue(.string, Point(x: 1, y: 2), "a string but found a value of the type Point"),
        RefusedValue(.date, 0.0, "a date but found a value of the type Double"),
        RefusedValue(.url, "http://a", "a URL but found a value of the type String"),
        RefusedValue(.uuid, "x", "a UUID but found a value of the type String"),
        RefusedValue(.data, "x", "data but found a value of the type String"),
        RefusedValue(
            .enumeration(Color.self), 5, #"one of "red", "green", "blue" but found a value of the type Int"#),
        RefusedValue(
            .enumeration(Color.self), "violet", #"one of "red", "green", "blue" but found "violet""#, .unknownCase),
        RefusedValue(
            .enumeration(Letter.self), "z",
            #"one of "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", … but found "z""#, .unknownCase),
        RefusedValue(.enumeration(Level.self), "low", "one of 1, 10 but found a value of the type String"),
        RefusedValue(.enumeration(Level.self), 2, "one of 1, 10 but found the number 2", .unknownCase),
        RefusedValue(
            .enumeration(Level.self), UInt64.max, "one of 1, 10 but found 18446744073709551615", .unknownCase),
        RefusedValue(.enumeration(Level.self), Color.red, "one of 1, 10 but found a value of the type Color"),
        RefusedValue(.array(of: .integer), 5, "an array but found a value of the type Int"),
        RefusedValue(.array(of: .integer), Set([5]), "an array but found a value of the type Set<Int>"),
        RefusedValue(.set(of: .integer), ["a"], "a set but found a value of the type Array<String>"),
        RefusedValue(
            .dictionary(of: .integer), ["a": "b"],
            "a dictionary but found a value of the type Dictionary<String, String>"
        ),
        RefusedValue(.jsonValue, 5, "a JSON value but found a value of the type Int"),
        RefusedValue(.jsonValue.required, JSONValue.null, "a JSON value but found null", .nullNotAllowed),
        RefusedValue(
            .custom(Point.self, transformer: "Point"), 5, "a value of Point but found a value of the type Int"),
        RefusedValue(
            .custom(Point.self, transformer: "Point"), Range(location: 1, length: 2),
            "a value of Point but found a value of the type Range"),
        RefusedValue(.model("Plain"), 5, "a model of Plain but found a value of the type Int"),
    ]
}

@Suite("Values that properties refuse")
struct RefusedValueTests {
    private func model(_ property: PropertySchema) throws -> DynamicModel {
        let schema = ModelSchema("Plain", ["p": property])
        return DynamicModel(schema: schema, registry: try .of(schema, transformers: ["Point": Point.transformer]))
    }

    @Test(.row("C035"), arguments: RefusedValue.all)
    func anErrorSaysWhatWasExpectedAndLeavesTheModelAlone(_ refused: RefusedValue) throws {
        let model = try model(refused.schema)
        let error = #expect(throws: ModelError.self) { try model.setValue(refused.value, forKey: "p") }
        #expect(error?.code == refused.code)
        #expect(error?.description == refused.testDescription + " at /p")
        #expect(try model.state(of: "p") == .unset)
    }

    @Test func aModelIsNoTextAndAnotherModelNotThisOne() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let user = User(registry: registry)
        let error = #expect(throws: ModelError.self) { try user.setValue(Group(registry: registry), forKey: "name") }
        #expect(error?.description == "expected a string but found a value of the type Group at /name")
        let group = Group(registry: registry)
        let other = #expect(throws: ModelError.self) { try group.setValue(group, forKey: "owner") }
        #expect(other?.description == "expected a model of User but found a model of Group (Group) at /owner")
    }

    @Test func nullOfJSONIsNullOfTheProperty() throws {
        let model = try model(.jsonValue)
        try model.setValue(JSONValue.bool(true), forKey: "p")
        try model.setValue(JSONValue.null, forKey: "p")
        #expect(try model.state(of: "p") == .null)
        #expect(try model.value(forKey: "p") == nil)
    }

    @Test func aPathEndsAtAWeakModelThatIsGone() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let node = registry.node(1)
        do {
            let owner = registry.node(2)
            node.owner = owner
            #expect(try node.value(forKeyPath: "owner.label") as? Int == 2)
            withExtendedLifetime(owner) {}
        }
        #expect(try node.value(forKeyPath: "owner.label") == nil)
    }
}
