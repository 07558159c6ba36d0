/// A reference that is not counted, to an object that somebody else holds.
///
/// Safety: whoever makes one promises that the object lives as long as the reference is used.
@safe
struct Unowned<Object: AnyObject> {
    /// The reference for functions that take such ones.
    @unsafe let reference: Unmanaged<Object>

    @unsafe @_transparent
    init(_ object: Object) { unsafe reference = .passUnretained(object) }

    @unsafe @_transparent
    init(_ reference: Unmanaged<Object>) { unsafe self.reference = reference }

    /// The object. To read a stored property of it retains nothing. To call a method may, so hot code uses `with`.
    var object: Object { @_transparent get { unsafe reference._withUnsafeGuaranteedRef { $0 } } }

    /// Calls a function with the object, which is not retained for it.
    @_transparent
    func with<Result>(_ body: (Object) throws -> Result) rethrows -> Result {
        try unsafe reference._withUnsafeGuaranteedRef(body)
    }
}
