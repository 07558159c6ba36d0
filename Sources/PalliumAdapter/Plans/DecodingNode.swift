import PalliumCore
import PalliumJSON

/// The members that a model reads from one JSON object: its own, or an object on a key path.
///
/// The decoder walks `entries`, plain bytes that point at one another. Behind them lies the `MemberOrder`.
///
/// Safety: the node owns the memory, which is allocated once and freed in `deinit`; the plans, which the adapter
/// holds, hold the nodes and plans that entries refer to.
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
        /// Skip it; it belongs to properties that are not selected, or is the text that names the model.
        case skip
        /// Keep its members with the model: those that no property maps, in the stored format.
        case unknownMembers
    }

    /// A member with its action. The decoder unwraps the fields of the action: `value` for values, `node` for paths.
    @safe
    struct Entry {
        let name: JSONExpectedName
        let action: Action
        let slot: Int
        let value: ValueHandle?
        /// The value of a member that has no check, as most have none.
        let uncheckedValue: ValueHandle?
        let node: Unowned<DecodingNode>?
        /// The check of a member that is the discriminator of a cluster.
        let check: Unowned<DiscriminatorCheck>?
    }

    /// A member as the builder describes it.
    struct Member {
        let name: String
        var action: Action
        var slot = -1
        var value: ValuePlan?
        var node: DecodingNode?
        var check: DiscriminatorCheck?
    }

    let members: [Member]
    let names: [String]
    /// Whether members without an entry are ignored instead of unknown.
    let isIgnored: Bool
    /// The members that clusters read although no property does: they are not unknown. All models of a cluster share
    /// them.
    private let lookedAt: DecodingNode?
    let entries: EntryList
    let table: KeyTable
    /// The slots that this node and its descendants read; they become null if the object is null.
    let slots: [Int]
    private let memory: UnsafeMutableRawPointer
    private let nameBytes: UnsafeMutablePointer<UInt8>

    init(_ members: [Member], isIgnored: Bool, lookedAt: DecodingNode? = nil) {
        self.isIgnored = isIgnored
        self.lookedAt = lookedAt
        self.members = members
        hasChecks = members.contains { $0.check != nil || $0.node?.hasChecks ?? false }
        names = members.map(\.name)
        let count = members.count
        table = KeyTable(names)
        slots = members.flatMap { member in member.action == .value ? [member.slot] : member.node?.slots ?? [] }
        unsafe nameBytes = .allocate(capacity: max(1, names.reduce(0) { $0 + $1.utf8.count }))
        unsafe memory = .allocate(
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
            let value = member.value.map { unsafe $0.handle }
            unsafe (entries + index).initialize(
                to: Entry(
                    name: JSONExpectedName(start, member.name.utf8.count), action: member.action, slot: member.slot,
                    value: value, uncheckedValue: member.check == nil ? value : nil,
                    node: member.node.map { unsafe Unowned($0) }, check: member.check.map { unsafe Unowned($0) }))
        }
        unsafe MemberOrder(behind: entries, count: count).initialize(count: count)
        unsafe self.entries = EntryList(entries, count: count)
    }

    /// Returns a member; nil for an unknown one.
    func member(_ name: String) -> Member? { table.find(name).map { members[$0] } ?? lookedAt?.member(name) }

    /// Whether this node or a descendant has the discriminator of a cluster.
    let hasChecks: Bool

    /// Returns the node that reads only selected slots and skips the other members.
    ///
    /// All members stay known and in their order, by which the decoder finds them. Recursion is bounded by the length of
    /// key paths.
    ///
    /// - Parameter captured: The members that deferred properties still read.
    func projected(
        to selection: SelectedSlots, _ values: [ValuePlan], capturing captured: Set<UTF8Key>
    ) -> DecodingNode {
        let selected = members.map { member in
            var member = member
            let isRead: Bool
            switch member.action {
            case .value:
                isRead = selection.contains(member.slot)
                if isRead { member.value = values[member.slot] }
            case .path:
                let node = member.node?.projected(to: selection, values, capturing: [])
                isRead = member.node?.slots.isEmpty ?? true || node?.slots.isEmpty == false || node?.hasChecks ?? false
                member.node = node
            case .capture: isRead = captured.contains(UTF8Key(member.name)) || member.node?.hasChecks ?? false
            case .ignore, .skip, .unknownMembers: isRead = true
            }
            return isRead ? member : Member(name: member.name, action: .skip, check: member.check)
        }
        return DecodingNode(selected, isIgnored: isIgnored, lookedAt: lookedAt)
    }

    deinit {
        unsafe memory.deallocate()
        unsafe nameBytes.deallocate()
    }
}
