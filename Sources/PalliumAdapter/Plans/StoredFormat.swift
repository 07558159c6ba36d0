import PalliumCore
import PalliumJSON

/// The format in which a store keeps models as JSON.
///
/// ```
///   {"_schema": "Bug", "title": "Crash", "createdAt": 791719200.5, "assignee": {"id": 7}, "_kept": {"node_id": "x"}}
///    a descendant       members have the keys of properties          another row            unknown members
/// ```
/// It holds all that archives hold, in natural form: no key paths, no transformers but those of custom kinds, no
/// profiles. So the mapping to the JSON of a server may change, and nothing that is stored must. A date is the number of
/// seconds since 2001, as `Date` has it, because that is exact. A model with an identity is a row of its own and stands
/// here as its identity.
package enum StoredFormat {
    /// The member that names the schema of a model that extends another one.
    package static let schemaMember = "_schema"
    /// The member with the members that no property maps.
    static let unknownMembersName = "_kept"

    /// Returns the member of a property. A leading underscore marks the members of the format, so it is doubled.
    package static func member(of key: String) -> String { key.utf8.first == UInt8(ascii: "_") ? "_" + key : key }

    /// Returns the key of a member; nil for a member of the format.
    package static func key(of member: String) -> String? {
        guard member.utf8.first == UInt8(ascii: "_") else { return member }
        let rest = member.utf8.dropFirst()
        return rest.first == UInt8(ascii: "_") ? String(rest) : nil
    }

    /// Makes the plan of whole models.
    static func plan(_ layout: ModelLayout, _ values: [ValuePlan], cluster: ClusterPlan?) -> JSONPlan {
        let held = values.indices.filter { values[$0].operation != .absent }
        return plan(layout, values, of: held, required: layout.requiredSlots, cluster: cluster, selection: nil)
    }

    /// Makes the plan of models that have only their identity.
    static func reference(_ layout: ModelLayout, _ values: [ValuePlan]) -> JSONPlan {
        plan(
            layout, values, of: layout.identitySlots, required: layout.identitySlots, cluster: nil,
            selection: SelectedSlots(identityOf: layout, number: 0))
    }

    private static func plan(
        _ layout: ModelLayout, _ values: [ValuePlan], of slots: [Int], required: [Int], cluster: ClusterPlan?,
        selection: SelectedSlots?
    ) -> JSONPlan {
        var members = [DecodingNode.Member(name: schemaMember, action: .ignore)]
        var written: [EncodingNode.Member] = []
        if selection == nil, layout.parent != nil {
            written.append(
                EncodingNode.Member(name: schemaMember, action: .constant, constant: .string(layout.schema.name)))
        }
        for slot in slots {
            let name = member(of: layout.properties[slot].key)
            members.append(DecodingNode.Member(name: name, action: .value, slot: slot, value: values[slot]))
            written.append(EncodingNode.Member(name: name, action: .value, slot: slot, value: values[slot]))
        }
        if selection == nil { members.append(DecodingNode.Member(name: unknownMembersName, action: .unknownMembers)) }
        let paths = layout.properties.map { [JSONKeyPath(member: member(of: $0.key))] }
        return JSONPlan(
            layout: layout, paths: paths, input: DecodingNode(members, isIgnored: false),
            output: EncodingNode(written, unknownMembersName: unknownMembersName), values: values, deferred: [],
            required: required.filter { values[$0].operation != .absent }.map {
                ($0, member(of: layout.properties[$0].key))
            }, cluster: cluster, checks: [], refusesUnknownMembers: false, selection: selection)
    }
}
