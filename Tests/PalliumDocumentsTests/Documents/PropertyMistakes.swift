/// Mistakes in a property, whose schema stands on one line with it.
extension DocumentProblemTests {
    /// A schema with one property, and what is said about that.
    private static func property(_ text: String, _ place: String, _ problem: String) -> Row {
        Row(#"{"name": "A", "properties": {"p": \#(text)}}"#, "test.json:1:\(place): A.p: \(problem)")
    }

    static let propertyRows = [
        property(#""string""#, "35", #"expected a property, which is an object, but found "string""#),
        property("{}", "35", #"the property has no kind; add the member "kind""#),
        property(#"{"kind": 1}"#, "44", "kind: expected the name of a kind but found the number 1"),
        property(#"{"kind": "strin"}"#, "44", #"kind: "strin" is no kind; did you mean "string"?"#),
        property(#"{"kind": "Point"}"#, "44", #"kind: "Point" is no kind; register a custom kind of this name before"#),
        property(#"{"kind": "bool", "requird": true}"#, "52", #"unknown member "requird"; did you mean "required"?"#),
        property(
            #"{"kind": "bool", "required": false}"#, "64",
            "required: expected true but found false; leave the member out for the opposite"),
        property(
            #"{"kind": "bool", "nullable": 1}"#, "64",
            "nullable: expected true or false but found the number 1"),
        property(
            #"{"kind": "bool", "labels": "pii"}"#, "62", #"labels: expected a list of labels but found "pii""#),
        property(#"{"kind": "bool", "labels": []}"#, "62", "labels: the list is empty; leave it out"),
        property(
            #"{"kind": "bool", "labels": ["pii", "pii"]}"#, "70", #"labels: "pii" occurs twice; keep one"#),
        property(
            #"{"kind": "bool", "labels": ["a b"]}"#, "62",
            #"has the label "a b", which cannot be; begin with an ASCII letter, and use letters, digits, -, _ and . only, 64 at most"#
        ),
        property(
            #"{"kind": "bool", "weak": null}"#, "60",
            "weak: expected true but found null; leave the member out for the opposite"),
        property(
            #"{"kind": "bool", "index": true}"#, "61",
            "index: expected one of \"ordinary\", \"unique\", \"caseInsensitive\" but found true"),
        property(
            #"{"kind": "bool", "index": "caseInsensitive"}"#, "61",
            "is indexed without case, but values of the kind bool are no texts; choose .indexed()"),
        property(#"{"kind": "bool", "weak": true}"#, "60", "only a model can be weak"),
        property(
            #"{"kind": "bool", "readOnly": true, "writeOnly": true}"#, "35",
            "the property is readOnly and writeOnly; drop one"),
        property(#"{"kind": "array"}"#, "44", #"the kind array needs the member "of", the property of its elements"#),
        property(#"{"kind": "model"}"#, "44", #"the kind model needs the member "model", the name of a schema"#),
        property(
            #"{"kind": "enumeration"}"#, "44", #"the kind enumeration needs the member "cases", its texts or integers"#),
        property(
            #"{"kind": "bool", "of": {"kind": "bool"}}"#, "58",
            "of: only an array, set or dictionary has elements; leave it out or change the kind"),
        property(
            #"{"kind": "bool", "model": "A"}"#, "61",
            "model: only the kind model names a schema; leave it out or change the kind"),
        property(
            #"{"kind": "bool", "cases": ["a"]}"#, "61",
            "cases: only an enumeration has cases; leave it out or change the kind"),
        property(
            #"{"kind": "bool", "unknown": "keep"}"#, "63",
            "unknown: only an enumeration has cases; leave it out or change the kind"),
        property(
            #"{"kind": "array", "of": {"kind": "int"}}"#, "68", #"kind: "int" is no kind; did you mean "integer"?"#),
        property(
            #"{"kind": "model", "model": 1}"#, "62", "model: expected the name of a schema but found the number 1"),
        property(
            #"{"kind": "model", "model": "User"}"#, "62",
            "names the model User, which is not registered; register it in the same call"),
        property(
            #"{"kind": "enumeration", "cases": "a"}"#, "68",
            #"cases: expected a list of texts or integers, or an object of texts by case but found "a""#),
        property(#"{"kind": "enumeration", "cases": []}"#, "68", "cases: an enumeration needs a case"),
        property(
            #"{"kind": "enumeration", "cases": ["a", 1]}"#, "74",
            "cases: expected text but found the number 1; cases are all texts or all integers"),
        property(
            #"{"kind": "enumeration", "cases": [1, 1.5]}"#, "72", "cases: expected an integer but found the number 1.5"),
        property(#"{"kind": "enumeration", "cases": ["a", "a"]}"#, "74", #"cases: "a" occurs twice; keep one"#),
        property(
            #"{"kind": "enumeration", "cases": {"a": []}}"#, "74",
            "cases: expected the list of the texts of the case but found an array"),
        property(
            #"{"kind": "enumeration", "cases": {"a": ["x"], "b": ["x", "y"]}}"#, "87",
            #"cases: "x" occurs twice; give each text to one case"#),
        property(
            #"{"kind": "enumeration", "cases": ["a"], "unknown": "skip"}"#, "86",
            #"unknown: expected "fail", "keep" or {"fallback": case} but found "skip""#),
        property(
            #"{"kind": "enumeration", "cases": ["a"], "unknown": {"fallback": "b"}}"#, "99",
            #"fallback: "b" is no case; name one of the cases"#),
        property(
            #"{"kind": "bool", "default": 1}"#, "63",
            "the default value does not fit: expected a bool but found the number 1; change the default"),
        property(
            #"{"kind": "bool", "json": 1}"#, "60",
            #"json: expected a key path, a list of names, null, {"firstOf": paths} or {"allOf": paths} but found the number 1"#
        ),
        property(
            #"{"kind": "bool", "json": {}}"#, "60", #"json: expected one of "firstOf" and "allOf" but found an object"#),
        property(
            #"{"kind": "bool", "json": {"firstOf": ["a", 1]}}"#, "78", "firstOf: expected text but found the number 1"),
        property(#"{"kind": "bool", "json": {"firstOf": []}}"#, "72", "firstOf: the list is empty; leave it out"),
        property(
            #"{"kind": "bool", "json": {"allOf": "a"}}"#, "70", #"allOf: expected a list of key paths but found "a""#),
        property(#"{"kind": "bool", "json": "a..b"}"#, "60", #"key path "a..b" has an empty step"#),
        property(
            #"{"kind": "url", "transformer": 1}"#, "66",
            "transformer: expected the name of a transformer or a list of them but found the number 1"),
        property(
            #"{"kind": "url", "transformer": "URLs"}"#, "66",
            #"names the transformer "URLs", which is not registered; did you mean URL?"#),
        property(
            #"{"kind": "bool", "nil": "null"}"#, "59",
            #"nil: expected one of "asParsed", "omit", "write" but found "null""#),
        property(
            #"{"kind": "bool", "storage": "temporary"}"#, "63",
            #"storage: expected one of "permanent", "transitory", "notStored" but found "temporary""#),
        property(
            #"{"kind": "bool", "archive": true}"#, "63",
            #"archive: expected one of "included", "excluded", "conditional" but found true"#),
        property(
            #"{"kind": "bool", "inverse": 1}"#, "63",
            "inverse: expected a key of the other model but found the number 1"),
        property(#"{"kind": "bool", "inverse": "x"}"#, "63", "has an inverse but holds no models"),
        property(
            #"{"kind": "bool", "merge": 1}"#, "61",
            "merge: expected the name of a policy, or an object with it but found the number 1"),
        property(#"{"kind": "bool", "merge": {}}"#, "61", #"merge: the policy has no name; add the member "policy""#),
        property(
            #"{"kind": "bool", "merge": {"policy": "x", "missing": "drop"}}"#, "88",
            #"missing: expected one of "keep", "remove" but found "drop""#),
        property(
            #"{"kind": "bool", "merge": {"policy": "x", "identifiers": true}}"#, "92",
            #"identifiers: expected one of "optional", "required" but found true"#),
        property(#"{"kind": "bool", "doc": 1}"#, "59", "doc: expected text but found the number 1"),
        property(
            #"{"kind": "bool", "required": true, "archive": "excluded"}"#, "81",
            "is required, but archives leave it out; archive it, or make it nullable"),
        property(
            #"{"kind": "enumeration", "cases": {"a": [1]}}"#, "75", #"cases: expected text but found the number 1"#),
        property(
            #"{"kind": "enumeration", "cases": {"a": ["x", "x"]}}"#, "80",
            #"cases: "x" occurs twice; give each text to one case"#),
        property(
            #"{"kind": "enumeration", "cases": [true]}"#, "69", #"cases: expected text or an integer but found true"#),
        property(
            #"{"kind": "enumeration", "cases": ["a"], "unknown": {}}"#, "86",
            #"unknown: expected "fail", "keep" or {"fallback": case} but found an object"#),
        property(
            #"{"kind": "enumeration", "cases": ["a"], "unknown": {"fallback": true}}"#, "99",
            #"fallback: expected a case but found true"#),
    ]
}
