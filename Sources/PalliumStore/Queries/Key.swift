import PalliumCore

/// A property in a condition or an order, by its key: `Key("state")`, `"assignee.login"`.
///
/// Dots lead into models: into those that stand in the document, and into those of other rows. A backslash makes the next
/// character part of a key: a dot, a bracket, or a slash at the beginning. Keys are checked against the schema when a query
/// runs.
public struct Key: Sendable, ExpressibleByStringLiteral {
    enum Path {
        /// Keys with dots between them.
        case text(String)
        case keys([String])
        /// The key of a reference with a table of links, whose model is tested as an element is.
        case link(String)
        /// The element of which a condition on elements is tested.
        case element
        /// The key of the element in a dictionary.
        case elementKey
    }

    let path: Path
    /// Whether the number of elements is meant.
    private(set) var countsElements = false
    /// Whether capital and small letters are the same.
    private(set) var ignoresCase = false

    init(path: Path) { self.path = path }

    /// Names a property.
    public init(_ key: String) { path = .text(key) }

    /// Names a property.
    public init(stringLiteral key: String) { path = .text(key) }

    /// The element itself, in a condition on the elements of a collection.
    ///
    ///     Key("scores").any(Key.element > 3)
    public static var element: Key { Key(path: .element) }

    /// The key of the element, in a condition on the elements of a dictionary.
    ///
    ///     Key("scores").any(Key.elementKey == "math" && Key.element > 3)
    public static var elementKey: Key { Key(path: .elementKey) }

    /// The number of elements of a collection: 0 if it is unset, null or empty.
    ///
    ///     Key("labels").count > 2
    public var count: Key {
        var key = self
        key.countsElements = true
        return key
    }

    /// The text without the difference between capital and small letters, by Unicode's simple case folding.
    ///
    ///     Key("login").caseInsensitive == "Ada"
    ///     Key("title").caseInsensitive.contains("crash")
    public var caseInsensitive: Key {
        var key = self
        key.ignoresCase = true
        return key
    }

    /// The key at the end of the same path that begins behind others.
    func following(_ keys: [String]) -> Key {
        var key = Key(path: .keys(keys))
        (key.countsElements, key.ignoresCase) = (countsElements, ignoresCase)
        return key
    }

    /// Returns the value or the count of a slot as a column holds it; null if there is no value.
    ///
    /// - Parameter countsDefault: Whether a default that was never set is a value.
    func value(in slot: PropertySlot?, countsDefault: Bool) -> SQLiteValue {
        guard let slot, slot.hasValue, countsDefault || !slot.slotState.isDefaulted else {
            return countsElements ? .integer(0) : .null
        }
        guard countsElements else { return slot.columnValue.folded(if: ignoresCase) }
        return .integer(Int64(slot.description.kind == .dictionary ? slot.dictionary.count : slot.list.count))
    }

    /// Whether both keys count elements alike and fold case alike.
    func hasModifiers(of other: Key) -> Bool {
        countsElements == other.countsElements && ignoresCase == other.ignoresCase
    }
}

extension ModelLayout {
    /// Returns the keys between the dots of a text.
    ///
    /// - Throws: ``ModelError`` with the code `unknownKey` if it is not made of keys.
    func keys(in text: String) throws(ModelError) -> [String] {
        if let keys = JSONKeyPath.members(in: text) { return keys }
        throw ModelError(
            .unknownKey, expected: "a key, or keys with dots between them", found: ModelError.quote(text),
            schema: schema.name)
    }
}
