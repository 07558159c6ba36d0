import Pallium
import PalliumTrials
import Testing

/// The names in generated classes: those of properties are made valid in ways that the article lists, others are refused.
struct GeneratedNameTests {
    @Test(
        arguments: [
            ("title", "title"), ("html_url", "html_url"), ("größe", "größe"), ("e\u{301}", "e\u{301}"), ("漢字", "漢字"),
            ("default", "`default`"), ("self", "`self`"), ("init", "`init`"), ("await", "`await`"),
            ("value", "value"), ("set", "set"), ("copy", "copy"),
            ("ID", "id"), ("HTMLName", "htmlName"), ("Title", "title"), ("Type", "type"),
            ("first-name", "firstName"), ("a.b c", "aBC"), ("2fa", "_2fa"), ("+1", "plus1"), ("-1", "minus1"),
            ("😀x", "x"), ("_", "property"), ("-", "property"), ("$", "property"), ("😀", "property"), ("$a", "a"),
            ("__", "__"), ("ⸯ", "property"),
            ("description", "descriptionValue"), ("hashValue", "hashValueValue"), ("values", "valuesValue"),
        ])
    func aKeyBecomesAnAccessor(key: String, name: String) throws {
        let properties = #""\#(key)": {"kind": "string"}"#
        let lines = try generatedLines(properties: properties)
        let isKey = name.filter { $0 != "`" }.utf8.elementsEqual(key.utf8)
        let index = try #require(lines.firstIndex(of: "var \(name): String? {"))
        #expect(lines[index + 1] == (isKey ? "get { value() }" : "get { value(\"\(key)\") }"))
        #expect(lines[index + 2] == (isKey ? "set { set(newValue) }" : "set { set(newValue, \"\(key)\") }"))
        #expect(lines.contains("static let \(name) = \"\(key)\""))
    }

    /// Keys of a class and of one that extends it, and the accessors that both have.
    static let clashes: [(keys: [String], more: [String], names: [String], moreNames: [String])] = [
        (["a-b", "aB"], [], ["aB_2", "aB"], []),
        (["ID", "id", "Id"], [], ["id_2", "id", "id_3"], []),
        (["ID"], ["id", "id_2"], ["id"], ["id_3", "id_2"]),
        (["_", "$", "property_2"], ["property"], ["property", "property_3", "property_2"], ["property_4"]),
        (["description", "descriptionValue"], [], ["descriptionValue_2", "descriptionValue"], []),
    ]

