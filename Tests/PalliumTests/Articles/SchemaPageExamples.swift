import Pallium
import PalliumContracts

// The Swift example of the section *Pages for people* of the article *Contracts*, word for word; `ArticleTests` runs it and
// compares the texts.

func schemaPageExample(
    _ registry: SchemaRegistry, _ schema: ModelSchema
) throws -> (page: String, graph: String) {
    let page = try registry.page(.html, title: "Issues")
    let graph = try registry.page(.mermaid, of: schema)
    return (page, graph)
}
