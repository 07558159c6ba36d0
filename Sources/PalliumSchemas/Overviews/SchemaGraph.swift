import PalliumCore
import PalliumJSON

/// A notation for graphs.
public enum GraphNotation: Sendable, Hashable, CaseIterable {
    /// The language of Graphviz.
    case dot
    /// The language of Mermaid, which many sites draw inside of Markdown.
    case mermaid
}

/// The graph of schemas: an arrow for each property that holds models, and one from each schema to the one it extends.
struct SchemaGraph {
    private struct Arrow {
        let source: Int
        let target: Int
        /// The key of the property; nil for an extension.
        let key: String?
    }

    private var names: [String] = []
    private var arrows: [Arrow] = []

    init(of schemas: [ModelSchema], registry: SchemaRegistry) {
        var numbers: [UTF8Key: Int] = [:]
        for schema in schemas {
            numbers[UTF8Key(schema.name)] = names.count
            names.append(schema.name)
        }
        func number(_ reference: ModelReference) -> Int? {
            (try? registry.layout(reference)).flatMap { numbers[UTF8Key($0.schema.name)] }
        }
        for (source, schema) in schemas.enumerated() {
            if let target = schema.parent.flatMap(number) {
                arrows.append(Arrow(source: source, target: target, key: nil))
            }
            for property in schema.properties {
                var innermost = property.schema
                while let element = innermost.kind.element { innermost = element }
                guard case .model(let reference) = innermost.kind, let target = number(reference) else { continue }
                arrows.append(Arrow(source: source, target: target, key: property.key))
            }
        }
    }

    /// Returns the text of the graph.
    func text(in notation: GraphNotation) -> String {
        switch notation {
        case .dot: dot
        case .mermaid: mermaid
        }
    }

    private var dot: String {
        func quoted(_ text: String) -> String {
            let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: " ")
            return "\"\(escaped)\""
        }
        var lines = ["digraph schemas {", "  rankdir=LR", "  node [shape=box]"]
        lines += names.enumerated().map { "  n\($0.offset) [label=\(quoted($0.element))]" }
        lines += arrows.map { arrow in
            "  n\(arrow.source) -> n\(arrow.target) "
                + (arrow.key.map { "[label=\(quoted($0))]" } ?? "[arrowhead=empty, style=dashed]")
        }
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    private var mermaid: String {
        func quoted(_ text: String) -> String {
            var escaped = ""
            for scalar in text.unicodeScalars {
                // Mermaid has no other way to write these in a label.
                switch scalar {
                case "\"", "#", "<", ">", "&", "`": escaped += "#\(scalar.value);"
                case "\n", "\r": escaped += " "
                default: escaped.unicodeScalars.append(scalar)
                }
            }
            return "\"\(escaped)\""
        }
        var lines = ["flowchart LR"]
        lines += names.enumerated().map { "  n\($0.offset)[\(quoted($0.element))]" }
        lines += arrows.map { arrow in
            arrow.key.map { "  n\(arrow.source) -->|\(quoted($0))| n\(arrow.target)" }
                ?? "  n\(arrow.source) -.->|extends| n\(arrow.target)"
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
