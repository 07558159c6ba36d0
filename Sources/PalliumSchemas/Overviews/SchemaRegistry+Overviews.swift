public import PalliumCore

// Writes overviews of registered schemas, for people.
extension SchemaRegistry {
    /// Returns a page of Markdown: a section for each schema with its meaning, a table of its properties, and its rules.
    ///
    /// - Parameters:
    ///   - title: The heading of the page.
    ///   - schemas: The schemas to describe; nil for all.
    /// - Complexity: O(*n*) in the size of the schemas.
    public func markdown(title: String, of schemas: [ModelSchema]? = nil) -> String {
        SchemaPage.text(of: schemas ?? self.schemas, title: title, registry: self)
    }

    /// Returns the graph of schemas: an arrow for each property that holds models, and for each extension.
    ///
    /// - Parameters:
    ///   - notation: The language of the graph.
    ///   - schemas: The schemas to draw; nil for all. Arrows to others are left out.
    /// - Complexity: O(*n*) in the size of the schemas.
    public func graph(in notation: GraphNotation, of schemas: [ModelSchema]? = nil) -> String {
        SchemaGraph(of: schemas ?? self.schemas, registry: self).text(in: notation)
    }
}
