import PalliumCore
import PalliumJSON

/// Loads several schema documents into a registry.
///
///     documents ──read──▶ entries ──bind classes──▶ schemas ──register──▶ registry
///                   └──────────────┴── problems ──────┴──────▶ SchemaError, in the order of the documents
struct SchemaLoading {
    /// A location in the documents, which sorts in reading order.
    private struct Location: Comparable {
        let document: Int
        let offset: Int

        /// Comes before all others.
        static let none = Location(document: -1, offset: -1)

        static func < (left: Location, right: Location) -> Bool {
            (left.document, left.offset) < (right.document, right.offset)
        }
    }

    private struct Loaded {
        var schema: ModelSchema
        let location: Location
        let propertyOffsets: [UTF8Key: Int]
    }

    /// How many schemas and properties can be loaded at once. Inherited properties count for each schema, as they do
    /// once compiled.
    static let maximumTotal = 1_000_000

    private let registry: SchemaRegistry
    private let isOpaque: Bool
    /// The unregistered kinds and transformers, whose properties hold any JSON value unchanged.
    private(set) var opaqueNames: [String] = []
    /// The declared kinds of these properties, by schema and key; nil for an unknown kind.
    private(set) var opaqueKinds: [UTF8Key: [UTF8Key: PropertyKind?]] = [:]
    private let documents: [SchemaDocument]
    /// The problems; those without a location come first.
    private var problems: [(location: Location, problem: SchemaError.Problem)] = []
    private var loaded: [Loaded] = []
    private var positions: [UTF8Key: Int] = [:]
    private var brokenKeys: Set<UTF8Key> = []
    private var isComplete = true
    /// The texts of locations, by document and byte.
    private var locationTexts: [[Int: String]] = []

    init(
        registry: SchemaRegistry, documents: [SchemaDocument], problems: [SchemaError.Problem], isOpaque: Bool = false
    ) {
        self.registry = registry
        self.isOpaque = isOpaque
        self.documents = documents
        self.problems = problems.map { (Location.none, $0) }
        isComplete = problems.isEmpty
    }

    /// Reads all documents, then registers all schemas or throws every problem.
    mutating func load(classes: [DynamicModel.Type]) throws(SchemaError) -> [ModelSchema] {
        for index in documents.indices { read(index) }
        if isComplete { bind(classes) }
        checkTotal()
        let schemas = loaded.map(\.schema)
        if problems.isEmpty {
            do throws(SchemaError) {
                try registry.register(schemas, sources: sources())
                return schemas
            } catch { add(error.problems) }
        } else if isComplete {
            checkOnly(schemas)
        }
        // The sort also compares positions, so that problems of one location stay in the order they were found.
        let sorted = problems.enumerated().sorted {
            ($0.element.location, $0.offset) < ($1.element.location, $1.offset)
        }
        throw SchemaError(sorted.map(\.element.problem))
    }

    private mutating func read(_ index: Int) {
        let document = documents[index]
        var reader = SchemaReader(registry: registry, isOpaque: isOpaque)
        reader.opaqueNames = opaqueNames
        defer { opaqueNames = reader.opaqueNames }
        do throws(JSONSyntaxError) {
            reader.read(try LocatedJSON(parsing: document.bytes))
        } catch {
            reader.report(error.offset, Self.sentence(error))
            isComplete = false
        }
        let offsets =
            reader.problems.map(\.offset) + reader.schemas.flatMap { [$0.offset] + $0.propertyOffsets.values }
        locationTexts.append(document.locations(of: offsets))
        isComplete = isComplete && reader.isComplete
        brokenKeys.formUnion(reader.brokenKeys)
        for problem in reader.problems {
            let location = Location(document: index, offset: problem.offset)
            problems.append((location, problem.located(at: text(of: location))))
        }
        for entry in reader.schemas {
            if !entry.opaqueKinds.isEmpty { opaqueKinds[UTF8Key(entry.schema.name)] = entry.opaqueKinds }
            add(
                Loaded(
                    schema: entry.schema, location: Location(document: index, offset: entry.offset),
                    propertyOffsets: entry.propertyOffsets))
        }
    }

    /// The limits are those of schema documents, so the messages name them.
    static func sentence(_ error: JSONSyntaxError) -> String {
        switch error.code {
        case .documentTooLarge: "the document has more than \(LocatedJSON.maximumDocumentBytes >> 20) MiB"
        case .depthLimit: "the document is nested deeper than \(LocatedJSON.maximumDepth.counted("level"))"
        case .tooManyValues: "the document has more than \(LocatedJSON.maximumValues.counted("value"))"
        default: "the document is not valid JSON: \(error.problem)"
        }
    }

