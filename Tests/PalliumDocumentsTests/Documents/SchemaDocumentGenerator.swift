import Pallium
import TestSupport

/// Makes schema documents that are right, and such that are wrong in one place, the same for a seed.
struct SchemaDocumentGenerator {
    private var random: SeededGenerator
    /// Whether the identity of the schema may stand in place of its models.
    private var hasStubs = false

    init(seed: Int) { random = SeededGenerator(seed: seed) }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &random)]
    }

    private mutating func once(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    // MARK: Right

    private static let plainKinds = [
        "bool", "integer", "unsigned", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
        "double",
        "float", "decimal", "string", "date", "duration", "url", "uuid", "data", "json",
    ]
    private static let keys = ["id", "name", "a", "b.c", "é", "[0]", "parent", String(repeating: "k", count: 256)]

    /// A document: a schema, or a list of it and its descendants.
    mutating func document() -> JSONValue {
        var schema: JSONObject = ["name": "Node"]
        if once(in: 3) { schema["$schema"] = "https://example.org/model-schema.json" }
        if once(in: 3) { schema["doc"] = .string(pick(["", "About it."])) }
        if once(in: 3) { schema["keys"] = .string(pick(["identity", "snakeCase", "explicit"])) }
        if once(in: 3) { schema["identity"] = pick(["id", ["id"], ["id", "name"]]) }
        hasStubs =
            ["id", ["id"]].contains(schema["identity"] ?? .null) && schema["keys"] != "explicit" && once(in: 2)
        if hasStubs { schema["allowsStubs"] = true }
        if once(in: 3) { schema["observed"] = true }
        if once(in: 3) { schema["refusesUnknownMembers"] = true }
        if once(in: 3) { schema["ignored"] = pick([[], ["x"], ["x.y", #"x\.z"#, "l[0].m"]]) }
        if once(in: 3) { addVersions(to: &schema) }
        schema["properties"] = properties()
        if once(in: 4) {
            schema["rules"] = pick([
                [["required": ["id"], "when": ["name": pick(["x", nil])]]],
                [["exactlyOneOf": ["id", "name"], "message": "m"]],
                [["exactlyOneOf": ["name", "id"]], ["required": ["name"], "when": ["id": 1]]],
            ])
        }
        if once(in: 3) {
            schema["profiles"] = pick([
                [:], ["v2": [:]],
                ["v2": ["id": "v2_id", "name": nil], "v3": ["name": ["firstOf": ["v3_n", "v3_m"]]]],
            ])
        }
        guard once(in: 3) else { return .object(schema) }
        schema["cluster"] = cluster()
        return [.object(schema), ["name": "Leaf", "extends": "Node"], ["name": "Other", "extends": "Node"]]
    }

    private mutating func addVersions(to schema: inout JSONObject) {
        schema["version"] = pick([1, 2, 3])
        guard schema["version"] == 3 else { return }
        var step: JSONObject = ["from": 2]
        if once(in: 2) { step["rename"] = ["old": "id"] }
        if once(in: 2) { step["remove"] = ["gone"] }
        if once(in: 2) { step["default"] = ["name": "nobody"] }
        if once(in: 2) { step["transform"] = pick([["name": "URL"], ["name": ["EmptyTextAsNull", "URL"]]]) }
        if once(in: 2) { step["renameSchema"] = "OldNode" }
        schema["upgrades"] = [["from": 1], .object(step)]
    }

    private mutating func properties() -> JSONValue {
        var properties: JSONObject = ["id": ["kind": "integer"], "name": ["kind": "string"]]
        for key in Self.keys.dropFirst(2) where once(in: 3) { properties[key] = property(key) }
        return .object(properties)
    }

    private mutating func property(_ key: String) -> JSONValue {
        var property = key == "parent" ? ["kind": "model", "model": "Node", "weak": true] : value(level: 0)
        if once(in: 4) { property["doc"] = "It." }
        if once(in: 4) { property["labels"] = ["pii"] }
        if once(in: 6) { property["nil"] = .string(pick(["asParsed", "omit", "write"])) }
        if once(in: 6) { property[pick(["readOnly", "writeOnly"])] = true }
        if once(in: 8) { property["only"] = .string(pick(["input", "output"])) }
        if once(in: 6) { property["merge"] = pick(["keep", "skipNull", ["policy": "newest", "by": "id"]]) }
        if once(in: 3) {
            let name = Self.keys.firstIndex(of: key) ?? 0
            property["json"] = pick([
                nil, .string("m.\(name)"), ["firstOf": [.string("p\(name)"), "q"]], [.string("a.\(name)"), ""],
                .string(#"e[""].\#(name)"#),
            ])
            if once(in: 5) { property["json"] = "deep[0].x" }
            if property["json"] == "deep[0].x" {
                property["readOnly"] = true
                property["writeOnly"] = nil
            }
        }
        // What is required must be in JSON, whatever the schema does with keys.
        if key != "parent", property["writeOnly"] == nil, (property["json"] ?? .null) != .null, once(in: 2) {
            property["required"] = true
        }
        if property["required"] == nil, once(in: 6) {
            property["storage"] = .string(pick(["permanent", "transitory"]))
        }
        if property["required"] == nil, once(in: 6) { property["archive"] = .string(pick(["included", "excluded"])) }
        if property["required"] == nil, property["kind"] == "bool" { property["default"] = true }
        let hasColumn = ["bool", "integer", "string", "date"].contains(property["kind"]?.stringValue)
        if hasColumn, property["archive"] == nil, property["storage"] == nil, once(in: 3) {
            let withoutCase = property["kind"] == "string" ? ["caseInsensitive"] : []
            property["index"] = .string(pick(["ordinary", "unique"] + withoutCase))
        }
        return .object(property)
    }

    private mutating func value(level: Int) -> JSONObject {
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            var model: JSONObject = ["kind": "model", "model": "Node"]
            if hasStubs, once(in: 2) { model["orIdentity"] = true }
            return model
        case 1 where level < 3, 2 where level < 3:
            var list: JSONObject = [
                "kind": .string(pick(["array", "set", "dictionary"])), "of": .object(value(level: level + 1)),
            ]
            if once(in: 4) { list[pick(["minCount", "maxCount"])] = pick([0, 1, 5]) }
            if list["kind"] == "array", once(in: 4) { list["unique"] = true }
            return list
        case 3: return enumeration()
        case 4: return ["kind": "date", "transformer": pick(["UnixSeconds", ["DateOnly"]])]
        default: return ruled(["kind": .string(pick(Self.plainKinds))])
        }
    }

    /// Adds rules that fit the kind.
    private mutating func ruled(_ value: JSONObject) -> JSONObject {
        var value = value
        switch value["kind"] {
        case "string":
            if once(in: 3) { value[pick(["minLength", "maxLength"])] = pick([0, 1, 80]) }
            if once(in: 4) { value["pattern"] = pick(["", "^[a-z]+$", "é"]) }
            if once(in: 4) { value["format"] = pick(["email", "date-time"]) }
            if once(in: 4) { value["messages"] = pick([["minLength": "m"], ["pattern": "é", "format": ""]]) }
        case "integer", "int8", "uint64", "unsigned", "double", "float", "decimal":
            if once(in: 3) {
                value[pick(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"])] = pick([0, 1, 100])
            }
            if once(in: 4) { value["multipleOf"] = pick([1, 2]) }
        default: break
        }
        return value
    }

    private mutating func enumeration() -> JSONObject {
        var value: JSONObject = ["kind": "enumeration"]
        value["cases"] = pick([["a", "b"], [1, -2], ["", "é"], ["one": ["1", "I"], "two": ["2"]]])
        if value["cases"] == ["a", "b"], once(in: 2) { value["unknown"] = pick(["fail", "keep", ["fallback": "b"]]) }
        return value
    }

    private mutating func cluster() -> JSONValue {
        if once(in: 2) {
            return [
                "discriminator": "type",
                "models": pick([
                    ["leaf": "Leaf", "": "Other"],
                    [["tag": 10, "model": "Leaf"], ["tag": "", "model": "Other"], ["tag": true, "model": "Leaf"]],
                ]), "default": pick(["Node", "Leaf"]),
            ]
        }
        return [
            "rules": [
                ["present": "x.y", "model": "Leaf"], ["equals": ["type": pick([1, "a", nil])], "model": "Other"],
                ["kind": ["type": pick(["null", "object"])], "model": "Node"],
            ]
        ]
    }

    // MARK: Slightly wrong

    private static let intruders: [JSONValue] = [
        nil, true, false, 0, 1, -1, 1.5, 2.0, 1e30, "", "x", "a..b", "a[x]", "a[0]", #"a\"#, "id", "keep", [], [1],
        [""],
        ["x"], ["x", "x"], [:], ["x": 1], ["x": "y"], ["": "y"], .string(String(repeating: "é", count: 256)),
        .string(String(repeating: "n", count: 257)), 9_223_372_036_854_775_807, 9_223_372_036_854_775_808.0,
    ]
    private static let names = [
        "name", "version", "doc", "kind", "of", "model", "cases", "unknown", "required", "nullable", "weak", "labels",
        "readOnly", "writeOnly", "only", "default", "json", "transformer", "nil", "archive", "index", "deleteRule",
        "inverse",
        "merge",
        "from", "x",
        "",
        "firstOf", "allOf", "present", "equals", "fallback", "policy", "by", "missing", "identifiers", "$schema",
        "extends", "rules", "minimum", "multipleOf", "minLength", "pattern", "format", "maxCount", "unique", "messages",
        "message",
        "exactlyOneOf", "before",
        "when", "observed", "orIdentity", "allowsStubs", "refusesUnknownMembers",
    ]

    /// The document with one value, member or name changed.
    mutating func damaged(_ document: JSONValue) -> JSONValue {
        var next = 0
        return changed(document, at: Int.random(in: 0..<Self.count(document), using: &random), &next)
    }

    private static func count(_ value: JSONValue) -> Int {
        switch value {
        case .array(let elements): elements.reduce(1) { $0 + count($1) }
        case .object(let members): members.reduce(1) { $0 + count($1.value) }
        default: 1
        }
    }

    /// Changes the value that comes as number `target` in the order of the text; `next` is the number of this one.
    private mutating func changed(_ value: JSONValue, at target: Int, _ next: inout Int) -> JSONValue {
        let own = next
        next += 1
        if own == target { return change(value) }
        switch value {
        case .array(let elements):
            var result: [JSONValue] = []
            for element in elements { result.append(changed(element, at: target, &next)) }
            return .array(result)
        case .object(let members):
            var result = JSONObject()
            for (name, member) in members { result[name] = .some(changed(member, at: target, &next)) }
            return .object(result)
        default: return value
        }
    }

    private mutating func change(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(var members) where !once(in: 4):
            let name = members.isEmpty ? "" : members[Int.random(in: 0..<members.count, using: &random)].key
            switch Int.random(in: 0..<3, using: &random) {
            case 0: members[name] = nil
            case 1: members[pick(Self.names)] = .some(pick(Self.intruders))
            default:
                let moved = members[name] ?? nil
                members[name] = nil
                members[pick(Self.names)] = .some(moved)
            }
            return .object(members)
        case .array(let elements) where !once(in: 4):
            return .array(once(in: 2) ? Array(elements.dropLast()) : elements + elements.suffix(1))
        default: return pick(Self.intruders)
        }
    }
}
