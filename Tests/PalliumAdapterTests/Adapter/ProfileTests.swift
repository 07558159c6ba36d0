import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Several JSON shapes of one schema, chosen on the adapter.
struct ProfileTests {
    private static func schemas() -> [ModelSchema] {
        var user = ModelSchema("User", ["login": .string.required])
        user.profiles = [ModelSchema.Profile("v2", ["login": .path("names.login")])]
        let team = ModelSchema("Team", ["teamName": .string.json("team_name")])
        var issue = ModelSchema(
            "Issue",
            [
                "number": .integer.required, "htmlURL": .url.json("html_url"), "notes": .string,
                "reviewed": .bool.local, "author": .model("User"), "team": .model("Team"),
                "size": .jsonValue.readOnly,
            ])
        issue.profiles = [
            ModelSchema.Profile(
                "v2",
                [
                    "number": .path("iid"), "htmlURL": .firstOf(["links.html", "link"]), "notes": .none,
                    "reviewed": .path("meta.reviewed"), "size": .allOf(["width", "height"]),
                ]),
            ModelSchema.Profile("swapped", ["number": .path("notes"), "notes": .path("number")]),
        ]
        var urgent = ModelSchema("UrgentIssue", ["deadline": .string], extends: "Issue")
        urgent.profiles = [ModelSchema.Profile("v2", ["deadline": .path("due"), "number": .path("id")])]
        return [issue, user, team, urgent]
    }

    private func entrances(_ profile: String?, of name: String = "Issue") throws -> Entrances<DynamicModel> {
        let registry = try SchemaRegistry.of(Self.schemas())
        return Entrances(
            try JSONAdapter(schema: registry.schema(named: name), profile: profile, registry: registry))
    }

    private let plain =
        #"{"number":7,"html_url":"https://a.b","notes":"n","author":{"login":"x"},"team":{"team_name":"t"}}"#
    private let v2 =
        #"{"iid":7,"links":{"html":"https://a.b"},"meta":{"reviewed":true},"author":{"names":{"login":"x"}},"#
        + #""team":{"team_name":"t"}}"#

    @Test func everyProfileReadsAndWritesItsOwnShape() throws {
        #expect(try entrances(nil).roundTrip(plain) == plain)
        #expect(try entrances("v2").roundTrip(v2) == v2)
        let swapped = #"{"notes":7,"number":"n"}"#
        #expect(try entrances("swapped").roundTrip(swapped) == swapped)
    }

    @Test func aModelGoesFromOneShapeToAnother() throws {
        let registry = try SchemaRegistry.of(Self.schemas())
        let schema = try registry.schema(named: "Issue")
        let model = try JSONAdapter(schema: schema, registry: registry).model(from: plain)
        try model.setValue(true, forKey: "reviewed")
        let adapter = try JSONAdapter(schema: schema, profile: "v2", registry: registry)
        #expect(String(decoding: try adapter.data(from: model), as: UTF8.self) == v2)
    }

