import PalliumCore
import PalliumJSON

/// Decodes properties whose value is put together from several members: the parts are copied to a text of their own, which
/// is read like an object in the document.
extension ModelDecoder {
    /// A member of the object that several paths make.
    struct Part {
        let name: String
        let mark: JSONReaderMark
        let isNull: Bool
    }

    /// Begins to read the object that parts make. The source must be at the end of the object that has the parts.
    mutating func beginParts(_ parts: [Part]) throws {
        guard composedTexts.count < ComposedText.maximumNesting else {
            throw ModelError(
                .limitExceeded, expected: "at most \(ComposedText.maximumNesting.counted("level")) of allOf",
                found: "more")
        }
        let end = source.mark()
        var bytes = JSONByteBuffer()
        var starts: [(offset: Int, origin: Int)] = []
        for part in parts {
            source.rewind(to: part.mark)
            try source.skipValue()
            bytes.append(byte: UInt8(ascii: starts.isEmpty ? "{" : ","))
            bytes.append(quoted: part.name)
            bytes.append(byte: UInt8(ascii: ":"))
            starts.append((bytes.count, part.mark.offset))
            source.copyText(from: part.mark.offset, to: &bytes)
        }
        bytes.append(byte: UInt8(ascii: "}"))
        source.rewind(to: end)
        let text = ComposedText(bytes, starts, options: source.options.forPart, objects)
        // The object is inside the one that has just ended.
        text.reader.resume(inside: source.depth + 1)
        swap(&source, &text.reader)
        objects = LocatedObjects()
        composedTexts.append(text)
    }

    /// Returns to the text that has the parts.
    mutating func endParts() {
        guard let text = composedTexts.popLast() else { return }
        swap(&source, &text.reader)
        objects = text.objects
        valueOffset = text.origin(of: valueOffset)
    }

    /// The offset in the document of an offset in the text that is being read.
    func origin(of offset: Int) -> Int { composedTexts.reversed().reduce(offset) { $1.origin(of: $0) } }
}

/// The text of an object that was put together from values of another text.
///
/// Safety: it holds the memory that its reader reads.
final class ComposedText {
    /// How deep such objects may be nested: each one copies its parts.
    static let maximumNesting = 64

    private let bytes: JSONByteBuffer
    /// Where the parts begin, in this text and in the one that they were copied from.
    private let starts: [(offset: Int, origin: Int)]
    /// A reader of this text, or of the other one while this text is read.
    var reader: JSONReader
    /// The objects of the other text.
    let objects: LocatedObjects

    init(
        _ bytes: consuming JSONByteBuffer, _ starts: [(offset: Int, origin: Int)], options: JSONReadingOptions,
        _ objects: LocatedObjects
    ) {
        self.starts = starts
        self.objects = objects
        // The buffer's memory does not move when the buffer does.
        reader = bytes.withBorrowedBytes { JSONReader($0, options: options) }
        self.bytes = bytes
    }

    /// The offset in the other text.
    func origin(of offset: Int) -> Int {
        guard let start = starts.last(where: { $0.offset <= offset }) else { return starts.first?.origin ?? 0 }
        return start.origin + offset - start.offset
    }
}
