import Foundation
import ModelTestSupport
import Pallium

/// A target, edits and a document, of which the library and the reference must make the same.
struct MergeCase {
    enum Operation: String, Sendable { case merge, rebase }

    /// What came of a case.
    enum Outcome {
        case agreed, refused
        case open(String)
        case different([String])
    }

    let operation: Operation
    let theme: MergeTheme
    let seed: Int
    var schemas: PlainSchemas
    var target: JSONValue
    var document: JSONValue
    /// Whether hooks are compared, too.
    var hasHooks = false
    /// The library of another case of the same schemas.
    var shared: Library?

    init(_ operation: Operation, _ theme: MergeTheme, seed: Int) {
        self.operation = operation
        self.theme = theme
        self.seed = seed
        // It takes longer to compile schemas than to try several cases of them.
        schemas = SchemaMaker.schemas(theme, seed: seed / 4)
        var maker = DocumentMaker(schemas: schemas, seed: seed)
        maker.hasMistakes = false
        maker.presence = 70
        target = maker.document(isComplete: true)
        maker.hasMistakes = true
        maker.presence = 60
        document = maker.document()
    }

    // MARK: Both sides

    /// The library's models of the case.
    struct Library {
        let adapter: JSONAdapter<DynamicModel>
        let registry: SchemaRegistry
        let log: HookLog
    }

    func library() throws -> Library {
        let log = HookLog()
        let registry = try SchemaRegistry.of(schemas.modelSchemas(log: log), mergers: PlainSchemas.mergers)
        let adapter = try JSONAdapter<DynamicModel>(schema: registry.schema(named: schemas.root), registry: registry)
        return Library(adapter: adapter, registry: registry, log: log)
    }

    /// A model of the library and its plain counterpart, tracked and edited for a rebase, with the numbers of all objects.
    func models(_ library: Library) throws -> (model: DynamicModel, plain: PlainModel, reading: LibraryReading) {
        let model = try library.adapter.model(from: target)
        let plain = try PlainReading(schemas: schemas).model(target, declared: schemas.root)
        if operation == .rebase {
            model.trackChanges()
            plain.track()
            var edits = EditMaker(schemas: schemas, registry: library.registry, seed: seed &+ 1)
            try edits.edit(model, plain)
        }
        let picture = PlainPicture(schemas: schemas)
        var reading = LibraryReading(schemas: schemas)
        let read = try reading.model(model, json: library.adapter.jsonValue(from: model))
        for (index, pair) in zip(picture.places(of: plain), picture.places(of: read)).enumerated() {
            pair.0.model.number = index
            (pair.0.model.isNew, pair.0.model.former) = (false, pair.0.model.states)
            if let object = reading.objects[ObjectIdentifier(pair.1.model)] {
                reading.numbers[ObjectIdentifier(object)] = index
            }
        }
        return (model, plain, reading)
    }

    /// The outcome of the reference.
    struct Expected {
        let model: PlainModel
        var conflicts: [String] = []
        var isRefused = false
    }

    func expected(_ plain: PlainModel) throws -> Expected {
        do {
            if operation == .merge {
                try PlainMerge(schemas: schemas).merge(document, into: plain)
                return Expected(model: plain)
            }
            var rebase = PlainRebase(schemas: schemas)
            try rebase.rebase(plain, onto: document)
            return Expected(model: plain, conflicts: rebase.conflicts)
        } catch is PlainRefusal { return Expected(model: plain, isRefused: true) }
    }

    // MARK: Entrances

    enum Entrance: String, CaseIterable { case text, data, tree, dictionary }

    private var entrances: [Entrance] { operation == .merge ? Entrance.allCases : [.text, .tree] }

