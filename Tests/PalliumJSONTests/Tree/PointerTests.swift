import PalliumJSON
import Testing

struct PointerTests {
    /// The examples of RFC 6901 §5.
    static let examples: [(pointer: String, value: JSONValue)] = [
        ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/", 0), ("/a~1b", 1), ("/c%d", 2), ("/e^f", 3), ("/g|h", 4),
        ("/i\\j", 5), ("/k\"l", 6), ("/ ", 7), ("/m~0n", 8),
    ]

    static let document: JSONValue = [
        "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8,
    ]

    @Test(arguments: examples)
    func pointersLeadToTheirValues(text: String, value: JSONValue) throws {
        let pointer = try #require(JSONPointer(text))
        #expect(Self.document[pointer] == value)
        #expect(pointer.description == text)
    }

    @Test func theEmptyPointerIsTheWholeValue() throws {
        #expect(try Self.document[#require(JSONPointer(""))] == Self.document)
        #expect(JSONPointer().description == "")
        #expect(JSONPointer("") == JSONPointer())
        #expect(JSONPointer("/") == JSONPointer(tokens: [""]))
        #expect(JSONPointer("//") == JSONPointer(tokens: ["", ""]))
    }

    @Test(arguments: ["a", "a/b", "/~", "/~2", "/a~", "/~/b", "~0"])
    func otherTextsAreNoPointers(text: String) { #expect(JSONPointer(text) == nil) }

    @Test(arguments: [
        "/foo/2", "/foo/-", "/foo/01", "/foo/-1", "/foo/x", "/foo/", "/foo/0/x", "/nothing",
        "/foo/99999999999999999999", "/foo/+1",
    ])
    func pointersToNothingGiveNil(text: String) throws {
        #expect(try Self.document[#require(JSONPointer(text))] == nil)
    }

    @Test func tokensAreAppendedAndEscaped() {
        #expect(JSONPointer().appending("a/b~c").appending(3).description == "/a~1b~0c/3")
        #expect(JSONPointer("/~01")?.tokens == ["~1"])
        #expect(["a/b", "0"] == JSONPointer("/a~1b/0") && [] == JSONPointer())
        var pointer = JSONPointer()
        pointer.append("x")
        #expect(Set([pointer, JSONPointer().appending("x")]).count == 1)
    }
}
