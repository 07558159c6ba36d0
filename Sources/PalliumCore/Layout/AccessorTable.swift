import PalliumJSON
import Synchronization

/// Maps the accessors of a model class to slots, so that each key is resolved once.
///
/// An accessor is identified by the address of its name's literal and the type it reads. The table has a fixed size and
/// entries are only added. An entry is one cache line:
///
/// ```
///   (address of "title", String?.self) ──hash──▶ [ 0 | entry | 0 | entry ]
///                                                      └ { address, type, length, key's bytes, slot, state, description }
/// ```
/// The bytes of a name are compared even when its address matches, because another literal may get the address after a
/// library was unloaded.
///
/// Safety: one thread at a time fills entries, under `lock`. It writes the address last, with release ordering; readers
/// read it first, with acquire ordering. It never changes again, so a reader that sees it sees the whole entry. Entries
/// live as long as the layout, and every caller of `find` holds a model of the layout.
@usableFromInline
@safe
package struct AccessorTable: @unchecked Sendable {
    // @unchecked: see above.
    @unsafe
    struct Entry: ~Copyable {
        /// The address of the name's literal; 0 while the entry is free.
        fileprivate let name: Atomic<UInt>
        fileprivate var type: ObjectIdentifier
        fileprivate var length: Int
        /// The name's bytes. The table frees them.
        fileprivate var key: UnsafePointer<UInt8>
        /// The offsets of the slot and its state in the slots of a model.
        var slotOffset: Int
        var stateOffset: Int
        var descriptor: Unmanaged<ValueDescriptor>
        /// Fills the cache line up to 64 bytes.
        private let padding: Int
    }

    private let entries: UnsafeMutablePointer<Entry>
    private let mask: Int
    /// The number of buckets in which an accessor is looked for. If all are taken, it is resolved at every access.
    private static let reach = 8
    /// One lock for all tables: an accessor is entered at most once for each layout.
    private static let lock = Lock<Void>(())

    init(propertyCount: Int) {
        var capacity = 16
        while capacity < propertyCount * 2 { capacity *= 2 }
        mask = capacity - 1
        // An entry of zero bytes is free; the fields after its address are not read.
        let memory = unsafe UnsafeMutableRawPointer.allocate(
            byteCount: capacity * MemoryLayout<Entry>.stride, alignment: 64)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: capacity * MemoryLayout<Entry>.stride)
        unsafe entries = memory.assumingMemoryBound(to: Entry.self)
    }

    /// Frees the table of a layout that has no models any more.
    func deallocate() {
        for bucket in 0...mask {
            let entry = unsafe entries + bucket
            if unsafe entry.pointee.name.load(ordering: .acquiring) != 0 { unsafe entry.pointee.key.deallocate() }
        }
        unsafe entries.deallocate()
    }

    /// Returns the entry of an accessor that was used before.
    @inline(__always)
    func find(
        _ name: UnsafePointer<UInt8>, _ length: Int, _ type: ObjectIdentifier
    ) -> UnsafeMutablePointer<Entry>? {
        var bucket = unsafe Self.hash(name, type) & mask
        for _ in 0..<Self.reach {
            let entry = unsafe entries + bucket
            if unsafe Self.matches(entry, name, length, type) { return unsafe entry }
            bucket = (bucket &+ 1) & mask
        }
        return nil
    }

    @inline(__always)
    private static func matches(
        _ entry: UnsafeMutablePointer<Entry>, _ name: UnsafePointer<UInt8>, _ length: Int, _ type: ObjectIdentifier
    ) -> Bool {
        unsafe entry.pointee.name.load(ordering: .acquiring) == UInt(bitPattern: name) && entry.pointee.type == type
            && entry.pointee.length == length && EightBytes.areEqual(entry.pointee.key, name, length)
    }

    func insert(
        _ name: UnsafePointer<UInt8>, _ length: Int, _ type: ObjectIdentifier, slot: Int,
        table: UnsafePointer<RawLayout>
    ) {
        Self.lock.withLock { _ in
            guard unsafe find(name, length, type) == nil else { return }
            for distance in 0..<Self.reach {
                let entry = unsafe entries + ((Self.hash(name, type) &+ distance) & mask)
                guard unsafe entry.pointee.name.load(ordering: .relaxed) == 0 else { continue }
                let key = UnsafeMutablePointer<UInt8>.allocate(capacity: max(length, 1))
                unsafe key.update(from: name, count: length)
                unsafe entry.pointee.type = type
                unsafe entry.pointee.length = length
                unsafe entry.pointee.key = UnsafePointer(key)
                unsafe entry.pointee.slotOffset = slot &* 16
                unsafe entry.pointee.stateOffset = table.pointee.stateOffset &+ slot
                unsafe entry.pointee.descriptor = table.pointee.descriptors[slot]
                unsafe entry.pointee.name.store(UInt(bitPattern: name), ordering: .releasing)
                return
            }
        }
    }

    @inline(__always)
    private static func hash(_ name: UnsafePointer<UInt8>, _ type: ObjectIdentifier) -> Int {
        let value = UInt64(UInt(bitPattern: name)) ^ (UInt64(UInt(bitPattern: type)) << 1)
        return Int(truncatingIfNeeded: (value &* 0x9E37_79B9_7F4A_7C15) >> 40)
    }
}
