import PalliumCore
import PalliumDocuments
import PalliumGeneration
import PalliumJSON

/// Reads the schemas that a contract describes, and collects everything that schemas cannot say.
///
///     schemas of the contract ──collect──▶ facets: one set of keywords, parts of allOf included
///                                             │ decide
///                       values, put in where they are ◀──┴──▶ objects and unions of objects, which wait in a queue
///
/// A place that schemas cannot say becomes a value of the kind `json`, and a loss. Recursion goes through references, lists and
/// dictionaries and is bounded by ``maximumDepth``. Each schema of the contract is read once.
struct ContractReader {
    /// The values that a schema of a contract allows.
    struct Value {
        var property: PropertySchema
        var acceptsNull = false
        /// How deep element types are nested.
        var levels = 0
        /// How large the property is as text, roughly.
        var size = 1
    }

    /// A model, with the offsets for messages.
    struct Model {
        var schema: ModelSchema
        let offset: Int
        var propertyOffsets: [UTF8Key: Int] = [:]
        /// The values of the properties, by key.
        var values: [UTF8Key: Value] = [:]

        var places: SchemaPlaces { SchemaPlaces(offset: offset, properties: propertyOffsets) }
    }

    /// A loss before its place is known.
    struct Loss {
        let offset: Int
        let keyword: String
        let message: String
        let schema: String?
        let property: String?
    }

    /// The name that a model gets. That of a definition is reserved for it.
    struct ModelName {
        let text: String
        var isReserved = false
    }

    /// An object or a union of objects that waits.
    struct Pending {
        let name: String
        let facets: ContractFacets
        let schemas: [LocatedJSON]
        /// The parent by `allOf`.
        var parent: String?
        var cluster: ModelCluster?
    }

    /// The use of a schema while it is read.
    private enum State {
        case reading
        case read(Value)
    }

    /// How many references, lists and alternatives can be nested.
    static let maximumDepth = 64

    let registry: SchemaRegistry
    let notation: ContractNotation
    let options: ContractOptions
    var sources: ContractSources

    /// The mistakes for which nothing is imported.
    var problems = ProblemList()
    private(set) var losses: [Loss] = []
    private var knownLosses: Set<UTF8Key> = []
    var models: [Model] = []
    /// The positions of models by name.
    var positions: [UTF8Key: Int] = [:]
    /// The parents of models by `allOf`.
    var parents: [UTF8Key: String] = [:]
    /// The unions of which models are members.
    var unions: [UTF8Key: String] = [:]
    /// The models in whose place their identity may stand.
    var identified: Set<UTF8Key> = []
    /// The objects whose discriminator chooses among those that extend them.
    var families: [(name: String, facets: ContractFacets)] = []
    /// The values of a parent's discriminator by which models are known.
    var tags: [UTF8Key: [JSONValue]] = [:]
    /// Models that a second union needs as copies, with their parents.
    var copies: [(name: String, source: String, parent: String)] = []
    /// The name of the model of the root.
    var rootName: String?
    /// Where objects refuse other members, by the names of their models.
    var closedOffsets: [UTF8Key: Int] = [:]
    /// Whether the properties keep a type, by the offsets of their names.
    var properties: [Int: Bool] = [:]

    private var states: [Int: State] = [:]
    /// The names of definitions by the offset of their schema, and whether they still wait for their model.
    private var definitionNames: [Int: String] = [:]
    private var freeNames: Set<UTF8Key> = []
    /// The names of definitions in the contract, by those of their models.
    private(set) var contractNames: [UTF8Key: String] = [:]
    /// The facets of schemas with all their parts.
    var knownFacets: [Int: ContractFacets] = [:]
    private(set) var pending: [Pending] = []
    private var names = UniqueNames()
    /// How much was put in for references and parts.
    private var expandedSize = 0

    init(
        registry: SchemaRegistry, notation: ContractNotation, options: ContractOptions, sources: ContractSources
    ) {
        self.registry = registry
        self.notation = notation
        self.options = options
        self.sources = sources
    }

    /// Records that a keyword is not read as it is.
    ///
    /// - Parameter message: The consequence, in words.
    mutating func lose(_ offset: Int, _ keyword: String, _ message: String) {
        guard knownLosses.insert(UTF8Key("\(offset) \(keyword)")).inserted else { return }
        losses.append(
            Loss(
                offset: offset, keyword: keyword, message: message, schema: problems.schema, property: problems.property
            ))
    }

    // MARK: Names

    /// Takes definitions: their names are those of their models.
    mutating func take(_ members: [LocatedJSON.Member]) {
        // A name that can stay does, whatever other names become.
        let kept = members.filter { UTF8Text.equal(Self.usable($0.name), $0.name) }
        for member in kept + members where definitionNames[member.value.offset] == nil {
            take(member.name, for: member.value)
        }
    }

