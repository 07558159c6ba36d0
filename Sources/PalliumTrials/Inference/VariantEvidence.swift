import PalliumCore
import PalliumJSON

/// The members of the objects of one place, counted apart for each value of a member that may tell their types.
struct VariantEvidence: Sendable {
    /// How often a member occurred.
    struct Occurrences: Sendable {
        var count = 0
        var nulls = 0
    }

    /// The objects in a member.
    struct Part: Sendable {
        var objects = 0
        var members: [UTF8Key: Occurrences] = [:]
        /// Whether there are too many members to count them.
        var isWide = false
    }

    /// The objects with one value.
    struct Variant: Sendable {
        /// The value; that of an integer in decimal.
        let text: String
        var objects = 0
        var members: [UTF8Key: Occurrences] = [:]
        /// The members that held objects.
        var parts: [UTF8Key: Part] = [:]
    }

    /// The names of members that may tell types, best first.
    static let names = [
        "type", "kind", "event", "object", "__typename", "@type", "_type", "event_type", "eventType", "ty",
    ]
    /// The largest number of values.
    static let maximumValues = 64
    /// The largest number of bytes of a value.
    static let maximumValueBytes = 64
    /// The largest number of members of the objects in a member.
    private static let maximumPartMembers = 128

    /// The name of the member.
    let name: String
    private(set) var variants: [Variant] = []
    private var positions: [UTF8Key: Int] = [:]
    private(set) var objects = 0

    init(name: String) { self.name = name }

    /// Returns the text of a value that may tell a type: a text or an integer.
    static func text(of value: JSONValue?) -> String? {
        if case .number(let number)? = value { return number.int64.map { "\($0)" } }
        return value?.stringValue
    }

    /// Counts an object.
    ///
    /// - Parameter room: How many more members may be counted.
    /// - Returns: Whether the values may still tell types: there are not too many of them, and there is room.
    mutating func record(_ text: String, _ object: JSONObject, room: inout Int) -> Bool {
        guard let position = position(of: text) else { return false }
        objects += 1
        variants[position].objects += 1
        for member in object {
            let key = UTF8Key(member.key)
            Self.count(key, member.value, in: &variants[position].members, &room)
            guard case .object(let inner) = member.value else { continue }
            variants[position].parts[key, default: Part()].record(inner, &room)
        }
        return room > 0
    }

    private mutating func position(of text: String) -> Int? {
        if let position = positions[UTF8Key(text)] { return position }
        guard variants.count < Self.maximumValues, (1...Self.maximumValueBytes).contains(text.utf8.count) else {
            return nil
        }
        positions[UTF8Key(text)] = variants.count
        variants.append(Variant(text: text))
        return variants.count - 1
    }

    private static func count(
        _ key: UTF8Key, _ value: JSONValue, in members: inout [UTF8Key: Occurrences], _ room: inout Int
    ) {
        var occurrences = members[key] ?? Occurrences()
        if occurrences.count == 0 { room -= 1 }
        occurrences.count += 1
        if value.isNull { occurrences.nulls += 1 }
        members[key] = occurrences
    }

    /// Adds the objects of another place; returns whether the values may still tell types.
    mutating func join(_ other: VariantEvidence) -> Bool {
        guard UTF8Text.equal(name, other.name) else { return false }
        objects += other.objects
        for variant in other.variants {
            guard let position = position(of: variant.text) else { return false }
            variants[position].objects += variant.objects
            variants[position].members.merge(variant.members, uniquingKeysWith: Occurrences.sum)
            variants[position].parts.merge(variant.parts) { left, right in
                Part(
                    objects: left.objects + right.objects,
                    members: left.members.merging(right.members, uniquingKeysWith: Occurrences.sum),
                    isWide: left.isWide || right.isWide)
            }
        }
        return true
    }
}

extension VariantEvidence.Occurrences {
    fileprivate static func sum(_ left: Self, _ right: Self) -> Self {
        Self(count: left.count + right.count, nulls: left.nulls + right.nulls)
    }
}

extension VariantEvidence.Part {
    fileprivate mutating func record(_ object: JSONObject, _ room: inout Int) {
        objects += 1
        if isWide { return }
        for member in object { VariantEvidence.count(UTF8Key(member.key), member.value, in: &members, &room) }
        if members.count > VariantEvidence.maximumPartMembers { isWide = true }
    }
}
