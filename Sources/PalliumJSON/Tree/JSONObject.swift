/// The members of a JSON object: in the order of the text, found by name.
///
/// Names are compared by UTF-8 bytes: composed and decomposed spellings of a letter are different names. Objects are
/// equal when they have the same members in whatever order.
public struct JSONObject: Sendable, RandomAccessCollection {
    /// A name and its value.
    public typealias Element = (key: String, value: JSONValue)

    struct Member: Sendable {
        var key: String
        var value: JSONValue
    }

    /// The number of members up to which a search through the names is as fast as a table.
    static let searchLimit = 16

    private(set) var members: [Member]
    /// Present exactly when there are more than `searchLimit` members.
    private var index: JSONObjectIndex?

    /// An object without members.
    public init() { members = [] }

    /// Creates an object with these members in this order. When a name occurs twice, its last value counts and its
    /// first position. O(n).
    public init(_ members: some Sequence<(key: String, value: JSONValue)>) {
        self.init()
        for (key, value) in members { updateValue(value, forKey: key) }
    }

    /// Creates an object of members whose names differ, with their index; few members need none.
    init(members: [Member], index: JSONObjectIndex?) {
        self.members = members
        self.index = index
    }

    /// The first valid position: 0.
    public var startIndex: Int { 0 }

    /// The number of members.
    public var endIndex: Int { members.count }

    /// The member at a position below `count`.
    public subscript(position: Int) -> (key: String, value: JSONValue) {
        (members[position].key, members[position].value)
    }

    /// The names, in order. O(n).
    public var keys: [String] { members.map(\.key) }

    /// The values, in order. O(n).
    public var values: [JSONValue] { members.map(\.value) }

    /// The value of the member with this name; nil when there is none. O(1), or a search through at most 16 names.
    ///
    /// Setting a value replaces it in place or appends a member. Setting nil removes the member, which is O(n).
    public subscript(key: String) -> JSONValue? {
        get { position(of: key).map { members[$0].value } }
        set {
            if let newValue {
                updateValue(newValue, forKey: key)
            } else {
                removeValue(forKey: key)
            }
        }
    }

    /// The position of the member with this name.
    package func position(of key: String) -> Int? {
        if let index { return index.position(of: key, in: members) }
        let fingerprint = key.fingerprint
        return members.firstIndex { $0.key.fingerprint == fingerprint && UTF8Text.equal($0.key, key) }
    }

    /// Sets the value of the member with this name, or appends a member. Returns the value that was replaced. Amortised
    /// O(1).
    @discardableResult
    package mutating func updateValue(_ value: JSONValue, forKey key: String) -> JSONValue? {
        if let position = position(of: key) {
            let old = members[position].value
            members[position].value = value
            return old
        }
        members.append(Member(key: key, value: value))
        if index != nil {
            index?.insertLast(of: members)
        } else if members.count > Self.searchLimit {
            index = JSONObjectIndex(members)
        }
        return nil
    }

    /// Removes the member with this name and returns its value. O(n), since the others keep their order.
    @discardableResult
    package mutating func removeValue(forKey key: String) -> JSONValue? {
        guard let position = position(of: key) else { return nil }
        let value = members.remove(at: position).value
        index = members.count > Self.searchLimit ? JSONObjectIndex(members) : nil
        return value
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// The members of the literal in their order. When a name occurs twice, its last value counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init()
        for (key, value) in elements { updateValue(value, forKey: key) }
    }
}

extension JSONObject: Hashable {
    /// Whether both have the same members in whatever order. Expected O(size of both trees), no recursion.
    public static func == (left: JSONObject, right: JSONObject) -> Bool { JSONValue.object(left) == .object(right) }

    /// Hashes the members without regard to their order. O(size of the tree), no recursion.
    public func hash(into hasher: inout Hasher) { JSONValue.object(self).hash(into: &hasher) }
}

extension JSONObject: CustomStringConvertible {
    /// Compact JSON text.
    public var description: String { JSONValue.object(self).description }
}
