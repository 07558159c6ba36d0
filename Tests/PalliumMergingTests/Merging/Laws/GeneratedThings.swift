import Pallium
import TestSupport

/// Models with a property for every policy, and documents about them.
///
/// Values come from small ranges, so that equal ones, equal identities and everything between meet often.
struct GeneratedThings {
    /// The properties that are neither models nor lists of them, whose documents hold any of a few values.
    private static let scalars: [(key: String, property: PropertySchema)] = [
        ("stamp", .integer), ("plain", .string), ("size", .integer.default(3)), ("extra", .jsonValue),
        ("replaced", .integer.merge(.replace)), ("own", .string.merge(.keep)), ("skipped", .string.merge(.skipNull)),
        ("newest", .string.merge(.newest(by: "stamp"))), ("most", .integer.merge(.max)), ("least", .double.merge(.min)),
        ("list", .array(of: .integer)), ("united", .array(of: .integer).merge(.union)),
        ("tags", .set(of: .string).merge(.union)), ("table", .dictionary(of: .integer).merge(.union)),
    ]
    /// Those of which the same twice is not the same as once.
    private static let accumulating: [(key: String, property: PropertySchema)] = [
        ("log", .array(of: .string).merge(.append)), ("sum", .integer.merge(MergePolicy("sum"))),
    ]
    private static let models: [(key: String, property: PropertySchema)] = [
        ("id", .integer), ("inner", .model("Value").merge(.recurse)), ("child", .model("Thing").merge(.recurse)),
        ("other", .model("Thing")), ("value", .model("Value")), ("named", .dictionary(of: .model("Value"))),
        ("items", .array(of: .model("Thing")).merge(.byIdentifier())),
        ("strict", .array(of: .model("Thing")).merge(.byIdentifier(missing: .remove))),
        ("peers", .set(of: .model("Thing")).merge(.byIdentifier("id"))), ("things", .array(of: .model("Thing"))),
    ]

    private static let lists: Set = ["items", "strict", "peers", "things"]

    let adapter: JSONAdapter<DynamicModel>
    private var numbers: SeededGenerator
    private let hasAccumulating: Bool
    /// Whether documents contain null.
    var hasNull = true
    /// Whether documents say everything.
    var isComplete = false

    /// - Parameter change: A change of the schemas, for example a rule that refuses.
    init(
        seed: Int, accumulating: Bool = false, _ change: (ModelSchema) -> ModelSchema = { $0 }
    ) throws {
        let mergers = MergerRegistry()
        try mergers.register(Merger(Int.self) { ($0.target ?? 0) + ($0.source ?? 0) - ($0.base ?? 0) }, as: "sum")
        let registry = SchemaRegistry(mergers: mergers)
        func schema(_ name: String, _ properties: [(key: String, property: PropertySchema)]) -> ModelSchema {
            var schema = ModelSchema(name, [:], identity: name == "Thing" ? ["id"] : [])
            schema.properties = properties.map { ModelSchema.Property($0.key, $0.property) }
            return change(schema)
        }
        let values = Self.scalars + (accumulating ? Self.accumulating : [])
        try registry.register(schema("Value", values), schema("Thing", Self.models + values))
        adapter = try JSONAdapter(schema: registry.schema(named: "Thing"), registry: registry)
        hasAccumulating = accumulating
        numbers = SeededGenerator(seed: UInt64(truncatingIfNeeded: seed))
    }

    // MARK: Documents

    /// A document about the thing 0.
    mutating func document() -> JSONValue { thing(0, depth: 2) }

    mutating func model() throws -> DynamicModel { try adapter.model(from: document()) }

