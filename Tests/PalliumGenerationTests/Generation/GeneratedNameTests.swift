import Pallium
import PalliumTrials
import Testing

/// The names in generated classes, which are made valid in ways that the article lists.
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
        ("observable", "AObservable"), ("other", "AOther"), ("string_literal_type", "AStringLiteralType"),
        ("2fa", "A2fa"), ("漢字", "A漢字"), ("_", "Property"),
    ])
    func anEnumerationIsNamedLikeItsKey(key: String, type: String) throws {
        let files = try generatedFiles(
            #"""
            [{"name": "A", "properties": {"\#(key)": {"kind": "enumeration", "cases": ["a"]}}}, {"name": "Other"}]
            """#)
        #expect(
            files["A.swift"]?.contains("    nonisolated enum \(type): String, PropertyEnumeration { case a }") == true)
    }

    /// The names of schemas, and those of their classes.
    static let classes: [(schemas: [String], names: [String])] = [
        (["Issue", "issue", "HTML_Page", "größe", "__"], ["Issue", "issue", "HTML_Page", "größe", "__"]),
        (["push-event", "checkout.session", "File--Full", "../a"], ["PushEvent", "CheckoutSession", "FileFull", "A"]),
        (["2fa", "😀", "_", "$"], ["Model2fa", "Model", "Model2", "Model3"]),
        (
            ["Data", "String", "URL", "Keys", "Type"],
            ["ModelData", "ModelString", "ModelURL", "ModelKeys", "ModelType"]
        ),
        (["Observable", "SchemaDocuments"], ["ModelObservable", "ModelSchemaDocuments"]),
        // Members of the type with the documents, and names that the compiler looks up for literals.
        (["text", "load", "registry", "self"], ["Text", "Load", "Registry", "ModelSelf"]),
        (["StringLiteralType", "UnicodeScalarType"], ["ModelStringLiteralType", "ModelUnicodeScalarType"]),
        // Names that can stay do.
        (["a-b", "AB", "a.b", "AB2"], ["AB3", "AB", "AB4", "AB2"]),
        (["-error", "model-error", "ModelError"], ["Error", "ModelModelError", "ModelModelError2"]),
    ]

    @Test(arguments: classes)
    func aSchemaWhoseNameNoClassCanHaveGetsAnother(_ example: (schemas: [String], names: [String])) throws {
        let schemas = example.schemas.map { name in
            #"{"name": "\#(name)", "properties": {"a": {"kind": "array", "of": {"kind": "model", "model": "\#(name)"}}}}"#
        }
        let files = try generatedFiles(
            "[\(schemas.joined(separator: ",")), {\"name\": \"Last\", \"extends\": \"\(example.schemas[0])\"}]")
        let documents = try #require(files["SchemaDocuments.swift"])
        let isPlain = example.schemas == example.names
        for (schema, name) in zip(example.schemas, example.names) {
            #expect(
                files.values.contains { $0.contains("class \(name): DynamicModel {\n    var a: [\(name)]? {") },
                "\(name)")
            #expect(documents.contains("            \(isPlain ? "" : "\"\(schema)\": ")\(name).self,\n"), "\(schema)")
        }
        #expect(files["Last.swift"]?.contains("class Last: \(example.names[0]) {}") == true)
    }

    /// Swift cannot tell them apart, but the schema can.
    @Test func textsThatSwiftConsidersEqualAreOneCase() throws {
        let lines = try generatedLines(
            properties: #""key": {"kind": "enumeration", "cases": ["\u00e9", "e\u0301", "x"]}"#)
        #expect(lines.contains("nonisolated enum Key: String, PropertyEnumeration { case \u{e9}, x }"))
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
