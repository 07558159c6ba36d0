import TestSupport
import Testing

/// `pallium check`, as its help and the article *Schema tools* describe it.
@Suite("check")
struct CheckTests {
    private func check(_ document: String, _ arguments: String...) async throws -> ToolRun {
        let folder = try TemporaryFolder()
        _ = try folder.write("schemas.json", document)
        var run = try await runTool(["check"] + arguments + [folder.path])
        run.errors = run.errors.replacing(folder.path, with: "DIR")
        return run
    }

    /// Documents with mistakes, and what is said about each.
    private static let mistakes: [(document: String, problems: [String])] = [
        (
            #"{"name": "A", "properties": {"a": {"kind": "int"}}}"#,
            [#"DIR/schemas.json:1:44: A.a: kind: "int" is no kind; did you mean "integer"?"#]
        ),
        (
            #"[{"name": "A", "extends": "B", "properties": {"a": {"kind": "string", "minimum": 1}}}]"#,
            [
                "DIR/schemas.json:1:27: A: extends B, which is not registered; register it in the same call",
                "DIR/schemas.json:1:82: A.a: the rule minimum is for numbers, and string is not; "
                    + "drop it, or change the kind",
            ]
        ),
        (
            #"{"name": "A", "properties": {"a": {"kind": "string", "pattern": "("}}}"#,
            [
                #"DIR/schemas.json:1:65: A.a: the pattern "(" cannot be used: expected a ")" for the "(" at 0 but found the end of the pattern at 1"#
            ]
        ),
        (
            #"{"name": "A", "properties": {"a": {"kind": "date"}}, "rules": [{"before": ["a", "b"]}]}"#,
            ["DIR/schemas.json:1:63: A: the rule before names no key b"]
        ),
        (
            "{",
            [#"DIR/schemas.json:1:2: the document is not valid JSON: expected a member name or '}' but the text ended"#]
        ),
    ]

    @Test(arguments: mistakes.indices)
    func everyMistakeIsReportedWithItsPlace(_ index: Int) async throws {
        let run = try await check(Self.mistakes[index].document)
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(Array(run.errorLines.dropFirst()) == Self.mistakes[index].problems)
    }

    private static let shapes = """
        [
          {"name": "Shape", "properties": {"id": {"kind": "integer", "required": true}}, "cluster": CLUSTER},
          {"name": "Circle", "extends": "Shape", "properties": {"radius": {"kind": "double"}}},
          {"name": "Square", EXTENDS"properties": {"side": {"kind": "double"}}}
        ]
        """

    /// Clusters that can be loaded, and the warnings about them.
    private static let clusters: [(cluster: String, warnings: [String])] = [
        (
            #"{"rules": [{"present": "radius", "model": "Circle"}, {"present": "side", "model": "Square"}], "default": "Shape"}"#,
            [
                #"rules 1 and 2 of the cluster both match {"radius":true,"side":true}; "#
                    + "put the rule first that should decide, or make it stricter"
            ]
        ),
        (
            #"{"rules": [{"kind": {"size.a": "number"}, "model": "Circle"}, {"equals": {"size.b[1]": 2}, "model": "Square"}], "default": "Shape"}"#,
            [
                #"rules 1 and 2 of the cluster both match {"size":{"b":[null,2],"a":1}}; "#
                    + "put the rule first that should decide, or make it stricter"
            ]
        ),
        (
            #"{"rules": [{"kind": {"size": "number"}, "model": "Circle"}, {"kind": {"size": "object"}, "model": "Square"}], "default": "Shape"}"#,
            []
        ),
        (
            #"{"rules": [{"present": "size", "model": "Circle"}, {"kind": {"size": "object"}, "model": "Square"}], "default": "Shape"}"#,
            ["rule 2 of the cluster is never reached, as rule 1 matches all that it matches; put it before that rule"]
        ),
        (
            #"{"rules": [{"kind": {"a": "string"}, "model": "Circle"}, {"equals": {"a": "x"}, "model": "Square"}], "default": "Shape"}"#,
            ["rule 2 of the cluster is never reached, as rule 1 matches all that it matches; put it before that rule"]
        ),
        (
            #"{"rules": [{"present": "radius", "model": "Circle"}, {"kind": {"side": "null"}, "model": "Circle"}], "default": "Shape"}"#,
            []
        ),
        (
            #"{"rules": [{"present": "radius", "model": "Circle"}]}"#,
            [
                "the cluster has no default, so an object that no rule matches is an error; "
                    + #"add the member "default", if new kinds of objects may come"#
            ]
        ),
        (
            #"{"discriminator": "type", "models": {"circle": "Circle"}}"#,
            [
                "the cluster has no default, so an object whose type is not listed is an error; "
                    + #"add the member "default", if new kinds of objects may come"#
            ]
        ),
        (#"{"discriminator": "type", "models": {"circle": "Circle"}, "default": "Shape"}"#, []),
    ]

    @Test(arguments: clusters.indices)
    func clustersThatAreProbablyNotMeantAreWarnedAbout(_ index: Int) async throws {
        let cluster = Self.clusters[index].cluster
        let extends = cluster.contains("Square") ? #""extends": "Shape", "# : ""
        let run = try await check(
            Self.shapes.replacing("CLUSTER", with: cluster).replacing("EXTENDS", with: extends))
        let warnings = Self.clusters[index].warnings
        #expect(run.status == 0)
        // A warning about two rules is at the second one, others are at the cluster.
        let first = cluster.split(separator: "}, {", maxSplits: 1)[0]
        let column = 93 + (warnings.first?.hasPrefix("rule") == true ? first.utf8.count + 3 : 0)
        let count = warnings.isEmpty ? "no warnings" : "\(warnings.count) warning"
        #expect(
            run.errorLines == ["pallium: 3 schemas, no problems, \(count)"]
                + warnings.map { "DIR/schemas.json:2:\(column): Shape: \($0)" })
    }

    @Test func explainingPrintsTheMappingOfEachProperty() async throws {
        let run = try await check(
            """
            {"name": "Issue", "keys": "snakeCase", "properties": {
              "number": {"kind": "integer", "required": true, "minimum": 1},
              "htmlURL": {"kind": "url"},
              "labels": {"kind": "array", "of": {"kind": "string", "maxLength": 5}, "json": "meta.labels", "default": []},
              "token": {"kind": "string", "labels": ["secret"], "json": null},
              "home": {"kind": "url", "json": {"firstOf": ["a", "b"]}, "merge": "keep", "transformer": "URL"}
            }, "profiles": {"v2": {"number": "iid"}}}
            """, "--explain")
        #expect(
            run.output == """
                Issue
                  property  in JSON      kind                           transformers  presence    merge    rules and more
                  number    number       integer                                      required    replace  minimum 1
                  htmlURL   html_url     url                                          optional    replace
                  labels    meta.labels  array of string (maxLength 5)                default []  replace
                  token     not in JSON  string                                       optional    replace  label secret
                  home      a | b        url                            URL           optional    keep


                """)
        #expect(run.status == 0)
    }

    @Test func aProfileIsExplainedWhereASchemaHasIt() async throws {
        let document = """
            [{"name": "A", "properties": {"number": {"kind": "integer"}}, "profiles": {"v2": {"number": "iid"}}},
             {"name": "B", "properties": {"number": {"kind": "integer"}}}]
            """
        let run = try await check(document, "--explain", "--profile", "v2")
        #expect(
            run.outputLines == [
                "A", "  property  in JSON  kind     presence  merge", "  number    iid      integer  optional  replace",
                "B", "  property  in JSON  kind     presence  merge", "  number    number   integer  optional  replace",
            ])
        let unknown = try await check(document, "--explain", "--profile", "v2", "--model", "B")
        #expect(unknown.status == 2)
        let misspelt = try await check(document, "--explain", "--model", "AA")
        #expect(misspelt.errorLines.last == #"pallium: there is no schema "AA" in DIR; did you mean A?"#)
        #expect(misspelt.status == 2)
    }

    @Test func wrongUsageIsExplained() async throws {
        let unused = try await runTool(["check", "--model", "A", "Schemas/github"])
        #expect(unused.errorLines.first == "pallium: --model means nothing without --explain")
        #expect(unused.status == 2)
        let missing = try await runTool(["check"])
        #expect(missing.errorLines.first == "pallium: check needs a folder or file with schema documents")
        #expect(missing.status == 2)
        let nowhere = try await runTool(["check", "/nonexistent/schemas"])
        #expect(
            nowhere.errorLines == [
                "pallium: 1 problem in schemas", "/nonexistent/schemas: there is no such file or folder",
            ])
        #expect(nowhere.status == 1)
    }

    @Test func opaqueKindsAndFormatsAreAcceptedOnRequest() async throws {
        let document =
            #"{"name": "A", "properties": {"a": {"kind": "Point"}, "b": {"kind": "string", "format": "colour"}}}"#
        #expect(try await check(document).status == 1)
        let run = try await check(document, "--opaque-transformers")
        #expect(run.status == 0)
        #expect(run.errorLines.contains("pallium: values pass as they are: Point, colour"))
    }
}
