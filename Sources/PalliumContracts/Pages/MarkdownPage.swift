import PalliumCore

/// Writes a page as Markdown.
struct MarkdownPage {
    private let page: SchemaPage

    init(_ page: SchemaPage) { self.page = page }

    /// The page.
    var text: String {
        var text = "# \(PageText.markdown(page.title))\n\n"
        for index in page.models.indices { text += "- \(write([.model(index)]))\n" }
        for model in page.models { text += section(model) }
        return text
    }

    private func section(_ model: SchemaPage.Model) -> String {
        var text = "\n<a id=\"\(model.anchor)\"></a>\n\n## \(PageText.markdown(model.name))\n"
        let documentation = PageText.lines(model.documentation).map(PageText.markdown)
        if !documentation.isEmpty { text += "\n\(documentation.joined(separator: "\n"))\n" }
        if !model.facts.isEmpty { text += "\n" }
        for fact in model.facts { text += "- \(PageText.markdown(fact.name)): \(write(fact.value))\n" }
        if let cluster = model.cluster {
            text += "\n\(write(cluster.rule))\n\n"
            for choice in cluster.choices { text += "- \(write(choice))\n" }
        }
        if !model.properties.isEmpty {
            text += """

                | key | path in JSON | kind | may be missing | default | rules | description |
                | --- | --- | --- | --- | --- | --- | --- |

                """
            for property in model.properties { text += row(property, of: model) }
        }
        if !model.rules.isEmpty { text += "\nRules:\n\n" }
        for rule in model.rules { text += "- \(PageText.markdown(rule))\n" }
        return text
    }

    private func row(_ property: SchemaPage.Property, of model: SchemaPage.Model) -> String {
        let anchor = PageText.anchor(model.name, property.key)
        let marks = property.marks.map { " **\($0)**" }.joined()
        let cells = [
            "<a id=\"\(anchor)\"></a>\(PageText.markdownCode(property.key))\(marks)", write(property.path),
            write(property.kind), property.mayBeMissing ? "yes" : "no",
            property.defaultValue.map(PageText.markdownCode) ?? "", property.rules.map(write).joined(separator: "<br>"),
            PageText.lines(property.documentation).map(PageText.markdown).joined(separator: "<br>"),
        ]
        return "| \(cells.joined(separator: " | ")) |\n"
    }

    private func write(_ line: SchemaPage.Line) -> String {
        line.map { fragment in
            switch fragment {
            case .text(let text): PageText.markdown(text)
            case .code(let text): PageText.markdownCode(text)
            case .model(let index): "[\(PageText.markdown(page.models[index].name))](#\(page.anchor(index)))"
            case .property(let index, let key):
                "[\(PageText.markdown("\(page.models[index].name).\(key)"))](#\(page.anchor(index, key)))"
            case .key(let index, let key): "[\(PageText.markdownCode(key))](#\(page.anchor(index, key)))"
            }
        }.joined()
    }
}
