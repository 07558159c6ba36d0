import Pallium
import TestSupport
import Testing

struct MergePatchTests {
    /// The cases of RFC 7396 appendix A: original, patch, result.
    static let appendix = [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
        (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":null}"#, "{}"),
        (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
        (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
        (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
        (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
        (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#),
        (#"{"a":"foo"}"#, "null", "null"),
        (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
        (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
        ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
        ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ]

    @Test(arguments: appendix)
    func theExamplesOfTheStandardHold(original: String, patch: String, result: String) throws {
        let patch = JSONMergePatch(try JSONValue(parsing: patch))
        #expect(try patch.applied(to: JSONValue(parsing: original)).text() == result)
    }

    /// Old document, new one, the patch between them.
    static let differences = [
        (#"{"a":1}"#, #"{"a":1.0}"#, "{}"),
        (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, "{}"),
        (#"{"a":1,"b":2}"#, #"{"b":3,"c":4}"#, #"{"a":null,"b":3,"c":4}"#),
        (#"{"a":{"b":1,"c":2},"d":{"e":3}}"#, #"{"a":{"b":1,"c":3},"d":{"e":3}}"#, #"{"a":{"c":3}}"#),
        (#"{"a":[1,2]}"#, #"{"a":[1,3]}"#, #"{"a":[1,3]}"#),
        (#"{"a":{"b":1}}"#, #"{"a":{}}"#, #"{"a":{"b":null}}"#),
        (#"{"a":1}"#, #"{"a":{}}"#, #"{"a":{}}"#),
        ("5", "5", "5"), ("5", "{}", "{}"), ("{}", "[]", "[]"), ("[]", #"{"a":1}"#, #"{"a":1}"#),
        // Null in the new document cannot be said.
        (#"{"a":1,"b":null}"#, #"{"a":null,"b":null,"c":null,"d":{}}"#, #"{"a":null,"d":{}}"#),
        (#"{"a":{}}"#, #"{"a":{"b":null}}"#, "{}"),
    ]

    @Test(arguments: differences)
    func differencesSayWhatChanges(old: String, new: String, patch: String) throws {
        let found = JSONMergePatch(from: try JSONValue(parsing: old), to: try JSONValue(parsing: new))
        #expect(try found.jsonValue.text() == patch)
    }

    @Test func namesAreComparedByBytes() throws {
        let old: JSONValue = ["\u{E9}": 1]
        let new: JSONValue = ["e\u{301}": 1]
        let patch = JSONMergePatch(from: old, to: new)
        #expect(patch.jsonValue.objectValue?.count == 2)
        #expect(patch.applied(to: old) == new)
    }

    @Test(.trials) func differencesOfRandomDocumentsLeadToTheNewOne() {
        for seed in Trials(29) {
            var documents = RandomDocuments(seed: seed, nulls: false)
            let (old, new) = documents.pair(seed)
            let patch = JSONMergePatch(from: old, to: new)
            #expect(patch.applied(to: old) == new, "\(old) to \(new)")
            #expect(patch.applied(to: new) == new, "\(old) to \(new), again")
        }
    }

    @Test(.trials) func withNullsTheNewDocumentComesOutWithoutThem() {
        for seed in Trials(40) {
            var documents = RandomDocuments(seed: seed, nulls: true)
            let (old, new) = documents.pair(seed)
            // What the patch does not touch keeps its nulls, so both sides are looked at without.
            let found = JSONMergePatch(from: old, to: new).applied(to: old)
            #expect(RandomDocuments.withoutNullMembers(found) == RandomDocuments.withoutNullMembers(new))
        }
    }

    @Test func thousandsOfMembersAreRemovedFromOneObject() {
        let old = JSONObject((0..<50_000).map { (key: "k\($0)", value: JSONValue.number(JSONNumber($0))) })
        let patch = JSONMergePatch(from: .object(old), to: ["k7": 7])
        #expect(patch.jsonValue.objectValue?.count == 49_999)
        #expect(patch.applied(to: .object(old)) == ["k7": 7])
    }

    @Test func documentsAsDeepAsTheLimitArePatchedOnASmallStack() {
        onStack(kilobytes: 256) {
            func tower(_ leaf: JSONValue) -> JSONValue { (0..<511).reduce(leaf) { value, _ in ["a": value] } }
            let patch = JSONMergePatch(from: tower(1), to: tower(2))
            #expect(patch.applied(to: tower(1)) == tower(2))
        }
    }
}
