import Foundation
import Pallium
import Testing

/// Texts with comments that ``JSONAdapter/data(from:editing:)-(Model,_)`` changes: the section *Keep the format* of the article
/// *Merging*.
struct EditedCommentTests {
    private let registry = SchemaRegistry()
    private let adapter: JSONAdapter<DynamicModel>

    init() throws {
        let settings = ModelSchema(
            "Settings",
            [
                "theme": .string, "zoom": .double, "recent": .array(of: .string), "tags": .set(of: .string),
                "sizes": .dictionary(of: .integer), "font": .model("Font"), "people": .array(of: .model("Person")),
            ])
        let font = ModelSchema("Font", ["family": .string, "size": .integer])
        let person = ModelSchema("Person", ["id": .integer.required, "name": .string], identity: ["id"])
        try registry.register(settings, font, person)
        adapter = try JSONAdapter(schema: settings, registry: registry).with { $0.reading.comments = .accept }
    }

    /// The text after a model has taken the members of a partial document; a member that is listed as removed is unset.
    private func edited(_ text: String, _ document: String, removing removed: [String] = []) throws -> String {
        let model = try adapter.model(from: text)
        try adapter.merge(document, into: model)
        for key in removed { try model.unset(key) }
        return String(decoding: try adapter.data(from: model, editing: Data(text.utf8)), as: UTF8.self)
    }

    // MARK: One value

    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let change: String
        let result: String
        var removed: [String] = []

        init(_ text: String, _ change: String, _ result: String, removing removed: String...) {
            self.text = text
            self.change = change
            self.result = result
            self.removed = removed
        }