    private func text(of location: Location) -> String? { locationTexts[location.document][location.offset] }

    /// Adds a schema unless an equal one was loaded before; that does nothing, as in registering.
    private mutating func add(_ new: Loaded) {
        let name = UTF8Key(new.schema.name)
        guard let position = positions[name] else {
            positions[name] = loaded.count
            loaded.append(new)
            return
        }
        guard loaded[position].schema != new.schema else { return }
        report(
            new, "another schema of this name is at \(text(of: loaded[position].location) ?? "an earlier place")",
            fix: "choose another name")
    }

    private mutating func report(_ loaded: Loaded, _ message: String, fix: String?) {
        problems.append(
            (
                loaded.location,
                SchemaError.Problem(
                    schema: ModelError.shorten(loaded.schema.name, to: 64), message: message, fix: fix,
                    source: text(of: loaded.location))
            ))
    }

    /// Binds classes to the schemas of the same names. Documents get a class in no other way.
    private mutating func bind(_ classes: [DynamicModel.Type]) {
        for modelClass in classes {
            let name = "\(modelClass)"
            guard let position = positions[UTF8Key(name)] else {
                let near = ModelError.nearest(to: name, among: loaded.map(\.schema.name))
                problems.append(
                    (
                        Location.none,
                        SchemaError.Problem(
                            message: "no loaded document describes the class \(name)",
                            fix: near.map { "did you mean the schema \($0)?" }
                                ?? "add a schema of this name, or leave the class out")
                    ))
                continue
            }
            if let other = loaded[position].schema.modelClass, other != modelClass {
                report(
                    loaded[position], "two classes are called \(name)", fix: "register one of them in code, with a name"
                )
                continue
            }
            loaded[position].schema.modelClass = modelClass
        }
    }

    /// Reports documents that are small but become huge when properties are inherited.
    private mutating func checkTotal() {
        var total = 0
        for item in loaded {
            var current: ModelSchema? = item.schema
            var ancestors = 0
            while let schema = current, ancestors <= SchemaLimits.ancestors {
                ancestors += 1
                total += 1 + schema.properties.count
                guard total <= Self.maximumTotal else {
                    isComplete = false
                    return report(
                        item,
                        "the documents describe more than \(Self.maximumTotal.counted("property", "properties")), inherited ones included",
                        fix: "load fewer schemas at once")
                }
                current = if case .named(let name) = schema.parent { self.schema(named: name) } else { nil }
            }
        }
    }

    private func schema(named name: String) -> ModelSchema? {
        positions[UTF8Key(name)].map { loaded[$0].schema } ?? (try? registry.schema(named: name))
    }

    /// The positions of the schemas and their properties.
    func sources() -> [UTF8Key: SchemaSource] {
        var sources: [UTF8Key: SchemaSource] = [:]
        for item in loaded {
            let properties = item.propertyOffsets.compactMapValues { offset in
                text(of: Location(document: item.location.document, offset: offset))
            }
            sources[UTF8Key(item.schema.name)] = SchemaSource(
                schema: text(of: item.location) ?? "", properties: properties)
        }
        return sources
    }

    /// Finds the registry's problems although nothing can be registered any more, so that all problems are reported at
    /// once. Problems that follow from an unreadable property are left out.
    private mutating func checkOnly(_ schemas: [ModelSchema]) {
        do throws(SchemaError) {
            try registry.copy().register(schemas, sources: sources())
        } catch {
            add(
                error.problems.filter { problem in
                    guard let key = problem.property else { return true }
                    if brokenKeys.contains(UTF8Key(key)) { return false }
                    let inverse = problem.schema.flatMap { schema(named: $0) }?.property(key)?.inverse
                    return inverse.map { !brokenKeys.contains(UTF8Key($0)) } ?? true
                })
        }
    }

    private mutating func add(_ found: [SchemaError.Problem]) {
        for problem in found {
            var location = Location(document: documents.count, offset: 0)
            if let name = problem.schema, let position = positions[UTF8Key(name)] {
                let item = loaded[position]
                let offset = problem.property.flatMap { item.propertyOffsets[UTF8Key($0)] } ?? item.location.offset
                location = Location(document: item.location.document, offset: offset)
            }
            problems.append((location, problem))
        }
    }
}