    @Test func whatAProfileLeavesOutIsAnUnknownMember() throws {
        let model = try entrances("v2").model(from: #"{"iid":7,"notes":"n","number":"no integer","html_url":5}"#)
        #expect(try model.state(of: "notes") == .unset)
        #expect(try model.state(of: "htmlURL") == .unset)
    }

    @Test func severalPathsAreReadAsInTheSchemasOwnMapping() throws {
        let model = try entrances("v2").model(from: #"{"iid":7,"link":"https://c.d","width":1,"height":2}"#)
        let url: URL? = model.value("htmlURL")
        #expect(url?.absoluteString == "https://c.d")
        let size: JSONValue? = model.value("size")
        #expect(size == ["width": 1, "height": 2])
    }

    @Test func problemsNameTheMembersOfTheProfile() throws {
        #expect(
            try entrances("v2").sentence(of: #"{"author":{"names":{"login":5}},"iid":1}"#)
                == "expected a string but found the number 5 at /author/names/login (1:29)")
        #expect(
            try entrances("v2").sentence(of: #"{"number":1}"#)
                == #"expected the member "iid" of Issue but found none at the root (1:1)"#)
    }

    @Test func profilesAreInheritedKeyByKey() throws {
        let text = #"{"id":7,"links":{"html":"https://a.b"},"due":"soon"}"#
        #expect(try entrances("v2", of: "UrgentIssue").roundTrip(text) == text)
        let swapped = #"{"notes":7,"number":"n","deadline":"soon"}"#
        #expect(try entrances("swapped", of: "UrgentIssue").roundTrip(swapped) == swapped)
    }

    @Test func aSchemaWithoutTheProfileHandsItOn() throws {
        var leaf = ModelSchema("Leaf", ["a": .integer])
        leaf.profiles = [ModelSchema.Profile("short", ["a": .path("x")])]
        let adapter = try Plain.adapter([ModelSchema("Box", ["leaf": .model("Leaf")]), leaf])
        #expect(try adapter.roundTrip(#"{"leaf":{"a":1}}"#) == #"{"leaf":{"a":1}}"#)
        let registry = try SchemaRegistry.of([ModelSchema("Box", ["leaf": .model("Leaf")]), leaf])
        let short = try JSONAdapter(schema: registry.schema(named: "Box"), profile: "short", registry: registry)
        #expect(try Entrances(short).roundTrip(#"{"leaf":{"x":1}}"#) == #"{"leaf":{"x":1}}"#)
    }

    @Test func aProfileThatDoesNotExistIsRefused() throws {
        let error = #expect(throws: ModelError.self) { try entrances("v3") }
        #expect(error?.code == .unknownProfile)
        #expect(error?.category == .misuse)
        #expect(
            error?.description
                == "expected the name of a profile of the schema or of one that it refers to but found \"v3\"; "
                + "did you mean \"v2\"?")
    }

    @Test func documentsHaveTheSameProfiles() throws {
        let registry = SchemaRegistry()
        let document = #"""
            {"name": "Issue", "properties": {"number": {"kind": "integer", "required": true},
             "url": {"kind": "url"}, "notes": {"kind": "string"}},
             "profiles": {"v2": {"number": "iid", "url": {"firstOf": ["links.html", "link"]}, "notes": null}}}
            """#
        try registry.load(Data(document.utf8))
        let adapter = try JSONAdapter(
            schema: registry.schema(named: "Issue"), profile: "v2", registry: registry)
        let text = #"{"iid":7,"links":{"html":"https://a.b"}}"#
        #expect(try Entrances(adapter).roundTrip(text) == text)
    }

    @Test(
        arguments: [
            ("number", .path("html_url"), "would be written over htmlURL: both claim html_url"),
            ("htmlURL", .path("notes.url"), "would be written over notes: both claim notes.url"),
            ("htmlURL", .path("urls[0]"), "the key path urls[0] steps into an array, which cannot be written"),
            ("htmlURL", .firstOf([]), "maps to no path"),
            ("notes", .allOf(["a", "b"]), "combines several paths, which needs a transformer from an object"),
            ("number", .none, "is required, but the profile does not map it"),
        ] as [(String, PropertySchema.JSONMapping, String)])
    func mistakesAreReportedAtRegistration(key: String, mapping: PropertySchema.JSONMapping, problem: String) {
        var schema = ModelSchema(
            "S", ["number": .integer.required, "htmlURL": .url.json("html_url"), "notes": .string])
        schema.profiles = [ModelSchema.Profile("v2", [key: mapping])]
        let problems = Plain.problems([schema])
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("S.\(key): profile v2: \(problem)") == true, "\(problems)")
    }

    @Test func aCollisionWithAnInheritedProfileIsReported() {
        var parent = ModelSchema("P", ["a": .string])
        parent.profiles = [ModelSchema.Profile("v2", ["a": .path("b")])]
        let problems = Plain.problems([parent, ModelSchema("C", ["b": .string], extends: "P")])
        #expect(
            problems == [
                "C.a: profile v2: would be written over b: both claim b; "
                    + "change a key path, or make one of them readOnly"
            ])
    }

    @Test func aProfileThatOccursTwiceIsReported() {
        var schema = ModelSchema("S", [:])
        schema.profiles = [ModelSchema.Profile("v2", [:]), ModelSchema.Profile("v2", [:])]
        #expect(Plain.problems([schema]) == [#"S: has the profile "v2" twice; keep one"#])
    }
}
