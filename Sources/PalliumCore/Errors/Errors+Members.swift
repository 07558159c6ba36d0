public import Foundation
package import PalliumJSON

// The JSON form of errors, for servers and for the tool, and the sentence for Foundation.

extension ModelError {
    /// The error as a JSON object. Members that do not apply are null.
    package var members: JSONObject {
        var members: JSONObject = [
            "code": .string(code.rawValue),
            "category": .string(category.rawValue),
            "schema": JSONValue(schema),
            "property": JSONValue(property),
            "pointer": JSONValue(pointer?.description),
            "line": JSONValue(location?.line),
            "column": JSONValue(location?.column),
            "offset": JSONValue(location?.byteOffset),
            "expected": .string(expected),
            "found": .string(found),
            "parameters": parameters.map { .object($0.members) } ?? .null,
            "ruleMessage": JSONValue(ruleMessage),
            "message": .string(sentence),
        ]
        if !content.problems.isEmpty { members["problems"] = .array(content.problems.map { .object($0.members) }) }
        return members
    }
}

extension SchemaError {
    /// The error as a JSON object. Members that do not apply are null.
    package var members: JSONObject {
        [
            "message": .string(description),
            "problems": .array(
                problems.map { problem in
                    [
                        "schema": JSONValue(problem.schema), "property": JSONValue(problem.property),
                        "message": .string(problem.message), "fix": JSONValue(problem.fix),
                        "source": JSONValue(problem.source),
                    ]
                }),
        ]
    }
}

extension JSONValue {
    fileprivate init(_ text: String?) { self = text.map { .string($0) } ?? .null }

    fileprivate init(_ number: Int?) { self = number.map { .number(JSONNumber(Int64($0))) } ?? .null }
}

extension ModelError: LocalizedError {
    /// The sentence of ``description``.
    public var errorDescription: String? { description }
}

extension SchemaError: LocalizedError {
    /// The text of ``description``.
    public var errorDescription: String? { description }
}
