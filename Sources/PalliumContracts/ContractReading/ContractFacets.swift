import PalliumDocuments
import PalliumJSON

/// The keywords of a schema of a contract, with the parts of `allOf` and the references that count as parts.
struct ContractFacets {
    /// A member, with all schemas that hold for it.
    struct Property {
        let name: String
        let offset: Int
        var schemas: [LocatedJSON]
    }

    /// A choice among schemas, without the one that allows null alone.
    struct Union {
        let keyword: String
        let offset: Int
        let alternatives: [LocatedJSON]
        let acceptsNull: Bool
    }

    /// A keyword that schemas never say, and the types of values for which it counts.
    struct Other {
        let keyword: String
        let offset: Int
        let types: ContractTypes
    }

    /// A rule for other members than some.
    struct Others {
        let keyword: String
        let offset: Int
        let schema: LocatedJSON
        let names: Set<UTF8Key>
    }

    let offset: Int
    /// The offsets of unions that are left out, because one of their alternatives is a part.
    let skipped: Set<Int>
    var types = ContractTypes.all
    /// Whether null is allowed by a keyword of OpenAPI.
    var isNullable = false
    var choices: [LocatedJSON]?
    var choicesOffset = 0
    var properties: [Property] = []
    var positions: [UTF8Key: Int] = [:]
    var required: [(name: String, offset: Int)] = []
    /// The limits of numbers, texts, lists and dictionaries by keyword.
    var limits: [String: LocatedJSON] = [:]
    var items: [LocatedJSON] = []
    var patterns: [LocatedJSON.Member] = []
    var othersRules: [Others] = []
    var unions: [Union] = []
    /// The schemas with `if`.
    var conditions: [(offset: Int, schema: LocatedJSON)] = []
    var others: [Other] = []
    var discriminator: LocatedJSON?
    var format: String?
    var isBase64 = false
    /// The references that are not parts, and what they refer to.
    var references: [(offset: Int, target: LocatedJSON)] = []
    var hasProperties = false
    /// The schema `false`, which allows nothing.
    var falseOffset: Int?
    /// Whether a part could not be understood, so that nothing is sure about the values.
    var isBroken = false
    /// How many keywords say something about values.
    var assertions = 0

    init(offset: Int, skipped: Set<Int>) {
        self.offset = offset
        self.skipped = skipped
    }

    /// The types besides null.
    var valueTypes: ContractTypes { types.subtracting(.null) }

    /// The types of the listed values; without a list, the types besides null.
    var listedTypes: ContractTypes {
        choices?.reduce(into: ContractTypes()) { $0.formUnion(ContractTypes(of: $1)) }.intersection(valueTypes)
            ?? valueTypes
    }

    /// Whether a schema without a type is meant for objects alone: it requires members or refuses others.
    var impliesObject = false

    /// Whether the values are objects with known members.
    var describesModel: Bool {
        guard types.contains(.object), choices == nil, falseOffset == nil, !isBroken else { return false }
        guard valueTypes == .object || valueTypes == ContractTypes.all.subtracting(.null) else { return false }
        if hasProperties, valueTypes == .object || impliesObject { return true }
        return valueTypes == .object && !required.isEmpty && patterns.isEmpty
            && othersRules.allSatisfy { !$0.schema.describesMembers }
    }

    /// Whether an object can be described as one that extends another.
    var describesPart: Bool { hasProperties && describesModel && unions.isEmpty && othersRules.isEmpty }

    /// Adds schemas of a member.
    mutating func add(_ member: LocatedJSON.Member) {
        if let position = positions[UTF8Key(member.name)] {
            properties[position].schemas.append(member.value)
        } else {
            positions[UTF8Key(member.name)] = properties.count
            properties.append(Property(name: member.name, offset: member.nameOffset, schemas: [member.value]))
        }
    }

    /// Adds a limit; of two of a kind, the narrower one counts.
    ///
    /// - Returns: Whether one of them says all.
    mutating func add(_ limit: LocatedJSON, _ keyword: String) -> Bool {
        guard let other = limits.updateValue(limit, forKey: keyword) else { return true }
        if case .number(let new) = limit.content, case .number(let old) = other.content {
            let isLower = new.double < old.double
            let isMaximum = keyword.utf8.starts(with: "max".utf8) || UTF8Text.equal(keyword, "exclusiveMaximum")
            if isLower != isMaximum { limits[keyword] = other }
            return !UTF8Text.equal(keyword, "multipleOf") || new == old
        }
        return limit.value == other.value
    }
}

extension LocatedJSON {
    /// Whether a schema for other members says something else than yes or no.
    var describesMembers: Bool {
        if case .bool = content { false } else { asserts }
    }
}
