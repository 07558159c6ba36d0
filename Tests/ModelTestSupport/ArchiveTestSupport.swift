package import Foundation
package import Pallium
import TestSupport

/// A model with a weak link to its parent, children, and a conditional link to a sibling.
package final class Branch: DynamicModel {
    package var name: String? {
        get { value() }
        set { set(newValue) }
    }
    package var parent: Branch? {
        get { value() }
        set { set(newValue) }
    }
    package var children: [Branch]? {
        get { value() }
        set { set(newValue) }
    }
    package var favourite: Branch? {
        get { value() }
        set { set(newValue) }
    }

    package static let schema = ModelSchema(
        Branch.self,
        [
            "name": .string,
            "parent": .model(Branch.self).weak,
            "children": .array(of: .model(Branch.self)),
            "favourite": .model(Branch.self).archive(.conditional),
        ])
}

/// Schemas and models of which every kind and every state has a part.
package enum Everything {
    package static let schema = ModelSchema(
        "Everything",
        [
            "bool": .bool, "integer": .integer, "small": .integer(as: Int8.self), "unsigned": .unsigned,
            "double": .double, "float": PropertySchema(.float), "decimal": .decimal, "string": .string, "date": .date,
            "url": .url, "uuid": .uuid, "data": .data,
            "color": .enumeration(Color.self, unknown: .keep),
            "level": .enumeration(EnumerationSchema(cases: [.init(.number(-1)), .init(.number(5))], unknown: .keep)),
            "json": .jsonValue, "place": .custom(Point.self, transformer: "Point"),
            "texts": .array(of: .string), "gaps": .array(of: .integer.nullable),
            "table": .dictionary(of: .array(of: .url)),
            "tags": .set(of: .string), "flags": .set(of: .dictionary(of: .bool.nullable)),
            "places": .array(of: .custom(Point.self, transformer: "Point")),
            "child": .model("Everything"), "children": .array(of: .model("Everything")),
            "named": .dictionary(of: .model("Everything").nullable), "friends": .set(of: .model("Everything")),
            "size": .integer.default(7), "password": .string.secret,
        ])

    package static func registry() throws -> SchemaRegistry {
        try .of(schema, transformers: ["Point": Point.transformer])
    }

    /// Values of every kind, the extreme ones among them.
    package static var values: [(key: String, value: any PropertyValue)] {
        let date = { Date(timeIntervalSinceReferenceDate: $0) }
        let urls = ["http://example.org/a", "x:y?q", "https://example.org/%20?a#b"].compactMap { URL(string: $0) }
        var values: [(String, any PropertyValue)] = [("bool", true), ("bool", false)]
        values += [Int.min, -1, 0, 1, 63, 64, 127, 128, Int.max].map { ("integer", $0) }
        values += [Int8.min, 0, Int8.max].map { ("small", $0) }
        values += [0, 127, 128, UInt.max].map { ("unsigned", $0) }
        values += [0, -0.0, 0.1, .infinity, .leastNonzeroMagnitude, -.greatestFiniteMagnitude].map { ("double", $0) }
        values += [0.1, -.greatestFiniteMagnitude].map { ("float", $0 as Float) }
        values += ["0.1", "-1e127", "340282366920938463463374607431768211455"].compactMap { Decimal(string: $0) }
            .map { ("decimal", $0) }
        values += ["", "a", "fifteen bytes..", "sixteen bytes...", "é", "e\u{301}", "👨‍👩‍👧", "\0"].map { ("string", $0) }
        values += [0, -0.001, 1e300].map { ("date", date($0)) } + urls.map { ("url", $0) }
        values += [("uuid", UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255)))]
        values += [0, 1, 14, 15, 1000].map { ("data", Data(repeating: 7, count: $0)) }
        values += ["red", "blue", "pink", ""].map { ("color", $0) } + [-1, 5, 77].map { ("level", $0) }
        values += [true, 1, 1.5, "text", [1, nil, "a"], ["a": ["b": nil], "c": []]].map { ("json", $0 as JSONValue) }
        values += [
            ("place", Point(x: -1, y: 2)), ("places", [Point(x: 1, y: 2), Point(x: 3, y: 4)]),
        ]
        values += [[], ["a", "", "a"]].map { ("texts", $0 as [String]) }
        values += [[], [nil], [1, nil, 3]].map { ("gaps", $0 as [Int?]) }
        values += [[:], ["": [], "a": urls]].map { ("table", $0 as [String: [URL]]) }
        values += [("tags", ["b", "a"]), ("flags", [["a": true, "b": nil], [:]] as [[String: Bool?]])]
        values += [("password", "hunter2")]
        return values
    }
}

/// An archive of one model of a schema.
package func archived(_ schema: ModelSchema, _ values: [String: (any PropertyValue)?] = [:]) throws -> Data {
    try ModelArchiver().archive(DynamicModel(schema: schema, values: values, registry: .of(schema)))
}

/// Opens an archive with a schema that has changed since.
package func reopen(
    _ archive: Data, as schema: ModelSchema, transformers: [TransformerName: Transformer] = [:]
) throws -> DynamicModel {
    try ModelUnarchiver(registry: .of(schema, transformers: transformers)).unarchive(schema, from: archive)
}

/// Archives a model and opens the archive again.
package func roundTrip(_ model: DynamicModel, _ registry: SchemaRegistry) throws -> DynamicModel {
    let bytes = try ModelArchiver().archive(model)
    return try ModelUnarchiver(registry: registry).unarchive(model.schema, from: bytes)
}
