import Foundation
import PalliumJSON

// Bool and the kinds of numbers.
//
// Safety: a slot with a value holds the type of its kind; the bytes of archives are copied.
extension KindTraits {
    static let bool = KindTraits(
        "bool", "a bool", type: Bool.self, storage: .bool, archiveNumber: 1, json: .boolean,
        read: { json, slot throws(ModelError) in
            guard case .bool(let value) = json else { return .refused(.typeMismatch) }
            try value._store(slot)
            return .stored
        },
        write: { .bool(Bool._load($0)) }, describe: { slot, _ in "\(Bool._load(slot))" })

    /// Returns the kind of signed integers with a width.
    static func integer(_ width: PropertyKind.IntegerWidth) -> KindTraits { integers[width]! }
    /// Returns the kind of unsigned integers with a width.
    static func unsigned(_ width: PropertyKind.IntegerWidth) -> KindTraits { unsigned[width]! }

    // `byWidth` makes one object for every width, so each is found; kinds are compared by identity.
    private static let integers = byWidth(makeInteger)
    private static let unsigned = byWidth(makeUnsigned)

    private static func byWidth(
        _ make: (PropertyKind.IntegerWidth) -> KindTraits
    ) -> [PropertyKind.IntegerWidth: KindTraits] {
        Dictionary(uniqueKeysWithValues: PropertyKind.IntegerWidth.allCases.map { ($0, make($0)) })
    }

    private static func makeInteger(_ width: PropertyKind.IntegerWidth) -> KindTraits {
        integer(
            width, "int", "integer", "an", type: width.types.signed, storage: .integer, archiveNumber: 2,
            read: \.int64, fits: { $0.signedRange.contains($1) })
    }

    private static func makeUnsigned(_ width: PropertyKind.IntegerWidth) -> KindTraits {
        integer(
            width, "uint", "unsigned", "an unsigned", type: width.types.unsigned, storage: .unsigned, archiveNumber: 3,
            read: \.uint64, fits: { $1 <= $0.unsignedMaximum })
    }

    private static func integer<Stored: FixedWidthInteger & Sendable>(
        _ width: PropertyKind.IntegerWidth, _ shortName: String, _ longName: String, _ article: String,
        type: any PropertyValue.Type, storage: SlotKind, archiveNumber: UInt8,
        read: @escaping @Sendable (JSONNumber) -> Stored?, fits: @escaping @Sendable (ValueDescriptor, Stored) -> Bool
    ) -> KindTraits {
        let isLong = width == .bits64
        let expectation = "\(article) integer"
        return number(
            isLong ? longName : "\(shortName)\(width.rawValue)",
            isLong ? expectation : "\(expectation) of \(width.rawValue) bits", type, storage,
            archiveNumber: archiveNumber, precedes: { $0.load(Stored.self) < $1.load(Stored.self) },
            read: { number, slot throws(ModelError) in
                guard let integer = read(number), fits(slot.description, integer) else {
                    // A fraction is no integer at all; an integer is too large or too small.
                    return number.isInteger
                        ? .refused(.numberOutOfRange, expected: slot.description.rangeExpectation)
                        : .refused(.typeMismatch)
                }
                slot.replace(with: integer)
                return .stored
            },
            write: { JSONNumber($0.load(Stored.self)) }, describe: { slot in "\(slot.load(Stored.self))" })
    }

    static let double = number(
        "double", "a number", Double.self, .double, archiveNumber: 4, precedes: doublePrecedes,
        read: { number, slot throws(ModelError) in store(number.double, in: slot) },
        write: { JSONNumber(written: $0.load(Double.self)) }, describe: { slot in "\(slot.load(Double.self))" })

    static let float = number(
        "float", "a number", Float.self, .double, archiveNumber: 5,
        archived: ArchiveCodec(
            UInt32.self, read: { Float(bitPattern: UInt32(littleEndian: $0)) },
            write: { (value: Float) in value.bitPattern.littleEndian }),
        precedes: doublePrecedes,
        read: { number, slot throws(ModelError) in store(Double(number.float), in: slot) },
        write: { JSONNumber(single: $0.load(Double.self)) }, describe: { slot in "\(slot.load(Double.self))" })

