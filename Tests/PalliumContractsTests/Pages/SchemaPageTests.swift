import Pallium
import PalliumContracts
import Testing

@Suite struct SchemaPageTests {
    private static let documents = #"""
        [{"name": "Issue", "doc": "A reported problem.", "identity": "id", "version": 2, "keys": "snakeCase",
          "ignored": ["etag"], "profiles": {"old": {"id": "number"}},
          "properties": {
            "id": {"kind": "integer", "required": true},
            "title": {"kind": "string", "json": "content.title", "default": "", "maxLength": 80, "doc": "One line."},
            "labels": {"kind": "array", "of": {"kind": "model", "model": "Label"}},
            "state": {"kind": "enumeration", "cases": {"open": ["open", "new"], "closed": ["closed"]},
              "unknown": {"fallback": "open"}},
            "token": {"kind": "string", "labels": ["secret"], "default": "hunter2", "writeOnly": true},
            "closedAt": {"kind": "date", "json": {"firstOf": ["closed", "done"]}},
            "scores": {"kind": "dictionary", "of": {"kind": "array", "of": {"kind": "int8", "maximum": 5}}},
            "note": {"kind": "string", "json": null, "merge": "keep"}},
          "rules": [{"required": ["closedAt"], "when": {"state": "closed"}}]},
         {"name": "Label", "properties": {"issue": {"kind": "model", "model": "Issue", "weak": true}}},
         {"name": "Shape", "properties": {"kind": {"kind": "string"}, "size": {"kind": "double"}},
          "cluster": {"discriminator": "kind", "models": {"circle": "Circle", "round": "Circle"}, "default": "Shape"}},
         {"name": "Circle", "extends": "Shape", "properties": {"size": {"kind": "double", "required": true}}}]
        """#

    @Test func markdownHasASectionWithATableForEachModel() throws {
        let page = try loaded(Self.documents).page(.markdown, title: "Issues & shapes")
        let head = """
            # Issues &amp; shapes

