import PalliumCore
import PalliumJSON

/// Finds the values of a document that a later member of their name replaces.
///
/// Safety: the reader stays inside the document, which is borrowed for the call.
enum ReplacedMembers {
    /// Returns the offsets of the replaced values; after a syntax error, those before it. O(length of the document).
    static func offsets(in document: UnsafeRawBufferPointer, _ options: JSONReadingOptions) -> Set<Int> {
        var offsets: Set<Int> = []
        var reader = unsafe JSONReader(document.bindMemory(to: UInt8.self), options: options.forPart)
        // Decoding finds and reports the syntax error itself.
        try? find(&reader, &offsets)
        return offsets
    }

    private static func find(_ reader: inout JSONReader, _ offsets: inout Set<Int>) throws(JSONSyntaxError) {
        // The open containers: for an object the last value of each name, for an array nil.
        var levels: [[UTF8Key: Int]?] = []
        try reader.beginDocument()
        while true {
            var isFirst = false
            switch try reader.peekKind() {
            case .object:
                try reader.enterObject()
                levels.append([:])
                isFirst = true
            case .array:
                try reader.enterArray()
                levels.append(nil)
                isFirst = true
            default: try reader.skipValue()
            }
            while let last = levels.indices.last {
                if levels[last] == nil {
                    if try reader.nextElement(first: isFirst) { break }
                } else if try reader.nextMember(first: isFirst) {
                    let name = UTF8Key(try unsafe reader.readName().string)
                    _ = try reader.peekKind()
                    if let replaced = levels[last]?.updateValue(reader.offset, forKey: name) {
                        offsets.insert(replaced)
                    }
                    break
                }
                levels.removeLast()
                isFirst = false
            }
            if levels.isEmpty { return }
        }
    }
}
