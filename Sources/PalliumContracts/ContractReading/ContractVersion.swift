import PalliumDocuments
import PalliumJSON

/// The version of a contract's notation.
enum ContractVersion {
    /// JSON Schema up to draft-07, and the schemas of Swagger 2.0: what stands beside `$ref` does not count.
    case older
    /// The schemas of OpenAPI 3.0, which have `nullable` in addition.
    case openAPI30
    /// JSON Schema from 2019-09 on, and the schemas of OpenAPI 3.1.
    case newer

    /// Whether keywords beside `$ref` do not count.
    var ignoresSiblings: Bool { self != .newer }

    /// Finds the version of a document: by what it says, else by what it uses.
    init(of document: LocatedJSON) {
        if let version = document["openapi"]?.text {
            self = version.utf8.starts(with: "3.0".utf8) ? .openAPI30 : .newer
        } else if document["swagger"] != nil {
            self = .older
        } else if let dialect = document["$schema"]?.text {
            let isOlder = ["draft-03", "draft-04", "draft-05", "draft-06", "draft-07"].contains { name in
                !dialect.utf8.ranges(of: name.utf8).isEmpty
            }
            self = isOlder ? .older : .newer
        } else {
            self = document["definitions"] != nil && document["$defs"] == nil ? .older : .newer
        }
    }
}

/// The keywords of one schema of a contract, in the form of JSON Schema 2020-12.
struct ContractKeywords {
    /// A keyword, the offset of its name, and its value.
    struct Member {
        let name: String
        let offset: Int
        let value: LocatedJSON
    }

    private(set) var members: [Member] = []
    /// The name that occurs more than once.
    private(set) var repeated: Member?
    /// Whether null is allowed by `nullable` or `x-nullable`.
    private(set) var isNullable = false

    /// Takes the members of an object.
    init(_ schema: LocatedJSON, _ version: ContractVersion) {
        guard case .object(let all) = schema.content else { return }
        var names: Set<UTF8Key> = []
        for member in all {
            let member = Member(name: member.name, offset: member.nameOffset, value: member.value)
            if !names.insert(UTF8Key(member.name)).inserted, !Self.isAnnotation(member.name) { repeated = member }
            members.append(member)
        }
        isNullable =
            (version == .openAPI30 ? self["nullable"]?.isTrue : nil) ?? self["x-nullable"]?.isTrue ?? false
        if version.ignoresSiblings, self["$ref"]?.text != nil {
            members.removeAll { !Self.isAnnotation($0.name) && !UTF8Text.equal($0.name, "$ref") }
        }
        renameLimit("minimum", "exclusiveMinimum")
        renameLimit("maximum", "exclusiveMaximum")
        if self["items"]?.elements != nil {
            rename("items", to: "prefixItems")
            rename("additionalItems", to: "items")
        }
        rename("$recursiveRef", to: "$dynamicRef")
    }

    subscript(name: String) -> LocatedJSON? { members.first { UTF8Text.equal($0.name, name) }?.value }

    private mutating func rename(_ name: String, to other: String) {
        for index in members.indices where UTF8Text.equal(members[index].name, name) {
            members[index] = Member(name: other, offset: members[index].offset, value: members[index].value)
        }
    }

    /// Draft-04 says by a Boolean whether a limit is excluded.
    private mutating func renameLimit(_ limit: String, _ excluding: String) {
        guard let value = self[excluding], case .bool(let isExcluded) = value.content else { return }
        members.removeAll { UTF8Text.equal($0.name, excluding) }
        if isExcluded { rename(limit, to: excluding) }
    }

    // MARK: Names

    /// Whether a keyword changes no verdict. Those that nobody knows do not (JSON Schema 2020-12, Core 6.5).
    static func isAnnotation(_ name: String) -> Bool { !assertions.contains(UTF8Key(name)) }

    private static let assertions = Set(
        [
            "$ref", "$dynamicRef", "$recursiveRef", "type", "properties", "required", "items", "additionalItems",
            "additionalProperties", "enum", "const", "anyOf", "oneOf", "allOf", "not", "if", "then", "else",
            "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
            "pattern", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "patternProperties",
            "propertyNames", "dependentRequired", "dependentSchemas", "dependencies", "prefixItems", "contains",
            "minContains", "maxContains", "unevaluatedItems", "unevaluatedProperties",
        ].map { UTF8Key($0) })
}

extension LocatedJSON {
    /// Whether the value is `true`.
    var isTrue: Bool { if case .bool(true) = content { true } else { false } }

    /// The members, or none for another kind.
    var members: [Member] { if case .object(let members) = content { members } else { [] } }

    /// Whether a schema says something about values, annotations aside.
    var asserts: Bool {
        switch content {
        case .bool(let allows): !allows
        case .object(let members): members.contains { !ContractKeywords.isAnnotation($0.name) }
        default: false
        }
    }
}
