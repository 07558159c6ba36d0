import ModelTestSupport
import Pallium
import Testing

/// A graph of a few models, observed ones and others, and random writes to it.
final class ObservedWorld {
    private static let node = ModelSchema(
        "Node",
        [
            "id": .integer, "a": .integer,
            "b": .string.default("x").validate { (text: inout String, _) in
                if text == "bad" { throw FixtureError.refused }
                if text == " y " { text = "y" }
            },
            "t": .integer.storage(.transitory), "link": .model("Node"), "near": .model("Node").merge(.recurse),
            "list": .array(of: .model("Node")).merge(.byIdentifier(missing: .remove)).default([]),
            "soft": .model("Node").weak, "plain": .model("Plain"),
            "kids": .array(of: .model("Node")).inverse("parent"), "parent": .model("Node").weak,
        ], identity: ["id"], isObserved: true)
    private static let plain = ModelSchema("Plain", ["v": .integer, "node": .model("Node")])

    static let keys = ["id", "a", "b", "t", "link", "near", "list", "soft", "plain", "kids", "parent"]

    let nodes: [DynamicModel]
    private let plains: [DynamicModel]
    private let adapter: JSONAdapter<DynamicModel>
    private var random: SeededGenerator
    /// Every model that was ever met, so that no address is used again and no weak reference ends.
    private var met: [ObjectIdentifier: DynamicModel] = [:]
    /// What was written last, for messages.
    private(set) var log: [String] = []

    init(seed: Int) throws {
        let registry = try SchemaRegistry.of(Self.node, Self.plain)
        adapter = try JSONAdapter(schema: Self.node, registry: registry)
        nodes = try (0..<4).map { try DynamicModel(schema: Self.node, values: ["id": $0], registry: registry) }
        plains = (0..<2).map { _ in DynamicModel(schema: Self.plain, registry: registry) }
        random = SeededGenerator(seed: seed)
    }

    /// Ends the cycles of the graph.
    func end() {
        for model in met.values {
            for key in ["link", "near", "list", "plain", "kids", "node"] { _ = try? model.unset(key) }
        }
    }

    // MARK: Pictures

    /// The values of all models that can be reached, by public means alone.
    /// The state of each key of each node.
    func states() throws -> [[PropertyState]] {
        try nodes.map { node in try Self.keys.map { try node.state(of: $0) } }
    }

    func picture() -> ObservedPicture {
        var picture = ObservedPicture()
        var open = nodes + plains
        while let model = open.popLast() {
            let name = ObjectIdentifier(model)
            guard picture.models[name] == nil else { continue }
            met[name] = model
            var values: [String: ObservedPicture.Value] = [:]
            for (key, value) in model.values {
                switch value {
                case let model as DynamicModel:
                    values[key] = .model(ObjectIdentifier(model))
                    open.append(model)
                case let list as [DynamicModel]:
                    values[key] = .list(list.map(ObjectIdentifier.init))
                    open += list
                case let value?: values[key] = .text("\(value)")
                case nil: break
                }
            }
            picture.models[name] = values
        }
        return picture
    }

    // MARK: Writes

    /// Writes something as one transaction; an error must leave everything as it was.
    func write() throws {
        log = []
        try step(depth: 0)
    }

    private func step(depth: Int) throws {
        let node = random.pick(nodes)
        let number = random.below(depth < 2 ? 25 : 20)
        log.append("\(depth): \(number) of \(node["id"] ?? "")")
        switch number {
        case 0...2: node["a"] = random.below(3)
        case 3: try node.setValue(random.pick(["x", "y", " y ", "bad"]), forKey: "b")
        case 4: try random.once(in: 2) ? node.unset("a") : node.setValue(nil, forKey: "a")
        case 5: node["t"] = random.below(2)
        case 6: node["link"] = oneOrNone()
        case 7: node["near"] = oneOrNone()
        case 8, 9: node["list"] = several()
        case 10: node["soft"] = oneOrNone()
        case 11: node["plain"] = random.once(in: 4) ? nil as DynamicModel? : random.pick(plains)
        case 12:
            let plain = random.pick(plains)
            if random.once(in: 2) { plain["v"] = random.below(3) } else { plain["node"] = oneOrNone() }
        case 13: node["kids"] = severalOnce()
        case 14: allow { try node.validate() }
        case 15: allow { [self] in _ = try adapter.merge(document(of: node), into: node) }
        case 16: allow { [self] in _ = try node.merge(from: adapter.model(from: document(of: node))) }
        case 17: allow { [self] in _ = try adapter.apply(JSONMergePatch(document(of: node)), to: node) }
        case 18:
            let patch = JSONPatch([.add(["a"], value(random.below(3))), .add(["b"], random.pick(["x", "y", "bad"]))])
            allow { [self] in _ = try adapter.apply(patch, to: node) }
        case 19:
            if node.isTrackingChanges, random.once(in: 2) {
                node.revert()
            } else if node.isTrackingChanges {
                allow { [self] in _ = try adapter.rebase(node, onto: document(of: node)) }
            } else {
                node.trackChanges()
            }
        default: try transaction(of: node, depth: depth)
        }
    }

