package import PalliumCore
package import PalliumJSON

/// Loads several schema documents into a registry.
///
///     documents ──read──▶ entries ──bind classes──▶ schemas ──register──▶ registry
///                   └──────────────┴── problems ──────┴──────▶ SchemaError, in the order of the documents
package struct SchemaLoading {
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
        let document: Int
        let places: SchemaPlaces

        var location: Location { Location(document: document, offset: places.offset) }
    }

    /// How many schemas and properties can be loaded at once. Inherited properties count for each schema, as they do
    /// once compiled.
    package static let maximumTotal = 1_000_000

    private let registry: SchemaRegistry
    private let isOpaque: Bool
    /// The unregistered kinds and transformers, whose properties hold any JSON value unchanged.
    package private(set) var opaqueNames: [String] = []
    /// The declared kinds of these properties, by schema and key; nil for an unknown kind.
    package private(set) var opaqueKinds: [UTF8Key: [UTF8Key: PropertyKind?]] = [:]
    private let documents: [SchemaDocument]
    /// The problems; those without a location come first.
    private var problems: [(location: Location, problem: SchemaError.Problem)] = []
    private var loaded: [Loaded] = []
    private var positions: [UTF8Key: Int] = [:]
    private var brokenKeys: Set<UTF8Key> = []
    private var isComplete = true
    /// The texts of the locations of schemas, by document and byte.
    private var locationTexts: [[Int: String]] = []

    package init(
        registry: SchemaRegistry, documents: [SchemaDocument], problems: [SchemaError.Problem], isOpaque: Bool = false
    ) {
        self.registry = registry
        self.isOpaque = isOpaque
        self.documents = documents
        self.problems = problems.map { (Location.none, $0) }
        isComplete = problems.isEmpty
    }

    /// Reads all documents, then registers all schemas or throws every problem.
    ///
    /// - Parameter classes: The classes, by the names of their schemas.
    package mutating func load(classes: [(name: String, modelClass: DynamicModel.Type)]) throws(SchemaError)
        -> [ModelSchema]
    {
        for index in documents.indices { read(index) }
        if isComplete { bind(classes) }
        checkTotal()
        let schemas = loaded.map(\.schema)
        if problems.isEmpty {
            do throws(SchemaError) {
                try registry.register(schemas)
                return schemas
            } catch { add(error.problems) }
        } else if isComplete {
            checkOnly(schemas)
        }
        throw SchemaError(sorted(problems))
    }

    /// Returns problems in reading order, with their places.
    package func located(_ found: [SchemaError.Problem]) -> [SchemaError.Problem] {
        sorted(found.map { (location(of: $0), $0) })
    }

    private func sorted(_ problems: [(location: Location, problem: SchemaError.Problem)]) -> [SchemaError.Problem] {
        var offsets = documents.map { _ in [Int]() }
        for (location, _) in problems where documents.indices.contains(location.document) {
            offsets[location.document].append(location.offset)
        }
        let texts = zip(documents, offsets).map { $0.locations(of: $1) }
        // The sort also compares positions, so that problems of one location stay in the order they were found.
        return problems.enumerated().sorted {
            ($0.element.location, $0.offset) < ($1.element.location, $1.offset)
        }.map { _, found in
            let (document, offset) = (found.location.document, found.location.offset)
            return found.problem.located(at: documents.indices.contains(document) ? texts[document][offset] : nil)
        }
    }

    private mutating func read(_ index: Int) {
        let document = documents[index]
        var reader = SchemaReader(registry: registry, isOpaque: isOpaque)
        reader.opaqueNames = opaqueNames
        defer { opaqueNames = reader.opaqueNames }
        do throws(JSONSyntaxError) {
            reader.read(try LocatedJSON(parsing: document.bytes))
        } catch {
            reader.problems.report(at: error.offset, Self.sentence(error))
            isComplete = false
        }
        locationTexts.append(document.locations(of: reader.schemas.map(\.places.offset)))
        isComplete = isComplete && reader.isComplete
        brokenKeys.formUnion(reader.brokenKeys)
        problems += reader.problems.all.map { (Location(document: index, offset: $0.offset), $0) }
        for entry in reader.schemas {
            if !entry.opaqueKinds.isEmpty { opaqueKinds[UTF8Key(entry.schema.name)] = entry.opaqueKinds }
            add(Loaded(schema: entry.schema, document: index, places: entry.places))
        }
    }

    /// The limits are those of schema documents, so the messages name them.
    package static func sentence(_ error: JSONSyntaxError) -> String {
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

    private mutating func report(_ loaded: Loaded?, _ message: String, fix: String?) {
        let name = loaded.map { ModelError.shorten($0.schema.name, to: 64) }
        problems.append(
            (loaded?.location ?? .none, SchemaError.Problem(schema: name, message: message, fix: fix)))
    }

    /// Binds classes to schemas. Documents get a class in no other way.
    private mutating func bind(_ classes: [(name: String, modelClass: DynamicModel.Type)]) {
        for (name, modelClass) in classes {
            guard let position = positions[UTF8Key(name)] else {
                let near = ModelError.nearest(to: name, among: loaded.map(\.schema.name))
                report(
                    nil, "no loaded document describes the class \(name)",
                    fix: near.map { "did you mean the schema \($0)?" }
                        ?? "add a schema of this name, or leave the class out")
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

    /// Finds the registry's problems although nothing can be registered any more, so that all problems are reported at
    /// once. Problems that follow from an unreadable property are left out.
    private mutating func checkOnly(_ schemas: [ModelSchema]) {
        do throws(SchemaError) {
            try registry.copy().register(schemas)
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
        for problem in found { problems.append((location(of: problem), problem)) }
    }

    private func location(of problem: SchemaError.Problem) -> Location {
        guard let position = problem.schema.flatMap({ positions[UTF8Key($0)] }) else {
            return Location(document: documents.count, offset: 0)
        }
        return Location(document: loaded[position].document, offset: loaded[position].places.offset(of: problem))
    }
}