            - [Circle](#model.Circle)
            - [Issue](#model.Issue)
            - [Label](#model.Label)
            - [Shape](#model.Shape)

            <a id="model.Circle"></a>

            ## Circle

            - Extends: [Shape](#model.Shape)
            - Inherits: [`kind`](#model.Shape.kind)

            """
        #expect(page.hasPrefix(head))
        let issue = """

            <a id="model.Issue"></a>

            ## Issue

            A reported problem.

            - Identity: `id`
            - Version: 2
            - Names in JSON: `snake_case`
            - Ignored members: `etag`
            - Profile old: `id`: `number`
            - Refers to: [Label](#model.Label)
            - Used by: [Label.issue](#model.Label.issue)

            | key | path in JSON | kind | may be missing | default | rules | description |
            | --- | --- | --- | --- | --- | --- | --- |
            | <a id="model.Issue.id"></a>`id` | `id` | integer | no |  |  |  |

            """
        #expect(page.contains(issue))
        let rules = """

            Rules:

            - When state is "closed", these have a value: closedAt.

            """
        #expect(page.contains(rules))
    }

    @Test(arguments: [
        #""title"></a>`title` | `content.title` | string | yes | `""` | At most 80 characters. | One line. |"#,
        #""labels"></a>`labels` | `labels` | array of [Label](#model.Label) | yes |  |  |  |"#,
        #""state"></a>`state` | `state` | one of `open` (also `new`), `closed`; others are read as `open` | yes |  |  |  |"#,
        #""token"></a>`token` **label secret** **writeOnly** | `token` | string | yes | `hidden` |  |  |"#,
        #""closedAt"></a>`closedAt` | `closed`, else `done` | date | yes |  |  |  |"#,
        #""scores"></a>`scores` | `scores` | dictionary of array of int8 | yes |  | Elements: At most 5. |  |"#,
        #""note"></a>`note` | not in JSON | string | yes |  | Merged by `keep`. |  |"#,
    ])
    func aRowDescribesAProperty(_ row: String) throws {
        let page = try loaded(Self.documents).page(.markdown)
        #expect(page.contains("\n| <a id=\"model.Issue.\(row.dropFirst())\n"))
    }

    @Test func clustersAndNarrowedPropertiesAreDescribed() throws {
        let page = try loaded(Self.documents).page(.markdown)
        let cluster = """
            - Extended by: [Circle](#model.Circle)

            The value at `kind` chooses the model.

            - `circle` → [Circle](#model.Circle)
            - `round` → [Circle](#model.Circle)
            - all others → [Shape](#model.Shape)

            """
        #expect(page.contains(cluster))
        #expect(page.contains("| double | no |  | Narrows [Shape.size](#model.Shape.size). |"))
        let ruled = try loaded(
            """
            [{"name": "Message", "cluster": {"rules": [{"present": "a", "model": "Mail"},
               {"equals": {"b": 1}, "model": "Mail"}, {"kind": {"c": "array"}, "model": "Mail"}]}},
             {"name": "Mail", "extends": "Message"}]
            """
        ).page(.markdown)
        let rules = """
            The first rule that holds chooses the model.

            - `a` is present → [Mail](#model.Mail)
            - `b` is `1` → [Mail](#model.Mail)
            - `c` is of the kind `array` → [Mail](#model.Mail)
            - All others are refused.

            """
        #expect(ruled.contains(rules))
    }

    @Test func modelsThatAreObservedAreMarked() throws {
        let page = try loaded(
            """
            [{"name": "Top", "identity": "id", "observed": true, "version": 1,
              "properties": {"id": {"kind": "integer"}}},
             {"name": "Low", "extends": "Top"}, {"name": "Other"}]
            """
        )
        let markdown = try page.page(.markdown)
        #expect(markdown.contains("\n\n## Top\n\n- Identity: `id`\n- Observed: yes\n"))
        // Descendants inherit it.
        #expect(
            markdown.contains("\n\n## Low\n\n- Extends: [Top](#model.Top)\n- Identity: `id`\n- Observed: yes\n"))
        #expect(markdown.ranges(of: "Observed").count == 2)
        let html = try page.page(.html)
        #expect(html.ranges(of: "<div><dt>Observed</dt><dd>yes</dd></div>").count == 2)
    }

    @Test func whatIsWrittenInSwiftIsSaid() throws {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema(
                "Name",
                [
                    "text": .string.default("a").validate { (_: inout String?, _) in },
                    "size": .integer.transformer(.validating(Int.self) { $0 > 0 }).readOnly,
                ], cluster: .resolver { _ in nil }))
        let page = try registry.page(.markdown)
        #expect(page.contains("| `text` | string | yes | `\"a\"` | Swift code checks the value. |"))
        #expect(page.contains("| Converted by `Swift code`. |"))
        #expect(page.contains("Swift code chooses the model."))
    }

    @Test func graphsHaveEdgesForPropertiesParentsAndClusters() throws {
        let registry = try loaded(Self.documents)
        let dot = """
            digraph models {
              rankdir=LR
              node [shape=box, style=rounded, fontname="Helvetica"]
              edge [fontname="Helvetica", fontsize=10]
              m0 [label="Circle"]
              m1 [label="Issue"]
              m2 [label="Label"]
              m3 [label="Shape"]
              m0 -> m3 [label="extends", arrowhead=empty]
              m1 -> m2 [label="labels *"]
              m2 -> m1 [label="issue", style=dashed]
              m3 -> m0 [label="kind = circle, round", arrowhead=vee, color=gray]
            }

            """
        #expect(try registry.page(.dot) == dot)
        let mermaid = """
            flowchart LR
              m0["Circle"]
              m1["Issue"]
              m2["Label"]
              m3["Shape"]
              m0 ==>|"extends"| m3
              m1 -->|"labels #42;"| m2
              m2 -.->|"issue"| m1
              m3 --o|"kind #61; circle#44; round"| m0

            """
        #expect(try registry.page(.mermaid) == mermaid)
    }

    @Test func aRootComesFirstWithAllThatItRefersTo() throws {
        let registry = try loaded(Self.documents)
        let page = try registry.page(.dot, of: registry.schema(named: "Label"))
        #expect(page.contains("m0 [label=\"Label\"]\n  m1 [label=\"Issue\"]\n") && !page.contains("Shape"))
        let circle = try registry.page(.dot, of: registry.schema(named: "Circle"))
        #expect(circle.contains("m0 [label=\"Circle\"]\n  m1 [label=\"Shape\"]\n") && !circle.contains("Issue"))
        let error = #expect(throws: SchemaError.self) { try registry.page(.html, of: ModelSchema("Other", [:])) }
        #expect(error?.problems.first?.message == "is not registered")
    }

    @Test(arguments: SchemaPageFormat.allCases)
    func theSameSchemasMakeTheSamePage(_ format: SchemaPageFormat) throws {
        let documents = try json(Self.documents).arrayValue ?? []
        let reversed = JSONValue.array(documents.reversed())
        let registry = SchemaRegistry()
        try registry.load(reversed.bytes())
        #expect(try registry.page(format) == loaded(Self.documents).page(format))
        #expect(try !registry.page(format).contains("hunter2"))
        #expect(try SchemaRegistry().page(format).isEmpty == false)
    }
}
