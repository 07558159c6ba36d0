import PalliumAdapter
import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Makes one mistake after another in valid documents.
///
/// A change is used only if an adapter, reading the changed document, finds exactly one problem of the expected kind.
struct SampleMistakes {
    /// How many more documents are made for models that the first ones do not contain.
    private static let maximumDocuments = 40
    /// The longest path to an object in which mistakes are made, and the longest one to an object of a visited model.
    private static let maximumTokens = 64
    private static let maximumTokensOfVisited = 12

    var maker: SampleMaker
    /// Changes of objects that are made instead of mistakes.
    private let variants: [SampleVariants]
    private let adapter: JSONAdapter<DynamicModel>?
    private var samples: [InvalidSample] = []
    private var documents: Set<JSONValue> = []
    private var visited: Set<Int> = []
    /// The valid document that is being changed.
    private var base = JSONObject()

    init(maker: SampleMaker, variants: [SampleVariants] = []) {
        self.maker = maker
        self.variants = variants
        var options = JSONAdapterOptions()
        options.unknownMembers = .refuse
        adapter = try? JSONAdapter(schema: maker.models[0].layout.schema, registry: maker.registry, options: options)
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
        visit(document, as: 0, at: [])
    }

    /// Makes mistakes in an object and in those inside. Recursion is bounded by `maximumTokens`.
    private mutating func visit(_ object: JSONObject, as declared: Int, at prefix: [String]) {
        guard prefix.count <= Self.maximumTokens,
            let layout = try? maker.cluster.clusters.model(for: object, as: maker.models[declared].layout),
            let leaf = maker.knownNumber(of: layout)
        else { return }
        if visited.insert(leaf).inserted {
            if variants.isEmpty {
                var mistakes = ObjectMistakes(object, leaf: leaf, declared: declared, maker: maker) {
                    [base, adapter] changed, code, text in
                    let document = Self.document(base, with: changed, at: prefix)
                    // What your own code refuses says nothing about the schema.
                    let problems = (adapter?.report(from: document).problems ?? []).filter {
                        $0.category != .refusedByProgram
                    }
                    guard problems.count == 1, problems[0].code == code else { return nil }
                    return InvalidSample(
                        document: document, code: code, pointer: problems[0].pointer ?? JSONPointer(tokens: []),
                        mistake: text)
                }
                samples += mistakes.all().filter { documents.insert($0.document).inserted }
                maker.random = mistakes.maker.random
            }
            for changed in variants.flatMap({ $0.objects(changing: object, of: leaf, &maker) }) {
                let document = Self.document(base, with: changed, at: prefix)
                guard documents.insert(document).inserted else { continue }
                samples.append(
                    InvalidSample(
                        document: document, code: .ruleBroken, pointer: JSONPointer(tokens: prefix),
                        mistake: "a variant"))
            }
        }
        for property in maker.models[leaf].properties where property.place.combination != .allOf {
            guard let content = property.content, !content.models.isEmpty,
                case .value(let value, let place?) = property.place.content(in: object),
                let (nested, model, path) = Self.firstObject(in: value, content)
            else { continue }
            // What was visited inside of another object needs no second visit, but what is below it may.
            if visited.contains(model), maker.models[model].branches.count < 2,
                prefix.count > Self.maximumTokensOfVisited
            {
                continue
            }
            visit(nested, as: model, at: prefix + place.tokens + path)
        }
    }

    private static func document(_ base: JSONObject, with object: JSONObject, at path: [String]) -> JSONValue {
        JSONValue.object(base).setting(.object(object), at: path[...]) ?? .object(object)
    }

    /// Returns the first object of a model in a value, with its model and its path. Recursion is bounded by the nesting
    /// of kinds.
    private static func firstObject(
        in value: JSONValue, _ content: SampledContent
    ) -> (object: JSONObject, model: Int, path: [String])? {
        switch (content, value) {
        case (.model(let model, _), .object(let object)): return (object, model, [])
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
}
