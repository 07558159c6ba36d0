public import PalliumCore

/// The notations in which schemas are shown to people.
public enum SchemaPageFormat: String, Sendable, Hashable, CaseIterable {
    /// One page of Markdown with tables, as code forges show it.
    case markdown
    /// One page for browsers, which needs no other file and no network.
    case html
    /// The graph of the models in the language of Graphviz.
    case dot
    /// The graph of the models as a flowchart of Mermaid.
    case mermaid
}

// Writes schemas for people.
extension SchemaRegistry {
    /// Returns a page about schemas: their properties, rules and references to each other.
    ///
    ///     let page = try registry.page(.html, title: "Issues")
    ///
    /// Text from schemas is escaped, so none of it can become markup or a script. Default values of labelled properties are
    /// left out. The same schemas always make the same page. The article *Contracts* shows what a page holds.
    ///
    /// - Parameters:
    ///   - format: The notation.
    ///   - title: The title of the page; graphs have none.
    ///   - schema: The schema to show with all that it refers to; nil for all schemas.
    /// - Throws: ``SchemaError`` if the schema is not registered.
    /// - Complexity: O(*n* log *n*) in the size of the schemas.
    public func page(
        _ format: SchemaPageFormat, title: String = "Models", of schema: ModelSchema? = nil
    ) throws(SchemaError) -> String {
        let root = try schema.map { schema throws(SchemaError) in try registeredLayout(schema) }
        let graph = ModelGraph(registry: self, root: root)
        switch format {
        case .markdown: return MarkdownPage(SchemaPage(title: title, graph: graph, registry: self)).text
        case .html: return HTMLPage(SchemaPage(title: title, graph: graph, registry: self)).text
        case .dot: return GraphText.dot(graph)
        case .mermaid: return GraphText.mermaid(graph)
        }
    }
}