    private func transaction(of node: DynamicModel, depth: Int) throws {
        let fails = random.once(in: 3)
        let before = picture()
        let held = before.held(by: ObjectIdentifier(node))
        do {
            try node.transaction {
                for _ in 0...random.below(4) { try step(depth: depth + 1) }
                if fails { throw FixtureError.refused }
            }
            log.append("\(depth): end")
        } catch FixtureError.refused where fails {
            log.append("\(depth): taken back")
            check(picture(), isStill: before, except: Set(plains.map(ObjectIdentifier.init)).subtracting(held))
        }
    }

    /// Runs something that may be refused and then must leave everything as it was.
    private func allow(_ body: () throws -> Void) {
        let before = picture()
        do { try body() } catch {
            log.append("refused")
            check(picture(), isStill: before, except: [])
        }
    }

    /// - Parameter others: Models of which nothing is promised: those that are not observed and were not held.
    private func check(_ now: ObservedPicture, isStill before: ObservedPicture, except others: Set<ObjectIdentifier>) {
        for (model, values) in before.models where !others.contains(model) {
            #expect(now.models[model] == values, "\(log)")
        }
    }

    private func oneOrNone() -> DynamicModel? { random.once(in: 4) ? nil : random.pick(nodes) }

    private func several() -> [DynamicModel] { (0..<random.below(4)).map { _ in random.pick(nodes) } }

    private func severalOnce() -> [DynamicModel] { nodes.filter { _ in random.once(in: 3) } }

    private func value(_ number: Int) -> JSONValue { .number(JSONNumber(number)) }

    private func document(of node: DynamicModel) -> JSONValue {
        var object: JSONObject = ["id": value(node["id", as: Int.self] ?? 0)]
        if random.once(in: 2) { object["a"] = random.once(in: 4) ? .null : value(random.below(3)) }
        if random.once(in: 2) { object["b"] = random.pick(["x", "y", " y ", "bad"]) }
        for key in ["link", "near"] where random.once(in: 4) {
            object[key] = random.once(in: 4) ? .null : ["id": value(random.below(5)), "a": value(random.below(3))]
        }
        if random.once(in: 4) {
            let ids = (0..<5).shuffled(using: &random).prefix(random.below(4))
            object["list"] = .array(ids.map { ["id": value($0), "a": value(random.below(3))] })
        }
        return .object(object)
    }
}

/// The values of the models of a graph at one time.
struct ObservedPicture: Equatable {
    enum Value: Equatable {
        case text(String)
        case model(ObjectIdentifier)
        case list([ObjectIdentifier])
    }

    /// Properties without a value are missing.
    var models: [ObjectIdentifier: [String: Value]] = [:]

    /// The models that a model holds, itself included; weak references do not hold.
    func held(by model: ObjectIdentifier) -> Set<ObjectIdentifier> {
        var held: Set<ObjectIdentifier> = []
        var open = [model]
        while let model = open.popLast() {
            guard held.insert(model).inserted else { continue }
            for (key, value) in models[model] ?? [:] where key != "soft" && key != "parent" {
                switch value {
                case .model(let model): open.append(model)
                case .list(let list): open += list
                case .text: break
                }
            }
        }
        return held
    }

    func id(of model: ObjectIdentifier) -> Value? { models[model]?["id"] }
}
