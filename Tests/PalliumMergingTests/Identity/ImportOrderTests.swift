import ModelTestSupport
import Pallium
import Testing

/// Where every policy is newest, max, min or union, the order of imports does not change the graph.
///
/// Domain: each time at which something was said about a model occurs once, what is said at a time says all properties
/// that go by it, lists that are united are sets, and the program holds on to the models: what was said about one that
/// nobody holds is gone. References that hold nothing but an identity may stand anywhere.
struct ImportOrderTests {
    private static let node = ModelSchema(
        "Node",
        [
            "id": .integer.required, "time": .integer, "state": .string.merge(.newest(by: "time")),
            "friend": .model("Node").merge(.newest(by: "time")), "most": .integer.merge(.max),
            "least": .integer.merge(.min), "tags": .set(of: .string).merge(.union),
            "peers": .set(of: .model("Node")).merge(.union), "byName": .dictionary(of: .model("Node")).merge(.union),
        ],
        identity: ["id"])

    /// What documents say, in a random order of times.
    private struct Generator {
        var numbers: SeededGenerator
        var times: [Int]

        init(times count: Int, seed: Int) {
            numbers = SeededGenerator(seed: seed)
            times = Array(1...count).shuffled(using: &numbers)
        }

        mutating func isHeads() -> Bool { numbers.once(in: 2) }

        mutating func reference(_ depth: Int) -> JSONValue {
            isHeads() || depth == 0 || times.isEmpty
                ? ["id": .number(JSONNumber(numbers.below(6)))] : document(depth - 1)
        }

        mutating func document(_ depth: Int) -> JSONValue {
            let id = numbers.below(6)
            guard let time = times.popLast() else { return ["id": .number(JSONNumber(id))] }
            var object: JSONObject = [:]
            object["id"] = .number(JSONNumber(id))
            object["time"] = .number(JSONNumber(time))
            object["state"] = isHeads() ? .string("s\(time)") : .null
            object["friend"] = isHeads() ? reference(depth) : .null
            if isHeads() { object["most"] = .number(JSONNumber(numbers.below(100))) }
            if isHeads() { object["least"] = .number(JSONNumber(numbers.below(100))) }
            if isHeads() { object["tags"] = .array((0..<2).map { _ in .string("t\(numbers.below(9))") }) }
            if isHeads() { object["peers"] = .array((0..<2).map { _ in reference(depth) }) }
            // A dictionary is united by its keys, so that one key leads to one model.
            if isHeads() {
                let target = numbers.below(6)
                object["byName"] = .object(["n\(target)": ["id": .number(JSONNumber(target))]])
            }
            return .object(object)
        }
    }

    /// The graph as text that says nothing about order.
    private func graph(
        of documents: [JSONValue], inOne: Bool = false, _ adapter: JSONAdapter<DynamicModel>,
        _ numbers: inout SeededGenerator
    ) throws -> [String] {
        let map = IdentityMap()
        let references: [JSONValue] = (0..<6).map { ["id": .number(JSONNumber($0))] }
        // In one document the models are new, and known by the references that stand anywhere in it.
        let first = try map.import(
            JSONValue.array(inOne ? (documents + references).shuffled(using: &numbers) : references), using: adapter)
        let all = try map.import(JSONValue.array(references), using: adapter)
        defer { withExtendedLifetime(first) {} }
        if !inOne { for document in documents { try map.import(document, using: adapter) } }
        defer {
            // Cycles would stay in memory.
            for model in all { for key in ["friend", "peers", "byName"] { try? model.unset(key) } }
        }
        return all.map { model in
            func id(_ model: DynamicModel) -> String {
                // The instance, and no other of its identity.
                all.firstIndex { $0 === model }.map { "\($0)" } ?? "?"
            }
            let scalars = ["id", "time", "state", "most", "least"].map {
                "\($0) \(String(describing: model.values[$0]))"
            }
            let tags = (model["tags", as: Set<String>.self] ?? []).sorted()
            let peers = (model["peers", as: Set<DynamicModel>.self] ?? []).map(id).sorted()
            let named = (model["byName", as: [String: DynamicModel].self] ?? [:]).map { "\($0): \(id($1))" }.sorted()
            return "\(scalars) \(model.model("friend").map(id) ?? "nil") \(tags) \(peers) \(named)"
        }
    }

    @Test(.trials) func itDoesNotChangeTheGraph() throws {
        let adapter = try Plain.adapter([Self.node]).adapter
        for seed in Trials(1) {
            var generator = Generator(times: 12, seed: seed)
            let documents = (0..<8).map { _ in generator.document(2) }
            let expected = try graph(of: documents, adapter, &generator.numbers)
            #expect(!expected.contains { $0.contains("?") })
            for _ in 0..<3 {
                let shuffled = documents.shuffled(using: &generator.numbers)
                let found = try graph(of: shuffled, adapter, &generator.numbers)
                #expect(found == expected, "\(seed): \(documents) and \(shuffled)")
                if found != expected { return }
            }
            let atOnce = try graph(of: documents, inOne: true, adapter, &generator.numbers)
            #expect(atOnce == expected, "\(seed): \(documents)")
            if atOnce != expected { return }
        }
    }
}
