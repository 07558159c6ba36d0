import Foundation
import ModelTestSupport
import Pallium

/// Documents that are imported one after another into one identity map, of which the library and the reference must make
/// the same.
struct ImportCase {
    let seed: Int
    var schemas: PlainSchemas
    var documents: [JSONValue]
    var hasHooks = false

    init(seed: Int) {
        self.seed = seed
        schemas = SchemaMaker.graph(seed: seed)
        var maker = DocumentMaker(schemas: schemas, seed: seed)
        maker.hasMistakes = false
        maker.gaps = 8
        maker.presence = 45
        documents = (0..<3).map { _ in
            maker.chance(60)
                ? maker.document() : .array((0..<2 + maker.numbers.below(2)).map { _ in maker.document() })
        }
    }

    func outcome() throws -> MergeCase.Outcome {
        let log = HookLog()
        let registry = try SchemaRegistry.of(schemas.modelSchemas(log: log), mergers: PlainSchemas.mergers)
        let adapter = try JSONAdapter<DynamicModel>(schema: registry.schema(named: schemas.root), registry: registry)
        let map = IdentityMap()
        let plain = PlainImport(schemas: schemas)
        var graph = LibraryGraph(schemas: schemas)
        defer { graph.release() }
        for (index, document) in documents.enumerated() {
            var hooks: Set<ObjectIdentifier> = []
            var isRefused = false
            do {
                hooks = try plain.load(document)
            } catch is PlainRefusal {
                isRefused = true
            } catch let question as OpenQuestion { return .open(question.text) }
            log.clear()
            do {
                graph.hold(Array(try map.import(document.text(), using: adapter)))
            } catch {
                if !isRefused { return .different(["document \(index):", "the library refuses: \(error)"]) }
                let former = graph.lines
                try graph.read(log.models)
                let differences = differingLines(former, graph.lines)
                return differences.isEmpty ? .refused : .different(["document \(index):"] + differences)
            }
            if isRefused { return .different(["document \(index):", "the library refuses nothing"]) }
            try graph.read(log.models)
            let expected = PlainGraph(schemas: schemas, plain, hooks)
            var differences = differingLines(expected.lines, graph.lines)
            if hasHooks { differences += differingLines(expected.hooks, graph.hooks) }
            if !differences.isEmpty { return .different(["document \(index):"] + differences) }
        }
        return .agreed
    }
}

/// All instances of the reference as text.
struct PlainGraph {
    private(set) var lines: [String] = []
    private(set) var hooks: [String] = []

    init(schemas: PlainSchemas, _ plain: PlainImport, _ hooks: Set<ObjectIdentifier>) {
        let instances = plain.living.map { (model: $0.model, label: $0.label) }
        draw(schemas, instances) { hooks.contains(ObjectIdentifier($0)) }
    }

    fileprivate init(
        schemas: PlainSchemas, _ instances: [(model: PlainModel, label: String)], _ hasHook: (PlainModel) -> Bool
    ) {
        draw(schemas, instances, hasHook)
    }

    private mutating func draw(
        _ schemas: PlainSchemas, _ instances: [(model: PlainModel, label: String)], _ hasHook: (PlainModel) -> Bool
    ) {
        var picture = PlainPicture(schemas: schemas, hasOrder: false, showsObjects: false, showsStates: false)
        for (model, label) in instances { picture.labels[ObjectIdentifier(model)] = label }
        for (model, label) in instances.sorted(by: { $0.label < $1.label }) {
            lines += picture.lines(of: model, at: label)
            for place in picture.places(of: model, at: label) where hasHook(place.model) {
                hooks.append("hook of \(place.path)")
            }
        }
        hooks.sort()
    }
}

/// The instances of an identity map that a program holds.
struct LibraryGraph {
    let schemas: PlainSchemas
    private(set) var held: [DynamicModel] = []
    private(set) var lines: [String] = []
    private(set) var hooks: [String] = []
    /// The objects by their names, which must not change.
    private var objects: [String: DynamicModel] = [:]

    init(schemas: PlainSchemas) { self.schemas = schemas }

    mutating func hold(_ models: [DynamicModel]) { held += models }

    mutating func read(_ log: [DynamicModel]) throws {
        var reading = LibraryReading(schemas: schemas, isGraph: true)
        let roots = try held.map { try reading.model($0, json: nil) }
        var visited: Set<ObjectIdentifier> = []
        var instances: [(model: PlainModel, label: String)] = []
        var readModels: [ObjectIdentifier: PlainModel] = [:]
        for model in roots.flatMap({ $0.innerFirst(&visited) }) {
            guard let object = reading.objects[ObjectIdentifier(model)] else { continue }
            readModels[ObjectIdentifier(object)] = model
            guard let key = schemas.identity(of: model.name), case .scalar(let identifier)? = model[key].value else {
                continue
            }
            var label = "\(schemas.identityClass(of: model.name)) \(identifier)"
            if let known = objects[label], known !== object {
                label += " once more"
            } else {
                objects[label] = object
            }
            instances.append((model, label))
            if !held.contains(where: { $0 === object }) { held.append(object) }
        }
        let ran = Dictionary(
            grouping: log.compactMap { readModels[ObjectIdentifier($0)] }, by: { ObjectIdentifier($0) })
        let graph = PlainGraph(schemas: schemas, instances) { ran[ObjectIdentifier($0)] != nil }
        lines = graph.lines
        hooks = graph.hooks
        hooks += ran.values.filter { $0.count > 1 }.map { "\($0.count) hooks of a \($0[0].name)" }
    }

    /// Takes references out of the models, since they may form cycles.
    func release() {
        for model in held {
            for property in schemas.properties(of: model.schema.name) where property.kind.modelName != nil {
                try? model.unset(property.key)
            }
        }
    }
}
