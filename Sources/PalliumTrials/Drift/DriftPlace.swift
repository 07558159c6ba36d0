import PalliumCore
import PalliumJSON

/// What a pointer into a document means to the schemas.
struct DriftPlace {
    /// The layout of the innermost object of a model.
    var layout: ModelLayout
    /// How many tokens of the pointer lead to that object.
    var objectDepth = 0
    /// The property of that object that the pointer leads to or into, or the elements of its collections.
    var descriptor: ValueDescriptor?
    /// How many collections of the property the pointer enters.
    var level = 0
    /// How many tokens lead to the outermost secret value; nil outside of secrets.
    var sensitiveDepth: Int?
}

extension DriftPlans {
    /// Finds out what the pointer of a problem means. The loop takes a token or more in each turn.
    func place(of tokens: [String], in document: DriftDocument) -> DriftPlace {
        var place = DriftPlace(layout: root)
        var depth = !tokens.isEmpty && document.isArray ? 1 : 0
        place.objectDepth = depth
        while true {
            let plan = plan(at: tokens.prefix(depth), in: document, as: place.layout)
            place.layout = plan?.layout ?? place.layout
            guard depth < tokens.count, let plan,
                let (property, length) = Self.property(at: tokens[depth...], in: plan)
            else { return place }
            var descriptor = property.descriptor
            depth += length
            if descriptor.isSensitive { place.sensitiveDepth = place.sensitiveDepth ?? depth }
            place.level = 0
            while depth < tokens.count, property.isPlain, let element = descriptor.element {
                descriptor = element
                depth += 1
                place.level += 1
            }
            place.descriptor = descriptor
            guard property.isPlain, depth < tokens.count, let model = descriptor.model else { return place }
            place = DriftPlace(layout: model, objectDepth: depth, sensitiveDepth: place.sensitiveDepth)
        }
    }

    /// Returns the plan that an object of a declared layout is read with; nil for no object, or if the cluster chooses
    /// none. Without a cluster, the document does not matter: pointers of problems lead through objects.
    private func plan(
        at tokens: ArraySlice<String>, in document: DriftDocument, as declared: ModelLayout
    ) -> DriftPlan? {
        if let plan = plan(of: declared), !plan.hasCluster { return plan }
        guard case .object(let object)? = document.tree?[JSONPointer(tokens: Array(tokens))] else { return nil }
        return choice(for: object, as: declared)
    }

    /// Returns the property that has the longest path at the beginning of some tokens.
    private static func property(
        at tokens: ArraySlice<String>, in plan: DriftPlan
    ) -> (property: DocumentShape.Property, length: Int)? {
        var best: (property: DocumentShape.Property, length: Int)?
        for property in tokens.first.map(plan.properties)?.map(\.shape) ?? [] {
            for path in property.paths where path.steps.count > best?.length ?? 0 && path.steps.count <= tokens.count {
                let begins = zip(path.tokens, tokens).allSatisfy { UTF8Text.equal($0, $1) }
                if begins { best = (property, path.steps.count) }
            }
        }
        return best
    }
}
