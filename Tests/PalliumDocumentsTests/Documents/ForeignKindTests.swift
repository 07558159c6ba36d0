import ModelTestSupport
import Pallium
import Testing

/// Names that kinds have elsewhere are told what they are called here.
struct ForeignKindTests {
    @Test(arguments: [
        ("int", "integer"), ("Int", "integer"), ("long", "integer"), ("boolean", "bool"), ("BOOL", "bool"),
        ("number", "double"), ("Float64", "double"), ("text", "string"), ("NSString", "string"), ("timestamp", "date"),
        ("date-time", "date"), ("uri", "url"), ("guid", "uuid"), ("timedelta", "duration"), ("bytes", "data"),
        ("enum", "enumeration"),
        ("object", "model"), ("list", "array"), ("map", "dictionary"), ("any", "json"), ("byte", "uint8"),
        ("money", "decimal"), ("strng", "string"),
    ])
    func isSuggested(name: String, kind: String) {
        let found = problems(of: #"{"name": "A", "properties": {"a": {"kind": "\#(name)"}}}"#)
        #expect(found == [#"test.json:1:44: A.a: kind: "\#(name)" is no kind; did you mean "\#(kind)"?"#])
    }

    @Test func aQuestionMarkIsExplained() {
        let found = problems(of: #"{"name": "A", "properties": {"a": {"kind": "int?"}}}"#)
        #expect(
            found.first?.hasSuffix(#"did you mean "integer"? Properties allow null unless they say otherwise"#) == true)
    }

    @Test func customKindsAreSuggestedToo() throws {
        let registry = SchemaRegistry()
        try registry.register(PropertyKind.Custom(String.self, name: "PostalCode", transformer: "PostalCode"))
        let found = problems(of: #"{"name": "A", "properties": {"a": {"kind": "PostalCod"}}}"#, registry: registry)
        #expect(found.first?.hasSuffix(#"did you mean "PostalCode"?"#) == true)
    }

    @Test(arguments: [
        (
            #"{"name": "A", "properties": {"a": {"kind": "enumeration", "cases": ["open"], "unknown": {"fallback": "opn"}}}}"#,
            #"fallback: "opn" is no case; did you mean "open"?"#
        ),
        (
            #"{"name": "A", "version": 2, "properties": {"a": {"kind": "date"}}, "upgrades": [{"from": 1, "transform": {"a": "UnixSecond"}}]}"#,
            "the upgrade of a names the transformer UnixSecond, which is not registered; did you mean UnixSeconds?"
        ),
        (
            #"[{"name": "A", "properties": {"l": {"kind": "array", "of": {"kind": "model", "model": "B"}, "#
                + #""merge": {"policy": "byIdentifier", "by": "idd"}}}}, {"name": "B", "properties": {"id": {"kind": "integer"}}}]"#,
            "the merge policy byIdentifier goes by idd, which is no key of B; did you mean id?"
        ),
        (
            #"[{"name": "A", "properties": {"l": {"kind": "model", "model": "B", "inverse": "parnt"}}}, "#
                + #"{"name": "B", "properties": {"parent": {"kind": "model", "model": "A", "weak": true}}}]"#,
            "names the inverse parnt, which is no weak model property of B; did you mean parent?"
        ),
        (#"[{"name": "Leaf", "extends": "Nod"}, {"name": "Node"}]"#, "which is not registered; did you mean Node?"),
    ])
    func almostRightNamesAreTold(document: String, problem: String) {
        #expect(problems(of: document).count == 1)
        #expect(problems(of: document).first?.hasSuffix(problem) == true, "\(problems(of: document))")
    }
}
