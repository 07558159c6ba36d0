/// The state of a slot, in one byte beside it.
///
/// ```
/// bit   7        6        5          4            3       2          1 0
///       unused   packed   mentioned  enumeration  boxed   defaulted  0 unset, 1 null, 2 value
/// ```
/// *Boxed* applies to two kinds: the slot refers to a `URL` instead of holding its text, or to the raw text of an
/// unknown enumeration case instead of holding a case number. *Enumeration* lets an integer accessor see, without the
/// schema, that the slot holds a case number. *Packed* applies to URLs, whose text then stands behind the slots of the model
/// or, while the decoder puts the model together, in the decoder's memory.
@frozen
@usableFromInline
package struct SlotState: RawRepresentable, Equatable, Sendable {
    @usableFromInline package var rawValue: UInt8

    @inlinable package init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable package static var unset: SlotState { SlotState(rawValue: 0) }
    /// Unset although the object has a member for it. Used only while an object is decoded, if problems are collected or
    /// the last member of a name does not count.
    @inlinable package static var mentioned: SlotState { SlotState(rawValue: 32) }
    @inlinable package static var null: SlotState { SlotState(rawValue: 1) }
    @inlinable package static var value: SlotState { SlotState(rawValue: 2) }
    @inlinable package static var boxedValue: SlotState { SlotState(rawValue: 2 | 8) }
    @inlinable package static var enumerationCase: SlotState { SlotState(rawValue: 2 | 16) }
    @inlinable package static var packedValue: SlotState { SlotState(rawValue: 2 | 64) }
    @inlinable package static var unknownCase: SlotState { SlotState(rawValue: 2 | 8 | 16) }

    @inlinable package var isUnset: Bool { rawValue & 3 == 0 }
    @inlinable package var isNull: Bool { rawValue & 3 == 1 }
    @inlinable package var hasValue: Bool { rawValue & 2 != 0 }
    @inlinable package var isDefaulted: Bool { rawValue & 4 != 0 }
    @inlinable package var isBoxed: Bool { rawValue & 8 != 0 }
    @inlinable package var isEnumeration: Bool { rawValue & 16 != 0 }

    @inlinable package var isPacked: Bool { rawValue & 64 != 0 }
    /// Whether a URL slot does not hold a `String`.
    @inlinable package var isTextElsewhere: Bool { rawValue & (64 | 8) != 0 }

    /// Whether two slots of a kind are in one state. The form of a URL does not count.
    @inlinable package func isSame(as other: SlotState, _ kind: SlotKind) -> Bool {
        rawValue == other.rawValue || kind == .url && (rawValue ^ other.rawValue) & ~(64 | 8) == 0
    }

    /// The bits that `PropertyState` tells apart.
    package var propertyBits: UInt8 { rawValue & 7 }

    @inlinable package var asDefaulted: SlotState { SlotState(rawValue: rawValue | 4) }
    @inlinable package var withoutMark: SlotState { SlotState(rawValue: rawValue & ~4) }
    @inlinable package var unpacked: SlotState { SlotState(rawValue: rawValue & ~64) }
}
