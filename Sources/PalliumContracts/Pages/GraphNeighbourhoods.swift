/// Draws each model with some of its neighbours.
struct GraphNeighbourhoods {
    /// How many models are drawn before a model, and how many after it.
    private static let maximumNeighbours = 8
    /// How many references of a model are drawn.
    private static let maximumEdges = 24

    /// A drawing for each model.
    let drawings: [String]

    init(_ page: SchemaPage, _ graph: ModelGraph) {
        var outgoing = [[ModelGraph.Edge]](repeating: [], count: graph.layouts.count)
        var incoming = outgoing
        for edge in graph.edges {
            outgoing[edge.source].append(edge)
            if edge.source != edge.target { incoming[edge.target].append(edge) }
        }
        drawings = graph.layouts.indices.map { model in
            var models = [model]
            var edges: [ModelGraph.Edge] = []
            func add(_ candidates: [ModelGraph.Edge], _ neighbour: (ModelGraph.Edge) -> Int) {
                var visited: Set<Int> = [model]
                for edge in candidates.prefix(Self.maximumEdges) {
                    let other = neighbour(edge)
                    if !visited.contains(other) {
                        if visited.count > Self.maximumNeighbours { continue }
                        visited.insert(other)
                        models.append(other)
                    }
                    edges.append(edge)
                }
            }
            add(outgoing[model]) { $0.target }
            add(incoming[model]) { $0.source }
            return GraphDrawing(page: page, models: models, edges: edges, focus: model).svg
        }
    }
}
