import PalliumJSON
public import PalliumMemory
import Synchronization

/// Maps the accessors of a model class to slots, so that each key is resolved once.
///
/// An accessor is identified by the address of its name's literal and the type it reads. The table has a fixed size and
/// entries are only added. The code that finds an entry is inlined into accessors:
///
/// ```
///   address of "title" ──hash──▶ [ · | entry | · | entry ]       · no entry
///                                      └▶ { address, type, descriptor, slot, state }
/// ```
///
/// Safety: one thread at a time adds entries, under `lock`. It stores the address of an entry, which never changes again,
/// with release ordering; readers load it with acquire ordering, so they see the whole entry. Swift does not unload
/// libraries, so a literal keeps its address. Entries live as long as the layout, and every caller of `find` holds a model
/// of the layout.
@frozen
@usableFromInline
@safe
package struct AccessorTable: @unchecked Sendable {
    // @unchecked: see above.
    @frozen
    @usableFromInline
    @unsafe
    struct Entry {
        /// The address of the name's literal; 0 in the entry that stands for none.
        @usableFromInline let name: UInt
        @usableFromInline let type: ObjectIdentifier?
        @usableFromInline let descriptor: Unmanaged<ValueDescriptor>?
        /// The offsets from the slots of a model to the slot and to its state.
        @usableFromInline let slotOffset: Int32
        @usableFromInline let stateOffset: Int32
    }

    /// The addresses of entries.
    @usableFromInline let buckets: UnsafeMutablePointer<UnsafeRawPointer>
    /// Turns a hash into the offset of a bucket.
    @usableFromInline let mask: Int
    /// The entry of all free buckets, so that a lookup needs no test for one.
    private let none: UnsafeMutablePointer<Entry>
    private static let bucketSize = MemoryLayout<UInt>.stride
    /// The number of buckets in which an accessor is looked for. If all are taken, it is resolved at every access.
    private static let reach = 8
    /// One lock for all tables: an accessor is entered at most once for each layout.
    private static let lock = Lock<Void>(())

    init(propertyCount: Int) {
        var capacity = 16
        while capacity < propertyCount * 4 { capacity *= 2 }
        mask = (capacity - 1) * Self.bucketSize
        unsafe none = .allocate(capacity: 1)
        unsafe none.initialize(to: Entry(name: 0, type: nil, descriptor: nil, slotOffset: 0, stateOffset: 0))
        unsafe buckets = .allocate(capacity: capacity)
        unsafe buckets.initialize(repeating: UnsafeRawPointer(none), count: capacity)
    }

    /// Frees the table of a layout that has no models any more.
    func deallocate() {
        for offset in stride(from: 0, through: mask, by: Self.bucketSize) {
            let entry = unsafe self.entry(at: offset)
            if unsafe entry != UnsafePointer(none) { unsafe entry.deallocate() }
        }
        unsafe none.deallocate()
        unsafe buckets.deallocate()
    }

    /// Returns the entry of an accessor that was used before and has the bucket of its hash, as nearly all have.
    @inlinable @inline(__always)
    func findFirst(_ name: UnsafePointer<UInt8>, _ type: ObjectIdentifier) -> UnsafePointer<Entry>? {
        let entry = unsafe self.entry(at: Self.hash(name) & mask)
        return unsafe entry.pointee.name == UInt(bitPattern: name) && entry.pointee.type == type ? entry : nil
    }

    /// Returns the entry of an accessor that was used before and has the bucket behind that of its hash, as nearly all of
    /// observed models have.
    @inline(__always)
    func findSecond(_ name: UnsafePointer<UInt8>, _ type: ObjectIdentifier) -> UnsafePointer<Entry>? {
        let entry = unsafe self.entry(at: (Self.hash(name) &+ Self.bucketSize) & mask)
        return unsafe entry.pointee.name == UInt(bitPattern: name) && entry.pointee.type == type ? entry : nil
    }

    /// Returns the entry of an accessor that was used before.
    func find(_ name: UnsafePointer<UInt8>, _ type: ObjectIdentifier) -> UnsafePointer<Entry>? {
        // Not the sequence below, which the compiler does not take apart here.
        var hash = unsafe Self.hash(name)
        for _ in 0..<Self.reach {
            let offset = hash & mask
            hash &+= Self.bucketSize
            let entry = unsafe self.entry(at: offset)
            if unsafe entry.pointee.name == UInt(bitPattern: name) && entry.pointee.type == type { return unsafe entry }
        }
        return nil
    }

    func insert(
        _ name: UnsafePointer<UInt8>, _ type: ObjectIdentifier, slot: Int, in rawLayout: UnsafePointer<RawLayout>
    ) {
        Self.lock.withLock { _ in
            // Accessors of observed models are never found at once, so that the long way can tell of the read.
            let isObserved = unsafe rawLayout.pointee.isObserved
            guard unsafe find(name, type) == nil,
                let free = unsafe offsets(of: name).dropFirst(isObserved ? 1 : 0).first(where: {
                    unsafe self.entry(at: $0) == UnsafePointer(none)
                })
            else { return }
            let entry = UnsafeMutablePointer<Entry>.allocate(capacity: 1)
            // A layout has at most 65,536 slots of 16 bytes.
            unsafe entry.initialize(
                to: Entry(
                    name: UInt(bitPattern: name), type: type, descriptor: rawLayout.pointee.descriptors[slot],
                    slotOffset: Int32(slot &* 16), stateOffset: Int32(rawLayout.pointee.stateOffset &+ slot)))
            unsafe (UnsafeMutableRawPointer(buckets) + free).assumingMemoryBound(to: Atomic<UInt>.self).pointee.store(
                UInt(bitPattern: entry), ordering: .releasing)
        }
    }

    /// The offsets of the buckets that an accessor may have.
    private func offsets(of name: UnsafePointer<UInt8>) -> some Sequence<Int> {
        let hash = unsafe Self.hash(name)
        return (0..<Self.reach).lazy.map { (hash &+ $0 &* Self.bucketSize) & mask }
    }

    @inlinable @inline(__always)
    func entry(at offset: Int) -> UnsafePointer<Entry> {
        let bucket = unsafe (UnsafeRawPointer(buckets) + offset).assumingMemoryBound(to: UnsafeRawPointer.self)
        return unsafe pallium_load_address(bucket).assumingMemoryBound(to: Entry.self)
    }

    /// Multiplies the address by the golden ratio. The address of a literal is a constant, so a loop computes this once.
    @inlinable @inline(__always)
    static func hash(_ name: UnsafePointer<UInt8>) -> Int {
        Int(truncatingIfNeeded: (UInt64(UInt(bitPattern: name)) &* 0x9E37_79B9_7F4A_7C15) >> 32)
    }
}

