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
    /// The value that the pointer leads to; nil for none.
    var value: JSONValue?
}

extension DriftPlans {
    /// Finds out what a pointer means. The loop takes a token or more in each turn.
    func place(of tokens: [String], in document: JSONValue?) -> DriftPlace {
        var place = DriftPlace(layout: root)
        place.value = document?[JSONPointer(tokens: tokens)]
        var depth = 0
        if case .array? = document, !tokens.isEmpty {
            depth = 1
            place.objectDepth = 1
        }
        while case .object(let object)? = document?[JSONPointer(tokens: Array(tokens.prefix(depth)))] {
            let plan = choice(for: object, as: place.layout)
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
            place = DriftPlace(
                layout: model, objectDepth: depth, sensitiveDepth: place.sensitiveDepth, value: place.value)
        }
        return place
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