    /// A whole number from 0 up to a limit.
    mutating func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &numbers) }

    private mutating func chance(_ percent: Int) -> Bool { number(below: 100) < percent }

    private mutating func thing(_ id: Int, depth: Int) -> JSONValue {
        var object = values()
        object["id"] = .number(JSONNumber(id))
        for (key, _) in Self.models.dropFirst() where isComplete || chance(40) {
            if hasNull, chance(15) {
                object[key] = .null
            } else if key == "inner" || key == "value" {
                object[key] = .object(values())
            } else if key == "named" {
                object[key] = .object(JSONObject(names().map { (key: $0, value: .object(values())) }))
            } else if depth > 0 || key == "child" || key == "other" {
                let isList = key != "child" && key != "other"
                let ids = Array((0..<4).shuffled(using: &numbers).prefix(isList ? number(below: 4) : 1))
                let things = ids.map { depth > 0 ? thing($0, depth: depth - 1) : ["id": .number(JSONNumber($0))] }
                object[key] = isList ? .array(things) : things[0]
            } else {
                object[key] = []
            }
        }
        return .object(object)
    }

    private mutating func values() -> JSONObject {
        var object: JSONObject = [:]
        for (key, property) in Self.scalars + (hasAccumulating ? Self.accumulating : []) where isComplete || chance(40)
        {
            object[key] = hasNull && key != "size" && chance(15) ? .null : value(of: property)
        }
        return object
    }

    private mutating func value(of property: PropertySchema) -> JSONValue {
        switch property.kind {
        case .string, .json: .string(["", "a", "b", "é"][number(below: 4)])
        case .array(let element), .set(let element):
            .array(
                (0..<4).shuffled(using: &numbers).prefix(number(below: 4)).map { number in
                    element.kind == .string ? .string("t\(number)") : .number(JSONNumber(number))
                })
        case .dictionary:
            .object(JSONObject(names().map { (key: $0, value: .number(JSONNumber(number(below: 3)))) }))
        default: .number(JSONNumber(number(below: 5)))
        }
    }

    private mutating func names() -> [String] {
        Array(["k", "l", "m"].shuffled(using: &numbers).prefix(number(below: 4)))
    }

    // MARK: Edits

    /// Edits a model as a program does: in its nested models, in its lists, and by putting other values in.
    mutating func edit(_ model: DynamicModel) throws {
        let wanted = try self.model()
        try edit(model, like: wanted)
    }

    private mutating func edit(_ model: DynamicModel, like wanted: DynamicModel) throws {
        for (key, value) in wanted.values.sorted(by: { $0.key < $1.key }) where key != "id" {
            guard try wanted.state(of: key) != .unset, try wanted.state(of: key) != .defaulted, chance(50) else {
                continue
            }
            let own = model[key]
            if let own = own as? DynamicModel, let wanted = value as? DynamicModel, chance(70) {
                try edit(own, like: wanted)
            } else if Self.lists.contains(key), let own = own as? [DynamicModel], let wanted = value as? [DynamicModel],
                chance(90)
            {
                // Some elements go, some change, some come.
                var list = own.filter { _ in chance(70) }
                for element in list where chance(50) { try edit(element, like: (wanted.first ?? element).deepCopy()) }
                let ids = Set(list.map { $0["id", as: Int.self] })
                for element in wanted where !ids.contains(element["id", as: Int.self]) && chance(50) {
                    list.insert(element, at: number(below: list.count + 1))
                }
                try model.setValue(list, forKey: key)
            } else if value == nil, key == "size" {
                try model.unset(key)
            } else {
                try model.setValue(value, forKey: key)
            }
        }
    }
}

/// What changes tell, by pointers with old and new values, without order and without what a merge did. Sets and
/// dictionaries have no order, so values are the words of their description; models are the objects of the moment, not
/// what they were. A list whose elements changed places is one difference, below which a merge tells more.
func told(_ changes: some Collection<ModelChange>) -> [String] {
    let places = Set(changes.map(\.pointer.tokens))
    return changes.filter { change in
        let tokens = change.pointer.tokens
        return (0..<tokens.count).allSatisfy { !places.contains(Array(tokens.prefix($0))) }
    }.map { change in
        let sides = [change.old, change.new].map { value in
            value.map { value in
                value is DynamicModel || value is [DynamicModel] || value is [String: DynamicModel]
                    ? "models" : "\(value)".split { !$0.isLetter && !$0.isNumber }.sorted().joined(separator: " ")
            } ?? "nothing"
        }
        return "\(change.pointer): \(sides.joined(separator: " → "))"
    }.sorted()
}
