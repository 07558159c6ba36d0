/// A reference that is not counted, to an object that somebody else holds.
///
/// Two references are equal if they are to the same object.
///
/// Safety: whoever makes one promises that the object lives as long as the reference is used.
@frozen
@usableFromInline
@safe
package struct Unowned<Object: AnyObject>: Hashable {
    /// The reference for functions that take such ones.
    @unsafe @usableFromInline package let reference: Unmanaged<Object>

    @unsafe @_transparent
    @usableFromInline
    package init(_ object: Object) { unsafe reference = .passUnretained(object) }

    @unsafe @_transparent
    @usableFromInline
    package init(_ reference: Unmanaged<Object>) { unsafe self.reference = reference }

    /// The object. To read a stored property of it retains nothing. To call a method may, so hot code uses `with`.
    @usableFromInline package var object: Object {
        @_transparent get { unsafe reference._withUnsafeGuaranteedRef { $0 } }
    }

    /// Calls a function with the object, which is not retained for it.
    @_transparent
    @usableFromInline
    package func with<Result>(_ body: (Object) throws -> Result) rethrows -> Result {
        try unsafe reference._withUnsafeGuaranteedRef(body)
    }

    /// The address of the object, by which references are told apart.
    @usableFromInline package var address: UInt {
        @_transparent get { UInt(bitPattern: unsafe reference.toOpaque()) }
    }

    @_transparent
    @usableFromInline
    package static func == (left: Unowned, right: Unowned) -> Bool { left.address == right.address }

    @inlinable
    package func hash(into hasher: inout Hasher) { hasher.combine(address) }
}

/// Calls a function with an object, which is not retained once more for it.
///
/// Safety: the caller holds the object during the call, as every argument is held.
@_transparent
func uncounted<Object: AnyObject, Result>(_ object: Object, _ body: (Object) throws -> Result) rethrows -> Result {
    try unsafe Unowned(object).with(body)
}
