import Foundation
import Pallium
import TestSupport

/// Schemas that together have every kind and modifier, for tests about samples.
enum SampledSchemas {
    /// A registry with all of them.
    static func registry() throws -> SchemaRegistry {
        let registry = SchemaRegistry()
        try prepare(registry)
        let folder = try TemporaryFolder()
        try folder.write("schemas.json", documents)
        try registry.load(contentsOf: URL(fileURLWithPath: folder.path))
        return registry
    }

    /// Registers the transformers that the schemas name.
    static func prepare(_ registry: SchemaRegistry) throws {
        try registry.transformers.register(
            .mapping(["low": 1, "middle": 2, "high": 3]), as: "Level")
        try registry.transformers.register(
            Transformer(from: JSONValue.self, to: String.self) { value, _ in
                guard case .object(let parts) = value else { throw SampleRefusal() }
                return parts.map { "\($0.value)" }.joined(separator: "/")
            }, as: "Joined")
    }

    struct SampleRefusal: Error {}

    /// The names of the schemas whose documents are made.
    static let names = ["Kinds", "Limits", "Paths", "Ruled", "Shape", "Square", "Node", "Tree", "Found", "Converted"]

    static let documents = #"""
        [
          {"name": "Kinds", "properties": {
            "bool": {"kind": "bool"}, "integer": {"kind": "integer"}, "unsigned": {"kind": "unsigned"},
            "int8": {"kind": "int8"}, "int16": {"kind": "int16"}, "int32": {"kind": "int32"},
            "uint8": {"kind": "uint8"}, "uint16": {"kind": "uint16"}, "uint32": {"kind": "uint32"},
            "double": {"kind": "double"}, "float": {"kind": "float"}, "decimal": {"kind": "decimal"},
            "string": {"kind": "string"}, "date": {"kind": "date"}, "duration": {"kind": "duration"},
            "url": {"kind": "url"}, "uuid": {"kind": "uuid"}, "data": {"kind": "data"}, "json": {"kind": "json"},
            "failing": {"kind": "enumeration", "cases": ["a", "b"]},
            "keeping": {"kind": "enumeration", "cases": {"a": ["a", "A"], "b": ["b"]}, "unknown": "keep"},
            "falling": {"kind": "enumeration", "cases": [1, 2], "unknown": {"fallback": 1}},
            "required": {"kind": "json", "required": true},
            "preset": {"kind": "integer", "default": 5},
            "presetOrNull": {"kind": "integer", "default": 5, "nullable": true},
            "array": {"kind": "array", "of": {"kind": "date", "nullable": true}},
            "set": {"kind": "set", "of": {"kind": "integer"}, "required": true},
            "dictionary": {"kind": "dictionary", "of": {"kind": "array", "of": {"kind": "string"}}},
            "secret": {"kind": "string", "labels": ["secret"]},
            "local": {"kind": "string", "json": null},
            "readOnly": {"kind": "string", "readOnly": true}, "writeOnly": {"kind": "string", "writeOnly": true},
            "omitted": {"kind": "string", "nil": "omit"}, "written": {"kind": "string", "nil": "write"},
            "transitory": {"kind": "string", "storage": "transitory"},
            "documented": {"kind": "string", "storage": "notStored"}
          }, "ignored": ["skipped"]},
          {"name": "Limits", "properties": {
            "range": {"kind": "integer", "minimum": 3, "maximum": 9, "required": true},
            "open": {"kind": "double", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
            "even": {"kind": "int16", "multipleOf": 2, "minimum": -7},
            "price": {"kind": "decimal", "multipleOf": 0.05, "minimum": 0, "maximum": 1000},
            "large": {"kind": "unsigned", "minimum": 18446744073709551614},
            "short": {"kind": "string", "minLength": 2, "maxLength": 5, "required": true},
            "long": {"kind": "string", "minLength": 300},
            "mail": {"kind": "string", "format": "email"}, "day": {"kind": "string", "format": "date"},
            "moment": {"kind": "string", "format": "date-time"}, "host": {"kind": "string", "format": "hostname"},
            "address": {"kind": "string", "format": "ipv4"}, "address6": {"kind": "string", "format": "ipv6"},
            "link": {"kind": "string", "format": "uri"}, "identifier": {"kind": "string", "format": "uuid"},
            "time": {"kind": "string", "format": "time"},
            "code": {"kind": "string", "pattern": "^[A-Z]{3}-\\d+$"},
            "list": {"kind": "array", "of": {"kind": "int8", "minimum": 0}, "minCount": 1, "maxCount": 3},
            "different": {"kind": "array", "of": {"kind": "string", "minLength": 1}, "unique": true, "minCount": 2},
            "dates": {"kind": "array", "of": {"kind": "date"}, "unique": true},
            "many": {"kind": "set", "of": {"kind": "integer"}, "minCount": 40},
            "named": {"kind": "dictionary", "of": {"kind": "bool"}, "maxCount": 2},
            "limited": {"kind": "array", "of": {"kind": "model", "model": "Leaf"}, "minCount": 1, "maxCount": 2}
          }},
          {"name": "Leaf", "properties": {"value": {"kind": "uint8", "required": true, "maximum": 10}}},
          {"name": "Paths", "keys": "snakeCase", "properties": {
            "userLogin": {"kind": "string", "json": "user.login", "required": true},
            "userID": {"kind": "integer", "json": "user.id"},
            "dotted": {"kind": "string", "json": "a\\.b"},
            "either": {"kind": "date", "json": {"firstOf": ["new", "old.date"]}, "required": true},
            "first": {"kind": "string", "json": "list[0].name", "readOnly": true},
            "third": {"kind": "string", "json": "list[2].name", "readOnly": true},
            "parts": {"kind": "json", "json": {"allOf": ["x", "y.z"]}},
            "copyOfLogin": {"kind": "string", "json": "user.login", "readOnly": true},
            "snakeCased": {"kind": "bool"}
          }},
          {"name": "Ruled", "properties": {
            "state": {"kind": "enumeration", "cases": ["open", "closed"], "required": true},
            "opened": {"kind": "date", "required": true}, "closed": {"kind": "date"}, "by": {"kind": "string"},
            "low": {"kind": "integer"}, "high": {"kind": "integer"},
            "mail": {"kind": "string"}, "phone": {"kind": "string"}, "leaf": {"kind": "model", "model": "Leaf"}
          }, "rules": [
            {"required": ["closed", "by"], "when": {"state": "closed"}},
            {"notAfter": ["opened", "closed"]}, {"before": ["low", "high"]},
            {"exactlyOneOf": ["mail", "phone", "leaf"]}
          ]},
          {"name": "Shape", "properties": {"kind": {"kind": "string", "required": true}, "colour": {"kind": "string"}},
           "cluster": {"discriminator": "kind", "models": {"circle": "Circle", "square": "Square"}}},
          {"name": "Circle", "extends": "Shape", "properties": {"radius": {"kind": "double", "required": true}}},
          {"name": "Square", "extends": "Shape", "properties": {"side": {"kind": "double"}},
           "cluster": {"rules": [{"equals": {"filled": true}, "model": "FilledSquare"}], "default": "Square"}},
          {"name": "FilledSquare", "extends": "Square", "properties": {"paint": {"kind": "string", "required": true}}},
          {"name": "Node", "properties": {
            "value": {"kind": "integer", "required": true}, "next": {"kind": "model", "model": "Node"},
            "shape": {"kind": "model", "model": "Shape"}, "circle": {"kind": "model", "model": "Circle"},
            "named": {"kind": "dictionary", "of": {"kind": "model", "model": "Leaf"}}
          }},
          {"name": "Tree", "properties": {
            "children": {"kind": "array", "of": {"kind": "model", "model": "Tree"}, "required": true, "inverse": "parent"},
            "parent": {"kind": "model", "model": "Tree", "weak": true}
          }},
          {"name": "Found", "properties": {"id": {"kind": "integer", "required": true}},
           "cluster": {"rules": [
             {"present": "error.code", "model": "Failure"}, {"kind": {"payload": "array"}, "model": "Several"}
           ], "default": "Single"}},
          {"name": "Failure", "extends": "Found",
           "properties": {"code": {"kind": "integer", "json": "error.code", "required": true}}},
          {"name": "Several", "extends": "Found",
           "properties": {"payload": {"kind": "array", "of": {"kind": "string"}, "required": true}}},
          {"name": "Single", "extends": "Found", "properties": {"payload": {"kind": "string"}}},
          {"name": "Converted", "properties": {
            "url": {"kind": "url", "transformer": "URL"},
            "encoded": {"kind": "url", "transformer": "URLPercentEncoding"},
            "filled": {"kind": "string", "transformer": "EmptyTextAsNull", "required": true},
            "small": {"kind": "uuid", "transformer": "LowercaseUUID"},
            "flag": {"kind": "bool", "transformer": "Boolean"},
            "local": {"kind": "date", "transformer": "LocalISO8601Date"},
            "day": {"kind": "date", "transformer": "DateOnly"},
            "seconds": {"kind": "date", "transformer": "UnixSeconds"},
            "milliseconds": {"kind": "date", "transformer": "UnixMilliseconds", "required": true},
            "length": {"kind": "duration", "transformer": "DurationSeconds"},
            "bytes": {"kind": "data", "transformer": "Base64Data"},
            "price": {"kind": "decimal", "transformer": "DecimalText", "maximum": 100},
            "scaled": {"kind": "decimal", "transformer": "ScaledDecimalText"},
            "number": {"kind": "integer", "transformer": "IntegerText", "minimum": 1},
            "byte": {"kind": "uint8", "transformer": "IntegerText"},
            "loose": {"kind": "double", "transformer": "NumberOrText"},
            "level": {"kind": "integer", "transformer": "Level"},
            "joined": {"kind": "string", "json": {"allOf": ["p", "q"]}, "transformer": "Joined", "readOnly": true},
            "days": {"kind": "array", "of": {"kind": "date", "transformer": "DateOnly"}}
          }}
        ]
        """#
}
