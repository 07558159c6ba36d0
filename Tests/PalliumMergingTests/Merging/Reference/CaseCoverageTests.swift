import Pallium
import TestSupport
import Testing

/// What the cases of the reference are about: a reference that agrees because it tests little is worth nothing.
struct CaseCoverageTests {
    /// How often a property of a policy met an absent member, null or a value, edited or not.
    private static func tally() throws -> [String: Int] {
        var tally: [String: Int] = [:]
        for theme in MergeTheme.allCases {
            for seed in 0..<120 {
                let rebase = MergeCase(.rebase, theme, seed: seed)
                let plain = try rebase.models(rebase.library()).plain
                guard let base = plain.base, let document = rebase.document.objectValue else { continue }
                let equality = PlainEquality(schemas: rebase.schemas)
                for property in rebase.schemas.properties(of: plain.name) {
                    let said = document[property.key].map { $0.isNull ? "null" : "a value" } ?? "nothing"
                    let isEdited = !equality.areEqual(
                        plain[property.key].value, base[property.key].value, property.kind)
                    tally["\(property.policy.name): \(said), \(isEdited ? "edited" : "not edited")", default: 0] += 1
                }
            }
        }
        return tally
    }

    @Test func everyPolicyMeetsNothingNullAndAValueEditedAndNot() throws {
        let tally = try Self.tally()
        let policies: [PlainPolicy] = [
            .none, .replace, .keep, .skipNull, .newest(by: "stamp"), .max, .min, .union, .append, .sum,
            .recurse(removesMissing: false), .recurse(removesMissing: true),
            .byIdentifier(key: nil, removesMissing: false, isRequired: false),
            .byIdentifier(key: nil, removesMissing: true, isRequired: false),
        ]
        for policy in policies {
            for said in ["nothing", "null", "a value"] {
                for edit in ["edited", "not edited"] {
                    let key = "\(policy.name): \(said), \(edit)"
                    #expect(tally[key, default: 0] > 0, "\(key) in \(tally.sorted { $0.key < $1.key })")
                }
            }
        }
    }
}
