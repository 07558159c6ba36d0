import ModelTestSupport
import Pallium
import Testing

/// Which models are inferred, what they are called, and what identifies them.
struct InferredModelTests {
    private func names(_ document: String) throws -> [String] { try expectTheLaw(document).map(\.name) }

    static let words = [
        ("labels", "Label"), ("categories", "Category"), ("boxes", "Box"), ("branches", "Branch"), ("status", "Status"),
        ("series", "Series"), ("news", "News"), ("addresses", "Address"), ("user_mentions", "UserMention"),
        ("item", "Item"), ("cookies", "Cookie"), ("movies", "Movie"), ("zombies", "Zombie"), ("aliases", "Alias"),
        ("typeAliases", "TypeAlias"), ("caches", "Cache"), ("vertices", "Vertex"), ("axes", "Axis"), ("sms", "Sms"),
        ("lens", "Lens"), ("gps", "Gps"), ("quizzes", "Quiz"), ("heroes", "Hero"), ("shoes", "Shoe"),
        ("statuses", "Status"),
        ("services", "Service"), ("houses", "House"), ("matches", "Match"), ("leaves", "Leaf"), ("ties", "Tie"),
        ("page_children", "PageChild"), ("people", "Person"),
        ("größen", "GrEn"), ("日本", "Model"), ("2d_points", "Model2dPoint"),
    ]

    @Test(arguments: words) func anElementIsNamedBySingularOfTheMember(member: String, name: String) throws {
        #expect(try names(#"{"\#(member)":[{"a":1},{"a":2}]}"#) == ["Root", name])
    }

    @Test func aSingleModelKeepsTheNameOfTheMember() throws {
        #expect(try names(#"{"entities":{"a":1}}"#) == ["Root", "Entities"])
    }

    @Test func namesDoNotCollide() throws {
        #expect(
            try names(#"{"root": {"a": 1}, "x": {"item": {"b": 1}}, "y": {"item": {"c": 1}, "z": {"item": {"d": 1}}}}"#)
                == ["Root", "RootRoot", "X", "Y", "Item", "YItem", "Z", "ZItem"])
        #expect(
            try names(#"{"A": {"a": 1}, "a": {"b": 1}, "roota": {"c": 1}, "ROOTA": {"d": 1}}"#)
                == ["Root", "A", "RootA", "RootRoota", "ROOTA2"])
    }

    /// `generate` makes classes of the schemas.
    @Test func modelsDoNotHideTypes() throws {
        #expect(
            try names(#"{"data": {"a": 1}, "sets": [{"b": 1}], "url": {"data": {"c": 1}}}"#)
                == ["Root", "RootData", "RootSet", "Url", "UrlData"])
    }

