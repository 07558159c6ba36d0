import PalliumCore
import PalliumJSON

/// Describes a model for a page.
struct ModelDescription {
    typealias Line = SchemaPage.Line

    let layout: ModelLayout
    let graph: ModelGraph
    let registry: SchemaRegistry

    /// How many inherited properties a page lists. A page would be quadratic if each model listed all of them.
    private static let maximumInherited = 24
    /// How many ancestors are asked for their properties, since each may have none.
    private static let maximumAncestors = 16

    /// Describes the model.
    ///
    /// - Parameters:
    ///   - references: The references of the model.
    ///   - users: The references to the model.
    func model(references: [ModelGraph.Edge], users: [ModelGraph.Edge]) -> SchemaPage.Model {
        let schema = layout.schema
        var model = SchemaPage.Model(name: schema.name, documentation: schema.documentation)
        if let parent = layout.parent { model.facts.append(("Extends", [graph.link(parent)])) }
        if !layout.identitySlots.isEmpty {
            model.facts.append(("Identity", codes(layout.identitySlots.map { layout.properties[$0].key })))
        }
        if layout.schema.refusesUnknownMembers { model.facts.append(("Unknown members", [.text("refused")])) }
        if layout.allowsStubs { model.facts.append(("Stubs", [.text("allowed")])) }
        if layout.isObserved { model.facts.append(("Observed", [.text("yes")])) }
        if schema.version != 1 { model.facts.append(("Version", [.text("\(schema.version)")])) }
        if schema.keys == .snakeCase { model.facts.append(("Names in JSON", [.code("snake_case")])) }
        if !schema.ignored.isEmpty { model.facts.append(("Ignored members", codes(schema.ignored))) }
        if let inherited { model.facts.append(("Inherits", inherited)) }
        for profile in schema.profiles {
            model.facts.append(("Profile \(profile.name)", mappings(of: profile)))
        }
        model.facts += links(references: references, users: users)
        let shape = DocumentShape(layout)
        model.properties = schema.properties.map {
            PropertyDescription(declaration: $0, shape: shape, graph: graph, registry: registry).property
        }
        model.cluster = cluster
        model.rules = schema.rules.map { rule in
            rule.sentence { key in layout.index(of: key).map { layout.properties[$0].schema.isSensitive } ?? false }
        }
        return model
    }

    /// The references of the model and those to it, beyond its parent and the choices of its cluster.
    private func links(
        references: [ModelGraph.Edge], users: [ModelGraph.Edge]
    ) -> [(name: String, value: Line)] {
        var held: [SchemaPage.Fragment] = []
        var visited: Set<Int> = []
        for edge in references {
            if case .property = edge.kind, visited.insert(edge.target).inserted { held.append(.model(edge.target)) }
        }
        var children: [SchemaPage.Fragment] = []
        var choosers: [SchemaPage.Fragment] = []
        var holders: [SchemaPage.Fragment] = []
        let parent = layout.parent.flatMap(graph.position)
        for edge in users {
            switch edge.kind {
            case .extends: children.append(.model(edge.source))
            case .choice: if edge.source != parent { choosers.append(.model(edge.source)) }
            case .property(let key, _, _): holders.append(.property(edge.source, key: key))
            }
        }
        return [
            ("Refers to", held), ("Extended by", children), ("Chosen by", choosers), ("Used by", holders),
        ].filter { !$0.1.isEmpty }.map { ($0, separated($1)) }
    }

    private func link(_ reference: ModelReference) -> SchemaPage.Fragment { graph.link(reference, registry) }

    private func codes(_ texts: [String]) -> Line { separated(texts.map { .code($0) }) }

    private func separated(_ fragments: [SchemaPage.Fragment]) -> Line {
        Array(fragments.map { [$0] }.joined(separator: [.text(", ")]))
    }

    /// The properties of the ancestors, nearest first; nil if there are none.
    private var inherited: Line? {
        var shown: Line = []
        var keys = Set(layout.schema.properties.map { UTF8Key($0.key) })
        let ownCount = layout.schema.properties.count { layout.index(of: $0.key) != nil }
        for ancestor in layout.lineage.dropFirst().prefix(Self.maximumAncestors) {
            for property in ancestor.schema.properties.prefix(Self.maximumInherited) {
                guard shown.count < Self.maximumInherited, ancestor.index(of: property.key) != nil,
                    keys.insert(UTF8Key(property.key)).inserted
                else { continue }
                shown.append(
                    graph.position(of: ancestor).map { .key($0, property.key) } ?? .code(property.key))
            }
        }
        let rest = layout.properties.count - ownCount - shown.count
        if rest == 0 { return shown.isEmpty ? nil : separated(shown) }
        return separated(shown) + [.text(shown.isEmpty ? "\(rest)" : " and \(rest) more")]
    }

    private func mappings(of profile: ModelSchema.Profile) -> Line {
        let shape = DocumentShape(layout, profile: profile.name)
        let lines = profile.mappings.keys.sorted(by: UTF8Text.precedes).map { key -> Line in
            [.code(key), .text(": ")] + PropertyDescription.path(shape[key])
        }
        return Array(lines.joined(separator: [.text("; ")]))
    }

    private var cluster: (rule: Line, choices: [Line])? {
        switch layout.cluster(in: registry) {
        case nil: return nil
        case .discriminator(let path, let entries, let fallback):
            let choices = entries.map { [.code($0.tag.tagText), .text(" → "), link($0.model)] as Line }
            return ([.text("The value at "), .code(path), .text(" chooses the model.")], choices + [rest(fallback)])
        case .rules(let rules, let fallback):
            let choices = rules.map { rule -> Line in
                let conditions = rule.conditions.map(Self.describe)
                return Array(conditions.joined(separator: [.text(" and ")])) + [.text(" → "), link(rule.model)]
            }
            return ([.text("The first rule that holds chooses the model.")], choices + [rest(fallback)])
        case .resolver: return ([.text("Swift code chooses the model.")], [])
        }
    }

    private func rest(_ fallback: ModelReference?) -> Line {
        fallback.map { [.text("all others → "), link($0)] } ?? [.text("All others are refused.")]
    }

    private static func describe(_ condition: ModelCluster.Condition) -> Line {
        switch condition {
        case .present(let path): [.code(path), .text(" is present")]
        case .equals(let path, let value): [.code(path), .text(" is "), .code(value.description)]
        case .kind(let path, let kind): [.code(path), .text(" is of the kind "), .code(kind.rawValue)]
        }
    }
}
