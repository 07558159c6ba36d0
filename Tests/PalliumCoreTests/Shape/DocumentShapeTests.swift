import PalliumCore
import PalliumJSON
import Testing

/// Key paths as *Schemas* describes them: where a property is read, where it is written, and what an object has for it.
@Suite struct DocumentShapeTests {
    private static func property(_ property: PropertySchema) throws -> DocumentShape.Property {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema("Node", [:]), ModelSchema("Subject", ["subject": property, "other": PropertySchema(.json)]))
        return try #require(DocumentShape(registry.layout(named: "Subject"))["subject"])
    }

    struct Reading: CustomTestStringConvertible {
        let property: PropertySchema
        let object: JSONObject
        /// The value, if the property is there and not refused.
        let value: JSONValue?
        /// The path that is read.
        var path: String?
        /// How many steps lead to a value that is refused.
        var blockedAfter: Int?

        init(_ property: PropertySchema, _ object: JSONObject, _ value: JSONValue?, at path: String? = nil) {
            (self.property, self.object, self.value, self.path) = (property, object, value, path)
        }

        init(_ property: PropertySchema, _ object: JSONObject, blockedAfter count: Int, of path: String) {
            self.init(property, object, nil, at: path)
            blockedAfter = count
        }

        var testDescription: String { "\(property.json) in \(JSONValue.object(object))" }
    }

    static let readings: [Reading] = [
        Reading(.string, ["subject": "a"], "a", at: "subject"),
        Reading(.string, [:], nil),
        Reading(.string, ["subject": nil], .null, at: "subject"),
        Reading(.string.json("user.login"), ["user": ["login": "a"]], "a", at: "user.login"),
        // A missing object on the way is an absent value, null on the way is null, and anything else is refused.
        Reading(.string.json("user.login"), [:], nil),
        Reading(.string.json("user.login"), ["user": nil], .null, at: "user.login"),
        Reading(.string.json("user.login"), ["user": 1], blockedAfter: 1, of: "user.login"),
        Reading(.string.json("a.b.c"), ["a": ["b": []]], blockedAfter: 2, of: "a.b.c"),
        Reading(.string.json(#"user\.login"#), ["user.login": "a"], "a", at: #"user\.login"#),
        Reading(.string.json("labels[1]").readOnly, ["labels": ["a", "b"]], "b", at: "labels[1]"),
        Reading(.string.json("labels[1]").readOnly, ["labels": ["a"]], nil),
        // The first path that is present, also with null.
        Reading(.string.json(firstOf: ["url", "href"]), ["href": "b", "url": "a"], "a", at: "url"),
        Reading(.string.json(firstOf: ["url", "href"]), ["href": "b"], "b", at: "href"),
        Reading(.string.json(firstOf: ["url", "href"]), ["href": "b", "url": nil], .null, at: "url"),
        Reading(
            .string.json(firstOf: ["links.url", "href"]), ["href": "b", "links": []], blockedAfter: 1, of: "links.url"),
        // An object of the parts that are there; null if all of them are.
        Reading(PropertySchema(.json).json(allOf: ["lat", "lon"]), ["lat": 1, "lon": 2], ["lat": 1, "lon": 2]),
        Reading(PropertySchema(.json).json(allOf: ["at.lat", "lon"]), ["at": ["lat": 1]], ["at.lat": 1]),
        Reading(PropertySchema(.json).json(allOf: ["lat", "lon"]), ["lat": 1, "lon": nil], ["lat": 1, "lon": nil]),
        Reading(PropertySchema(.json).json(allOf: ["at.lat", "lon"]), ["at": nil, "lon": nil], .null),
        Reading(PropertySchema(.json).json(allOf: ["lat", "lon"]), [:], nil),
        // Not in JSON.
        Reading(.string.local, ["subject": "a"], nil),
        Reading(.model("Node").weak, ["subject": [:]], nil),
    ]

    @Test(arguments: readings) func valueOfPropertyIsThatOfThePathsThatAreRead(_ reading: Reading) throws {
        let property = try Self.property(reading.property)
        #expect(property.value(in: reading.object) == reading.value)
        #expect(property.path(in: reading.object)?.description == reading.path)
        if case .blocked(_, let position) = property.content(in: reading.object) {
            #expect(position == reading.blockedAfter)
        } else {
            #expect(reading.blockedAfter == nil)
        }
    }

    struct Writing: CustomTestStringConvertible {
        let property: PropertySchema
        let value: JSONValue
        let object: JSONObject
        var testDescription: String { "\(value) for \(property.json)" }
    }

    static let writings: [Writing] = [
        Writing(property: .string, value: "a", object: ["subject": "a"]),
        Writing(property: .string.json("user.login"), value: nil, object: ["user": ["login": nil]]),
        Writing(property: .string.json(firstOf: ["a.url", "href"]), value: "a", object: ["a": ["url": "a"]]),
        Writing(
            property: PropertySchema(.json).json(allOf: ["lat", "at.lon"]), value: ["lat": 1, "at.lon": 2],
            object: ["lat": 1, "at": ["lon": 2]]),
        Writing(
            property: PropertySchema(.json).json(allOf: ["lat", "at.lon"]), value: ["at.lon": 2],
            object: ["at": ["lon": 2]]),
        Writing(
            property: PropertySchema(.json).json(allOf: ["lat", "lon"]), value: nil, object: ["lat": nil, "lon": nil]),
    ]

    @Test(arguments: writings) func placedValueIsReadBackUntilItIsRemoved(_ writing: Writing) throws {
        let property = try Self.property(writing.property)
        var object = JSONObject()
        property.place(writing.value, in: &object)
        #expect(object == writing.object)
        #expect(property.value(in: object) == writing.value)
        property.remove(from: &object)
        #expect(property.value(in: object) == nil)
    }

    @Test func directionsDecideWhatIsReadAndWritten() throws {
        let cases: [(property: PropertySchema, isRead: Bool, written: [String])] = [
            (.string, true, ["subject"]),
            (.string.json("a.b").readOnly, true, []),
            (.string.json("a.b").writeOnly, false, ["a.b"]),
            (.string.json(firstOf: ["a", "b"]), true, ["a"]),
            (PropertySchema(.json).json(allOf: ["a", "b"]), true, ["a", "b"]),
            (.string.local, false, []),
            (.model("Node").weak, false, []),
        ]
        for (schema, isRead, written) in cases {
            let property = try Self.property(schema)
            #expect(property.isRead == isRead, "\(schema.json)")
            #expect(property.writtenPaths.map(\.description) == written, "\(schema.json)")
        }
    }

    @Test func profileReplacesPathsAndInheritedPropertiesKeepTheStrategyOfTheirSchema() throws {
        let registry = SchemaRegistry()
        var base = ModelSchema("Base", ["createdAt": .string])
        base.keys = .snakeCase
        var child = ModelSchema("Child", ["homePage": .string, "title": .string], extends: "Base")
        child.profiles = [
            ModelSchema.Profile("old", ["title": .path("name"), "createdAt": .firstOf(["made", "born"])])
        ]
        try registry.register(base, child)
        let layout = try registry.layout(named: "Child")
        func paths(_ profile: String?) -> [[String]] {
            DocumentShape(layout, profile: profile).properties.map { $0.paths.map(\.description) }
        }
        #expect(paths(nil) == [["created_at"], ["homePage"], ["title"]])
        #expect(paths("old") == [["made", "born"], ["homePage"], ["name"]])
        #expect(paths("unknown") == paths(nil))
    }

    @Test func knownMembersAreThoseOfPropertiesClustersAndIgnoredPaths() throws {
        let registry = SchemaRegistry()
        var base = ModelSchema(
            "Base", ["title": .string.json("meta.title"), "token": .string.writeOnly],
            cluster: .discriminator("info.kind", ["child": "Child"]))
        base.ignored = ["_links.self"]
        try registry.register(
            base, ModelSchema("Child", ["size": .integer.json(firstOf: ["size", "length"])], extends: "Base"))
        let members = DocumentShape(try registry.layout(named: "Child")).members.map(\.text).sorted()
        #expect(members == ["_links", "info", "length", "meta", "size", "token"])
    }
}
