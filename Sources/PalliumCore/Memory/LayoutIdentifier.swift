/// Tells layouts apart: two models with the same identifier have the same layout.
@frozen
@usableFromInline
package struct LayoutIdentifier: Hashable, Sendable {
    @usableFromInline let address: UInt

    @_transparent
    @usableFromInline
    init(_ rawLayout: UnsafePointer<RawLayout>) { address = UInt(bitPattern: rawLayout) }

    @_transparent
    @usableFromInline
    package static func == (left: LayoutIdentifier, right: LayoutIdentifier) -> Bool { left.address == right.address }
}

/// The facts of a model's layout, for code that does not follow its address.
///
/// Safety: the raw layout lives as long as the model.
extension DynamicModel {
    @inlinable package final var layoutIdentifier: LayoutIdentifier {
        @inline(__always) get { unsafe LayoutIdentifier(rawLayout) }
    }

    /// Whether a property has an inverse, so that its models refer to their parent.
    package final var hasChildProperties: Bool {
        @inline(__always) get { unsafe rawLayout.pointee.hasChildren }
    }

    /// Whether a write does more than change the slot.
    final var noticesWrites: Bool { @inline(__always) get { unsafe rawLayout.pointee.noticesWrites } }

    /// Whether reads and writes are told to observers.
    @inlinable final var isObserved: Bool { @inline(__always) get { unsafe rawLayout.pointee.isObserved } }

    /// The registry of the layout; nil for the shared one.
    final var ownRegistry: SchemaRegistry? {
        @inline(__always) get { unsafe rawLayout.pointee.registry?.takeUnretainedValue() }
    }

    /// The slots by key. The table belongs to the layout.
    final var keyTable: Unowned<KeyTable> { @inline(__always) get { unsafe Unowned(rawLayout.pointee.keys) } }

    /// Makes a model of the same class and layout with every slot unset.
    package final func makeUnset() -> DynamicModel { unsafe .make(rawLayout, type(of: self)) }
}
