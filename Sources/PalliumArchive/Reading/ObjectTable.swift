import PalliumCore

/// The objects of an archive by number, as far as they were made.
///
/// Safety: the memory has room for `count` entries, which are initialised. The table owns one reference to each object,
/// and releases it at its end.
@safe
struct ObjectTable: ~Copyable {
    private let objects: UnsafeMutablePointer<Unmanaged<DynamicModel>?>
    let count: Int

    init(count: Int) {
        self.count = count
        unsafe objects = .allocate(capacity: max(count, 1))
        unsafe objects.initialize(repeating: nil, count: count)
    }

    deinit {
        for number in 0..<count { unsafe objects[number]?.release() }
        unsafe objects.deallocate()
    }

    /// The object with a number; nil if it was not made. It lives as long as the table.
    subscript(number: Int) -> Unowned<DynamicModel>? {
        @inline(__always) get {
            precondition(UInt(bitPattern: number) < UInt(bitPattern: count))
            return unsafe objects[number].map { unsafe Unowned($0) }
        }
    }

    /// Enters the object with a number, which was not made before.
    func enter(_ object: DynamicModel, at number: Int) -> Unowned<DynamicModel> {
        precondition(self[number] == nil)
        let reference = unsafe Unmanaged.passRetained(object)
        unsafe objects[number] = reference
        return unsafe Unowned(reference)
    }
}
