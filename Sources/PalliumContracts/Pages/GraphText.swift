import PalliumCore

/// Writes the graph of models for other programs to draw.
enum GraphText {
    /// Returns the graph in the language of Graphviz.
    static func dot(_ graph: ModelGraph) -> String {
        var text = """
            digraph models {
              rankdir=LR
              node [shape=box, style=rounded, fontname="Helvetica"]
              edge [fontname="Helvetica", fontsize=10]

            """
        for (index, layout) in graph.layouts.enumerated() {
            text += "  m\(index) [label=\(PageText.dot(layout.schema.name))]\n"
        }
        for edge in graph.edges {
            let attributes =
                switch edge.kind {
                case .property(let key, let isCollection, let isWeak):
                    "label=\(PageText.dot(label(key, isCollection)))" + (isWeak ? ", style=dashed" : "")
                case .extends: "label=\"extends\", arrowhead=empty"
                case .choice(let text): "label=\(PageText.dot(text)), arrowhead=vee, color=gray"
                }
            text += "  m\(edge.source) -> m\(edge.target) [\(attributes)]\n"
        }
        return text + "}\n"
    }

    /// Returns the graph as a flowchart of Mermaid.
    static func mermaid(_ graph: ModelGraph) -> String {
        var text = "flowchart LR\n"
        for (index, layout) in graph.layouts.enumerated() {
            text += "  m\(index)[\(PageText.mermaid(layout.schema.name))]\n"
        }
        for edge in graph.edges {
            let arrow =
                switch edge.kind {
                case .property(let key, let isCollection, let isWeak):
                    (isWeak ? "-.->" : "-->") + "|\(PageText.mermaid(label(key, isCollection)))|"
                case .extends: "==>|\"extends\"|"
                case .choice(let text): "--o|\(PageText.mermaid(text))|"
                }
            text += "  m\(edge.source) \(arrow) m\(edge.target)\n"
        }
        return text
    }

    private static func label(_ key: String, _ isCollection: Bool) -> String { isCollection ? "\(key) *" : key }
}
