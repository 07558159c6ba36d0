import Foundation
import Pallium
import RunSupport
import Synchronization

/// Schemas each of which refers to three others, so that the links of any of them lead to nearly all.
struct LinkedSchemas: Sendable {
    private static let links = ["first", "second", "third"]

    private let schemas: [ModelSchema]

    var count: Int { schemas.count }

    init(count: Int) {
        schemas = (0..<count).map { number in
            let links = zip(Self.links, Self.targets(of: number, count)).map { link, target in
                ModelSchema.Property(link, .model("Linked\(target)"))
            }
            return .named("Linked\(number)", properties: [.init("id", .integer), .init("name", .string)] + links)
        }
    }

    private static func targets(of number: Int, _ count: Int) -> [Int] {
        [7 * number + 1, 13 * number + 3, 31 * number + 5].map { $0 % count }
    }

    /// Registers the schemas in a new registry.
    func register() throws -> SchemaRegistry {
        let registry = SchemaRegistry()
        try registry.register(schemas)
        return registry
    }

    /// Makes an adapter for each schema and decodes an empty document with each.
    func makeAdapters(_ registry: SchemaRegistry) throws -> [JSONAdapter<DynamicModel>] {
        try makeAdapters(registry, from: 0, step: 1)
    }

    /// Does the same on several threads at once, each with its share of the schemas, and answers the processor time of all.
    func timeToMakeAdapters(_ registry: SchemaRegistry, threads: Int) throws -> UInt64 {
        let outcome = Mutex<Result<UInt64, any Error>>(.success(0))
        let threadsAtWork = DispatchGroup()
        for thread in 0..<threads {
            threadsAtWork.enter()
            Thread.detachNewThread {
                let time = Result {
                    let start = processorTime()
                    let adapters = try makeAdapters(registry, from: thread, step: threads)
                    let time = processorTime() - start
                    blackHole(adapters)
                    return time
                }
                outcome.withLock { outcome in outcome = Result { try outcome.get() + time.get() } }
                threadsAtWork.leave()
            }
        }
        threadsAtWork.wait()
        return try outcome.withLock { try $0.get() }
    }

    private func makeAdapters(
        _ registry: SchemaRegistry, from first: Int, step: Int
    ) throws -> [JSONAdapter<DynamicModel>] {
        let empty = Data("{}".utf8)
        return try stride(from: first, to: count, by: step).map { number in
            let adapter = try JSONAdapter(schema: schemas[number], registry: registry)
            blackHole(try adapter.model(from: empty))
            return adapter
        }
    }

    /// Whether every adapter decodes models of its own schema, and those that they link to.
    func areRight() throws -> Bool {
        let document = Self.document(levels: 2).data
        return try makeAdapters(register()).enumerated().allSatisfy { number, adapter in
            let model = try adapter.model(from: document)
            return model.schema.name == "Linked\(number)"
                && zip(Self.links, Self.targets(of: number, count)).allSatisfy { link, target in
                    let linked = model[link, as: DynamicModel.self]
                    return linked?.schema.name == "Linked\(target)" && linked?["id", as: Int.self] == 1
                }
        }
    }

    /// A way to decode models of the first schema.
    func configuration() throws -> Configuration {
        let adapter = try JSONAdapter(schema: schemas[0], registry: register())
        return Configuration(
            "bytes of linked models", document: Self.document(levels: 3),
            optionalMembers: ["id", "name", "first", "second", "third"]
        ) { blackHole(try adapter.model(from: $0)) }
    }

    /// A document in which everything is present to some depth.
    private static func document(levels: Int) -> DocumentValue {
        let members: [(name: String, value: DocumentValue)] = [("id", .integer(1)), ("name", .string("a model"))]
        guard levels > 1 else { return .object(members) }
        return .object(members + links.map { ($0, document(levels: levels - 1)) })
    }
}
