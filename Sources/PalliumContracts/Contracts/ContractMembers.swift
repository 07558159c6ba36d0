import PalliumCore
import PalliumJSON

/// The members of an object, nested as key paths nest them.
///
///     "user.login": text, "user.id": integer    ⇒    {"user": {"login": text, "id": integer}}
///
/// Recursion is bounded by ``maximumSteps``.
final class ContractMembers {
    /// The longest key path that is described. Values on longer ones are left open.
    static let maximumSteps = 32
    /// The largest index of a list that is described, since every element before it takes space.
    static let maximumIndex = 63

    private var members: [(name: String, node: ContractMembers)] = []
    private var positions: [UTF8Key: Int] = [:]
    private var elements: [Int: ContractMembers] = [:]
    /// The values that properties read or write here; several if one of them is only read.
    private var leaves: [JSONObject] = []
    /// The limits of a discriminator.
    private var discriminators: [DiscriminatorLimit] = []
    private var isRequired = false
    /// Whether a property is here or below; otherwise the value may be of any type.
    private var hasProperties = false
    /// Whether a property is here or below that can neither be null nor absent.
    private var refusesNull = false
    /// Whether any members may be inside.
    private var isOpen = false

    /// Whether a path is short enough to be described.
    static func canDescribe(_ path: JSONKeyPath) -> Bool {
        path.steps.count <= maximumSteps
            && path.steps.allSatisfy { step in
                if case .element(let index) = step { index <= maximumIndex } else { true }
            }
    }

    /// Adds the value of a property.
    func add(_ value: JSONObject, at path: JSONKeyPath, isRequired: Bool, acceptsNull: Bool) {
        var node = self
        for step in path.steps {
            node = node.child(step)
            node.hasProperties = true
            if isRequired { node.isRequired = true }
            if !acceptsNull { node.refusesNull = true }
        }
        node.leaves.append(value)
    }

    /// Adds the limit of a discriminator.
    func add(_ limit: DiscriminatorLimit, at path: JSONKeyPath) {
        var node = self
        for step in path.steps {
            node = node.child(step)
            if limit.isRequired { node.isRequired = true }
        }
        node.discriminators.append(limit)
    }

    /// Notes that documents may have a value at a path, and anything in it, where other members are refused.
    func allow(_ path: JSONKeyPath) {
        var node = self
        for step in path.steps.prefix(Self.maximumSteps) {
            if case .element(let index) = step, index > Self.maximumIndex { break }
            node = node.child(step)
        }
        node.isOpen = true
    }

    private func child(_ step: JSONKeyPath.Step) -> ContractMembers {
        let node = ContractMembers()
        switch step {
        case .member(let name):
            if let position = positions[UTF8Key(name)] { return members[position].node }
            positions[UTF8Key(name)] = members.count
            members.append((name, node))
        case .element(let index):
            if let existing = elements[index] { return existing }
            elements[index] = node
        }
        return node
    }

    /// Returns the description of an object with these members.
    ///
    /// - Parameter refusesOthers: Whether the object, and objects on key paths, may have no other members.
    func object(_ notation: ContractNotation, refusesOthers: Bool) -> JSONObject {
        var result: JSONObject = ["type": "object"]
        describeMembers(in: &result, notation, refusesOthers: refusesOthers)
        return result
    }

    private func describeMembers(in result: inout JSONObject, _ notation: ContractNotation, refusesOthers: Bool) {
        var properties = JSONObject()
        for member in members {
            properties.updateValue(
                .object(member.node.value(notation, refusesOthers: refusesOthers)), forKey: member.name)
        }
        if !properties.isEmpty || notation == .strict { result["properties"] = .object(properties) }
        let required = notation == .strict ? members : members.filter(\.node.isRequired)
        if !required.isEmpty || notation == .strict {
            result["required"] = .array(required.map { .string($0.name) })
        }
        if notation == .strict || refusesOthers && !isOpen { result["additionalProperties"] = false }
    }

    private func value(_ notation: ContractNotation, refusesOthers: Bool) -> JSONObject {
        var parts = leaves
        for limit in discriminators { limit.restrict(&parts, notation) }
        if !members.isEmpty {
            var part = JSONObject()
            if hasProperties || notation != .jsonSchema { part["type"] = type("object", notation) }
            describeMembers(in: &part, notation, refusesOthers: refusesOthers)
            parts.append(part)
        }
        if !elements.isEmpty { parts.append(list(notation, refusesOthers: refusesOthers)) }
        return Self.all(parts)
    }