        var testDescription: String { "\(text.debugDescription) by \(change)" }
    }

    static let values = [
        Case("// a\n{\"theme\": \"x\"} // b", #"{"theme": "y"}"#, "// a\n{\"theme\": \"y\"} // b"),
        Case(
            "{\"theme\" /*1*/ : /*2*/ \"x\" /*3*/ , /*4*/}", #"{"theme": "y"}"#,
            "{\"theme\" /*1*/ : /*2*/ \"y\" /*3*/ , /*4*/}"),
        Case("{\"theme\": \"x\" //1\n}", #"{"theme": "y"}"#, "{\"theme\": \"y\" //1\n}"),
        Case("{\"theme\": \"x\", //1\r\n}\r\n", #"{"theme": "y"}"#, "{\"theme\": \"y\", //1\r\n}\r\n"),
        Case("{\"theme\": \"x\" /*\n*/}", #"{"theme": "y"}"#, "{\"theme\": \"y\" /*\n*/}"),
        Case("\u{FEFF}//\n{\"zoom\": 1.50}", #"{"zoom": 2}"#, "\u{FEFF}//\n{\"zoom\": 2}"),
        Case(
            "{\"font\": {/*a*/ \"size\": /*b*/ 3 /*c*/} /*d*/}", #"{"font": {"size": 4}}"#,
            "{\"font\": {/*a*/ \"size\": /*b*/ 4 /*c*/} /*d*/}"),
        Case(
            "{\"theme\": \"a\", /*1*/ \"theme\": \"x\" /*2*/}", #"{"theme": "y"}"#,
            "{\"theme\": \"a\", /*1*/ \"theme\": \"y\" /*2*/}"),
        Case(
            "{\"other\": [/* kept */ 1,], \"zoom\": 1, }", #"{"zoom": 2}"#,
            "{\"other\": [/* kept */ 1,], \"zoom\": 2, }"),
        Case(
            "{\"theme\": \"// no\", /* \"zoom\": 1 */ \"zoom\": 1}", #"{"zoom": 2}"#,
            "{\"theme\": \"// no\", /* \"zoom\": 1 */ \"zoom\": 2}"),
        // A comment in a value that is replaced goes with it.
        Case("{\"font\": {\"size\": 3 /*pt*/} /*f*/}", #"{"font": null}"#, "{\"font\": null /*f*/}"),
        Case("{\"recent\": [\"a\", /*b*/ \"b\"] // r\n}", #"{"recent": []}"#, "{\"recent\": [] // r\n}"),
    ]

    @Test(arguments: values)
    func commentsAroundAChangedValueStay(_ example: Case) throws {
        #expect(try edited(example.text, example.change) == example.result)
    }

    @Test(arguments: values)
    func aTextWithoutAChangeStaysByteForByte(_ example: Case) throws {
        #expect(try edited(example.text, "{}") == example.text)
    }

    // MARK: New members and elements

    static let additions = [
        Case("{\n  \"theme\": \"x\" // t\n}", #"{"zoom": 2}"#, "{\n  \"theme\": \"x\", // t\n  \"zoom\": 2\n}"),
        Case("{\n  \"theme\": \"x\", // t\n}", #"{"zoom": 2}"#, "{\n  \"theme\": \"x\", // t\n  \"zoom\": 2,\n}"),
        Case(
            "{\r\n\t\"theme\": \"x\", // t\r\n}", #"{"zoom": 2}"#,
            "{\r\n\t\"theme\": \"x\", // t\r\n\t\"zoom\": 2,\r\n}"),
        Case("{\"theme\": \"x\"} // end", #"{"zoom": 2}"#, "{\"theme\": \"x\", \"zoom\": 2} // end"),
        Case("/*a*/ {} //b", #"{"zoom": 2}"#, "/*a*/ {\"zoom\":2} //b"),
        Case(
            "{\"recent\": [\n  \"a\", // a\n  \"b\" // b\n]}", #"{"recent": ["a", "b", "c"]}"#,
            "{\"recent\": [\n  \"a\", // a\n  \"b\", // b\n  \"c\"\n]}"),
        Case(
            "{\"recent\": [\n  \"a\", // a\n]}", #"{"recent": ["a", "b"]}"#,
            "{\"recent\": [\n  \"a\", // a\n  \"b\",\n]}"),
        Case(
            "{\"sizes\": {\n  \"a\": 1, // a\n}}", #"{"sizes": {"a": 1, "b": 2}}"#,
            "{\"sizes\": {\n  \"a\": 1, // a\n  \"b\": 2,\n}}"),
        Case(
            "{\"tags\": [\n  \"a\", // a\n  \"b\", // b\n]}", #"{"tags": ["b", "a", "c"]}"#,
            "{\"tags\": [\n  \"a\", // a\n  \"b\", // b\n  \"c\",\n]}"),
    ]

    @Test(arguments: additions)
    func whatIsNewStandsBehindTheCommentOfTheLast(_ example: Case) throws {
        #expect(try edited(example.text, example.change) == example.result)
    }

    /// However a comment is spelled, the text can be edited, and says what the model says.
    @Test(arguments: [
        "{\"theme\": \"x\" /* t */}", "{\"theme\": \"x\", /* t */}", "{\"theme\": \"x\" // t\n}",
        "{\"theme\": \"x\" // t\r\n}",
        "{/* t */ \"theme\": \"x\"}", "{\n  // t\n  \"theme\": \"x\"\n  // u\n}", "{\"theme\": \"x\" /* // */ // */\n}",
        "{\"theme\": \"x\" // \"zoom\": 1,\n}", "{\"theme\": \"x\" /* } */ }", "{\"theme\": \"x\" //\n,\n}",
    ])
    func aMemberCanBeAddedToAnyText(_ text: String) throws {
        let result = try edited(text, #"{"zoom": 2, "font": {"size": 3}}"#)
        let model = try adapter.model(from: result)
        #expect(try adapter.jsonValue(from: model) == ["theme": "x", "zoom": 2, "font": ["size": 3]])
        for comment in text.matches(of: #/\/\*.*?\*\/|\/\/[^\r\n]*/#) {
            #expect(result.contains(comment.output), "\(result)")
        }
    }

    // MARK: What goes and moves

    static let removals = [
        Case("{\n  \"theme\": \"x\", // t\n  \"zoom\": 1 // z\n}", "{}", "{\n  \"zoom\": 1 // z\n}", removing: "theme"),
        Case(
            "{\n  \"theme\": \"x\", // t\n  \"zoom\": 1, // z\n}", "{}", "{\n  \"theme\": \"x\", // t\n}",
            removing: "zoom"),
        Case(
            "{\n  \"theme\": \"x\",\n  // z\n  \"zoom\": 1,\n  // f\n  \"font\": {}\n}", "{}",
            "{\n  \"theme\": \"x\",\n  // f\n  \"font\": {}\n}", removing: "zoom"),
        Case(
            "{\"recent\": [\n  \"a\", // a\n  \"b\", // b\n]}", #"{"recent": ["b"]}"#,
            "{\"recent\": [\n  \"b\", // b\n]}"),
        Case(
            "{\"recent\": [\n  \"a\", // a\n  \"b\", // b\n]}", #"{"recent": ["a"]}"#,
            "{\"recent\": [\n  \"a\", // a\n]}"),
        Case(
            "{\"recent\": [\n  \"a\", // a\n  \"b\" // b\n]}", #"{"recent": ["b", "a"]}"#,
            "{\"recent\": [\n  \"b\", // b\n  \"a\" // a\n]}"),
        Case(
            "{\"recent\": [\n  \"a\",\n  // b\n  \"b\",\n  // c\n  \"c\"\n]}", #"{"recent": ["a", "c"]}"#,
            "{\"recent\": [\n  \"a\",\n  // c\n  \"c\"\n]}"),
        Case(
            "{\"people\": [\n  {\"id\": 1}, // a\n  {\"id\": 2} // b\n]}", #"{"people": [{"id": 2, "name": "B"}]}"#,
            "{\"people\": [\n  {\"id\": 2, \"name\": \"B\"} // b\n]}"),
        Case(
            "{\"people\": [\n  {\"id\": 1}, // a\n  {\"id\": 2} // b\n]}",
            #"{"people": [{"id": 3}, {"id": 1}, {"id": 2}]}"#,
            "{\"people\": [\n  {\"id\": 3},\n  {\"id\": 1}, // a\n  {\"id\": 2} // b\n]}"),
    ]

    @Test(arguments: removals)
    func aCommentGoesAndMovesWithItsMember(_ example: Case) throws {
        let model = try adapter.model(from: example.text)
        try adapter.merge(example.change, into: model)
        for key in example.removed { try model.unset(key) }
        let result = try adapter.data(from: model, editing: Data(example.text.utf8))
        #expect(String(decoding: result, as: UTF8.self) == example.result)
    }

    // MARK: Options

    @Test func commentsAreRefusedUnlessTheOptionsAcceptThem() throws {
        let strict = adapter.with { $0.reading.comments = .error }
        let text = "{\"font\": {\"size\": 3 /* pt */}}"
        let error = #expect(throws: ModelError.self) { try strict.model(from: text) }
        #expect(error?.code == .malformedJSON && error?.pointer?.description == "/font", "\(String(describing: error))")
        #expect(error?.location?.column == 21)
        let model = try adapter.model(from: text)
        #expect(throws: ModelError.self) { try strict.data(from: model, editing: Data(text.utf8)) }
    }

    @Test func theModelsOfAnArrayKeepTheirComments() throws {
        let text = "[ // first\n  {\"theme\": \"x\"}, // one\n  {\"theme\": \"y\"}, /* two */\n] // end\n"
        let models = try adapter.models(from: text)
        #expect(try adapter.data(from: models, editing: Data(text.utf8)) == Data(text.utf8))
        models[1]["theme"] = "z"
        let result = try adapter.data(from: models, editing: Data(text.utf8))
        #expect(String(decoding: result, as: UTF8.self) == text.replacing("\"y\"", with: "\"z\""))
    }
}
