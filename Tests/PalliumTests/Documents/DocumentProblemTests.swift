import Foundation
import Pallium
import TestSupport
import Testing

/// Documents that are wrong in one way, and what is said about them.
@Suite(.threat(.schemaDocuments))
struct DocumentProblemTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let document: String
        let problem: String

        init(_ document: String, _ problem: String) {
            self.document = document
            self.problem = problem
        }

        var testDescription: String { document }
    }

    /// A schema with one property, and what is said about that.
    static func property(_ text: String, _ place: String, _ problem: String) -> Row {
        Row(#"{"name": "A", "properties": {"p": \#(text)}}"#, "test.json:1:\(place): A.p: \(problem)")
    }

    static let schemaRows = [
        Row("", "test.json:1:1: the document is not valid JSON: expected a value but the text ended"),
        Row(#"{"name": "A",}"#, "test.json:1:14: the document is not valid JSON: expected a member name but found '}'"),
        Row(
            "{\"name\": \"A\",\r\n \"doc\": \"\u{1}\"}",
            "test.json:2:10: the document is not valid JSON: "
                + "expected an escape for the control character but found byte 0x01"),
        Row("7", "test.json:1:1: expected a schema, which is an object, but found the number 7"),
        Row(#"[{"name": "A"}, null]"#, "test.json:1:17: expected a schema, which is an object, but found null"),
        Row("{}", #"test.json:1:1: the schema has no name; add the member "name""#),
        Row(#"{"name": 1}"#, "test.json:1:10: name: expected the name of the schema but found the number 1"),
        Row(#"{"name": ""}"#, "test.json:1:10: name: a name cannot be empty"),
        Row(
            #"{"name": "A", "propertys": {}}"#,
            #"test.json:1:15: A: unknown member "propertys"; did you mean "properties"?"#),
        Row(
            #"{"name": "A", "zzzzzz": 1}"#,
            #"test.json:1:15: A: unknown member "zzzzzz"; a schema can have name, version, doc, extends, keys, "#
                + "identity, properties, ignored, cluster, profiles, upgrades"),
        Row(#"{"name": "A", "doc": "", "doc": ""}"#, #"test.json:1:26: A: the member "doc" occurs twice; keep one"#),
        Row(#"{"version": "1", "name": "A"}"#, #"test.json:1:13: A: version: expected an integer but found "1""#),
        Row(
            #"{"name": "A", "version": 1.5}"#,
            "test.json:1:26: A: version: expected an integer but found the number 1.5"),
        Row(#"{"name": "A", "version": 0}"#, "test.json:1:10: A: versions count from 1"),
        Row(#"{"name": "A", "doc": []}"#, "test.json:1:22: A: doc: expected text but found an array"),
        Row(
            #"{"name": "A", "extends": true}"#,
            "test.json:1:26: A: extends: expected the name of a schema but found true"),
        Row(
            #"{"name": "A", "extends": "Base"}"#,
            "test.json:1:10: A: extends Base, which is not registered; register it in the same call"),
        Row(
            #"{"name": "A", "keys": "snake"}"#,
            #"test.json:1:23: A: keys: expected one of "identity", "snakeCase", "explicit" but found "snake""#),
        Row(
            #"{"name": "A", "keys": "snakecase"}"#,
            #"test.json:1:23: A: keys: expected one of "identity", "snakeCase", "explicit" but found "snakecase"; "#
                + #"did you mean "snakeCase"?"#),
        Row(
            #"{"name": "A", "identity": 1}"#,
            "test.json:1:27: A: identity: expected a key or a list of them but found the number 1"),
        Row(#"{"name": "A", "identity": []}"#, "test.json:1:27: A: identity: the list is empty; leave it out"),
        Row(#"{"name": "A", "identity": [null]}"#, "test.json:1:28: A: identity: expected a key but found null"),
        Row(
            #"{"name": "A", "identity": "id"}"#,
            "test.json:1:10: A.id: the identity names a key that does not exist"),
        Row(
            #"{"name": "A", "properties": []}"#,
            "test.json:1:29: A: properties: expected an object of properties but found an array"),
        Row(
            #"{"name": "A", "ignored": "x"}"#,
            #"test.json:1:26: A: ignored: expected a list of key paths but found "x""#),
        Row(#"{"name": "A", "ignored": ["x", 1]}"#, "test.json:1:32: A: ignored: expected text but found the number 1"),
        Row(#"{"name": "A", "ignored": ["x", "x"]}"#, #"test.json:1:32: A: ignored: "x" occurs twice; keep one"#),
        Row(#"{"name": "A", "ignored": ["x."]}"#, #"test.json:1:10: A: ignored: key path "x." has an empty step"#),
        Row(#"{"name": "A", "extends": "A"}"#, "test.json:1:10: A: extends itself through A; break the cycle"),
        Row(
            #"[{"name": "A"}, {"name": "A", "doc": "x"}]"#,
            "test.json:1:26: A: another schema of this name stands at test.json:1:11; choose another name"),
    ]

    static let structureRows = [
        Row(
            #"{"name": "A", "cluster": "type"}"#,
            #"test.json:1:26: A: expected a cluster, which is an object, but found "type""#),
        Row(
            #"{"name": "A", "cluster": {}}"#,
            #"test.json:1:26: A: cluster: expected one of "discriminator" and "rules"; name one of them"#),
        Row(
            #"{"name": "A", "cluster": {"discriminator": 1, "models": {"x": "A"}}}"#,
            "test.json:1:44: A: discriminator: expected a key path but found the number 1"),
        Row(
            #"{"name": "A", "cluster": {"discriminator": "t"}}"#,
            #"test.json:1:26: A: cluster: the discriminator has no models; add the member "models""#),
        Row(
            #"{"name": "A", "cluster": {"discriminator": "t", "models": {}}}"#,
            "test.json:1:59: A: models: the cluster lists no models"),
        Row(
            #"{"name": "A", "cluster": {"discriminator": "t", "models": {"x": 1}}}"#,
            "test.json:1:65: A: models: expected the name of a schema but found the number 1"),
        Row(
            #"{"name": "A", "cluster": {"discriminator": "t", "models": {"x": "A", "x": "A"}}}"#,
            #"test.json:1:70: A: models: "x" occurs twice; keep one"#),
        Row(
            #"{"name": "A", "cluster": {"discriminator": "t", "models": {"x": "Circle"}}}"#,
            "test.json:1:10: A: the cluster names Circle, which is not registered; register it in the same call"),
        Row(
            #"[{"name": "A", "cluster": {"discriminator": "t", "models": {"x": "B"}}}, {"name": "B"}]"#,
            "test.json:1:11: A: the cluster names B, which does not descend from A; let it extend A"),
        Row(
            #"{"name": "A", "cluster": {"rules": []}}"#,
            "test.json:1:36: A: rules: expected a list of rules but found an array"),
        Row(
            #"{"name": "A", "cluster": {"rules": [{"model": "A"}]}}"#,
            #"test.json:1:37: A: rules: a rule has one of "present", "equals" and "kind""#),
        Row(
            #"{"name": "A", "cluster": {"rules": [{"present": "x"}]}}"#,
            #"test.json:1:37: A: rules: the rule chooses no model; add the member "model""#),
        Row(
            #"{"name": "A", "cluster": {"rules": [{"equals": {"x": 1, "y": 2}, "model": "A"}]}}"#,
            "test.json:1:48: A: equals: expected an object with one member, a value by its key path but found an object"
        ),
        Row(
            #"{"name": "A", "cluster": {"rules": [{"kind": {"x": "text"}, "model": "A"}]}}"#,
            #"test.json:1:52: A: kind: expected one of "null", "bool", "number", "string", "array", "object" but found "text""#
        ),
        Row(
            #"{"name": "A", "cluster": {"rules": [{"present": "x", "model": "A"}, {"present": "x", "model": "A"}]}}"#,
            "test.json:1:10: A: rule 2 of the cluster can never match: rule 1 matches first; put the stricter rule first"
        ),
        Row(
            #"{"name": "A", "cluster": {"discriminator": "t", "models": {"x": "A"}, "default": null}}"#,
            "test.json:1:82: A: default: expected the name of a schema but found null"),
        Row(
            #"{"name": "A", "profiles": []}"#,
            "test.json:1:27: A: profiles: expected an object of profiles by name but found an array"),
        Row(
            #"{"name": "A", "profiles": {"x": 1}}"#,
            "test.json:1:33: A: profiles: expected an object of key paths by key but found the number 1"),
        Row(
            #"{"name": "A", "profiles": {"x": {"k": 1}}}"#,
            #"test.json:1:39: A: profiles: expected a key path, null, {"firstOf": paths} or {"allOf": paths} but found the number 1"#
        ),
        Row(
            #"{"name": "A", "profiles": {"x": {"k": "y"}}}"#,
            "test.json:1:10: A.k: the profile x names a key that does not exist"),
        Row(
            #"{"name": "A", "upgrades": {}}"#,
            "test.json:1:27: A: upgrades: expected a list of steps but found an object"),
        Row(
            #"{"name": "A", "upgrades": [{}]}"#,
            #"test.json:1:28: A: upgrades: the step does not say from which version; add the member "from""#),
        Row(
            #"{"name": "A", "version": 2, "upgrades": [{"from": "1"}]}"#,
            #"test.json:1:51: A: from: expected an integer but found "1""#),
        Row(
            #"{"name": "A", "version": 2, "upgrades": [{"from": 1, "rename": {"a": 1}}]}"#,
            "test.json:1:70: A: rename: expected the new key but found the number 1"),
        Row(
            #"{"name": "A", "version": 2, "upgrades": [{"from": 1, "remove": "a"}]}"#,
            #"test.json:1:64: A: remove: expected a list of keys but found "a""#),
        Row(
            #"{"name": "A", "version": 2, "upgrades": [{"from": 1, "default": 1}]}"#,
            "test.json:1:65: A: default: expected an object of values by key but found the number 1"),
        Row(
            #"{"name": "A", "version": 2, "upgrades": [{"from": 1, "transform": {"a": 1}}]}"#,
            "test.json:1:73: A: transform: expected the name of a transformer or a list of them but found the number 1"),
        Row(
            #"{"name": "A", "version": 2, "upgrades": [{"from": 1, "transform": {"a": "Nothing"}}]}"#,
            "test.json:1:10: A: the upgrade of a names the transformer Nothing, which is not registered"),
        Row(
            #"{"name": "A", "version": 2, "upgrades": [{"from": 1, "renameSchema": 1}]}"#,
            "test.json:1:70: A: renameSchema: expected the name of the schema before this step but found the number 1"),
        Row(
            #"{"name": "A", "version": 3, "upgrades": [{"from": 1}]}"#,
            "test.json:1:10: A: the upgrade from version 2 is missing; declare a step, even an empty one"),
        Row(
            #"{"name": "A", "version": 2, "upgrades": [{"from": 1, "rename": {"\u00e9": "a", "e\u0301": "b"}}]}"#,
            "test.json:1:80: A: rename: \"e\u{301}\" differs from another key in its spelling only; spell accents in one way"
        ),
    ]

    static let propertyRows = [
        property(#""string""#, "35", #"expected a property, which is an object, but found "string""#),
        property("{}", "35", #"the property has no kind; add the member "kind""#),
        property(#"{"kind": 1}"#, "44", "kind: expected the name of a kind but found the number 1"),
        property(#"{"kind": "strin"}"#, "44", #"kind: "strin" is no kind; did you mean "string"?"#),
        property(#"{"kind": "Point"}"#, "44", #"kind: "Point" is no kind; register a custom kind of this name before"#),
        property(#"{"kind": "bool", "requird": true}"#, "52", #"unknown member "requird"; did you mean "required"?"#),
        property(
            #"{"kind": "bool", "required": false}"#, "64",
            "required: expected true but found false; leave the member out for the opposite"),
        property(
            #"{"kind": "bool", "nullable": 1}"#, "64",
            "nullable: expected true but found the number 1; leave the member out for the opposite"),
        property(
            #"{"kind": "bool", "secret": "yes"}"#, "62",
            #"secret: expected true but found "yes"; leave the member out for the opposite"#),
        property(
            #"{"kind": "bool", "weak": null}"#, "60",
            "weak: expected true but found null; leave the member out for the opposite"),
        property(#"{"kind": "bool", "weak": true}"#, "30", "only a model can be weak"),
        property(
            #"{"kind": "bool", "readOnly": true, "writeOnly": true}"#, "35",
            "the property is readOnly and writeOnly; drop one"),
        property(#"{"kind": "array"}"#, "44", #"the kind array needs the member "of", the property of its elements"#),
        property(#"{"kind": "model"}"#, "44", #"the kind model needs the member "model", the name of a schema"#),
        property(
            #"{"kind": "enumeration"}"#, "44", #"the kind enumeration needs the member "cases", its texts or integers"#),
        property(
            #"{"kind": "bool", "of": {"kind": "bool"}}"#, "58",
            "of: only an array, set or dictionary has elements; leave it out or change the kind"),
        property(
            #"{"kind": "bool", "model": "A"}"#, "61",
            "model: only the kind model names a schema; leave it out or change the kind"),
        property(
            #"{"kind": "bool", "cases": ["a"]}"#, "61",
            "cases: only an enumeration has cases; leave it out or change the kind"),
        property(
            #"{"kind": "bool", "unknown": "keep"}"#, "63",
            "unknown: only an enumeration has cases; leave it out or change the kind"),
        property(#"{"kind": "array", "of": {"kind": "int"}}"#, "68", #"kind: "int" is no kind; did you mean "int8"?"#),
        property(
            #"{"kind": "model", "model": 1}"#, "62", "model: expected the name of a schema but found the number 1"),
        property(
            #"{"kind": "model", "model": "User"}"#, "30",
            "names the model User, which is not registered; register it in the same call"),
        property(
            #"{"kind": "enumeration", "cases": "a"}"#, "68",
            #"cases: expected a list of texts or integers, or an object of texts by case but found "a""#),
        property(#"{"kind": "enumeration", "cases": []}"#, "68", "cases: an enumeration needs a case"),
        property(
            #"{"kind": "enumeration", "cases": ["a", 1]}"#, "74",
            "cases: expected text but found the number 1; cases are all texts or all integers"),
        property(
            #"{"kind": "enumeration", "cases": [1, 1.5]}"#, "72", "cases: expected an integer but found the number 1.5"),
        property(#"{"kind": "enumeration", "cases": ["a", "a"]}"#, "74", #"cases: "a" occurs twice; keep one"#),
        property(
            #"{"kind": "enumeration", "cases": {"a": []}}"#, "74",
            "cases: expected the list of the texts of the case but found an array"),
        property(
            #"{"kind": "enumeration", "cases": {"a": ["x"], "b": ["x", "y"]}}"#, "87",
            #"cases: "x" occurs twice; give each text to one case"#),
        property(
            #"{"kind": "enumeration", "cases": ["a"], "unknown": "skip"}"#, "86",
            #"unknown: expected "fail", "keep" or {"fallback": case} but found "skip""#),
        property(
            #"{"kind": "enumeration", "cases": ["a"], "unknown": {"fallback": "b"}}"#, "99",
            #"fallback: "b" is no case; name one of the cases"#),
        property(
            #"{"kind": "bool", "default": 1}"#, "30",
            "the default value does not fit: expected a bool but found the number 1; change the default"),
        property(
            #"{"kind": "bool", "json": 1}"#, "60",
            #"json: expected a key path, null, {"firstOf": paths} or {"allOf": paths} but found the number 1"#),
        property(
            #"{"kind": "bool", "json": {}}"#, "60", #"json: expected one of "firstOf" and "allOf" but found an object"#),
        property(
            #"{"kind": "bool", "json": {"firstOf": ["a", 1]}}"#, "78", "firstOf: expected text but found the number 1"),
        property(#"{"kind": "bool", "json": {"firstOf": []}}"#, "72", "firstOf: the list is empty; leave it out"),
        property(
            #"{"kind": "bool", "json": {"allOf": "a"}}"#, "70", #"allOf: expected a list of key paths but found "a""#),
        property(#"{"kind": "bool", "json": "a..b"}"#, "30", #"key path "a..b" has an empty step"#),
        property(
            #"{"kind": "url", "transformer": 1}"#, "66",
            "transformer: expected the name of a transformer or a list of them but found the number 1"),
        property(
            #"{"kind": "url", "transformer": "URLs"}"#, "30",
            #"names the transformer "URLs", which is not registered; did you mean URL?"#),
        property(
            #"{"kind": "bool", "nil": "null"}"#, "59",
            #"nil: expected one of "asParsed", "omit", "write" but found "null""#),
        property(
            #"{"kind": "bool", "storage": "temporary"}"#, "63",
            #"storage: expected one of "permanent", "transitory", "notStored" but found "temporary""#),
        property(
            #"{"kind": "bool", "archive": true}"#, "63",
            #"archive: expected one of "included", "excluded", "conditional" but found true"#),
        property(
            #"{"kind": "bool", "inverse": 1}"#, "63",
            "inverse: expected a key of the other model but found the number 1"),
        property(#"{"kind": "bool", "inverse": "x"}"#, "30", "has an inverse but holds no models"),
        property(
            #"{"kind": "bool", "merge": 1}"#, "61",
            "merge: expected the name of a policy, or an object with it but found the number 1"),
        property(#"{"kind": "bool", "merge": {}}"#, "61", #"merge: the policy has no name; add the member "policy""#),
        property(
            #"{"kind": "bool", "merge": {"policy": "x", "missing": "drop"}}"#, "88",
            #"missing: expected one of "keep", "remove" but found "drop""#),
        property(#"{"kind": "bool", "doc": 1}"#, "59", "doc: expected text but found the number 1"),
        property(
            #"{"kind": "bool", "required": true, "archive": "excluded"}"#, "30",
            "is required, but archives leave it out; archive it, or make it nullable"),
    ]

    static let partRows = [
        Row(
            #"{"name": "A", "cluster": {"rules": [{"present": "x", "model": "A"}], "models": {}}}"#,
            #"test.json:1:80: A: models: rules name their models themselves; leave it out"#),
        Row(
            #"{"name": "A", "cluster": {"discriminator": "t", "models": []}}"#,
            #"test.json:1:59: A: models: expected an object of schemas by text but found an array"#),
        Row(
            #"{"name": "A", "cluster": {"rules": [5]}}"#,
            #"test.json:1:37: A: expected a rule, which is an object, but found the number 5"#),
        Row(
            #"{"name": "A", "upgrades": [5]}"#,
            #"test.json:1:28: A: expected an upgrade, which is an object, but found the number 5"#),
        Row(
            #"{"name": "A", "identity": ["id", "id"], "properties": {"id": {"kind": "string"}}}"#,
            #"test.json:1:34: A: identity: "id" occurs twice; keep one"#),
        property(
            #"{"kind": "enumeration", "cases": {"a": [1]}}"#, "75", #"cases: expected text but found the number 1"#),
        property(
            #"{"kind": "enumeration", "cases": {"a": ["x", "x"]}}"#, "80",
            #"cases: "x" occurs twice; give each text to one case"#),
        property(
            #"{"kind": "enumeration", "cases": [true]}"#, "69", #"cases: expected text or an integer but found true"#),
        property(
            #"{"kind": "enumeration", "cases": ["a"], "unknown": {}}"#, "86",
            #"unknown: expected "fail", "keep" or {"fallback": case} but found an object"#),
        property(
            #"{"kind": "enumeration", "cases": ["a"], "unknown": {"fallback": true}}"#, "99",
            #"fallback: expected a case but found true"#),
    ]

    @Test(.row("C141", "C142", "C143"), arguments: schemaRows + structureRows + propertyRows + partRows)
    func namesPlaceMistakeAndFix(row: Row) {
        #expect(problems(of: row.document) == [row.problem])
    }

    @Test func everyProblemOfADocumentIsReportedInOrder() {
        let document = """
            {
              "name": "A",
              "vrsion": 1,
              "identity": "nothing",
              "properties": {
                "a": { "kind": "strin", "doc": 1 },
                "b": { "kind": "model", "model": "Nowhere" },
                "a": { "kind": "bool" },
                "c": { "kind": "enumeration", "cases": ["x", "x"] }
              }
            }
            """
        #expect(
            problems(of: document) == [
                "test.json:2:11: A.nothing: the identity names a key that does not exist",
                #"test.json:3:3: A: unknown member "vrsion"; did you mean "version"?"#,
                #"test.json:6:20: A.a: kind: "strin" is no kind; did you mean "string"?"#,
                "test.json:6:36: A.a: doc: expected text but found the number 1",
                "test.json:7:5: A.b: names the model Nowhere, which is not registered; register it in the same call",
                #"test.json:8:5: A: properties: "a" occurs twice; keep one"#,
                #"test.json:9:50: A.c: cases: "x" occurs twice; keep one"#,
            ])
    }

    @Test func everySchemaOfACycleIsNamed() {
        #expect(
            problems(of: #"[{"name": "A", "extends": "B"}, {"name": "B", "extends": "A"}]"#) == [
                "test.json:1:11: A: extends itself through B; break the cycle",
                "test.json:1:42: B: extends itself through A; break the cycle",
            ])
    }

    @Test func whatFollowsFromAnotherProblemIsNotReported() {
        // The child keeps the kind, the inverse is weak, the identity exists: only the misspelt kinds are wrong.
        let document = """
            [
              { "name": "A", "identity": "id", "properties": {
                "id": { "kind": "intger" },
                "children": { "kind": "array", "of": { "kind": "model", "model": "B" }, "inverse": "parent" }
              } },
              { "name": "B", "properties": { "parent": { "kind": "modl", "model": "A", "weak": true } } },
              { "name": "C", "extends": "A", "properties": { "id": { "kind": "integer", "required": true } } }
            ]
            """
        #expect(
            problems(of: document) == [
                #"test.json:3:21: A.id: kind: "intger" is no kind; did you mean "integer"?"#,
                #"test.json:6:54: B.parent: kind: "modl" is no kind; did you mean "model"?"#,
            ])
    }

    @Test func aClassThatIsCalledAlmostLikeASchemaIsTold() throws {
        let error = #expect(throws: SchemaError.self) {
            try SchemaRegistry().load(Array(#"{"name": "TestModle"}"#.utf8), classes: [TestModel.self])
        }
        #expect(
            error?.problems.map(\.description) == [
                "no loaded document describes the class TestModel; did you mean the schema TestModle?"
            ])
    }

    @Test func aDocumentOfTooManyValuesIsRefused() {
        let document = "[" + String(repeating: "0,", count: 4_000_000) + "0]"
        let found = problems(of: document)
        #expect(found.count == 1 && found[0].contains(": the document has more than "), "\(found.first ?? "none")")
    }

    @Test func aFolderOfWhatCannotBeReadIsAProblem() throws {
        guard FileManager.default.isReadableFile(atPath: "/proc/self/mem") else { return }
        try withTemporaryFolder { folder in
            // It can be opened, but there is no memory at the address 0.
            try FileManager.default.createSymbolicLink(
                at: folder.appendingPathComponent("a.json"), withDestinationURL: URL(fileURLWithPath: "/proc/self/mem"))
            let error = #expect(throws: SchemaError.self) { try SchemaRegistry().load(contentsOf: folder) }
            #expect(error?.problems.count == 1)
            #expect(error?.problems.first?.message.hasPrefix("the file cannot be read: ") == true)
        }
    }

    @Test func theStrictPolicyForUnknownCasesCanBeSpelledOut() throws {
        let document =
            #"{"name": "A", "properties": {"p": {"kind": "enumeration", "cases": ["a"], "unknown": "fail"}}}"#
        let schema = try #require(try SchemaRegistry().load(Array(document.utf8)).first)
        #expect(schema.property("p") == .enumeration(EnumerationSchema(cases: [.init(.text("a"))], unknown: .fail)))
    }

    @Test func whatOnlySeemsToBeMissingIsNotReported() throws {
        let document = #"""
            [{"name": "A", "properties": 1}, {"name": "B", "extends": "A", "properties": {}, "identity": ["id"]}]
            """#
        let error = #expect(throws: SchemaError.self) { try SchemaRegistry().load(Array(document.utf8)) }
        #expect(error?.problems.map(\.schema) == ["A"])
        #expect(error?.problems.first?.message.contains("an object of properties") == true)
    }
}