/// The slots of accessors that were used before.
///
/// Safety: the raw layout and the slots live as long as the model, which every caller holds. The table returns slots that
/// were found for the same layout and type. A literal without an address is never in it.
extension DynamicModel {
    /// The slot of an accessor that has the bucket of its hash, as nearly all have.
    @inlinable @inline(__always)
    final func firstSlot(ofAccessor key: StaticString, _ type: ObjectIdentifier) -> PropertySlot? {
        guard _fastPath(key.hasPointerRepresentation),
            let entry = unsafe rawLayout.pointee.accessors.findFirst(key.utf8Start, type)
        else { return nil }
        return unsafe slot(of: entry)
    }

    /// The slot of an accessor that has the bucket behind that of its hash, as nearly all of observed models have.
    @inline(__always)
    final func secondSlot(ofAccessor key: StaticString, _ type: ObjectIdentifier) -> PropertySlot? {
        guard key.hasPointerRepresentation,
            let entry = unsafe rawLayout.pointee.accessors.findSecond(key.utf8Start, type)
        else { return nil }
        return unsafe slot(of: entry)
    }

    /// The slot of an accessor.
    final func knownSlot(ofAccessor key: StaticString, _ type: ObjectIdentifier) -> PropertySlot? {
        guard key.hasPointerRepresentation, let entry = unsafe rawLayout.pointee.accessors.find(key.utf8Start, type)
        else { return nil }
        return unsafe slot(of: entry)
    }

    /// Enters the slot of an accessor. That of a literal without an address is looked for at every access.
    final func enter(_ slot: Int, ofAccessor key: StaticString, _ type: ObjectIdentifier) {
        guard key.hasPointerRepresentation else { return }
        unsafe rawLayout.pointee.accessors.insert(key.utf8Start, type, slot: slot, in: rawLayout)
    }

    /// Returns the slot of an entry that was found for an accessor.
    @inlinable @inline(__always)
    final func slot(of entry: UnsafePointer<AccessorTable.Entry>) -> PropertySlot {
        // Free buckets share an entry whose name is 0. No literal has the address 0.
        unsafe PropertySlot(
            pointer: slots + Int(entry.pointee.slotOffset),
            state: (slots + Int(entry.pointee.stateOffset)).assumingMemoryBound(to: UInt8.self),
            descriptor: entry.pointee.descriptor.unsafelyUnwrapped)
    }
}