    @Test(arguments: clashes)
    func keysThatGiveOneNameAreNumbered(
        _ clash: (keys: [String], more: [String], names: [String], moreNames: [String])
    ) throws {
        func properties(_ keys: [String]) -> String {
            keys.map { "\"\($0)\": {\"kind\": \"string\"}" }.joined(separator: ", ")
        }
        let files = try generatedFiles(
            """
            [{"name": "B", "extends": "A", "properties": {\(properties(clash.more))}},
             {"name": "A", "properties": {\(properties(clash.keys))}}]
            """)
        func names(_ file: String) -> [String] {
            (files[file] ?? "").matches(of: #/    var (\w+): String\? {/#).map { String($0.1) }
        }
        #expect(names("A.swift") == clash.names)
        #expect(names("B.swift") == clash.moreNames)
        for (key, name) in zip(clash.keys + clash.more, clash.names + clash.moreNames) where key != name {
            #expect(files.values.contains { $0.contains("static let \(name) = \"\(key)\"") }, "\(key)")
        }
    }

    /// Schemas of samples with any names of members have classes.
    @Test(arguments: [
        #"{"_": 1, "__": 2, "$": 3, "😀": 4, "7": 5, "": 6}"#, #"{"ID": 1, "id": 2, "Id": 3, "i-d": 4, "iD": 5}"#,
        #"{"class": 1, "init": 2, "self": 3, "Type": 4, "values": 5, "valuesValue": 6, "ⸯ": 7, "ⸯⸯ": 8}"#,
        #"{"data": {"a": 1}, "set": {"b": 1}, "string": {"c": 1}, "type": {"d": 1}, "Type": {"e": 1}}"#,
        #"{"root": {"data": {"data": {"a": 1}, "b": 2}, "keys": [{"c": 1}]}, "schema_documents": {"f": 1}}"#,
    ])
    func inferredSchemasHaveClasses(sample: String) throws {
        var inference = SchemaInference(name: "Root")
        var object = try #require(try JSONValue(parsing: sample).objectValue)
        if let empty = object[""] {
            object[""] = nil
            object["nested"] = ["": empty, "a": 1]
        }
        inference.add([object])
        let document = try SchemaRegistry().document(of: inference.schemas()).text()
        let files = try generatedFiles(document)
        for text in files.values {
            let names = text.matches(of: #/(?m)^    var (\S+): /#).map { String($0.1) }
            #expect(Set(names).count == names.count, "\(names)")
        }
    }

    @Test(arguments: [
        ("open", "open"), ("not_planned", #"notPlanned = "not_planned""#), ("User", #"user = "User""#),
        ("FIRST_TIMER", #"firstTimer = "FIRST_TIMER""#), ("default", "`default`"), ("iOS", "iOS"),
        ("2fa", #"_2fa = "2fa""#), ("+1", #"plus1 = "+1""#), ("none", #"noneValue = "none""#),
        ("allCases", #"allCasesValue = "allCases""#), ("", #"case2 = """#), ("<", #"case2 = "<""#),
        ("a b", #"aB = "a b""#), ("x", #"x_2 = "x""#), ("X", #"x_2 = "X""#),
    ])
    func aTextBecomesACase(text: String, declaration: String) throws {
        // The first case takes the name `x`.
        let first = text == "x" ? "X" : "x"
        let lines = try generatedLines(
            properties: #""key": {"kind": "enumeration", "cases": ["\#(first)", "\#(text)"]}"#)
        let isPlain = lines.contains("nonisolated enum Key: String, PropertyEnumeration { case x, \(declaration) }")
        #expect(isPlain || lines.contains("case \(declaration)"), "\(lines)")
    }

    /// Nested types must not hide others.
    @Test(arguments: [
        ("state", "State"), ("html_url", "HtmlUrl"), ("type", "AType"), ("data", "AData"), ("keys", "AKeys"),
        ("observable", "AObservable"), ("other", "AOther"), ("2fa", "A2fa"), ("漢字", "A漢字"), ("_", "Property"),
    ])
    func anEnumerationIsNamedLikeItsKey(key: String, type: String) throws {
        let files = try generatedFiles(
            #"""
            [{"name": "A", "properties": {"\#(key)": {"kind": "enumeration", "cases": ["a"]}}}, {"name": "Other"}]
            """#)
        #expect(
            files["A.swift"]?.contains("    nonisolated enum \(type): String, PropertyEnumeration { case a }") == true)
    }

    @Test(arguments: [
        // Names that are none in Swift.
        (
            #"{"name": "push-event"}"#,
            "a.json:1:10: push-event: no Swift class can have this name; rename the schema: letters, digits and underscores, a letter first, for example PushEvent"
        ),
        (
            #"{"name": "2fa"}"#,
            "a.json:1:10: 2fa: no Swift class can have this name; rename the schema: letters, digits and underscores, a letter first"
        ),
        (
            #"{"name": "../a"}"#,
            "a.json:1:10: ../a: no Swift class can have this name; rename the schema: letters, digits and underscores, a letter first, for example A"
        ),
        // Names of types.
        (
            #"[{"name": "Data"}, {"name": "String"}]"#,
            """
            2 problems in schemas:
              a.json:1:11: Data: a class of this name would hide another type Data; rename the schema
              a.json:1:29: String: a class of this name would hide another type String; rename the schema
            """
        ),
        (#"{"name": "URL"}"#, "a.json:1:10: URL: a class of this name would hide another type URL; rename the schema"),
        (
            #"{"name": "Array"}"#,
            "a.json:1:10: Array: a class of this name would hide another type Array; rename the schema"
        ),
        (
            #"{"name": "Observable"}"#,
            "a.json:1:10: Observable: a class of this name would hide another type Observable; rename the schema"
        ),
        (
            #"{"name": "SchemaDocuments"}"#,
            "a.json:1:10: SchemaDocuments: a class of this name would hide another type SchemaDocuments; rename the schema"
        ),
        (
            #"{"name": "Keys"}"#,
            "a.json:1:10: Keys: a class of this name would hide another type Keys; rename the schema"
        ),
        // Cases that Swift cannot tell apart.
        (
            #"{"name": "A", "properties": {"key": {"kind": "enumeration", "cases": ["\u00e9", "e\u0301"]}}}"#,
            "a.json:1:30: A.key: the cases \"\u{e9}\" and \"e\u{301}\" are equal in Swift, although their bytes differ; keep one, or accept both as texts of one case"
        ),
    ])
    func namesThatSwiftRefusesAreProblems(document: String, problem: String) throws {
        let error = #expect(throws: SchemaError.self) { try generatedFiles(document) }
        #expect(error?.description == problem)
    }

    @Test func classesCanHaveNamesOfKeywords() throws {
        let files = try generatedFiles(
            #"""
            [{"name": "class", "properties": {"a": {"kind": "model", "model": "protocol"}}},
             {"name": "protocol", "extends": "class"}]
            """#)
        #expect(
            files["class.swift"]?.contains("nonisolated class `class`: DynamicModel {\n    var a: `protocol`? {")
                == true)
        #expect(files["protocol.swift"]?.contains("nonisolated final class `protocol`: `class` {}") == true)
        #expect(files["SchemaDocuments.swift"]?.contains("                `protocol`.self,\n") == true)
    }

    @Test func filesDifferInMoreThanCase() throws {
        let long = String(repeating: "é", count: 250)
        let files = try generatedFiles(
            #"[{"name": "Issue"}, {"name": "issue"}, {"name": "schemaDocuments"}, {"name": "\#(long)"}, {"name": "\#(long)e"}]"#
        )
        let short = String(repeating: "é", count: 100)
        #expect(
            Set(files.keys) == [
                "Issue.swift", "issue-2.swift", "schemaDocuments-2.swift", "SchemaDocuments.swift", "\(short).swift",
                "\(short)-2.swift",
            ])
    }

    @Test func parametersDoNotHideWhatTheInitializerUses() throws {
        let lines = try generatedLines(
            properties:
                #""self": {"kind": "string", "required": true}, "registry": {"kind": "string", "required": true}"#)
        #expect(lines.contains("`self` selfValue: String,"))
        #expect(lines.contains("registry: String,"))
        #expect(lines.contains("registry registryValue: SchemaRegistry = .shared"))
        #expect(
            lines.contains(
                #"try self.init(values: ["self": selfValue, "registry": registry], registry: registryValue)"#))
    }
}
