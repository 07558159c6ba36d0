package import PalliumJSON

/// All that the library knows about a kind of property: one value for each kind, which stands in the folder `Kinds`.
///
/// Decoder, encoder and archive have faster code of their own for the most frequent kinds. Everything else goes by this.
package final class KindTraits: Sendable {
    package typealias Reader = @Sendable (JSONValue, PropertySlot) throws(ModelError) -> KindReading
    package typealias Writer = @Sendable (PropertySlot) -> JSONValue?
    package typealias Order = @Sendable (PropertySlot, PropertySlot) -> Bool

    /// The name in schema documents.
    package let name: String
    /// The expectation in errors: "expected a UUID".
    package let expectation: String
    /// The Swift type of values where no accessor names one; nil where the schema decides.
    package let type: (any PropertyValue.Type)?
    /// The form in a slot.
    package let storage: SlotKind
    /// The number in archives.
    package let archiveNumber: UInt8
    /// The bytes in archives; nil for kinds that archives write in a form of their own.
    package let archived: ArchiveCodec?
    /// The type of JSON that is read; nil where the schema decides.
    package let json: JSONScalar?
    /// The form as text in JSON; nil for kinds that are no text.
    package let text: TextCodec?
    /// The transformer that does the same as the kind alone.
    package let transformer: TransformerName?
    /// Stores JSON that is neither null nor a collection.
    package let read: Reader
    /// Converts a slot with a value, which is no collection, to JSON; nil if JSON does not have the value.
    package let write: Writer
    /// Describes a slot with a value for people, with texts of at most so many characters.
    package let describe: @Sendable (PropertySlot, Int) -> String
    /// Whether the left slot comes before the right one; nil for kinds without an order.
    package let precedes: Order?

    init(
        _ name: String, _ expectation: String, type: (any PropertyValue.Type)? = nil, storage: SlotKind,
        archiveNumber: UInt8, archived: ArchiveCodec? = nil, json: JSONScalar? = nil, text: TextCodec? = nil,
        transformer: TransformerName? = nil, precedes: Order? = nil,
        read: @escaping Reader = { _, _ in .refused(.typeMismatch) }, write: @escaping Writer = { _ in nil },
        describe: @escaping @Sendable (PropertySlot, Int) -> String
    ) {
        self.name = name
        self.expectation = expectation
        self.type = type
        self.storage = storage
        self.archiveNumber = archiveNumber
        self.archived = archived
        self.json = json
        self.text = text
        self.transformer = transformer
        self.read = read
        self.write = write
        self.describe = describe
        self.precedes = precedes
    }

    /// Describes a kind whose values are text in JSON.
    ///
    /// - Parameter describesBySize: Whether descriptions tell the number of bytes instead of the text.
    convenience init(
        _ name: String, _ expectation: String, type: any PropertyValue.Type, storage: SlotKind,
        archiveNumber: UInt8, archived: ArchiveCodec? = nil, text: TextCodec, transformer: TransformerName? = nil,
        precedes: Order? = nil, describesBySize: Bool = false
    ) {
        self.init(
            name, expectation, type: type, storage: storage, archiveNumber: archiveNumber, archived: archived,
            json: .text, text: text, transformer: transformer, precedes: precedes,
            read: { json, slot throws(ModelError) in
                guard case .string(let value) = json else { return .refused(.typeMismatch) }
                return text.read(value, into: slot)
            },
            write: { slot in text.write(slot).map { .string($0) } },
            describe: { slot, length in
                guard !describesBySize, let shown = text.write(slot) else {
                    return ModelError.describe(slot.load(as: type))
                }
                return ModelError.shorten(shown, to: length)
            })
    }
}

/// The result of reading JSON as a kind.
package enum KindReading: Sendable {
    case stored
    /// The JSON is no value of the kind. The expectation is more exact than that of the kind, if there is one; the note
    /// is a detail of the problem.
    case refused(ModelError.Code, expected: String? = nil, note: String? = nil)
}

/// The JSON type of a Swift type or a kind.
package enum JSONScalar: Sendable {
    case boolean, number, text, any
}

