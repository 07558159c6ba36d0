import PalliumCore
import PalliumDocuments
import PalliumJSON

/// The keywords of one schema of a contract.
struct ContractKeywords {
    /// The offset of the schema.
    let offset: Int
    /// The members; a repeated one stands here once.
    let members: [LocatedJSON.Member]
    private let positions: [UTF8Key: Int]

    /// Takes the members of an object.
    ///
    /// - Parameter repeated: Is called for each member that occurs again.
    init(_ members: [LocatedJSON.Member], at offset: Int, repeated: (LocatedJSON.Member) -> Void) {
        var kept: [LocatedJSON.Member] = []
        var positions: [UTF8Key: Int] = [:]
        for member in members {
            if positions[UTF8Key(member.name)] != nil {
                repeated(member)
            } else {
                positions[UTF8Key(member.name)] = kept.count
                kept.append(member)
            }
        }
        self.offset = offset
        self.members = kept
        self.positions = positions
    }

    subscript(name: String) -> LocatedJSON? { positions[UTF8Key(name)].map { members[$0].value } }

    /// Whether one of the keywords is there.
    func has(anyOf names: [String]) -> Bool { names.contains { self[$0] != nil } }

    /// The keywords that are no annotations.
    var assertions: [LocatedJSON.Member] { members.filter { !Self.isAnnotation($0.name) } }

    /// Whether a keyword changes no verdict.
    static func isAnnotation(_ name: String) -> Bool {
        annotations.contains(UTF8Key(name)) || name.utf8.starts(with: "x-".utf8)
    }

    /// Whether a keyword belongs to JSON Schema or to the schemas of OpenAPI.
    static func isStandard(_ name: String) -> Bool { standard.contains { UTF8Text.equal($0, name) } }

    private static let annotations = Set(
        [
            "title", "description", "$comment", "deprecated", "examples", "example", "externalDocs", "xml", "default",
            "readOnly", "writeOnly", "contentEncoding", "contentMediaType", "contentSchema",
        ].map { UTF8Key($0) })

    /// All keywords, for suggestions and messages.
    static let standard = [
        "$schema", "$id", "$ref", "$defs", "$anchor", "$dynamicRef", "$dynamicAnchor", "$vocabulary", "type",
        "properties", "required", "items", "additionalProperties", "enum", "const", "anyOf", "oneOf", "allOf", "not",
        "if", "then", "else", "discriminator", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
        "multipleOf", "minLength", "maxLength", "pattern", "format", "minItems", "maxItems", "uniqueItems",
        "minProperties", "maxProperties", "patternProperties", "propertyNames", "dependentRequired",
        "dependentSchemas", "prefixItems", "contains", "minContains", "maxContains", "unevaluatedItems",
        "unevaluatedProperties", "nullable", "definitions",
    ]

    /// Returns a way to do without a keyword; nil if there is none in general.
    static func replacement(for name: String) -> String? {
        switch name {
        case "nullable": "write \"type\": [T, \"null\"], as OpenAPI 3.1 does"
        case "definitions": "write $defs, as JSON Schema 2020-12 does"
        case "$defs": "only the root has definitions"
        case "$id", "$schema": "only the root has it"
        default: nil
        }
    }
}
