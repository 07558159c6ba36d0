import PalliumCore
import PalliumJSON

/// Reads rules about several properties.
extension SchemaReader {
    /// Reads rules with their texts for people.
    mutating func readRules(_ value: LocatedJSON, into schema: inout ModelSchema) {
        guard case .array(let elements) = value.content else { return mismatch(value, "rules", "a list of rules") }
        if elements.isEmpty { problems.report(at: value.offset, "rules: the list is empty", fix: "leave it out") }
        for (rule, message) in elements.compactMap({ readModelRule($0) }) { schema.add(rule, message: message) }
    }

    private mutating func readModelRule(_ value: LocatedJSON) -> (ModelSchema.Rule, message: String?)? {
        let names = ["required", "exactlyOneOf", "before", "notAfter"]
        let problemsBefore = problems.count
        // What follows from a mistake is not reported.
        guard let members = knownMembers(of: value, "a rule", names + ["when", "message"]),
            problems.count == problemsBefore
        else {
            return nil
        }
        let present = names.filter { members[$0] != nil }
        guard let name = present.first, let keys = members[name], present.count == 1 else {
            problems.report(
                at: value.offset,
                "rules: a rule has one of " + names.map { "\"\($0)\"" }.joined(separator: ", "), fix: "name one of them"
            )
            return nil
        }
        if name != "required", let conditions = members["when"] {
            problems.report(at: conditions.offset, "when: only the rule required has conditions", fix: "leave it out")
        }
        let message = members["message"].flatMap { text($0, "message") }
        let list = self.list(keys, name, expected: "a list of keys", canBeEmpty: false)
        guard problems.count == problemsBefore else { return nil }
        switch name {
        case "required":
            guard let conditions = members["when"] else {
                problems.report(
                    at: value.offset, "rules: the rule required has no conditions", fix: "add the member \"when\"")
                return nil
            }
            let values = dictionary(conditions, "when", expected: "an object of values by key") { $1.value }
            return problems.count == problemsBefore ? (.required(list, when: values), message) : nil
        case "exactlyOneOf": return (.exactlyOneOf(list), message)
        default:
            guard list.count == 2 else {
                problems.report(at: keys.offset, "\(name): expected two keys but found \(list.count)")
                return nil
            }
            return (name == "before" ? .before(list[0], list[1]) : .notAfter(list[0], list[1]), message)
        }
    }
}
