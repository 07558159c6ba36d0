import Foundation
import Pallium
import Testing

/// A comment stays with the member or element before it on its line, else with the next one: the table of the section *Keep
/// the format* of the article *Merging*.
struct CommentOwnerTests {
    private let registry = SchemaRegistry()
    private let adapter: JSONAdapter<DynamicModel>

    init() throws {
        let settings = ModelSchema(
            "Settings",
            [
                "theme": .string, "zoom": .double, "recent": .array(of: .string), "sizes": .dictionary(of: .integer),
            ])
        try registry.register(settings)
        adapter = try JSONAdapter(schema: settings, registry: registry).with { $0.reading.comments = .accept }
    }

    private func edited(_ text: String, _ document: String, removing removed: [String] = []) throws -> String {
        let model = try adapter.model(from: text)
        try adapter.merge(document, into: model)
        for key in removed { try model.unset(key) }
        return String(decoding: try adapter.data(from: model, editing: Data(text.utf8)), as: UTF8.self)
    }

    // MARK: The first is removed

    @Test func theCommentAboveAFirstElementGoesWithIt() throws {
        #expect(
            try edited("{\"recent\": [\n  // a\n  \"a\",\n  // b\n  \"b\"\n]}", #"{"recent": ["b"]}"#)
                == "{\"recent\": [\n  // b\n  \"b\"\n]}")
    }

    @Test func theCommentAboveAFirstEntryGoesWithIt() throws {
        #expect(
            try edited("{\"sizes\": {\n  // a\n  \"a\": 1,\n  // b\n  \"b\": 2\n}}", #"{"sizes": {"b": 2}}"#)
                == "{\"sizes\": {\n  // b\n  \"b\": 2\n}}")
    }

    @Test func theCommentAboveAFirstMemberGoesWithIt() throws {
        #expect(
            try edited("{\n  // t\n  \"theme\": \"x\",\n  // z\n  \"zoom\": 1\n}", "{}", removing: ["theme"])
                == "{\n  // z\n  \"zoom\": 1\n}")
    }

    @Test func theCommentAboveAnElementMovesWithIt() throws {
        #expect(
            try edited("{\"recent\": [\n  // a\n  \"a\",\n  // b\n  \"b\"\n]}", #"{"recent": ["b", "a"]}"#)
                == "{\"recent\": [\n  // b\n  \"b\",\n  // a\n  \"a\"\n]}")
    }

    // MARK: An empty object

    /// Nothing was there that the comment could belong to, so it stays.
    @Test(arguments: ["{\n  // Settings of this machine.\n}\n", "{ /* none */ }", "{} // none", "{// none\n}"])
    func theCommentOfAnEmptyObjectStays(_ text: String) throws {
        let result = try edited(text, #"{"zoom": 1}"#)
        let comment = try #require(text.firstMatch(of: #/\/\*.*?\*\/|\/\/[^\n]*/#)?.output)
        #expect(result.contains(comment), "\(result)")
    }

    @Test(arguments: [
        ("{\"recent\": [\n  // The newest comes first.\n]}", #"{"recent": ["a"]}"#),
        ("{\"sizes\": {/* by name */}}", #"{"sizes": {"a": 1}}"#),
    ])
    func theCommentOfAnEmptyCollectionStays(text: String, change: String) throws {
        let result = try edited(text, change)
        let comment = try #require(text.firstMatch(of: #/\/\*.*?\*\/|\/\/[^\n]*/#)?.output)
        #expect(result.contains(comment), "\(result)")
    }

    // MARK: A comment of several lines

    @Test(arguments: [
        ("{\"theme\": \"x\" /*\n*/}", #"{"zoom": 1}"#), ("{\n  \"theme\": \"x\" /* one\n  two */\n}", #"{"zoom": 1}"#),
        ("{\"recent\": [\"a\" /*\n*/]}", #"{"recent": ["a", "b"]}"#),
        ("{\"recent\": [\"a\" /*\n*/, \"b\" /*\n*/]}", #"{"recent": ["a"]}"#),
        ("{\"sizes\": {\"a\": 1 /*\n*/}}", #"{"sizes": {"a": 1, "b": 2}}"#),
    ])
    func aCommentOfSeveralLinesMayStandBehindTheLast(text: String, change: String) throws {
        let result = try edited(text, change)
        let model = try adapter.model(from: text)
        try adapter.merge(change, into: model)
        #expect(try adapter.jsonValue(from: adapter.model(from: result)) == adapter.jsonValue(from: model))
    }

    // MARK: Spaces

    /// What is new has the line breaks, indentation and spaces of its neighbours, not those of their comments.
    @Test(arguments: [
        ("{\"sizes\": {\"a\": 1, /* of the first */ \"b\": 2}}", #"{"sizes": {"a": 1, "b": 2, "c": 3}}"#),
        ("{\"recent\": [\"a\" /* of the first */, \"b\"]}", #"{"recent": ["a", "b", "c"]}"#),
        ("{\"recent\": [\n  \"a\" // of the first\n  , \"b\"]}", #"{"recent": ["a", "b", "c"]}"#),
    ])
    func whatIsNewHasNoSpacesForComments(text: String, change: String) throws {
        let result = try edited(text, change)
        #expect(!result.contains("    "), "\(result)")
    }
}