    /// Each has members of its own, and a name without a letter that a schema's name could keep.
    @Test func modelsWithoutUsefulNamesAreNumbered() throws {
        let objects = try (0..<2000).map { number in
            let name = String(try #require(Unicode.Scalar(0x4E00 + number)))
            return #""\#(name)":{"m\#(number)":1}"#
        }
        let names = try names("{\(objects.joined(separator: ","))}")
        #expect(names == ["Root", "Model", "RootModel"] + (2..<2000).map { "Model\($0)" })
    }

    @Test func modelsWithTheSameMembersAreOne() throws {
        let schemas = try expectTheLaw(#"{"author": {"login": "a", "age": 1}, "editor": {"age": 2, "login": "b"}}"#)
        #expect(schemas.map(\.name) == ["Root", "Author"])
        #expect(schemas[0].properties.map(\.schema.kind) == [.model("Author"), .model("Author")])
    }

    @Test func modelsWithTheSameNamesAndOtherKindsAreTwo() throws {
        #expect(try names(#"{"a": {"x": 1, "y": 2}, "b": {"x": "1", "y": 2}}"#) == ["Root", "A", "B"])
        #expect(try names(#"{"a": {"x": 1, "y": 2}, "b": {"x": null, "y": 2}}"#) == ["Root", "A"])
        #expect(try names(#"{"a": {"x": [1]}, "b": {"x": ["1"]}}"#) == ["Root", "A", "B"])
    }

    @Test func aPartWithTheSameIdentityIsTheSameModel() throws {
        let owners = #"[{"id": 1, "login": "a", "site": "x"}, {"id": 2, "login": "b", "site": "y"}]"#
        let full = #"[{"id": 1, "login": "a", "site": "x", "age": 1}, {"id": 3, "login": "c", "site": "z", "age": 2}]"#
        let schemas = try expectTheLaw(#"{"owners": \#(owners), "users": \#(full)}"#)
        #expect(schemas.map(\.name) == ["Root", "Owner"])
        #expect(schemas[1].property("age")?.isRequired == false)
        #expect(schemas[1].property("login")?.isRequired == true)
    }

    @Test func aModelMayContainItself() throws {
        func item(_ id: Int, _ children: String) -> String {
            #"{"id": \#(id), "name": "n", "at": "x", "items": [\#(children)]}"#
        }
        let first = item(1, item(2, item(3, "") + "," + item(4, "")))
        let schemas = try expectTheLaw(#"{"items": [\#(first), \#(item(5, ""))]}"#)
        #expect(schemas.map(\.name) == ["Root", "Item"])
        #expect(schemas[1].property("items")?.kind == .array(.model("Item")))
    }

    @Test func samplesMayContainOneAnother() throws {
        func note(_ id: Int, _ reply: String = "") -> String { #"{"id": \#(id), "text": "a", "by": "x"\#(reply)}"# }
        let notes = [note(1, #", "reply": \#(note(2))"#), note(3), note(4, #", "reply": \#(note(5))"#)]
        let schemas = try expectTheLaw("[\(notes.joined(separator: ","))]")
        #expect(schemas.map(\.name) == ["Root"])
        #expect(schemas[0].property("reply")?.isRequired == false)
        #expect(schemas[0].documentation == "Inferred from 5 objects. Identity \"id\": 5 distinct in 5.")
    }

    @Test func anIdentityNeedsDistinctValuesInEveryObject() throws {
        func identity(_ document: String) throws -> [String] { try expectTheLaw(document)[0].identity }
        #expect(try identity(#"[{"id": 1}, {"id": 2}]"#) == ["id"])
        #expect(try identity(#"[{"id": "a"}, {"id": "b"}]"#) == ["id"])
        #expect(try identity(#"[{"key": 1, "uuid": 5}, {"key": 2, "uuid": 6}]"#) == ["uuid"])
        #expect(try identity(#"[{"node_id": 1}, {"node_id": 2}]"#) == ["nodeID"])
        #expect(try identity(#"[{"number": 1}, {"number": 2}]"#) == [])
        #expect(try identity(#"[{"id": 1}, {"id": 1}]"#) == [])
        #expect(try identity(#"[{"id": 1}, {"id": 2}, {"id": 1}]"#) == [])
        #expect(try identity(#"[{"id": 1}, {"id": null}]"#) == [])
        #expect(try identity(#"[{"id": 1}, {}]"#) == [])
        #expect(try identity(#"[{"id": 1}]"#) == [])
        #expect(try identity(#"[{"id": 1.5}, {"id": 2}]"#) == [])
    }

    @Test func repeatedIdentifiersNeedEqualObjects() throws {
        func identity(_ objects: String...) throws -> [String] {
            let arrays = objects.map { #"{"list": [\#($0)]}"# }.joined(separator: ",")
            return try #require(try expectTheLaw("[\(arrays)]").last).identity
        }
        let first = #"{"id": 1, "name": "a"}, {"id": 2, "name": "b"}"#
        #expect(try identity(first, first) == ["id"])
        #expect(try identity(first, #"{"name": "a", "id": 1}"#) == ["id"])
        #expect(try identity(first, #"{"id": 1, "name": "x"}, {"id": 2, "name": "y"}"#) == [])
    }

    @Test func theEvidenceIsCounted() throws {
        let schemas = try inferred(#"[{"id": 1, "user": {"name": "a"}}, {"id": 2}]"#)
        #expect(
            schemas.map(\.documentation) == [
                "Inferred from 2 objects. Identity \"id\": 2 distinct in 2.", "Inferred from 1 object.",
            ])
    }
}
