import Pallium
import Testing

@Suite struct OverviewTests {
    private static let documents = """
        [{"name": "A|b", "doc": "Has <one> use.", "version": 2, "identity": "id", "properties": {
            "id": {"kind": "int8", "required": true, "minimum": 1, "json": {"firstOf": ["x`y", "z"]}},
            "state": {"kind": "enumeration", "cases": ["on", "off"], "unknown": "keep", "default": "on",
              "doc": "Two\\nlines | one cell."},
            "parts": {"kind": "array", "of": {"kind": "model", "model": "Part"}, "secret": true},
            "here": {"kind": "date", "json": null}},
          "cluster": {"discriminator": "t", "models": {"p": "Part"}, "default": "A|b"},
          "rules": [{"required": ["here"], "when": {"state": null}}]},
         {"name": "Part", "extends": "A|b", "keys": "snakeCase",
          "properties": {"madeAt": {"kind": "date", "transformer": "UnixSeconds", "readOnly": true}}}]
        """

    @Test func aPageTellsWhatSchemasSay() throws {
        let expected = """
            # The page

            ## A|b

            Has \\<one\\> use.

            Its identity is `id`. Its version is 2.

            | property | in JSON | kind | limits | meaning |
            | --- | --- | --- | --- | --- |
            | `id` | `` x`y `` or `z` | int8 | required; minimum 1 |  |
            | `state` | `state` | one of `on`, `off`, or others | default "on" | Two lines \\| one cell. |
            | `parts` | `parts` | array of [Part](#part) | secret |  |
            | `here` | – | date |  |  |

            - When state is null, these have a value: here.

            The member `t` decides how an object is read:

            - `p`: [Part](#part)
            - otherwise [A|b](#ab)

            ## Part

            It has the properties of [A|b](#ab), too.

            | property | in JSON | kind | limits | meaning |
            | --- | --- | --- | --- | --- |
            | `madeAt` | `made_at` | date | only read; converted by UnixSeconds |  |

            """
        #expect(try loaded(Self.documents).markdown(title: "The page") == expected)
    }

    @Test func graphsHaveAnArrowForEachReference() throws {
        let registry = try loaded(Self.documents.replacing("A|b", with: #"A\"b"#))
        let mermaid = """
            flowchart LR
              n0["A#34;b"]
              n1["Part"]
              n0 -->|"parts"| n1
              n1 -.->|extends| n0

            """
        #expect(registry.graph(in: .mermaid) == mermaid)
        let dot = """
            digraph schemas {
              rankdir=LR
              node [shape=box]
              n0 [label="A\\"b"]
              n1 [label="Part"]
              n0 -> n1 [label="parts"]
              n1 -> n0 [arrowhead=empty, style=dashed]
            }

            """
        #expect(registry.graph(in: .dot) == dot)
        // Arrows to schemas that are not drawn are left out.
        #expect(
            try registry.graph(in: .mermaid, of: [registry.schema(named: "Part")]) == "flowchart LR\n  n0[\"Part\"]\n")
    }
}
