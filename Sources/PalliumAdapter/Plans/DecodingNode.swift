import PalliumCore
import PalliumJSON

/// The members that a model reads from one JSON object: its own, or an object on a key path.
///
/// The decoder walks `entries`, plain bytes that point at one another. Behind them lies the `MemberOrder`.
///
/// Safety: the node owns the memory, which is allocated once and freed in `deinit`; the plan set, which the adapter
/// holds, holds the nodes and plans that entries refer to.
@safe
final class DecodingNode {
    /// The way a member is decoded.
    enum Action: UInt8 {
        /// Store its value in a slot.
        case value
        /// Begin an object on a key path.
        case path
        /// Capture it until the object has ended; the `node` has the members that it may have.
        case capture
        /// Skip it; it is not unknown.
        case ignore
    }

    /// A member with its action. The decoder unwraps the fields of the action: `value` for values, `node` for paths.
    @unsafe
    struct Entry {
        let name: JSONExpectedName
        let action: Action
        let slot: Int
        let value: UnsafePointer<ValueTable>?
        /// The value of a member that has no check, as most have none.
        let uncheckedValue: UnsafePointer<ValueTable>?
        let node: Unmanaged<DecodingNode>?
        /// The check of a member that is the discriminator of a cluster.
        let check: Unmanaged<DiscriminatorCheck>?
    }

    /// A member as the builder describes it.
    struct Member {
        let name: String
        let action: Action
        var slot = -1
        var value: ValuePlan?
        var node: DecodingNode?
        var check: DiscriminatorCheck?
    }

    /// The entries of frames without members.
    static var noEntries: UnsafePointer<Entry> {
        // Never read, because the count is zero; the address only has to be aligned and not nil.
        unsafe UnsafePointer(bitPattern: MemoryLayout<Entry>.alignment)!
    }

    let names: [String]
    /// Whether members without an entry are ignored instead of unknown.
    let isIgnored: Bool
    let entries: UnsafePointer<Entry>
    let count: Int
    let table: KeyTable
    /// The slots that this node and its descendants read; they become null if the object is null.
    let slots: [Int]
    // The nodes that the entries point at.
    private let children: [DecodingNode]
    private let nameBytes: UnsafeMutablePointer<UInt8>

    init(_ members: [Member], isIgnored: Bool) {
        self.isIgnored = isIgnored
        names = members.map(\.name)
        count = members.count
        children = members.compactMap(\.node)
        table = KeyTable(names)
        slots = members.flatMap { member in member.action == .value ? [member.slot] : member.node?.slots ?? [] }
        unsafe nameBytes = .allocate(capacity: max(1, names.reduce(0) { $0 + $1.utf8.count }))
        let memory = unsafe UnsafeMutableRawPointer.allocate(
            byteCount: MemoryLayout<Entry>.stride * count + MemberOrder.byteCount(count),
            alignment: MemoryLayout<Entry>.alignment)
        let entries = unsafe memory.bindMemory(to: Entry.self, capacity: count)
        var offset = 0
        for (index, member) in members.enumerated() {
            let start = unsafe nameBytes + offset
            for byte in member.name.utf8 {
                unsafe (nameBytes + offset).initialize(to: byte)
                offset += 1
            }
            let value = unsafe member.value.map { unsafe UnsafePointer($0.table) }
            unsafe (entries + index).initialize(
                to: Entry(
                    name: JSONExpectedName(start, member.name.utf8.count), action: member.action, slot: member.slot,
                    value: value, uncheckedValue: member.check == nil ? value : nil,
                    node: member.node.map { unsafe Unmanaged.passUnretained($0) },
                    check: member.check.map { unsafe Unmanaged.passUnretained($0) }))
        }
        unsafe self.entries = UnsafePointer(entries)
        unsafe MemberOrder(behind: self.entries, count: count).initialize(count: count)
    }

    /// Returns the node and the check of a member; nil for an unknown member.
    func member(_ name: String) -> (node: DecodingNode?, check: DiscriminatorCheck?)? {
        table.find(name).map { number in
            let entry = unsafe entries[number]
            return unsafe (entry.node?.takeUnretainedValue(), entry.check?.takeUnretainedValue())
        }
    }

    deinit {
        unsafe entries.deallocate()
        unsafe nameBytes.deallocate()
    }
}
