import PalliumCore
import PalliumJSON

/// The members that a model writes into one JSON object: its own, or an object on a key path.
///
/// The encoder walks `entries`, plain bytes that point at one another.
///
/// Safety: the node owns the memory, which is allocated once and freed in `deinit`; the plans, which the adapter
/// holds, hold the nodes and plans that entries refer to.
@safe
final class EncodingNode {
    enum Action: UInt8 {
        /// Write the value of a slot. If the slot has none, write the constant that a cluster expects, if there is one.
        case value
        /// Write one part of a value that is split over several members.
        case part
        /// Begin an object on a key path.
        case node
        /// Write a constant that a cluster expects and no property holds, or what was kept in its place.
        case constant
        /// Write the value of a slot, which must be the discriminator of the layout.
        case discriminator
        /// Write what a redaction lets be seen of the value of a slot.
        case redacted
        /// Write nothing: record the model before its members, because a cluster may not read it back.
        case cluster
    }

    /// A member with its action: `value` and `slot` of values, parts, discriminators and redacted values, `node` of
    /// nodes, `constant` of constants.
    struct Entry {
        /// `,"name":` with its comma.
        let prefix: PaddedText
        let action: Action
        /// The slot of `value`; -1 without one.
        let slot: Int
        let value: ValueHandle?
        let node: Unowned<EncodingNode>?
        /// The JSON text of a constant.
        let constant: PaddedText?
        let nilPolicy: PropertySchema.NilPolicy?
        /// Whether an unset property leaves the member out if that is the encoder's policy.
        let skipsUnset: Bool
    }

    /// A member as the builder describes it.
    struct Member {
        let name: String
        var action: Action
        var slot = -1
        var value: ValuePlan?
        var node: EncodingNode?
        var constant: JSONValue?
        /// The name of the part within its value.
        var part: String?
        /// What is written in place of the value.
        var redaction: Redaction.Rule?
        /// The check of a discriminator. A constant has one if the discriminator may be kept.
        var check: DiscriminatorCheck?
        /// The clusters that do not always read the models back, by the layout that has the cluster.
        var readabilities: [ObjectIdentifier: ClusterMembers.Readability] = [:]
    }

    let members: [Member]
    /// The member that holds those that no property maps; nil if they stand beside the others.
    let unknownMembersName: String?
    /// The members of properties that are not selected.
    private let omitted: [Member]
    let entries: UnsafePointer<Entry>
    let count: Int
    /// The slots that this node and its descendants write.
    let slots: [Int]
    /// The slots that they would write if everything were selected.
    let mappedSlots: [Int]

    /// - Parameters:
    ///   - omitted: The members of properties that are not selected.
    ///   - unknownMembersName: The member that holds those that no property maps. The policies of properties for nil then do
    ///     not count, because the format is that of the library.
    init(_ members: [Member], omitting omitted: [Member] = [], unknownMembersName: String? = nil) {
        self.members = members
        self.unknownMembersName = unknownMembersName
        self.omitted = omitted
        count = members.count
        slots = members.flatMap { $0.node?.slots ?? ($0.slot >= 0 ? [$0.slot] : []) }
        mappedSlots = (members + omitted).flatMap { $0.node?.mappedSlots ?? ($0.slot >= 0 ? [$0.slot] : []) }
        let entries = UnsafeMutablePointer<Entry>.allocate(capacity: max(1, members.count))
        unsafe self.entries = UnsafePointer(entries)
        for (index, member) in members.enumerated() {
            var quoted = JSONByteBuffer()
            quoted.append(byte: UInt8(ascii: ","))
            quoted.append(quoted: member.name)
            quoted.append(byte: UInt8(ascii: ":"))
            let constant = member.constant.map { PaddedText(copying: Array($0.description.utf8)) }
            let property = member.value?.descriptor.property
            let nilPolicy = unknownMembersName == nil ? property?.writtenNilPolicy : nil
            // An invariant of the library, by which the encoder finds the slot.
            precondition((member.value != nil) == (member.slot >= 0), "a member has a value if it has a slot")
            unsafe (entries + index).initialize(
                to: Entry(
                    prefix: PaddedText(copying: quoted.bytes), action: member.action, slot: member.slot,
                    value: member.value.map { unsafe $0.handle }, node: member.node.map { unsafe Unowned($0) },
                    constant: constant,
                    nilPolicy: nilPolicy,
                    skipsUnset: member.action == .value && constant == nil && property?.isRequired == false
                        && nilPolicy != .write))
        }
    }

    deinit {
        for index in 0..<count {
            unsafe entries[index].prefix.deallocate()
            unsafe entries[index].constant?.deallocate()
        }
        unsafe entries.deallocate()
    }

    /// Whether each value is that of its slot in a layout.
    ///
    /// Recursion is bounded by the length of key paths.
    func fits(_ layout: ModelLayout) -> Bool {
        members.allSatisfy { member in
            if let node = member.node { return node.fits(layout) }
            guard let value = member.value else { return true }
            return layout.properties.indices.contains(member.slot)
                && layout.properties[member.slot].descriptor === value.descriptor
        }
    }

    /// Whether the clusters read the model if null stands in the place of this object.
    ///
    /// Recursion is bounded by the length of key paths.
    var readsNull: Bool {
        members.allSatisfy { ($0.constant == nil || $0.check?.readsNull ?? false) && $0.node?.readsNull ?? true }
    }

    /// Returns the member with a name; nil if no property or cluster has one.
    func member(named name: String) -> Member? {
        members.first { $0.action != .cluster && UTF8Text.equal($0.name, name) }
            ?? omitted.first { UTF8Text.equal($0.name, name) }
    }

    /// Returns the node that writes only selected slots. No cluster is asked whether it reads the result back.
    ///
    /// Recursion is bounded by the length of key paths.
    func projected(to selection: SelectedSlots, _ values: [ValuePlan]) -> EncodingNode {
        var written: [Member] = []
        var omitted = omitted
        for var member in members where member.action != .cluster {
            member.node = member.node?.projected(to: selection, values)
            // Unknown members may be kept in an object of which nothing else is written.
            let isEmpty = member.node?.count == 0 && !selection.keepsUnknownMembers
            if member.slot >= 0 { member.value = values[member.slot] }
            if member.slot >= 0, let rule = selection.redaction(of: member.slot) {
                member.action = .redacted
                member.redaction = rule
            }
            if isEmpty || member.slot >= 0 && !selection.contains(member.slot) {
                omitted.append(member)
            } else {
                written.append(member)
            }
        }
        return EncodingNode(written, omitting: omitted)
    }

    /// Returns the members of an object that this node does not write: those that must be kept with the model to be
    /// written back.
    ///
    /// Recursion is bounded by the length of key paths.
    func unknownMembers(of object: JSONObject) -> JSONObject {
        var result = JSONObject()
        for (name, value) in object {
            guard let member = member(named: name), member.action != .constant || member.check == nil else {
                result.updateValue(value, forKey: name)
                continue
            }
            if let node = member.node {
                result.updateValue(
                    value.objectValue.map { .object(node.unknownMembers(of: $0)) } ?? value, forKey: name)
            }
        }
        return result
    }
}