    private static let doublePrecedes: Order = { $0.load(Double.self) < $1.load(Double.self) }

    private static func store(_ number: Double, in slot: PropertySlot) -> KindReading {
        guard number.isFinite else { return .refused(.numberOutOfRange, expected: "a finite number") }
        slot.replace(with: number)
        return .stored
    }

    static let decimal = number(
        "decimal", "a decimal number", Decimal.self, .decimal, archiveNumber: 6,
        archived: ArchiveCodec(
            read: { DecimalText.archived($0) },
            write: { value, take in
                guard let text = DecimalText.scaledText(of: value) else { return false }
                text.withBorrowedBytes(take)
                return true
            }),
        precedes: { Decimal._load($0) < Decimal._load($1) },
        read: { number, slot throws(ModelError) in
            guard let decimal = DecimalText.value(in: number.text) else { return .refused(.numberOutOfRange) }
            try decimal._store(slot)
            return .stored
        },
        write: { DecimalText.write(Decimal._load($0)).flatMap { JSONNumber(text: $0) } },
        describe: { slot in "\(Decimal._load(slot))" })

    private static func number(
        _ name: String, _ expectation: String, _ type: any PropertyValue.Type, _ storage: SlotKind,
        archiveNumber: UInt8, archived: ArchiveCodec? = nil, precedes: @escaping Order,
        read: @escaping @Sendable (JSONNumber, PropertySlot) throws(ModelError) -> KindReading,
        write: @escaping @Sendable (PropertySlot) -> JSONNumber?,
        describe: @escaping @Sendable (PropertySlot) -> String
    ) -> KindTraits {
        KindTraits(
            name, expectation, type: type, storage: storage, archiveNumber: archiveNumber, archived: archived,
            json: .number, precedes: precedes,
            read: { json, slot throws(ModelError) in
                guard case .number(let number) = json else { return .refused(.typeMismatch) }
                return try read(number, slot)
            },
            write: { slot in write(slot).map { .number($0) } }, describe: { slot, _ in describe(slot) })
    }
}

extension PropertyKind.IntegerWidth {
    fileprivate var types: (signed: any PropertyValue.Type, unsigned: any PropertyValue.Type) {
        switch self {
        case .bits8: (Int8.self, UInt8.self)
        case .bits16: (Int16.self, UInt16.self)
        case .bits32: (Int32.self, UInt32.self)
        // `Int` where it holds every 64-bit integer, which it does not on 32-bit watches.
        #if _pointerBitWidth(_32)
            case .bits64: (Int64.self, UInt64.self)
        #else
            case .bits64: (Int.self, UInt.self)
        #endif
        }
    }
}

extension TextCodec {
    static let decimal = TextCodec(
        "text of a decimal number", json: "text of a number", writable: "a decimal number",
        read: DecimalText.parse, write: { (value: Decimal) in DecimalText.write(value) })

    /// A decimal number with as many digits after the full stop as the text has.
    static let scaledDecimal = TextCodec(
        "text of a decimal number", json: "text of a number", writable: "a decimal number",
        readString: { DecimalText.scaledValue(in: $0) },
        write: { (value: Decimal) in DecimalText.scaledText(of: value) })

    static let integer = TextCodec(
        "text of an integer", json: "text of a number", read: IntegerText.parse, write: { (value: Int64) in "\(value)" }
    )
}

extension DecimalText {
    /// Returns the number of archived text, with the digits that it had.
    fileprivate static func archived(_ bytes: BorrowedBytes) -> Decimal? {
        guard let decimal = parse(bytes) else { return nil }
        // The number was archived with its digits; few end with zeros.
        guard bytes.last == UInt8(ascii: "0") else { return decimal }
        return scaledValue(in: String(decoding: bytes, as: UTF8.self)) ?? decimal
    }
}

extension JSONNumber {
    /// Makes the shortest number that reads back as the same `Float`; nil for NaN and infinity.
    init?(single number: Double) { self.init(text: "\(Float(number))") }
}
