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
    func object(_ notation: ContractNotation) -> JSONObject {
        var result: JSONObject = ["type": "object"]
        describeMembers(in: &result, notation)
        return result
    }

    private func describeMembers(in result: inout JSONObject, _ notation: ContractNotation) {
        var properties = JSONObject()
        for member in members {
            properties.updateValue(.object(member.node.value(notation)), forKey: member.name)
        }
        if !properties.isEmpty || notation == .strict { result["properties"] = .object(properties) }
        let required = notation == .strict ? members : members.filter(\.node.isRequired)
        if !required.isEmpty || notation == .strict {
            result["required"] = .array(required.map { .string($0.name) })
        }
        if notation == .strict { result["additionalProperties"] = false }
    }

    private func value(_ notation: ContractNotation) -> JSONObject {
        var parts = leaves
        for limit in discriminators { limit.restrict(&parts, notation) }
        if !members.isEmpty {
            var part = JSONObject()
            if hasProperties || notation != .jsonSchema { part["type"] = type("object", notation) }
            describeMembers(in: &part, notation)
            parts.append(part)
        }
        if !elements.isEmpty { parts.append(list(notation)) }
        return Self.all(parts)
    }

    private func type(_ name: JSONValue, _ notation: ContractNotation) -> JSONValue {
        refusesNull || notation == .strict ? name : [name, "null"]
    }

    private func list(_ notation: ContractNotation) -> JSONObject {
        var part: JSONObject = ["type": type("array", notation)]
        // Generators make tuples of prefixes, which a longer list does not fit.
        if notation != .jsonSchema { return part }
        let count = (elements.keys.max() ?? 0) + 1
        part["prefixItems"] = .array((0..<count).map { elements[$0].map { .object($0.value(notation)) } ?? true })
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

/// The texts by which a cluster knows a model: those that choose it, or those that choose others.
struct DiscriminatorLimit {
    enum Texts {
        case only([String])
        case allBut([String])
    }

    /// The largest number of texts that the definition of a model lists. Many models would list most texts of a cluster.
    static let maximumTexts = 64

    let texts: Texts
    /// Whether the discriminator is always there.
    let isRequired: Bool

    /// Restricts the values of the properties at the discriminator.
    func restrict(_ parts: inout [JSONObject], _ notation: ContractNotation) {
        switch texts {
        case .only(let texts):
            if parts.count == 1, let restricted = Self.restricted(parts[0], to: texts, notation) {
                parts[0] = restricted
            } else if notation != .jsonSchema {
                parts.append(Self.choice(texts.map { .string($0) }, in: ["type": "string"], notation))
            } else {
                // Other types and larger numbers are for the property to refuse, if there is one.
                let isText: JSONObject = [
                    "type": ["string", "integer"], "minimum": .number(JSONNumber(Int64.min)),
                    "maximum": .number(JSONNumber(Int64.max)),
                ]
                parts.append(["if": .object(isText), "then": ["enum": .array(Self.values(texts))]])
            }
        case .allBut(let texts):
            guard notation != .strict, !texts.isEmpty else {
                if parts.isEmpty, notation != .jsonSchema {
                    parts.append(["type": notation == .strict ? "string" : ["string", "null"]])
                }
                return
            }
            let others: JSONObject = ["enum": .array(Self.values(texts))]
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

    /// Returns a description of text with only these texts; nil if it does not simply describe text.
    private static func restricted(
        _ part: JSONObject, to texts: [String], _ notation: ContractNotation
    ) -> JSONObject? {
        guard let type = part["type"], part["anyOf"] == nil, part["const"] == nil, !texts.isEmpty else { return nil }
        guard type == ["string", "null"] || type == "string" else { return nil }
        // Generators and language models need the text in every object.
        let isNullable = type != "string" && notation == .jsonSchema
        var part = part
        if !isNullable { part["type"] = "string" }
        var allowed = texts.map { JSONValue.string($0) }
        if let cases = part["enum"]?.arrayValue {
            let known = Set(cases)
            allowed = allowed.filter(known.contains)
        }
        if allowed.isEmpty { return nil }
        return choice(allowed + (isNullable ? [.null] : []), in: part, notation)
    }

    /// The values that a cluster reads as these texts: integers are compared by their decimal text.
    static func values(_ texts: [String]) -> [JSONValue] {
        texts.map { .string($0) }
            + texts.compactMap { text in
                Int64(text).flatMap { "\($0)".utf8.elementsEqual(text.utf8) ? .number(JSONNumber($0)) : nil }
            }
    }
}
