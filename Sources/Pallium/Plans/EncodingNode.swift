import PalliumCore
import PalliumJSON

/// The members of one JSON object that a model writes: of its own object, or of an object on the way of key paths.
///
/// The encoder walks `entries`, plain bytes that point at one another.
///
/// Safety: the node owns the memory, which is allocated once and freed in `deinit`; the nodes and plans that entries
/// refer to are held by the plan set, which the adapter holds.
@safe
final class EncodingNode {
    enum Action: UInt8 {
        /// The value of a slot; where the slot has none, a constant if there is one: what a cluster looks at.
        case value
        /// One part of a value that is split over several members.
        case part
        /// An object on the way of key paths.
        case node
        /// A value that no property holds: what a cluster looks at.
        case constant
        /// The value of a slot, which must be what the cluster takes for a model of the layout.
        case discriminator
        /// No member: before the others, notes that a cluster may not read the model back.
        case cluster
    }

    /// What belongs to its action is there, so the encoder unwraps it: values, discriminators and parts have a `value`,
    /// nodes a `node`, constants a `constant`.
    @unsafe
    struct Entry {
        /// `,"name":` with its comma.
        let prefix: UnsafePointer<UInt8>
        let prefixCount: Int
        let action: Action
        let slot: Int
        let value: UnsafePointer<ValueTable>?
        let node: Unmanaged<EncodingNode>?
        /// The JSON text of a constant.
        let constant: UnsafePointer<UInt8>?
        let constantCount: Int
        let nilPolicy: NilPolicy?
    }

    /// A member as the builder describes it.
    struct Member {
        let name: String
        let action: Action
        var slot = -1
        var value: ValuePlan?
        var node: EncodingNode?
        var constant: JSONValue?
        /// The name of the part among the parts of its value.
        var part: String?
        /// What a discriminator is checked by.
        var check: DiscriminatorCheck?
        /// What clusters make of the models, by the layout that has the cluster.
        var verdicts: [ObjectIdentifier: ClusterMembers.Verdict] = [:]
    }

    let members: [Member]
    let entries: UnsafePointer<Entry>
    let count: Int
    /// The slots that are written here and below.
    let slots: [Int]
    private var memory: [UnsafeMutableBufferPointer<UInt8>] = unsafe []

    init(_ members: [Member]) {
        self.members = members
        count = members.count
        slots = members.flatMap { $0.node?.slots ?? ($0.slot >= 0 ? [$0.slot] : []) }
        let entries = UnsafeMutablePointer<Entry>.allocate(capacity: max(1, members.count))
        unsafe self.entries = UnsafePointer(entries)
        for (index, member) in members.enumerated() {
            var quoted = JSONByteBuffer()
            quoted.append(byte: UInt8(ascii: ","))
            quoted.append(quoted: member.name)
            quoted.append(byte: UInt8(ascii: ":"))
            let prefix = unsafe keep(quoted.bytes)
            var constant: UnsafeMutableBufferPointer<UInt8>?
            if let value = member.constant {
                unsafe constant = keep(Array(value.description.utf8))
            }
            unsafe (entries + index).initialize(
                to: Entry(
                    prefix: UnsafePointer(prefix.baseAddress!), prefixCount: prefix.count, action: member.action,
                    slot: member.slot, value: member.value.map { unsafe UnsafePointer($0.table) },
                    node: member.node.map { unsafe Unmanaged.passUnretained($0) },
                    constant: constant.map { unsafe UnsafePointer($0.baseAddress!) },
                    constantCount: constant?.count ?? 0,
                    nilPolicy: member.value?.descriptor.property.nilPolicy))
        }
    }

    deinit {
        unsafe entries.deallocate()
        unsafe memory.forEach { unsafe $0.deallocate() }
    }

    /// The member of a name; nil when the node writes none.
    func member(named name: String) -> Member? {
        members.first { $0.action != .cluster && UTF8Text.equal($0.name, name) }
    }

    /// What of an object this node does not write: the members that must be kept beside the model to come back.
    ///
    /// Recursion is bounded by the length of key paths.
    func leftover(of object: JSONObject) -> JSONObject {
        var result = JSONObject()
        for (name, value) in object {
            guard let member = member(named: name) else {
                result.updateValue(value, forKey: name)
                continue
            }
            if let node = member.node {
                result.updateValue(value.objectValue.map { .object(node.leftover(of: $0)) } ?? value, forKey: name)
            }
        }
        return result
    }

    /// A copy of bytes (never none of them) that lives as long as the node, with room behind up to a multiple of 16, as
    /// the buffer wants it for short text.
    private func keep(_ bytes: [UInt8]) -> UnsafeMutableBufferPointer<UInt8> {
        let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: (bytes.count + 17) / 16 * 16 + 16)
        unsafe room.initialize(repeating: 0)
        _ = unsafe room.update(fromContentsOf: bytes)
        let copy = unsafe UnsafeMutableBufferPointer(start: room.baseAddress, count: bytes.count)
        unsafe memory.append(copy)
        return unsafe copy
    }
}
