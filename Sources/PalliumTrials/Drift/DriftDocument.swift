import PalliumAdapter
import PalliumCore
import PalliumJSON

/// A document whose tree is made when something needs all of it.
final class DriftDocument {
    private let bytes: BorrowedBytes
    /// The offset of the document in what the locations of problems are about.
    private let start: Int
    /// The document; nil if it is malformed or exceeds a limit.
    private(set) lazy var tree = try? JSONValue(parsing: bytes)

    init(_ bytes: BorrowedBytes, start: Int) {
        self.bytes = bytes
        self.start = start
    }

    /// Whether the root is an array.
    var isArray: Bool { JSONDocument(bytes).isArray(JSONReadingOptions()) }

    /// Returns the value that a problem is about; nil if there is none.
    ///
    /// - Parameter tokens: The path to the value.
    func value(at tokens: [String], of problem: ModelError) -> JSONValue? {
        // Unknown members are frequent. Nothing but their values is read.
        if problem.code == .unknownMember, let name = tokens.last, let location = problem.location,
            let value = member(name, at: location.byteOffset - start)
        {
            return value
        }
        return tree?[JSONPointer(tokens: tokens)]
    }

    /// Reads the value at an offset, if it is that of a member of a name as it stands in the text.
    private func member(_ name: String, at offset: Int) -> JSONValue? {
        guard bytes.indices.contains(offset) else { return nil }
        func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x0A, 0x0D, 0x09].contains(byte) }
        guard let colon = bytes[..<offset].lastIndex(where: { !isSpace($0) }), bytes[colon] == UInt8(ascii: ":"),
            let end = bytes[..<colon].lastIndex(where: { !isSpace($0) }), bytes[end] == UInt8(ascii: "\""),
            case let start = end - name.utf8.count, start > 0, bytes[start - 1] == UInt8(ascii: "\""),
            bytes[start..<end].elementsEqual(name.utf8)
        else { return nil }
        var reader = JSONReader(bytes.part(from: offset), options: JSONReadingOptions().forPart)
        return try? reader.readValue()
    }
}
