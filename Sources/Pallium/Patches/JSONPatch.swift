public import PalliumJSON

/// A list of operations that make one JSON document of another (RFC 6902).
///
///     let patch = try JSONPatch(parsing: #"[{"op": "replace", "path": "/title", "value": "Crash on launch"}]"#)
///     let changed = try patch.applied(to: document)
///     let back = JSONPatch(from: changed, to: document)
///     let body = try back.jsonValue.bytes()
///
/// A patch says exactly what becomes of every member and element, null and the order of arrays included, but fits only
/// the document it was made for; ``JSONMergePatch`` fits others, too.
public struct JSONPatch: Sendable, Hashable {
    /// One step. Pointers lead to where it takes place; the last token for an array is a position or, to add, `-` for
    /// its end.
    public enum Operation: Sendable, Hashable {
        /// Adds a member, in place of one of the same name, or inserts an element in front of the one at the position.
        case add(JSONPointer, JSONValue)
        /// Removes a member or element.
        case remove(JSONPointer)
        /// Puts a value in the place of one that is there.
        case replace(JSONPointer, JSONValue)
        /// Removes the value at the first place and adds it at the second, which is looked for afterwards.
        case move(from: JSONPointer, to: JSONPointer)
        /// Adds the value at the first place at the second, too.
        case copy(from: JSONPointer, to: JSONPointer)
        /// Refuses the document unless it has an equal value here: numbers by their mathematical value, strings by their
        /// bytes, objects without regard to the order of members.
        case test(JSONPointer, JSONValue)
    }

    /// The steps, in their order.
    public var operations: [Operation]

    /// A patch of these steps.
    public init(_ operations: [Operation]) { self.operations = operations }
}