    /// Reserves the name of a definition, or that of the root.
    mutating func take(_ contractName: String, for schema: LocatedJSON) {
        let name = names.take(Self.usable(contractName))
        definitionNames[schema.offset] = name
        contractNames[UTF8Key(name)] = contractName
        freeNames.insert(UTF8Key(name))
    }

    /// Returns the name for a class of Swift, which begins with a capital.
    private static func usable(_ name: String) -> String {
        let isCapital = name.unicodeScalars.first?.properties.isUppercase == true
        let name = SwiftName.className(for: isCapital ? name : SwiftName.upperCamelCase(name))
        return name.unicodeScalars.count <= SchemaReader.maximumNameLength - 8 ? name : "Object"
    }

    /// The name for a model of a schema.
    func modelName(of schema: LocatedJSON, else name: String) -> ModelName {
        definitionNames[schema.offset].map { ModelName(text: $0, isReserved: true) } ?? ModelName(text: name)
    }

    /// Takes the name of a model, or the first free one with a number.
    mutating func takeName(_ name: ModelName) -> String {
        if name.isReserved, freeNames.remove(UTF8Key(name.text)) != nil { return name.text }
        return names.take(Self.usable(name.text))
    }

    // MARK: Queue

    /// Lets an object or a union wait until it is read; only its name is needed before.
    ///
    /// - Parameter position: The place among those that wait; by default the last one.
    mutating func later(_ model: Pending, at position: Int? = nil) {
        pending.insert(model, at: position ?? pending.count)
    }

    /// Reads what waits.
    mutating func readPending() {
        // Each may add others, so this is no loop over a list.
        var next = 0
        while next < pending.count {
            let model = pending[next]
            next += 1
            problems.schema = ModelError.shorten(model.name, to: 64)
            readModel(model)
        }
        pending = []
        problems.schema = nil
    }

    // MARK: References

    /// Returns the schema that a reference means; nil after a loss.
    mutating func target(_ reference: LocatedJSON, _ keyword: String) -> LocatedJSON? {
        guard let text = reference.text else {
            lose(reference.offset, keyword, "\(reference.summary) is no reference; every value is accepted")
            return nil
        }
        switch sources.target(of: text, at: reference.offset, isDynamic: UTF8Text.equal(keyword, "$dynamicRef")) {
        case .found(let schema): return schema
        case .missing(let reason):
            lose(
                reference.offset, keyword,
                "\(ModelError.quote(text)) is not followed: \(reason); every value is accepted")
            return nil
        }
    }

    /// Returns the only reference of a schema that is nothing else.
    private func onlyReference(of schema: LocatedJSON) -> ContractKeywords.Member? {
        guard case .object = schema.content else { return nil }
        let keywords = ContractKeywords(schema, sources.document(at: schema.offset).version)
        let assertions = keywords.members.filter { !ContractKeywords.isAnnotation($0.name) }
        guard assertions.count == 1, !keywords.isNullable, keywords.repeated == nil else { return nil }
        return ["$ref", "$dynamicRef"].contains(assertions[0].name) ? assertions[0] : nil
    }

    /// Returns the values that a schema allows, which is read at the first time.
    ///
    /// - Parameter name: The name of its model, unless it has one.
    mutating func value(of schema: LocatedJSON, named name: String, depth: Int) -> Value {
        // References to references are followed in a loop, since there may be many.
        var chain: [Int] = []
        var schema = schema
        var result: Value?
        while result == nil {
            switch states[schema.offset] {
            case .read(let value)?: result = value
            case .reading?:
                lose(schema.offset, "$ref", "leads to itself without an object between; every value is accepted there")
                result = Value(property: .jsonValue, acceptsNull: true)
            case nil:
                chain.append(schema.offset)
                states[schema.offset] = .reading
                guard let reference = onlyReference(of: schema) else {
                    result = read([schema], modelName(of: schema, else: name), depth: depth + 1)
                    break
                }
                if let next = target(reference.value, reference.name) {
                    schema = next
                } else {
                    result = Value(property: .jsonValue, acceptsNull: true)
                }
            }
        }
        let value = result ?? Value(property: .jsonValue, acceptsNull: true)
        for offset in chain { states[offset] = .read(value) }
        return expand(value.size) ? value : Value(property: .jsonValue, acceptsNull: true)
    }

    /// Counts what is put in for a reference: a small document could refer to a large value many times, and a chain of
    /// references has quadratically many parts.
    ///
    /// - Returns: Whether there is room, which grows with the documents.
    mutating func expand(_ size: Int) -> Bool {
        expandedSize += size
        let limit = min((256 << 10) + 2 * sources.end, LocatedJSON.maximumDocumentBytes)
        if expandedSize <= limit { return true }
        lose(
            // The place of what concerns the whole document.
            sources.documents[0].root.offset, "$ref",
            "with all references put in, the document has more than \(limit) parts; every value is accepted in the rest"
        )
        return false
    }
}
