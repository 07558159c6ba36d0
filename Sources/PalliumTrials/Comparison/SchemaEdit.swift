import PalliumCore
import PalliumDocuments
import PalliumJSON

/// A difference between two schema documents that can be made alone.
struct SchemaEdit {
    let rule: String
    let schema: String
    var property: String?
    /// The places in the document that change together; an empty place is the whole document.
    let places: [[String]]
    let old: JSONValue?
    let new: JSONValue?
    /// Whether the edit can have an effect on data.
    let concernsData: Bool

    /// The member of a property that changed, and how many kinds of elements it is inside of.
    var memberOfProperty: (name: String, level: Int) {
        let parts = rule.split(separator: ".")
        return (String(parts.last?.prefix { $0 != "-" } ?? ""), parts.count - 1)
    }

    /// The members that belong together, because one without the other is often a mistake.
    private static let joined = ["version", "upgrades"]

    /// The members that say nothing about data.
    private static let silent: Set<String> = ["doc", "messages", "observed"]

    /// Finds the differences of two versions of schema documents, in the order of the old ones.
    static func edits(from old: SchemaDocuments, to new: SchemaDocuments) -> [SchemaEdit] {
        var edits: [SchemaEdit] = []
        for name in old.names {
            if let object = new[name], let before = old[name] {
                edits += self.edits(of: name, from: before, to: object)
            } else {
                edits.append(SchemaEdit(rule: "schema-removed", schema: name, places: [[]], old: nil, new: nil))
            }
        }
        for name in new.names where old[name] == nil {
            edits.append(SchemaEdit(rule: "schema-added", schema: name, places: [[]], old: nil, new: nil))
        }
        return edits
    }

    static func edits(of schema: String, from old: JSONObject, to new: JSONObject) -> [SchemaEdit] {
        var edits = members(of: old, new, except: joined + ["name", "properties"]).map { member in
            SchemaEdit(member.name, schema, at: [[member.name]], member.old, member.new)
        }
        if let member = members(of: old, new, except: []).first(where: { joined.contains($0.name) }) {
            edits.append(SchemaEdit(member.name, schema, at: joined.map { [$0] }, member.old, member.new))
        }
        let before = old["properties"]?.objectValue ?? [:]
        let after = new["properties"]?.objectValue ?? [:]
        for member in members(of: before, after, except: []) {
            let place = ["properties", member.name]
            var found: [SchemaEdit]
            if let old = member.old?.objectValue, let new = member.new?.objectValue {
                found = self.edits(ofProperty: schema, from: old, to: new, at: place, name: "")
            } else {
                let rule = member.old == nil ? "property-added" : "property-removed"
                found = [SchemaEdit(rule: rule, schema: schema, places: [place], old: nil, new: nil)]
            }
            for index in found.indices { found[index].property = member.name }
            edits += found
        }
        return edits
    }

    /// Finds the differences of a property, or of the elements of one. Recursion is bounded by the depth of documents.
    static func edits(
        ofProperty schema: String, from old: JSONObject, to new: JSONObject, at place: [String], name: String
    ) -> [SchemaEdit] {
        if old["kind"] != new["kind"] {
            // Other members, for example the cases, belong to the kind.
            return [SchemaEdit(name + "kind", schema, at: [place], old["kind"], new["kind"])]
        }
        return members(of: old, new, except: []).flatMap { member in
            if let old = member.old?.objectValue, let new = member.new?.objectValue, member.name == "of" {
                return edits(ofProperty: schema, from: old, to: new, at: place + ["of"], name: name + "of.")
            }
            return [SchemaEdit(name + member.name, schema, at: [place + [member.name]], member.old, member.new)]
        }
    }

    /// Returns the members with different values.
    static func members(
        of old: JSONObject, _ new: JSONObject, except names: [String]
    ) -> [(name: String, old: JSONValue?, new: JSONValue?)] {
        let kept = old.map(\.key) + new.map(\.key).filter { old[$0] == nil }
        return kept.lazy.filter { !names.contains($0) && old[$0] != new[$0] }.map { ($0, old[$0], new[$0]) }
    }

    private init(
        rule: String, schema: String, places: [[String]], old: JSONValue?, new: JSONValue?, concernsData: Bool = true
    ) {
        self.rule = rule
        self.schema = schema
        self.places = places
        self.old = old
        self.new = new
        self.concernsData = concernsData
    }

    private init(_ member: String, _ schema: String, at places: [[String]], _ old: JSONValue?, _ new: JSONValue?) {
        let change = old == nil ? "added" : new == nil ? "removed" : "changed"
        self.init(
            rule: "\(member)-\(change)", schema: schema, places: places, old: old, new: new,
            concernsData: !Self.silent.contains(member.split(separator: ".").last.map(String.init) ?? member))
    }
}
