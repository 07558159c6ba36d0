import PalliumCore

/// The members of one JSON object that a model reads: of its own object, or of an object on the way of key paths.
///
/// The decoder walks `entries`, plain bytes that point at one another.
///
/// Safety: the node owns the memory, which is allocated once and freed in `deinit`; the nodes and plans that entries
/// refer to are held by the plan set, which the adapter holds.
@safe
final class DecodingNode {
    /// What is done with a member.
    enum Action: UInt8 {
        /// Its value goes into a slot.
        case value
        /// It is an object on the way of key paths.
        case path
        /// It is kept until the object has ended; the `node` knows the members that it may have.
        case capture
        /// It is known and not read.
        case ignore
    }

    /// What belongs to its action is there, so the decoder unwraps it: entries of values have a `value`, of paths a `node`.
    @unsafe
    struct Entry {
        let name: UnsafePointer<UInt8>
        /// How many bytes the name has. A name that JSON can only spell with escapes has more than any text: what stands
        /// in the text is then never the name, and is looked up unescaped.
        let nameCount: Int
        let action: Action
        let slot: Int
        let value: UnsafePointer<ValueTable>?
        let node: Unmanaged<DecodingNode>?
        /// The member is the discriminator of a cluster.
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

    /// For frames that have no entries.
    static var noEntries: UnsafePointer<Entry> {
        // Never read, because the number of entries is zero; the address only has to be aligned and not nil.
        unsafe UnsafePointer(bitPattern: MemoryLayout<Entry>.alignment)!
    }

    let names: [String]
    /// Whether members that have no entry are known, though nothing reads them.
    let isIgnored: Bool
    let entries: UnsafePointer<Entry>
    let count: Int
    let table: KeyTable
    /// The slots that are read here and below: they become null when the object on the way is null.
    let slots: [Int]
    // What the entries point at.
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
        let entries = UnsafeMutablePointer<Entry>.allocate(capacity: max(1, members.count))
        var offset = 0
        for (index, member) in members.enumerated() {
            let start = unsafe nameBytes + offset
            for byte in member.name.utf8 {
                unsafe (nameBytes + offset).initialize(to: byte)
                offset += 1
            }
            unsafe (entries + index).initialize(
                to: Entry(
                    name: UnsafePointer(start), nameCount: Self.plainCount(of: member.name), action: member.action,
                    slot: member.slot, value: member.value.map { unsafe UnsafePointer($0.table) },
                    node: member.node.map { unsafe Unmanaged.passUnretained($0) },
                    check: member.check.map { unsafe Unmanaged.passUnretained($0) }))
        }
        unsafe self.entries = UnsafePointer(entries)
    }

    /// What may stand in the member of a name, and what checks it; nil for a member that nothing knows.
    func member(_ name: String) -> (node: DecodingNode?, check: DiscriminatorCheck?)? {
        table.find(name).map { number in
            let entry = unsafe entries[number]
            return unsafe (entry.node?.takeUnretainedValue(), entry.check?.takeUnretainedValue())
        }
    }

    private static func plainCount(of name: String) -> Int {
        let needsEscapes = name.utf8.contains { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
        return needsEscapes ? .max : name.utf8.count
    }

    deinit {
        unsafe entries.deallocate()
        unsafe nameBytes.deallocate()
    }
}
