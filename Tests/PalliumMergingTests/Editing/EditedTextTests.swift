import Foundation
import ModelTestSupport
import Pallium
import TestSupport
import Testing

/// Texts before and after an edit of their model.
struct EditedTextTests {
    struct Edit: CustomTestStringConvertible {
        let testDescription: String
        let before: String
        let after: String
        let change: @Sendable (DynamicModel) throws -> Void

        init(
            _ name: String, _ before: String, _ after: String,
            _ change: @escaping @Sendable (DynamicModel) throws -> Void
        ) {
            testDescription = name
            self.before = before
            self.after = after
            self.change = change
        }
    }

    static let schemas = [
        ModelSchema(
            "Note",
            [
                "id": .integer, "text": .string, "size": .double, "day": .date.transformer(DateOnlyTransformerName),
                "stars": .integer.default(3), "login": .string.json("user.login"),
                "mail": .string.json("user.info.mail"),
                "first": .integer.json(firstOf: ["one", "two"]), "labels": .array(of: .string),
                "tags": .set(of: .string),
                "rows": .array(of: .array(of: .integer)), "table": .dictionary(of: .integer), "any": .jsonValue,
                "note": .model("Note"), "notes": .array(of: .model("Note")), "points": .array(of: .model("Point")),
                "secret": .string.writeOnly, "seen": .integer.readOnly,
            ], identity: ["id"]),
        ModelSchema("Point", ["x": .integer, "y": .integer]),
    ]

    static func adapter(
        _ change: (inout JSONAdapterOptions) -> Void = { _ in }
    ) throws -> JSONAdapter<DynamicModel> {
        try JSONAdapter(schema: schemas[0], registry: .of(schemas), options: .with(change))
    }

    static func edited(
        _ text: String, _ adapter: JSONAdapter<DynamicModel>, _ change: (DynamicModel) throws -> Void
    ) throws -> String {
        let model = try adapter.model(from: text)
        try change(model)
        let edited = try adapter.data(from: model, editing: Data(text.utf8))
        let found = try adapter.model(from: edited)
        let expected = try adapter.model(from: adapter.data(from: model))
        #expect(try adapter.jsonPatch(from: found, to: expected).operations.isEmpty)
        return String(decoding: edited, as: UTF8.self)
    }

    // MARK: Members

