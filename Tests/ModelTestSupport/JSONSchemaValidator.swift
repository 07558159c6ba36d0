import Foundation
package import Pallium

/// Says whether a value is as a JSON Schema (2020-12) describes it, for the words that `model-schema.json` and contracts use.
///
/// A word that is not known is an error, so that nothing in the description is passed over. Recursion is as deep as the
/// description and the value, which the tests know.
package struct JSONSchemaValidator {
    package struct UnknownWord: Error { let word: String }

    private let root: JSONValue
    private let patterns: [String: Regex<AnyRegexOutput>]

    package init(_ document: JSONValue) throws {
        root = document
        var patterns: [String: Regex<AnyRegexOutput>] = [:]
        var pending = [document]
        while let value = pending.popLast() {
            pending += value.arrayValue ?? []
            for (name, member) in value.objectValue ?? [:] {
                if name == "pattern", let text = member.stringValue {
                    patterns[text] = try Regex(text).matchingSemantics(.unicodeScalar)
                }
                pending.append(member)
            }
        }
        self.patterns = patterns
    }

    package func accepts(_ value: JSONValue) throws -> Bool { try accepts(value, root) }

    private func accepts(_ value: JSONValue, _ schema: JSONValue) throws -> Bool {
        if case .bool(let all) = schema { return all }
        for (word, rule) in schema.objectValue ?? [:] where try !obeys(value, word, rule, of: schema) { return false }
        return true
    }

    private func obeys(_ value: JSONValue, _ word: String, _ rule: JSONValue, of schema: JSONValue) throws -> Bool {
        switch word {
        case "$schema", "title", "description", "default", "$defs", "then", "else", "examples", "readOnly", "writeOnly",
            "x-pallium":
            return true
        case "$ref":
            let name = (rule.stringValue ?? "").split(separator: "/").last.map(String.init) ?? ""
            guard let target = root.objectValue?["$defs"]?.objectValue?[name] else { throw UnknownWord(word: name) }
            return try accepts(value, target)
        case "allOf": return try elements(rule).allSatisfy { try accepts(value, $0) }
        case "anyOf": return try elements(rule).contains { try accepts(value, $0) }
        case "oneOf": return try elements(rule).count { try accepts(value, $0) } == 1
        case "not": return try !accepts(value, rule)
        case "if":
            let branch = schema.objectValue?[try accepts(value, rule) ? "then" : "else"]
            return try branch.map { try accepts(value, $0) } ?? true
        case "type":
            let names = rule.arrayValue ?? [rule]
            return names.contains { Self.type(of: value, is: $0.stringValue ?? "") }
        case "enum": return elements(rule).contains(value)
        case "const": return rule == value
        default: break
        }
        switch value {
        case .object(let members): return try obeys(members, word, rule, of: schema)
        case .array(let elements): return try obeys(elements, word, rule)
        case .string(let text):
            switch word {
            case "minLength": return text.unicodeScalars.count >= number(rule)
            case "maxLength": return text.unicodeScalars.count <= number(rule)
            case "pattern": return try patterns[rule.stringValue ?? ""]?.wholeMatch(in: text) != nil
            default: break
            }
        case .number(let number):
            let bound = rule.numberValue.flatMap(Self.decimal) ?? 0
            switch word {
            case "minimum": return Self.decimal(number).map { $0 >= bound } ?? false
            case "maximum": return Self.decimal(number).map { $0 <= bound } ?? false
            case "exclusiveMinimum": return Self.decimal(number).map { $0 > bound } ?? false
            default: break
            }
        default: break
        }
        // What is about values of another type.
        let others = [
            "required", "properties", "additionalProperties", "propertyNames", "minProperties", "maxProperties",
            "dependentSchemas", "items", "prefixItems", "minItems", "uniqueItems", "minLength", "maxLength", "pattern",
            "minimum", "maximum", "exclusiveMinimum", "maxItems",
        ]
        guard others.contains(word) else { throw UnknownWord(word: word) }
        return true
    }

    private func obeys(
        _ members: JSONObject, _ word: String, _ rule: JSONValue, of schema: JSONValue
    ) throws -> Bool {
        switch word {
        case "required": return elements(rule).allSatisfy { members[$0.stringValue ?? ""] != nil }
        case "properties":
            return try (rule.objectValue ?? [:]).allSatisfy { name, schema in
                try members[name].map { try accepts($0, schema) } ?? true
            }
        case "additionalProperties":
            let known = schema.objectValue?["properties"]?.objectValue
            return try members.allSatisfy { try known?[$0.key] != nil || accepts($0.value, rule) }
        case "propertyNames": return try members.allSatisfy { try accepts(.string($0.key), rule) }
        case "minProperties": return members.count >= number(rule)
        case "maxProperties": return members.count <= number(rule)
        case "dependentSchemas":
            return try (rule.objectValue ?? [:]).allSatisfy { name, schema in
                try members[name] == nil || accepts(.object(members), schema)
            }
        default: return true
        }
    }

    private func obeys(_ elements: [JSONValue], _ word: String, _ rule: JSONValue) throws -> Bool {
        switch word {
        case "items": return try elements.allSatisfy { try accepts($0, rule) }
        case "prefixItems":
            return try zip(elements, self.elements(rule)).allSatisfy { try accepts($0, $1) }
        case "minItems": return elements.count >= number(rule)
        case "maxItems": return elements.count <= number(rule)
        case "uniqueItems": return Set(elements).count == elements.count
        default: return true
        }
    }

    private static func type(of value: JSONValue, is name: String) -> Bool {
        switch value {
        case .null: name == "null"
        case .bool: name == "boolean"
        case .number(let number):
            name == "number" || name == "integer" && (Self.decimal(number).map { $0.isWhole } ?? false)
        case .string: name == "string"
        case .array: name == "array"
        case .object: name == "object"
        }
    }

    /// Exact, where an integer beyond 64 bits matters; nil for numbers that are too large for it.
    private static func decimal(_ number: JSONNumber) -> Decimal? { Decimal(string: number.text) }

    private func elements(_ value: JSONValue) -> [JSONValue] { value.arrayValue ?? [] }

    private func number(_ value: JSONValue) -> Int { value.numberValue?.int ?? 0 }
}

extension Decimal {
    fileprivate var isWhole: Bool {
        var (value, rounded) = (self, Decimal())
        NSDecimalRound(&rounded, &value, 0, .plain)
        return rounded == self
    }
}
