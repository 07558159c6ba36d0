public import Foundation
public import PalliumJSON

// Safety: bytes are lent for the call of a function that uses them during the call only.

/// A JSON document in any of the forms in which programs have one.
///
///     try adapter.model(from: #"{"number": 7}"#)        // text
///     try adapter.model(from: data)                     // bytes: Data, [UInt8], a slice or buffer of them
///     try adapter.model(from: ["number": 7])            // dictionaries and arrays, as `JSONSerialization` gives them
///     try adapter.model(from: JSONValue.object(tree))   // a tree
///
/// A string, literals included, is JSON text; the JSON string is `JSONValue.string`. An array of `UInt8` is text as bytes;
/// every other array is the array at the root of the document. All forms have the same outcome; only bytes and text have
/// lines and columns.
///
/// Another type of bytes becomes an input by its conformance alone: `extension ByteBufferView: JSONInput {}`.
public protocol JSONInput {
    /// Calls a function with the document, which is valid during the call only.
    func withJSONDocument<Outcome, Failure: Error>(
        _ body: (JSONDocument) throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome
}

/// A JSON document on its way to an adapter: what a ``JSONInput`` hands out.
@safe
public struct JSONDocument {
    @safe
    enum Form {
        case bytes(UnsafeRawBufferPointer)
        case tree(JSONValue)
        /// Dictionaries and arrays of whatever JSON has.
        case foundation(Any)
    }

    let form: Form

    /// A document as the bytes of its text, which must not change while the document is used.
    public init(bytes: UnsafeRawBufferPointer) { unsafe form = .bytes(bytes) }

    /// A document as a tree.
    public init(_ value: JSONValue) { form = .tree(value) }

    /// A document as a dictionary or array of dictionaries, arrays and scalars, as `JSONSerialization` gives it.
    public init(foundation value: Any) { form = .foundation(value) }
}

extension JSONInput where Self: ContiguousBytes {
    /// Calls a function with the bytes.
    public func withJSONDocument<Outcome, Failure: Error>(
        _ body: (JSONDocument) throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome {
        let result = unsafe withUnsafeBytes { bytes -> Result<Outcome, Failure> in
            do throws(Failure) { return unsafe .success(try body(JSONDocument(bytes: bytes))) } catch {
                return .failure(error)
            }
        }
        return try result.get()
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
    /// Calls a function with the bytes of an array of `UInt8`, with any other array as the root of the document.
    public func withJSONDocument<Outcome, Failure: Error>(
        _ body: (JSONDocument) throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome {
        // The type first: an empty array of anything can be cast.
        if Element.self == UInt8.self, let bytes = self as? [UInt8] { return try bytes[...].withJSONDocument(body) }
        return try body(JSONDocument(foundation: self))
    }
}

extension Dictionary: JSONInput where Key == String {
    /// Calls a function with the dictionary as the object at the root of the document.
    public func withJSONDocument<Outcome, Failure: Error>(
        _ body: (JSONDocument) throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome { try body(JSONDocument(foundation: self)) }
}

extension String: JSONInput {
    /// Calls a function with the bytes of the text.
    public func withJSONDocument<Outcome, Failure: Error>(
        _ body: (JSONDocument) throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome { try Array(utf8)[...].withJSONDocument(body) }
}

extension Substring: JSONInput {
    /// Calls a function with the bytes of the text.
    public func withJSONDocument<Outcome, Failure: Error>(
        _ body: (JSONDocument) throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome { try Array(utf8)[...].withJSONDocument(body) }
}

extension JSONValue: JSONInput {
    /// Calls a function with the value.
    public func withJSONDocument<Outcome, Failure: Error>(
        _ body: (JSONDocument) throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome { try body(JSONDocument(self)) }
}