    private static let members: [Edit] = [
        Edit("nothing", "\u{FEFF} {\r\n\"id\":1e0 , \"x\" : [ ] }\n", "\u{FEFF} {\r\n\"id\":1e0 , \"x\" : [ ] }\n") {
            _ in
        },
        Edit("a value in place", #"{"id":1, "x": 5 ,"text" : "a","y":1.0}"#, #"{"id":1, "x": 5 ,"text" : "b","y":1.0}"#)
        {
            $0["text"] = "b"
        },
        Edit("another kind in place", #"{"any": {"a": 1}, "id": 1}"#, #"{"any": [1], "id": 1}"#) {
            try $0.setValue(JSONValue.array([1]), forKey: "any")
        },
        Edit(
            "spellings", #"{"id": 1.0, "size": 1.50, "day": "2026-01-31", "text": "\u00e9"}"#,
            #"{"id": 1.0, "size": 1.50, "day": "2026-01-31", "text": "\u00e9", "stars": 4}"#
        ) { $0["stars"] = 4 },
        Edit("escaped names", #"{"te\u0078t": "a", "id": 1}"#, #"{"te\u0078t": "b", "id": 1}"#) { $0["text"] = "b" },
        Edit("the last member", #"{"id": 1, "text": "a"}"#, #"{"id": 1}"#) { try $0.unset("text") },
        Edit("the first member", #"{"id": 1, "text": "a" }"#, #"{"text": "a" }"#) { try $0.unset("id") },
        Edit("the only member", #"{ "id": 1 }"#, #"{}"#) { try $0.unset("id") },
        Edit("null", #"{"id": 1}"#, #"{"id": null}"#) { $0["id"] = nil },
        Edit("a new member", #"{"id":1}"#, #"{"id":1,"text":"a"}"#) { $0["text"] = "a" },
        Edit("a new member after a space", #"{"id": 1}"#, #"{"id": 1, "text": "a"}"#) { $0["text"] = "a" },
        Edit("a new member in spaces", #"{ "id" : 1 }"#, #"{ "id" : 1, "text" : "a" }"#) { $0["text"] = "a" },
        Edit("a new member in no members", "{ }\n", "{\"text\":\"a\"}\n") { $0["text"] = "a" },
        Edit("a new member in place of another", #"{"id": 1}"#, #"{"text": "a"}"#) {
            try $0.unset("id")
            $0["text"] = "a"
        },
        Edit(
            "lines", "{\r\n\t\"id\": 1,\r\n\t\"x\": 2\r\n}\r\n",
            "{\r\n\t\"id\": 1,\r\n\t\"x\": 2,\r\n\t\"text\": \"a\"\r\n}\r\n"
        ) {
            $0["text"] = "a"
        },
        Edit("a line goes", "{\n  \"id\": 1,\n\n  \"text\": \"a\",\n  \"x\": 2\n}", "{\n  \"id\": 1,\n  \"x\": 2\n}") {
            try $0.unset("text")
        },
        Edit("the last line goes", "{\n  \"id\": 1,\n  \"text\": \"a\"\n}", "{\n  \"id\": 1\n}") {
            try $0.unset("text")
        },
        Edit("commas lead", "{ \"id\": 1\n, \"x\": 2\n}", "{ \"id\": 1\n, \"x\": 2\n, \"text\": \"a\"\n}") {
            $0["text"] = "a"
        },
        Edit("defaults are not added", #"{"id": 1}"#, #"{"id": 2}"#) { $0["id"] = 2 },
        Edit("a repeated member", #"{"id": 1, "text": "a", "id": 2}"#, #"{"id": 1, "text": "a", "id": 3}"#) {
            $0["id"] = 3
        },
        Edit("a repeated member goes", #"{"id": 1, "text": "a", "id": 2}"#, #"{"text": "a"}"#) { try $0.unset("id") },
        Edit("read and written", #"{"seen": 5, "secret": "a", "id": 1}"#, #"{"seen": 5, "secret": "b", "id": 1}"#) {
            $0["secret"] = "b"
        },
    ]

    // MARK: Paths

    private static let paths: [Edit] = [
        Edit("a path", #"{"user": {"a": 1, "login": "x"}}"#, #"{"user": {"a": 1, "login": "y"}}"#) {
            $0["login"] = "y"
        },
        Edit("a path begins", #"{"user": {"a": 1}}"#, #"{"user": {"a": 1, "login": "y"}}"#) { $0["login"] = "y" },
        Edit("a path ends", #"{"user": {"a": 1, "login": "x"}}"#, #"{"user": {"a": 1}}"#) { try $0.unset("login") },
        Edit("a whole path ends", #"{"id": 1, "user": {"login": "x"}}"#, #"{"id": 1}"#) { try $0.unset("login") },
        Edit(
            "a longer path ends", #"{"user": {"login": "x", "info": {"mail": "m", "a": 1}}}"#,
            #"{"user": {"info": {"a": 1}}}"#
        ) {
            try $0.unset("login")
            try $0.unset("mail")
        },
        Edit("a new path", "{\n  \"id\": 1\n}", "{\n  \"id\": 1,\n  \"user\": {\n    \"login\": \"y\"\n  }\n}") {
            $0["login"] = "y"
        },
        Edit("a null path", #"{"user": null}"#, #"{"user": {"login": "y", "info": {"mail": null}}}"#) {
            $0["login"] = "y"
        },
        Edit("the second of two paths changes", #"{"two": 1}"#, #"{"two": 1, "one": 2}"#) { $0["first"] = 2 },
        Edit("the second of two paths goes", #"{"two": 1, "x": 2, "seen": 1}"#, #"{"x": 2}"#) { try $0.unset("first") },
    ]

    // MARK: Containers

    private static let containers: [Edit] = [
        Edit("an element", #"{"labels": [ "a","b", "c" ]}"#, #"{"labels": [ "a","x", "c" ]}"#) {
            $0["labels"] = ["a", "x", "c"]
        },
        Edit("elements come and go", #"{"labels": ["\u0061", "b", "c"]}"#, #"{"labels": ["x", "\u0061", "c", "y"]}"#) {
            $0["labels"] = ["x", "a", "c", "y"]
        },
        Edit(
            "elements move", #"{"labels": ["\u0061", "\u0062", "\u0063"]}"#,
            #"{"labels": ["\u0063", "\u0061", "\u0062"]}"#
        ) {
            $0["labels"] = ["c", "a", "b"]
        },
        Edit("no elements", "{\"labels\": [\n\"a\"\n]}", "{\"labels\": []}") { $0["labels"] = [String]() },
        Edit("lines of elements", "{\"labels\": [\n  \"a\",\n  \"b\"\n]}", "{\"labels\": [\n  \"b\",\n  \"c\"\n]}") {
            $0["labels"] = ["b", "c"]
        },
        Edit("rows", "{\"rows\": [\n  [1, 2],\n  [3, 4]\n]}", "{\"rows\": [\n  [1, 2],\n  [3, 5],\n  [6, 7]\n]}") {
            $0["rows"] = [[1, 2], [3, 5], [6, 7]]
        },
        Edit("a set", #"{"tags": ["c", "\u0061", "b"]}"#, #"{"tags": ["c", "\u0061", "d"]}"#) {
            try $0.setValue(Set(["d", "a", "c"]), forKey: "tags")
        },
        Edit("a repeated element of a set", #"{"tags": ["c", "\u0061", "c"]}"#, #"{"tags": ["c", "\u0061", "d"]}"#) {
            try $0.setValue(Set(["d", "a", "c"]), forKey: "tags")
        },
        Edit(
            "a dictionary", #"{"table": {"b": 1, "a": 02e0}}"#.replacing("02e0", with: "2e0"),
            #"{"table": {"a": 2e0, "c": 3}}"#
        ) {
            try $0.setValue(["a": 2, "c": 3], forKey: "table")
        },
        Edit(
            "a nested model", #"{"note": {"x": 1, "id": 7, "text": "a"}}"#, #"{"note": {"x": 1, "id": 7, "text": "b"}}"#
        ) {
            ($0["note"] as? DynamicModel)?["text"] = "b"
        },
        Edit("a nested model goes", #"{"id": 1, "note": {"x": 1, "id": 7}}"#, #"{"id": 1}"#) { try $0.unset("note") },
        Edit(
            "models by identity", #"{"notes": [{"id": 1, "x": 1}, {"id": 2, "x": 2}, {"id": 3, "x": 3}]}"#,
            #"{"notes": [{"id": 3, "x": 3, "text": "c"}, {"id": 1, "x": 1}, {"id":4}]}"#.replacing(
                #"{"id":4}"#, with: #"{"id": 4}"#)
        ) { model in
            let notes = try #require(model["notes"] as? [DynamicModel])
            notes[2]["text"] = "c"
            let other = notes[1].copy()
            other["id"] = 4
            model["notes"] = [notes[2], notes[0], other]
        },
        Edit(
            "models without identity", #"{"points": [{"x": 1, "y": 1, "z": 1}, {"x": 2, "y": 2, "z": 2}]}"#,
            #"{"points": [{"x": 1, "y": 5, "z": 1}, {"x": 2, "y": 2, "z": 2}]}"#
        ) { model in
            let points = try #require(model["points"] as? [DynamicModel])
            points[0]["y"] = 5
        },
        Edit(
            "moved models without identity", #"{"points": [{"x": 1, "y": 1, "z": 1}, {"x": 2, "y": 2, "z": 2}]}"#,
            #"{"points": [{"x": 2, "y": 2, "z": 2}, {"x": 1, "y": 1, "z": 1}]}"#
        ) { model in
            let points = try #require(model["points"] as? [DynamicModel])
            model["points"] = [points[1], points[0]]
        },
        Edit(
            "a new model in lines", "{\n    \"id\": 1\n}",
            "{\n    \"id\": 1,\n    \"note\": {\n        \"id\": 2,\n        \"labels\": [\n            \"a\"\n        ]\n    }\n}"
        ) { model in
            let note = model.copy()
            note["id"] = 2
            note["labels"] = ["a"]
            model["note"] = note
        },
    ]

    // MARK: Comments

    private static let comments: [Edit] = [
        Edit("nothing", "// a\n{\"id\": 1, /* b */} // c", "// a\n{\"id\": 1, /* b */} // c") { _ in },
        Edit(
            "values in place", "{\n  // a\n  \"id\": /* b */ 1, // c\n  \"text\": \"a\" // d\n}\n// e\n",
            "{\n  // a\n  \"id\": /* b */ 2, // c\n  \"text\": \"b\" // d\n}\n// e\n"
        ) {
            $0["id"] = 2
            $0["text"] = "b"
        },
        Edit(
            "a new member", "{\n  // a\n  \"id\": 1 // b\n  // c\n}",
            "{\n  // a\n  \"id\": 1, // b\n  \"text\": \"a\"\n  // c\n}"
        ) { $0["text"] = "a" },
        Edit(
            "a new member behind a comma", "{\n  \"id\": 1, // b\n}", "{\n  \"id\": 1, // b\n  \"text\": \"a\",\n}"
        ) { $0["text"] = "a" },
        Edit(
            "a member goes with its comments",
            "{\n  // a\n  \"id\": 1, // b\n  // c\n  \"text\": \"a\", // d\n  // e\n  \"x\": 2, // f\n}",
            "{\n  // a\n  \"id\": 1, // b\n  // e\n  \"x\": 2, // f\n}"
        ) { try $0.unset("text") },
        Edit(
            "the last member goes", "{\n  \"id\": 1, // b\n  \"text\": \"a\"}", "{\n  \"id\": 1 // b\n}"
        ) { try $0.unset("text") },
        Edit(
            "the first member goes", "{\n  // a\n  \"id\": 1,\n  // b\n  \"text\": \"a\"\n}",
            "{\n  // b\n  \"text\": \"a\"\n}"
        ) { try $0.unset("id") },
        Edit(
            "the first member of a line goes", #"{/* a */ "id": 1, /* b */ "text": "a"}"#,
            #"{ /* b */ "text": "a"}"#
        ) { try $0.unset("id") },
        Edit(
            "a comment beside the bracket stays", "{ // all\n  // a\n  \"id\": 1, \"text\": \"a\"\n}",
            "{ // all\n  \"text\": \"a\"\n}"
        ) { try $0.unset("id") },
        Edit(
            "a comment of two lines belongs to the next member",
            "{\"id\": 1, /* a\n b */ \"text\": \"a\", \"x\": 2}", #"{"id": 1, "x": 2}"#
        ) { try $0.unset("text") },
        Edit(
            "a comment of two lines behind a member", "{\n  \"id\": 1, /* a\n b */\n  \"text\": \"a\"\n}",
            "{\n  \"text\": \"a\"\n}"
        ) { try $0.unset("id") },
        Edit(
            "a new member in a line with comments", #"{"id": 1, /* x */ "x": 2}"#,
            #"{"id": 1, /* x */ "x": 2, "text": "a"}"#
        ) { $0["text"] = "a" },
        Edit(
            "a member in an object with a comment only", "{\n  // nothing yet\n}", "{\n  // nothing yet\n  \"id\":1\n}"
        ) { $0["id"] = 1 },
        Edit(
            "elements in an array with a comment only", #"{"labels": [/* none */]}"#,
            #"{"labels": [/* none */"a", "b"]}"#
        ) { $0["labels"] = ["a", "b"] },
        Edit(
            "a new member behind a comment of two lines", "{\"id\": 1 /*\n*/}", "{\"id\": 1, /*\n*/ \"text\": \"a\"}"
        ) { $0["text"] = "a" },
        Edit("the only member goes", "{\"id\": 1,}", "{}") { try $0.unset("id") },
        Edit("an element goes", #"{"labels": ["a", /* b */ "b", "c",]}"#, #"{"labels": ["a", "c",]}"#) {
            $0["labels"] = ["a", "c"]
        },
        Edit(
            "elements change places", "{\"labels\": [\n  \"a\", // a\n  \"b\" // b\n]}",
            "{\"labels\": [\n  \"b\", // b\n  \"a\" // a\n]}"
        ) { $0["labels"] = ["b", "a"] },
        Edit(
            "elements change places with the comments before them",
            "{\"labels\": [\n  // a\n  \"a\",\n  // b\n  \"b\"\n]}",
            "{\"labels\": [\n  // b\n  \"b\",\n  // a\n  \"a\"\n]}"
        ) { $0["labels"] = ["b", "a"] },
        Edit("a new element in a line", #"{"labels": ["a" /* a */]}"#, #"{"labels": ["a", /* a */ "b"]}"#) {
            $0["labels"] = ["a", "b"]
        },
    ]

    @Test(arguments: comments)
    func commentsStayWithWhatTheyStandBeside(edit: Edit) throws {
        let adapter = try Self.adapter { $0.reading.comments = .accept }
        #expect(try Self.edited(edit.before, adapter, edit.change) == edit.after)
    }

    @Test(arguments: members + paths + containers)
    func onlyWhatChangedIsWritten(edit: Edit) throws {
        #expect(try Self.edited(edit.before, Self.adapter(), edit.change) == edit.after)
    }
}