/// The way in which values of a kind are spelled as text in JSON.
package struct TextCodec: Sendable {
    /// The expectation in errors about text: "a UUID".
    package let expectation: String
    /// The expectation in errors about other JSON: "text of a UUID".
    package let jsonExpectation: String
    /// The expectation in errors about values that have no text.
    package let writable: String
    /// The Swift type of the values.
    package let type: any PropertyValue.Type
    /// Stores the value of a text.
    package private(set) var read: @Sendable (BorrowedBytes, PropertySlot) -> KindReading
    /// Returns the value of a text.
    let value: @Sendable (String) throws(ModelError) -> (any PropertyValue)?
    /// Returns the text of a slot with a value; nil if it has none.
    package let write: @Sendable (PropertySlot) -> String?
    /// Returns the text of a value; nil if it has none, or another type.
    package let text: @Sendable (any PropertyValue) -> String?
    /// Returns what a text becomes if it is read into a slot and written from there; nil if it has no value.
    private var rewrite: @Sendable (String) -> String?

    /// Describes a text codec by its conversions from and to a Swift type.
    ///
    /// - Parameters:
    ///   - problem: Tells why a text that has no value is refused.
    ///   - writeSlot: Returns the text of a slot, where that is possible without the Swift value.
    init<Value: PropertyValue>(
        _ expectation: String, json: String, writable: String? = nil,
        read: @escaping @Sendable (BorrowedBytes) -> Value?, write: @escaping @Sendable (Value) -> String?,
        problem: @escaping @Sendable (String) -> KindReading = { _ in .refused(.invalidValue) },
        writeSlot: (@Sendable (PropertySlot) -> String?)? = nil
    ) {
        self.expectation = expectation
        jsonExpectation = json
        self.writable = writable ?? expectation
        type = Value.self
        self.read = { bytes, slot in
            guard let value = read(bytes) else { return problem(String(decoding: bytes, as: UTF8.self)) }
            do throws(ModelError) { try value._store(slot) } catch {
                return .refused(error.code, expected: error.expected)
            }
            return .stored
        }
        value = { text throws(ModelError) in
            let value = text.withBorrowedBytes(read)
            if value == nil, case .refused(let code, let expected, let note) = problem(text) {
                throw ModelError(
                    code, expected: expected ?? expectation,
                    found: ModelError.quote(text) + (note.map { ", " + $0 } ?? ""))
            }
            return value
        }
        self.write = writeSlot ?? { slot in write(Value._load(slot)) }
        text = { value in (value as? Value).flatMap(write) }
        rewrite = { text in text.withBorrowedBytes(read).flatMap(write) }
    }

    /// Describes a text codec of dates whose spelling slots keep.
    init(
        date expectation: String, read: @escaping @Sendable (BorrowedBytes) -> SpelledDate?,
        write: @escaping @Sendable (SpelledDate) -> String?,
        problem: @escaping @Sendable (String) -> KindReading = { _ in .refused(.invalidValue) }
    ) {
        self.init(
            expectation, json: "text of a date", writable: "a date of the years 0000 to 9999",
            read: { read($0)?.date }, write: { write(SpelledDate($0)) }, problem: problem,
            writeSlot: { write($0.load(SpelledDate.self)) })
        let refusal = self.read
        self.read = { bytes, slot in
            guard let date = read(bytes) else { return refusal(bytes, slot) }
            slot.replace(with: date)
            return .stored
        }
        rewrite = { text in text.withBorrowedBytes(read).flatMap(write) }
    }

    /// Describes a text codec by its conversions from and to a Swift type.
    init<Value: PropertyValue>(
        _ expectation: String, json: String, writable: String? = nil,
        readString: @escaping @Sendable (String) -> Value?, write: @escaping @Sendable (Value) -> String?,
        writeSlot: (@Sendable (PropertySlot) -> String?)? = nil
    ) {
        self.init(
            expectation, json: json, writable: writable,
            read: { readString(String(decoding: $0, as: UTF8.self)) }, write: write, writeSlot: writeSlot)
    }

    func read(_ text: String, into slot: PropertySlot) -> KindReading {
        text.withBorrowedBytes { bytes in read(bytes, slot) }
    }

    /// Whether a text has a value that is written as the same text.
    package func readsBack(_ text: String) -> Bool {
        rewrite(text).map { UTF8Text.equal($0, text) } ?? false
    }
}

/// The bytes of a kind in archives.
package struct ArchiveCodec: Sendable {
    /// The number of bytes; nil if a length stands before them.
    package let byteCount: Int?
    /// Returns the value of the bytes; nil if they have none.
    package let read: @Sendable (BorrowedBytes) -> (any PropertyValue)?
    /// Passes on the bytes of a slot with a value; returns false if it has none.
    package let write: @Sendable (PropertySlot, (BorrowedBytes) -> Void) -> Bool
    /// Passes on the bytes of a value; returns false if it has another type or none.
    package let writeValue: @Sendable (any PropertyValue, (BorrowedBytes) -> Void) -> Bool

    /// Describes bytes by conversions from and to a Swift type.
    init<Value: PropertyValue>(
        byteCount: Int? = nil, read: @escaping @Sendable (BorrowedBytes) -> Value?,
        write: @escaping @Sendable (Value, (BorrowedBytes) -> Void) -> Bool
    ) {
        self.byteCount = byteCount
        self.read = { read($0) }
        self.write = { slot, take in write(Value._load(slot), take) }
        writeValue = { value, take in
            guard let value = value as? Value else { return false }
            return write(value, take)
        }
    }

    /// Describes values that archives hold as the bytes of another type. Its numbers must be little-endian.
    init<Bytes: BitwiseCopyable, Value: PropertyValue>(
        _ bytes: Bytes.Type, read: @escaping @Sendable (Bytes) -> Value?, write: @escaping @Sendable (Value) -> Bytes
    ) {
        self.init(
            byteCount: MemoryLayout<Bytes>.size, read: { read($0.load(Bytes.self, at: 0)) },
            write: { value, take in
                BorrowedBytes.lend(of: write(value), to: take)
                return true
            })
    }
}
