public import Foundation
public import PalliumCore
import PalliumJSON

// The inputs of an unarchiver.
//
// Safety: the bytes are borrowed from their owner for the call that reads them.

/// An archive: its bytes, or the URL of its local file.
///
///     try ModelUnarchiver().unarchive(Issue.self, from: data)   // Data, [UInt8], a slice or buffer of them
///     try ModelUnarchiver().unarchive(Issue.self, from: file)   // a URL
///
/// To use another type of bytes, declare its conformance: `extension ByteBufferView: ArchiveInput {}`. The requirement
/// with a leading underscore belongs to the library; do not call or implement it.
public protocol ArchiveInput {
    /// Calls a function with the bytes of the archive, which are valid during the call only.
    func _withArchive<Outcome>(
        _ body: (UnsafeRawBufferPointer) throws(ModelError) -> Outcome
    ) throws(ModelError) -> Outcome
}

extension ArchiveInput where Self: ContiguousBytes {
    /// Calls a function with the bytes.
    public func _withArchive<Outcome>(
        _ body: (UnsafeRawBufferPointer) throws(ModelError) -> Outcome
    ) throws(ModelError) -> Outcome { try unsafe withBytes(body) }
}

extension Data: ArchiveInput {}
extension Array: ArchiveInput where Element == UInt8 {}
extension ArraySlice: ArchiveInput where Element == UInt8 {}
extension ContiguousArray: ArchiveInput where Element == UInt8 {}
extension UnsafeRawBufferPointer: @unsafe ArchiveInput {}
extension UnsafeBufferPointer: @unsafe ArchiveInput where Element == UInt8 {}
extension UnsafeMutableRawBufferPointer: @unsafe ArchiveInput {}
extension UnsafeMutableBufferPointer: @unsafe ArchiveInput where Element == UInt8 {}

extension URL: ArchiveInput {
    /// Calls a function with the bytes of the file.
    public func _withArchive<Outcome>(
        _ body: (UnsafeRawBufferPointer) throws(ModelError) -> Outcome
    ) throws(ModelError) -> Outcome { try unsafe Data(durableFile: self)._withArchive(body) }
}

extension ArchiveInput {
    /// Calls a function with the bytes, which it uses only while it runs.
    func withArchive<Outcome>(
        _ body: (BorrowedBytes) throws(ModelError) -> Outcome
    ) throws(ModelError) -> Outcome {
        try unsafe _withArchive { bytes throws(ModelError) in try unsafe body(BorrowedBytes(bytes)) }
    }
}