    private func apply(_ entrance: Entrance, to model: DynamicModel, _ library: Library) throws -> ModelChanges {
        func apply(_ input: some JSONInput) throws -> ModelChanges {
            operation == .merge
                ? try library.adapter.merge(input, into: model) : try library.adapter.rebase(model, onto: input)
        }
        let text = try document.text()
        switch entrance {
        case .text: return try apply(text)
        case .data: return try apply(Data(text.utf8))
        case .tree: return try apply(document)
        case .dictionary:
            guard let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
                throw OpenQuestion("no dictionary")
            }
            return try apply(object)
        }
    }

    // MARK: Comparison

    func outcome() throws -> Outcome {
        let library = try shared ?? library()
        var isRefused = false
        for entrance in entrances {
            do {
                let (differences, isEntranceRefused) = try differences(entrance, library)
                isRefused = isEntranceRefused
                if !differences.isEmpty { return .different(["by \(entrance.rawValue):"] + differences) }
            } catch let question as OpenQuestion { return .open(question.text) }
        }
        return isRefused ? .refused : .agreed
    }

    private func differences(
        _ entrance: Entrance, _ library: Library
    ) throws -> (lines: [String], isRefused: Bool) {
        var (model, plain, reading) = try models(library)
        // The order of the keys of an edit is that of a Swift dictionary, which has none.
        var picture = PlainPicture(schemas: schemas, hasOrder: operation == .merge)
        let before = try reading.model(model, json: library.adapter.jsonValue(from: model))
        let prepared = differingLines(picture.lines(of: plain), picture.lines(of: before))
        guard prepared.isEmpty else { return (["before:"] + prepared, false) }
        let expected = try expected(plain)
        library.log.clear()
        let changes: ModelChanges
        do {
            changes = try apply(entrance, to: model, library)
        } catch {
            guard expected.isRefused else { return (["the library refuses: \(error)"], false) }
            let after = try reading.model(model, json: library.adapter.jsonValue(from: model))
            return (differingLines(picture.lines(of: before), picture.lines(of: after)), true)
        }
        if expected.isRefused { return (["the library refuses nothing"], false) }
        // A dictionary of Foundation has no order, and the article gives none to what a rebase decides entry by entry.
        picture.hasOrder = entrance != .dictionary && operation == .merge
        picture.showsStates = false
        let after = try reading.model(model, json: library.adapter.jsonValue(from: model))
        var lines = differingLines(picture.lines(of: expected.model), picture.lines(of: after))
        if hasHooks { lines += hookDifferences(expected.model, library.log, reading) }
        if operation == .rebase { lines += try rebaseDifferences(expected, model, changes, library) }
        return (lines, false)
    }

    private func hookDifferences(_ model: PlainModel, _ log: HookLog, _ reading: LibraryReading) -> [String] {
        let places = PlainPicture(schemas: schemas).places(of: model)
        let expected = places.filter { $0.model.isNew || PlainEquality.isChanged($0.model, schemas) }.map {
            "hook of \($0.path)"
        }.sorted()
        let paths = log.models.map { reading.paths[ObjectIdentifier($0)] ?? "?/ a \($0.schema.name) that is nowhere" }
        var lines = differingLines(expected, paths.map { "hook of \($0)" }.sorted())
        for (index, path) in paths.enumerated() where !path.contains("*") {
            for inner in paths[(index + 1)...] where inner.hasPrefix(path + "/") {
                lines.append("hook of \(path) before that of \(inner)")
            }
        }
        return lines
    }

    private func rebaseDifferences(
        _ expected: Expected, _ model: DynamicModel, _ changes: ModelChanges, _ library: Library
    ) throws -> [String] {
        let picture = PlainPicture(
            schemas: schemas, hasOrder: false, showsObjects: false, showsStates: false)
        let pointers = Set(changes.conflicts.map { schemas.known($0.pointer.tokens, in: expected.model) })
        var lines = differingLines(
            Set(expected.conflicts).sorted().map { "conflict at \($0)" },
            pointers.sorted().map { "conflict at \($0)" })
        guard let base = expected.model.base else { return lines }
        let equality = PlainEquality(schemas: schemas)
        let pending = schemas.properties(of: base.name).filter { property in
            !equality.areEqual(expected.model[property.key].value, base[property.key].value, property.kind)
        }
        lines += differingLines(
            pending.map { "pending: \($0.key)" }.sorted(), model.changedKeys.map { "pending: \($0)" }.sorted())
        let own = expected.model
        model.revert()
        var reading = LibraryReading(schemas: schemas)
        let reverted = try reading.model(model, json: library.adapter.jsonValue(from: model))
        withExtendedLifetime(own) {}
        lines += differingLines(picture.lines(of: base), picture.lines(of: reverted)).map { "in the base: \($0)" }
        return lines
    }
}

extension PlainSchemas {
    /// A pointer of the library up to the property or element about which the reference decides as one value, with `#` for
    /// the positions of elements.
    fileprivate func known(_ tokens: [String], in model: PlainModel) -> String {
        guard let key = tokens.first, let property = property(key, of: model.name) else { return "" }
        let rest = Array(tokens.dropFirst())
        let here = "/\(key)"
        switch (property.policy, property.kind) {
        case (.recurse, .model):
            guard !rest.isEmpty, let inner = model[key].value?.model else { return here }
            return here + known(rest, in: inner)
        case (.byIdentifier, _):
            guard let token = rest.first, let index = Int(token) else { return here }
            let elements = model[key].value?.elements ?? []
            guard rest.count > 1, elements.indices.contains(index), let inner = elements[index].model else {
                return "\(here)/#"
            }
            return "\(here)/#" + known(Array(rest.dropFirst()), in: inner)
        case (let policy, .dictionary):
            guard let entry = rest.first else { return here }
            guard case .recurse = policy, rest.count > 1,
                let inner = model[key].value?.entries?.first(where: { $0.key == entry })?.value?.model
            else { return "\(here)/\(entry)" }
            return "\(here)/\(entry)" + known(Array(rest.dropFirst()), in: inner)
        default: return here
        }
    }
}