    private func type(_ name: JSONValue, _ notation: ContractNotation) -> JSONValue {
        refusesNull || notation == .strict ? name : [name, "null"]
    }

    private func list(_ notation: ContractNotation, refusesOthers: Bool) -> JSONObject {
        var part: JSONObject = ["type": type("array", notation)]
        // Generators make tuples of prefixes, which a longer list does not fit.
        if notation != .jsonSchema { return part }
        let count = (elements.keys.max() ?? 0) + 1
        part["prefixItems"] = .array(
            (0..<count).map { elements[$0].map { .object($0.value(notation, refusesOthers: refusesOthers)) } ?? true })
        if let last = elements.filter({ $0.value.isRequired }).keys.max() {
            part["minItems"] = .number(JSONNumber(last + 1))
        }
        return part
    }

    /// Combines descriptions that all hold.
    static func all(_ parts: [JSONObject]) -> JSONObject {
        parts.count == 1 ? parts[0] : parts.isEmpty ? [:] : ["allOf": .array(parts.map { .object($0) })]
    }
}

/// The tags by which a cluster knows a model: those that choose it, or those that choose others.
struct DiscriminatorLimit {
    enum Tags {
        case only([JSONValue])
        case allBut([JSONValue])
    }

    /// The largest number of tags that the definition of a model lists. Many models would list most tags of a cluster.
    static let maximumTags = 64

    let tags: Tags
    /// Whether the discriminator is always there.
    let isRequired: Bool

    /// Restricts the values of the properties at the discriminator.
    func restrict(_ parts: inout [JSONObject], _ notation: ContractNotation) {
        switch tags {
        case .only(let tags):
            if parts.count == 1, let restricted = Self.restricted(parts[0], to: tags, notation) {
                parts[0] = restricted
            } else if notation != .jsonSchema {
                parts.append(Self.choice(tags, in: ["type": Self.type(of: tags) ?? ["string", "number"]], notation))
            } else {
                // Other types are for the property to refuse, if there is one.
                parts.append([
                    "if": ["type": ["string", "number", "boolean"]], "then": ["enum": .array(tags)],
                ])
            }
        case .allBut(let tags):
            guard notation != .strict, !tags.isEmpty else {
                if parts.isEmpty, notation != .jsonSchema {
                    parts.append(["type": notation == .strict ? "string" : ["string", "null"]])
                }
                return
            }
            let others: JSONObject = ["enum": .array(tags)]
            if parts.count == 1, parts[0]["not"] == nil {
                parts[0]["not"] = .object(others)
            } else {
                parts.append(["not": .object(others)])
            }
        }
    }

    /// Returns a description with these values only. Not every language model knows `const`.
    private static func choice(
        _ values: [JSONValue], in description: JSONObject, _ notation: ContractNotation
    ) -> JSONObject {
        var result = description
        result["enum"] = nil
        result[values.count == 1 && notation != .strict ? "const" : "enum"] =
            values.count == 1 && notation != .strict ? values[0] : .array(values)
        return result
    }

    /// The type of tags that all have the same one; nil for others.
    private static func type(of tags: [JSONValue]) -> JSONValue? {
        let types = Set(
            tags.map { tag in
                switch tag {
                case .string: "string"
                case .number(let number): number.int64 == nil ? "number" : "integer"
                default: "boolean"
                }
            })
        return types.count == 1 ? types.first.map { .string($0) } : nil
    }

    /// Returns a description with only these tags; nil if it does not simply describe values of their type.
    private static func restricted(
        _ part: JSONObject, to tags: [JSONValue], _ notation: ContractNotation
    ) -> JSONObject? {
        guard part["anyOf"] == nil, part["const"] == nil, let own = Self.type(of: tags) else { return nil }
        guard let type = part["type"], type == [own, "null"] || type == own else { return nil }
        // Generators and language models need the tag in every object.
        let isNullable = type != own && notation == .jsonSchema
        var part = part
        if !isNullable { part["type"] = own }
        var allowed = tags
        if let cases = part["enum"]?.arrayValue {
            let known = Set(cases)
            allowed = allowed.filter(known.contains)
        }
        if allowed.isEmpty { return nil }
        return choice(allowed + (isNullable ? [.null] : []), in: part, notation)
    }
}
