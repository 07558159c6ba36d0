import PalliumCore
import PalliumJSON

/// The text of a token, which is read where it lies.
///
/// Safety: whoever makes one promises that the reader does not go on as long as the text is used. It cannot be copied, so it
/// stays where it was made.
@safe
struct TokenText: ~Copyable {
    /// The text for functions that take bytes.
    @unsafe let text: JSONText

    @unsafe @_transparent
    init(_ text: JSONText) { unsafe self.text = text }

    var isEmpty: Bool { @_transparent get { unsafe text.count == 0 } }
    var count: Int { @_transparent get { unsafe text.count } }

    /// A copy.
    var string: String { @_transparent get { unsafe text.string } }

    /// Whether the text is a URL as it is.
    var isPlainURL: Bool { @_transparent get { unsafe text.bytes.isPlainURL } }

    /// The date that the text spells; nil if it spells none.
    var date: SpelledDate? { @_transparent get { unsafe ISO8601Text.parse(text.bytes) } }

    @_transparent
    static func == (text: borrowing TokenText, other: String) -> Bool {
        unsafe other.utf8.count == text.text.count && text.text.bytes.elementsEqual(other.utf8)
    }

    /// The number of the name in a table, or -1.
    @_transparent
    func number(in table: KeyTable) -> Int { unsafe table.find(text.start, text.count) }

    /// The number of the case of an enumeration, or -1.
    @_transparent
    func number(in enumeration: EnumerationDescriptor) -> Int {
        enumeration.caseNumber(ofText: number(in: enumeration.texts))
    }

    /// Reads the text by a codec, and stores its value in a slot.
    func read(by codec: TextCodec, into slot: PropertySlot) -> KindReading {
        unsafe codec.read(text.bytes, slot)
    }

    /// Copies the text to memory with room for it.
    @unsafe @_transparent
    func copy(to memory: UnsafeMutableRawPointer) { unsafe memory.copyMemory(from: text.start, byteCount: text.count) }
}
