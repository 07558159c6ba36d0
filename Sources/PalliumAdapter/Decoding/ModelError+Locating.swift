import Foundation
package import PalliumCore
package import PalliumJSON

/// Line and column of what turns out to be wrong after a document was decoded.
///
/// Only errors pay: their pointers are followed through the document once more.
extension ModelError {
    /// How many problems of one error are located, each by a pass over the document.
    private static let maximumLocated = 16

    /// The error with line and column where it has only a pointer.
    package func located(in document: JSONDocument, _ options: JSONReadingOptions) -> ModelError {
        guard case .bytes(let bytes) = document.form else { return self }
        return options.withText(bytes) { bytes in
            ModelError(
                problems.enumerated().map { number, problem in
                    guard number < Self.maximumLocated, problem.location == nil, let pointer = problem.wholePointer
                    else { return problem }
                    return problem.at(Self.location(of: pointer.tokens, in: bytes, options))
                })
        }
    }

    /// Line and column of the value to which a pointer leads, or of the innermost one on its way.
    private static func location(
        of tokens: [String], in bytes: BorrowedBytes, _ options: JSONReadingOptions
    ) -> JSONLocation? {
        JSONLocation(ofByteAt: offset(of: tokens, in: bytes, options), in: bytes)
    }

    /// Where the value begins to which a pointer leads, or the innermost one on its way.
    static func offset(
        of tokens: [String], in bytes: BorrowedBytes, _ options: JSONReadingOptions
    ) -> Int {
        var reader = JSONReader(bytes, options: options)
        var offset = 0
        do throws(JSONSyntaxError) {
            try reader.beginDocument()
            var kind = try reader.peekKind()
            offset = reader.offset
            for token in tokens {
                guard try kind == .object ? enter(&reader, member: token, options) : enter(&reader, element: token)
                else {
                    break
                }
                kind = try reader.peekKind()
                offset = reader.offset
            }
        } catch {
            // The document was read before, so only a pointer into a scalar leads here: the scalar is the place.
        }
        return offset
    }

    /// Goes to the value of a member: of several of the name to the one that counts.
    private static func enter(
        _ reader: inout JSONReader, member: String, _ options: JSONReadingOptions
    ) throws(JSONSyntaxError) -> Bool {
        var found: JSONReaderMark?
        var isFirst = true
        try reader.enterObject()
        while try reader.nextMember(first: isFirst) {
            isFirst = false
            let name = try reader.readNameString()
            if name.utf8.elementsEqual(member.utf8) {
                if options.duplicateMembers == .firstWins { return true }
                found = reader.mark()
            }
            try reader.skipValue()
        }
        guard let found else { return false }
        reader.rewind(to: found)
        return true
    }

    private static func enter(_ reader: inout JSONReader, element: String) throws(JSONSyntaxError) -> Bool {
        let number = Int(element)
        var index = 0
        try reader.enterArray()
        while try reader.nextElement(first: index == 0) {
            if index == number { return true }
            index += 1
            try reader.skipValue()
        }
        return false
    }
}

extension JSONDocument {
    /// Whether the root is an array; the text may still be malformed.
    package func isArray(_ options: JSONReadingOptions) -> Bool {
        switch form {
        case .bytes(let bytes):
            return options.withText(bytes) { bytes in
                var reader = JSONReader(bytes, options: JSONReadingOptions())
                do throws(JSONSyntaxError) {
                    try reader.beginDocument()
                    return try reader.peekKind() == .array
                } catch { return false }
            }
        case .tree(let value): return value.arrayValue != nil
        case .foundation(let value):
            if case .array = FoundationToken(value) { return true }
            return false
        }
    }
}
