import Foundation
import Pallium

/// An element of a chain.
private final class Link: DynamicModel {
    var number: Int { value() }
    var next: Link? { value() }
}

/// Whether time grows with the input and no faster: long against short, wide against narrow, deep against flat, per unit
/// of input. Both sides are Pallium's.
func scalingWorkloads(_ context: BenchmarkContext) -> [Workload] {
    let many = context.issueCount * 10
    let few = max(1, context.issueCount / 10)
    return [
        Workload(
            name: "scaling: merge 100000 elements by identifier, against 1000", unit: .nanoseconds(per: "element"),
            goal: .atMost(1.3)
        ) {
            let (long, short) = (try LabelLists(count: 1, length: 100_000), try LabelLists(count: 100, length: 1000))
            return .timed(
                ours: .operation(units: 100_000, long.merge), baseline: .operation(units: 100_000, short.merge),
                configuration: long.configuration
            ) { try long.isRight() && short.isRight() }
        },
        Workload(
            name: "scaling: decode \(many) issues, against \(few)", unit: .nanoseconds(per: "issue"),
            goal: .atMost(1.15)
        ) {
            let (adapter, decoder) = (context.adapter, context.coders.decoder)
            let (long, short) = (IssueGenerator.document(many), IssueGenerator.document(few))
            return .timed(
                ours: .operation(units: many) { try adapter.models(from: long) },
                baseline: .operation(units: few) { try adapter.models(from: short) },
                configuration: context.arrayConfiguration
            ) {
                let issues = try adapter.models(from: long)
                let expected = try decoder.decode([CodableIssue].self, from: short)
                return issues.count == many && Digest.of(Array(issues.prefix(few))) == Digest.of(expected)
            }
        },
        Workload(
            name: "scaling: 500 properties wide, against 20", unit: .nanoseconds(per: "property"), goal: .atMost(1.15)
        ) {
            let (wide, narrow) = (try Objects(width: 500, count: 40), try Objects(width: 20, count: 1000))
            return .timed(
                ours: .operation(units: wide.values, wide.decode),
                baseline: .operation(units: narrow.values, narrow.decode),
                configuration: wide.configuration
            ) { try wide.isRight() && narrow.isRight() }
        },
        Workload(name: "scaling: 500 levels deep, against 5", unit: .nanoseconds(per: "level"), goal: .atMost(1.15)) {
            let registry = SchemaRegistry()
            try registry.register(
                ModelSchema(Link.self, ["number": .integer.required, "next": .model(Link.self)], name: "Link"))
            let adapter = JSONAdapter(Link.self, registry: registry)
            let (deep, flat) = (chains(40, depth: 500).data, chains(4000, depth: 5).data)
            return .timed(
                ours: .operation(units: 20_000) { try adapter.models(from: deep) },
                baseline: .operation(units: 20_000) { try adapter.models(from: flat) },
                configuration: Configuration(
                    "bytes of a chain", document: chain(depth: 8), optionalMembers: ["next"]
                ) { data in blackHole(try adapter.model(from: data)) }
            ) {
                let deep = lengths(try adapter.models(from: deep))
                let flat = lengths(try adapter.models(from: flat))
                return deep == Array(repeating: 500, count: 40) && flat == Array(repeating: 5, count: 4000)
            }
        },
    ]
}

/// Objects of as many integers as wanted.
private struct Objects {
    private let document: Data
    private let adapter: JSONAdapter<DynamicModel>
    private let width: Int
    private let count: Int
    let configuration: Configuration

    /// How many properties are decoded.
    var values: Int { width * count }

    init(width: Int, count: Int) throws {
        // Names are equally long, so that a property is the same unit of input in both documents.
        let keys = (0..<width).map { "property\(1000 + $0)" }
        let registry = SchemaRegistry()
        let schema = ModelSchema.named(
            "Wide", properties: keys.map { ModelSchema.Property($0, .integer.required) })
        try registry.register(schema)
        let adapter = try JSONAdapter(schema: schema, registry: registry)
        let object = DocumentValue.object(keys.enumerated().map { ($1, .integer(1000 + $0)) })
        document = DocumentValue.array(Array(repeating: object, count: count)).data
        configuration = Configuration("bytes of a wide object", document: object) { data in
            blackHole(try adapter.model(from: data))
        }
        self.adapter = adapter
        self.width = width
        self.count = count
    }

    func decode() throws -> [DynamicModel] { try adapter.models(from: document) }

    /// Whether every property has its value.
    func isRight() throws -> Bool {
        let models = try decode()
        return models.count == count
            && models.allSatisfy { model in
                (0..<width).allSatisfy { model["property\(1000 + $0)", as: Int.self] == 1000 + $0 }
            }
    }
}

private func chain(depth: Int) -> DocumentValue {
    (0..<depth).reduce(.null) { next, number in .object([("number", .integer(1000 + number)), ("next", next)]) }
}

private func chains(_ count: Int, depth: Int) -> DocumentValue {
    .array(Array(repeating: chain(depth: depth), count: count))
}

private func lengths(_ links: [Link]) -> [Int] {
    links.map { link in
        var length = 0
        var next: Link? = link
        while let current = next {
            length += 1
            next = current.next
        }
        return length
    }
}
