public import Foundation
import PalliumCore
public import PalliumJSON

// The inputs of an adapter: the protocol, the document, and the conformances.
//
// Safety: bytes are borrowed for the call of a function that uses them during the call only.

/// A JSON document in any form: text, bytes, dictionaries and arrays, or a tree.
///
///     try adapter.model(from: #"{"number": 7}"#)        // text
///     try adapter.model(from: data)                     // bytes: Data, [UInt8], a slice or buffer of them
///     try adapter.model(from: ["number": 7])            // dictionaries and arrays, as `JSONSerialization` gives them
///     try adapter.model(from: JSONValue.object(tree))   // a tree
///
/// A string, literals included, is JSON text; the JSON string is `JSONValue.string`. An array of `UInt8` is text as
/// bytes; every other array is the root array of the document. All forms give the same result; only bytes and text have
/// lines and columns. Dictionaries and arrays can hold values that JSON does not have, such as an object of your class:
/// that is an error with the code `notConvertible` and the pointer of the value.
///
/// To use another type of bytes, declare its conformance: `extension ByteBufferView: JSONInput {}`. The requirement
/// with a leading underscore belongs to the library; do not call or implement it.
public protocol JSONInput {
    /// Calls a function with the document, which is valid during the call only.
    func _withJSONDocument<Outcome, Failure: Error>(
        _ body: (JSONDocument) throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome
}

/// A JSON document that a ``JSONInput`` passes to an adapter.
public struct JSONDocument {
    enum Form {
        /// The caller holds the bytes while the document is used.
        case bytes(BorrowedBytes)
        case tree(JSONValue)
        /// Dictionaries and arrays of Foundation's JSON types.
        case foundation(Any)
    }

    let form: Form

    /// Makes a document from the bytes of its text, which the caller holds while the document is used.
    package init(_ bytes: BorrowedBytes) { form = .bytes(bytes) }

    /// Makes a document from a tree.
    package init(_ value: JSONValue) { form = .tree(value) }

    /// Makes a document from a dictionary or array of Foundation's JSON types, as `JSONSerialization` returns it.
    package init(foundation value: Any) { form = .foundation(value) }
}

extension JSONInput where Self: ContiguousBytes {
    /// Calls a function with the bytes.
    public func _withJSONDocument<Outcome, Failure: Error>(
        _ body: (JSONDocument) throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome {
        try unsafe withBytes { bytes throws(Failure) in try body(JSONDocument(unsafe BorrowedBytes(bytes))) }
    }
}

extension Data: JSONInput {}
extension ArraySlice: JSONInput where Element == UInt8 {}
extension ContiguousArray: JSONInput where Element == UInt8 {}
extension UnsafeRawBufferPointer: @unsafe JSONInput {}
extension UnsafeBufferPointer: @unsafe JSONInput where Element == UInt8 {}
extension UnsafeMutableRawBufferPointer: @unsafe JSONInput {}
extension UnsafeMutableBufferPointer: @unsafe JSONInput where Element == UInt8 {}

extension Array: JSONInput {
    /// Calls a function with the bytes of an array of `UInt8`, or with any other array as the document's root.
    public func _withJSONDocument<Outcome, Failure: Error>(
        _ body: (JSONDocument) throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome {
        guard Element.self == UInt8.self else { return try body(JSONDocument(foundation: self)) }
        // A cast to `[UInt8]` would convert the elements one by one.
        return try unsafe withUnsafeBytes { bytes -> Result<Outcome, Failure> in
            do throws(Failure) { return .success(try body(JSONDocument(unsafe BorrowedBytes(bytes)))) } catch {
                return .failure(error)
            }
        }.get()
    }
}

extension Dictionary: JSONInput where Key == String {
    /// Calls a function with the dictionary as the document's root.
    public func _withJSONDocument<Outcome, Failure: Error>(
        _ body: (JSONDocument) throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome { try body(JSONDocument(foundation: self)) }
}

extension String: JSONInput {}
extension Substring: JSONInput {}

extension JSONInput where Self: StringProtocol {
    /// Calls a function with the bytes of the text.
    public func _withJSONDocument<Outcome, Failure: Error>(
        _ body: (JSONDocument) throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome { try Array(utf8)[...]._withJSONDocument(body) }
}

extension JSONValue: JSONInput {
    /// Calls a function with the value.
    public func _withJSONDocument<Outcome, Failure: Error>(
        _ body: (JSONDocument) throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome { try body(JSONDocument(self)) }
}
