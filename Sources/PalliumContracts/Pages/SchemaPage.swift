import PalliumCore
import PalliumJSON

/// The content of a page about schemas, before it is written in a notation.
struct SchemaPage {
    /// A piece of text. A page marks up code, and links the names of models.
    enum Fragment {
        case text(String)
        case code(String)
        /// The model at a position.
        case model(Int)
        /// A property of the model at a position, with the name of the model.
        case property(Int, key: String)
        /// A property of the model at a position, by its key alone.
        case key(Int, String)
    }

    typealias Line = [Fragment]

    /// One model.
    struct Model {
        let name: String
        let documentation: String
        /// Statements about the whole model, such as its parent and its identity.
        var facts: [(name: String, value: Line)] = []
        var properties: [Property] = []
        /// The rule by which the cluster chooses, and a line for each choice; nil without a cluster.
        var cluster: (rule: Line, choices: [Line])?
        /// The rules about several properties.
        var rules: [String] = []

        var anchor: String { PageText.anchor(name) }
    }

    /// One property.
    struct Property {
        let key: String
        let path: Line
        let kind: Line
        let mayBeMissing: Bool
        let defaultValue: String?
        /// Words beside the key, such as `label pii`.
        let marks: [String]
        let documentation: String
        let rules: [Line]
    }

    let title: String
    private(set) var models: [Model] = []

    init(title: String, graph: ModelGraph, registry: SchemaRegistry) {
        self.title = title
        var references = [[ModelGraph.Edge]](repeating: [], count: graph.layouts.count)
        var users = references
        for edge in graph.edges {
            references[edge.source].append(edge)
            users[edge.target].append(edge)
        }
        models = graph.layouts.enumerated().map { index, layout in
            ModelDescription(layout: layout, graph: graph, registry: registry)
                .model(references: references[index], users: users[index])
        }
    }

    /// Returns the anchor of a model, or of a property.
    func anchor(_ position: Int, _ key: String? = nil) -> String { PageText.anchor(models[position].name, key) }
}

extension ModelGraph {
    /// Returns a link to a model, or its name if it is not on the page.
    func link(_ layout: ModelLayout) -> SchemaPage.Fragment {
        position(of: layout).map { .model($0) } ?? .code(layout.schema.name)
    }

    /// Returns a link to the model that a reference names.
    func link(_ reference: ModelReference, _ registry: SchemaRegistry) -> SchemaPage.Fragment {
        (try? registry.layout(reference)).map { link($0) } ?? .code(reference.description)
    }
}
