package import PalliumJSON

/// Parses documents into located values.
///
/// Only this file of the folder passes memory to a reader:
///
///     bytes    { "name": "Issue", … }        an array that outlives the reader
///              ▲ reader                      reads inside the array, see JSONReader
///
/// Recursion is as deep as the document, which the reader limits to ``LocatedJSON/maximumDepth``.
extension LocatedJSON {
    /// The maximum size of a schema document in bytes: 16 MiB.
    package static let maximumDocumentBytes = 16 << 20
    /// The maximum nesting of a schema document. Nested element types take one level each.
    static let maximumDepth = 64
    /// The maximum number of values in a schema document, which limits the memory.
    static let maximumValues = 2_000_000

    /// Reads a document, which people may have written: with comments. O(bytes).
    ///
    /// - Throws: `JSONSyntaxError` if the bytes are malformed JSON or UTF-8, or exceed a limit.
    package init(parsing bytes: [UInt8]) throws(JSONSyntaxError) {
        var options = JSONReadingOptions()
        options.maximumDocumentBytes = Self.maximumDocumentBytes
        options.maximumDepth = Self.maximumDepth
        options.maximumValues = Self.maximumValues
        options.comments = .accept
        self = try options.text(bytes).withBorrowedBytes { buffer throws(JSONSyntaxError) in
            var reader = JSONReader(buffer, options: options)
            try reader.beginDocument()
            let value = try LocatedJSON(reading: &reader)
            try reader.endDocument()
            return value
        }
    }

    private init(reading reader: inout JSONReader) throws(JSONSyntaxError) {
        let kind = try reader.peekKind()
        offset = reader.offset
        switch kind {
        case .string: content = .string(try reader.readString())
        case .number: content = .number(try reader.readNumberValue())
        case .true, .false: content = .bool(try reader.readBool())
        case .null:
            try reader.readNull()
            content = .null
        case .array: content = .array(try Self.elements(&reader))
        case .object: content = .object(try Self.members(&reader))
        }
    }

    private static func elements(_ reader: inout JSONReader) throws(JSONSyntaxError) -> [LocatedJSON] {
        var elements: [LocatedJSON] = []
        try reader.enterArray()
        while try reader.nextElement(first: elements.isEmpty) { elements.append(try LocatedJSON(reading: &reader)) }
        return elements
    }

    private static func members(_ reader: inout JSONReader) throws(JSONSyntaxError) -> [Member] {
        var members: [Member] = []
        try reader.enterObject()
        while try reader.nextMember(first: members.isEmpty) {
            // The cursor is behind the quotation mark.
            let nameOffset = reader.offset - 1
            let name = try reader.readNameString()
            members.append(Member(name: name, nameOffset: nameOffset, value: try LocatedJSON(reading: &reader)))
        }
        return members
    }
}
