import PalliumCore
public import PalliumJSON

/// A JSON Patch (RFC 6902): a list of operations that turn one JSON document into another.
///
///     let patch = try JSONPatch(parsing: #"[{"op": "replace", "path": "/title", "value": "Crash on launch"}]"#)
///     let changed = try patch.applied(to: document)
///     let back = JSONPatch(from: changed, to: document)
///     let body = try back.jsonValue.bytes()
///
/// A patch describes exactly every change of members and elements, null and the order of arrays included. But it
/// applies only to the document it was made for; a ``JSONMergePatch`` applies to others, too.
public struct JSONPatch: Sendable, Hashable {
    /// One operation. Its pointers lead to the values; the last token for an array is a position or, to add, `-` for
    /// its end.
    public enum Operation: Sendable, Hashable {
        /// Adds a member, replacing one of the same name, or inserts an element before the one at the position.
        case add(JSONPointer, JSONValue)
        /// Removes a member or element.
        case remove(JSONPointer)
        /// Replaces an existing value.
        case replace(JSONPointer, JSONValue)
        /// Removes the value at the first pointer and adds it at the second, which is resolved after the removal.
        case move(from: JSONPointer, to: JSONPointer)
        /// Adds the value at the first pointer at the second, too.
        case copy(from: JSONPointer, to: JSONPointer)
        /// Fails unless the document has an equal value here: numbers by their mathematical value, strings by their
        /// bytes, objects in any order of members.
        case test(JSONPointer, JSONValue)
    }

    /// The operations, in order.
    public var operations: [Operation]

    /// Makes a patch of operations.
    public init(_ operations: [Operation]) { self.operations = operations }
}
