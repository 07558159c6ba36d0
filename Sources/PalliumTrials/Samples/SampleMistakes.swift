import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Makes one mistake after another in valid documents.
///
/// A change is used only if the maker, reading the changed object back, finds exactly the expected problem.
struct SampleMistakes {
    /// How many more documents are made for models that the first ones do not contain.
    private static let maximumDocuments = 40
    private static let maximumNesting = 16

    var maker: SampleMaker
    /// Changes of objects that are made instead of mistakes.
    private let variants: [SampleVariants]
    private var samples: [InvalidSample] = []
    private var documents: Set<JSONValue> = []
    private var visited: Set<Int> = []
    /// The valid document that is being changed.
    private var base = JSONObject()

    init(maker: SampleMaker, variants: [SampleVariants] = []) {
        self.maker = maker
        self.variants = variants
    }

    /// Makes all mistakes.
    mutating func all() -> [InvalidSample] {
        for document in maker.completeDocuments() { visit(document) }
        for _ in 0..<Self.maximumDocuments where visited.count < maker.models.count {
            if let document = maker.document() { visit(document) }
        }
        return samples
    }

    private mutating func visit(_ document: JSONObject) {
        base = document
        visit(document, as: 0, at: [], shown: nil)
    }

    /// Makes mistakes in an object and in those inside. Recursion is bounded by `maximumNesting`.
    ///
    /// - Parameter shown: How many tokens lead to a property with a label, at which pointers of errors end.
    private mutating func visit(_ object: JSONObject, as declared: Int, at prefix: [String], shown: Int?) {
        guard prefix.count <= Self.maximumNesting * 4,
            let layout = maker.cluster.choice(for: object, as: maker.models[declared].layout),
            let leaf = maker.knownNumber(of: layout)
        else { return }
        if visited.insert(leaf).inserted {
            if variants.isEmpty {
                var mistakes = ObjectMistakes(object, leaf: leaf, declared: declared, maker: maker)
                for mistake in mistakes.all() { add(mistake, at: prefix, shown: shown, leaf) }
                maker.random = mistakes.maker.random
            }
            for object in variants.flatMap({ $0.objects(changing: object, of: leaf, &maker) }) {
                let none = SampleProblem(code: .ruleBroken, tokens: [])
                add(ObjectMistakes.Mistake(object: object, problem: none, text: ""), at: prefix, shown: shown, leaf)
            }
        }
        for property in maker.models[leaf].properties where property.place.combination != .allOf {
            guard let content = property.content, !content.models.isEmpty else { continue }
            guard case .value(let value, let place?) = property.place.content(in: object),
                let (nested, model, path) = Self.firstObject(in: value, content)
            else { continue }
            // What was visited inside of another object needs no second visit, but what is below it may.
            if visited.contains(model), maker.models[model].branches.count < 2, prefix.count > 12 { continue }
            let isSensitive = property.place.schema.isSensitive
            visit(
                nested, as: model, at: prefix + place.tokens + path,
                shown: shown ?? (isSensitive ? prefix.count + place.steps.count : nil))
        }
    }

    /// Returns the first object of a model in a value, with its model and its path. Recursion is bounded by the nesting
    /// of kinds.
    private static func firstObject(
        in value: JSONValue, _ content: SampledContent
    ) -> (object: JSONObject, model: Int, path: [String])? {
        switch (content, value) {
        case (.model(let model), .object(let object)): return (object, model, [])
        case (.list(let list), .array(let elements)):
            for (index, element) in elements.enumerated() {
                guard let found = firstObject(in: element, list.element) else { continue }
                return (found.object, found.model, ["\(index)"] + found.path)
            }
        case (.dictionary(let list), .object(let members)):
            for (key, element) in members {
                guard let found = firstObject(in: element, list.element) else { continue }
                return (found.object, found.model, [key] + found.path)
            }
        default: break
        }
        return nil
    }

    private mutating func add(_ mistake: ObjectMistakes.Mistake, at prefix: [String], shown: Int?, _ leaf: Int) {
        var document = base
        if prefix.isEmpty { document = mistake.object } else { document.set(.object(mistake.object), at: prefix) }
        guard documents.insert(.object(document)).inserted else { return }
        let tokens = mistake.problem.tokens
        let labelled = maker.models[leaf].properties.filter(\.place.schema.isSensitive).flatMap(\.paths)
            .first { tokens.starts(with: $0.tokens) }
        let count = shown ?? labelled.map { prefix.count + $0.steps.count }
        samples.append(
            InvalidSample(
                document: .object(document), code: mistake.problem.code,
                pointer: JSONPointer(tokens: Array((prefix + tokens).prefix(count ?? .max))), mistake: mistake.text))
    }
}
