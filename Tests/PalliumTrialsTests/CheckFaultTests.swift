import Foundation
import Pallium
import TestSupport
import Testing

/// A schema document with one fault, and what `check` says about it.
struct SchemaFault: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let document: String
    /// The line and column of each problem or warning, and its text with the way to mend it.
    let problems: [String]

    init(_ description: String, _ document: String, _ problems: [String]) {
        testDescription = description
        self.document = document
        self.problems = problems
    }
}

/// Faults that need no sample: checking the documents finds them, with their places.
@Suite struct CheckFaultTests {
    static let faults = [
        SchemaFault(
            "a misspelt kind",
            #"{"name": "A", "properties": {"a": {"kind": "int"}}}"#,
            [
                #"1:44: A.a: kind: "int" is no kind; did you mean "integer"?"#
            ]),
        SchemaFault(
            "a misspelt transformer",
            #"{"name": "A", "properties": {"a": {"kind": "date", "transformer": "UnixMiliseconds"}}}"#,
            [
                #"1:67: A.a: names the transformer "UnixMiliseconds", which is not registered; did you mean "#
                    + #"UnixMilliseconds?"#
            ]),
        SchemaFault(
            "an abbreviated transformer",
            #"{"name": "A", "properties": {"a": {"kind": "date", "transformer": "ISO8601"}}}"#,
            [
                #"1:67: A.a: names the transformer "ISO8601", which is not registered; did you mean ISO8601Date?"#
            ]),
        SchemaFault(
            "a misspelt member",
            #"{"name": "A", "properties": {"a": {"kind": "integer", "requierd": true}}}"#,
            [
                #"1:55: A.a: unknown member "requierd"; did you mean "required"?"#
            ]),
        SchemaFault(
            "a misspelt format",
            #"{"name": "A", "properties": {"a": {"kind": "string", "format": "emial"}}}"#,
            [
                #"1:64: A.a: names the format "emial", which is not registered; did you mean email?"#
            ]),
        SchemaFault(
            "two properties with one path",
            #"{"name": "A", "properties": {"a": {"kind": "integer", "json": "x"}, "b": {"kind": "integer", "#
                + #""json": "x"}}}"#,
            [
                #"1:102: A.b: would be written over a: both claim x; change a key path, or make one of them "#
                    + #"readOnly"#
            ]),
        SchemaFault(
            "a path through the value of another property",
            #"{"name": "A", "properties": {"user": {"kind": "string"}, "login": {"kind": "string", "json": "#
                + #""user.login"}}}"#,
            [
                #"1:94: A.login: would be written over user: both claim user.login; change a key path, or make "#
                    + #"one of them readOnly"#
            ]),
        SchemaFault(
            "a cluster of which two rules match one object",
            #"[{"name": "S", "cluster": {"rules": [{"present": "r", "model": "C"}, {"present": "s", "model": "#
                + #""D"}], "default":"S"}}, {"name": "C", "extends": "S", "properties": {"r": {"kind": "integer"}}}, "#
                + #"{"name": "D", "extends": "S", "properties": {"s": {"kind": "integer"}}}]"#,
            [
                #"1:70: S: rules 1 and 2 of the cluster both match {"r":true,"s":true}; put the rule first that "#
                    + #"should decide, or make it stricter"#
            ]),
        SchemaFault(
            "a rule of a cluster that an earlier one hides",
            #"[{"name": "S", "cluster": {"rules": [{"present": "r", "model": "C"}, {"present": "r", "model": "#
                + #""D"}], "default":"S"}}, {"name": "C", "extends": "S"}, {"name": "D", "extends": "S"}]"#,
            [
                #"1:70: S: rule 2 of the cluster can never match: rule 1 matches first; put the stricter rule "#
                    + #"first"#
            ]),
        SchemaFault(
            "a schema that its cluster never chooses",
            #"[{"name": "S", "cluster": {"discriminator": "t", "models": {"c": "C"}, "default":"S"}}, {"name": "#
                + #""C", "extends": "S"}, {"name": "D", "extends": "S"}]"#,
            [
                #"1:145: D: extends S, but the cluster of S never chooses it; name it in the cluster, or extend "#
                    + #"another schema"#
            ]),
        SchemaFault(
            "a cluster without a default",
            #"[{"name": "S", "cluster": {"discriminator": "t", "models": {"c": "C"}}}, {"name": "C", "extends": "#
                + #""S"}]"#,
            [
                #"1:27: S: the cluster has no default, so an object whose t is not listed is an error; add the "#
                    + #"member "default", if new kinds of objects may come"#
            ]),
        SchemaFault(
            "a cluster with tags of several kinds",
            #"{"name": "S", "properties": {"t": {"kind": "json"}}, "cluster": {"discriminator": "t", "models": "#
                + #"[{"tag": 1, "model": "S"}, {"tag": "a", "model": "S"}], "default": "S"}}"#,
            [
                #"1:98: S: the cluster lists tags of several kinds, such as the number 1 and "a"; list all of one "#
                    + "kind, if the documents have one"
            ]),
        SchemaFault(
            "a cluster that names a schema of another family",
            #"[{"name": "S", "cluster": {"discriminator": "t", "models": {"c": "C"}, "default":"S"}}, {"name": "#
                + #""C"}]"#,
            [
                #"1:27: S: the cluster names C, which does not descend from S; let it extend S"#
            ]),
        SchemaFault(
            "an identity that is no property",
            #"{"name": "A", "identity": "idd", "properties": {"id": {"kind": "integer"}}}"#,
            [
                #"1:27: A.idd: the identity names a key that does not exist; did you mean id?"#
            ]),
        SchemaFault(
            "an identity that is not in JSON",
            #"{"name": "A", "identity": "id", "properties": {"id": {"kind": "integer", "json": null}}}"#,
            [
                #"1:82: A.id: the identity has id, which no document has; map it to JSON, or choose another key"#
            ]),
        SchemaFault(
            "a required property that is never written",
            #"{"name": "A", "properties": {"id": {"kind": "integer", "required": true, "readOnly": true}}}"#,
            [
                "1:86: A.id: is required and never written, so what is written cannot be read; drop readOnly, or say only "
                    + "which direction of documents has it"
            ]),
        SchemaFault(
            "a default that breaks the rule of its property",
            #"{"name": "A", "properties": {"a": {"kind": "integer", "minimum": 1, "default": 0}}}"#,
            [
                #"1:80: A.a: the default value does not fit: expected a number of at least 1 but found the number "#
                    + #"0; change the default"#
            ]),
        SchemaFault(
            "a default of another kind",
            #"{"name": "A", "properties": {"a": {"kind": "integer", "default": "x"}}}"#,
            [
                #"1:66: A.a: the default value does not fit: expected an integer but found "x"; change the default"#
            ]),
        SchemaFault(
            "a default that is no case",
            #"{"name": "A", "properties": {"a": {"kind": "enumeration", "cases": ["open", "closed"], "default": "#
                + #""opened"}}}"#,
            [
                #"1:99: A.a: the default value does not fit: expected one of "open", "closed" but found "opened"; "#
                    + #"did you mean "open"?; change the default"#
            ]),
        SchemaFault(
            "a fallback that is no case",
            #"{"name": "A", "properties": {"a": {"kind": "enumeration", "cases": ["open", "closed"], "unknown": "#
                + #"{"fallback": "opn"}}}}"#,
            [
                #"1:112: A.a: fallback: "opn" is no case; did you mean "open"?"#
            ]),
        SchemaFault(
            "a text of two cases",
            #"{"name": "A", "properties": {"a": {"kind": "enumeration", "cases": {"open": ["o", "x"], "closed": "#
                + #"["c", "x"]}}}}"#,
            [
                #"1:105: A.a: cases: "x" occurs twice; give each text to one case"#
            ]),
        SchemaFault(
            "an order of properties of two kinds",
            #"{"name": "A", "properties": {"a": {"kind": "date"}, "b": {"kind": "integer"}}, "rules": [{"before": "#
                + #"["a", "b"]}]}"#,
            [
                #"1:89: A: the rule before compares A.a, a date, with A.b, an integer; name two properties of one "#
                    + #"kind with an order, such as dates or numbers"#
            ]),
        SchemaFault(
            "a minimum above the maximum",
            #"{"name": "A", "properties": {"a": {"kind": "integer", "minimum": 5, "maximum": 3}}}"#,
            [
                #"1:66: A.a: no value keeps both minimum 5 and maximum 3; change one of the limits"#
            ]),
        SchemaFault(
            "a shortest text that is longer than the longest",
            #"{"name": "A", "properties": {"a": {"kind": "string", "minLength": 5, "maxLength": 3}}}"#,
            [
                #"1:67: A.a: no value keeps both minLength 5 and maxLength 3; change one of the limits"#
            ]),
        SchemaFault(
            "a pattern outside of the subset",
            #"{"name": "A", "properties": {"a": {"kind": "string", "pattern": "(?=a)b"}}}"#,
            [
                #"1:65: A.a: the pattern "(?=a)b" cannot be used: expected a pattern without lookahead but found "#
                    + #""(?=" at 0"#
            ]),
        SchemaFault(
            "a rule for values of another kind",
            #"{"name": "A", "properties": {"a": {"kind": "date", "minimum": 1}}}"#,
            [
                #"1:63: A.a: the rule minimum is for numbers, and date is not; drop it, or change the kind"#
            ]),
        SchemaFault(
            "a condition with a value of another kind",
            #"{"name": "A", "properties": {"s": {"kind": "enumeration", "cases": ["open", "closed"]}, "c": "#
                + #"{"kind": "date"}}, "rules": [{"required": ["c"], "when": {"s": "shut"}}]}"#,
            [
                #"1:122: A: the rule required compares A.s with an unfit value: expected one of "open", "closed" "#
                    + #"but found "shut""#
            ]),
        SchemaFault(
            "a condition with a value that a rule refuses",
            #"{"name": "A", "properties": {"s": {"kind": "integer", "maximum": 3}, "c": {"kind": "date"}}, "#
                + #""rules": [{"required": ["c"], "when": {"s": 5}}]}"#,
            [
                #"1:103: A: the rule required asks whether s is the number 5, which it never is; name a value that "#
                    + #"the property can have"#
            ]),
        SchemaFault(
            "schemas that extend one another",
            #"[{"name": "A", "extends": "B"}, {"name": "B", "extends": "A"}]"#,
            [
                #"1:27: A: extends itself through B; break the cycle"#,
                #"1:58: B: extends itself through A; break the cycle"#,
            ]),
        SchemaFault(
            "an unknown parent, and mistakes behind it",
            #"{"name": "A", "extends": "Bse", "properties": {"a": {"kind": "integer", "default": "x"}, "m": "#
                + #"{"kind": "model", "model": "Nope"}}}"#,
            [
                #"1:26: A: extends Bse, which is not registered; register it in the same call"#,
                #"1:84: A.a: the default value does not fit: expected an integer but found "x"; change the default"#,
                #"1:122: A.m: names the model Nope, which is not registered; register it in the same call"#,
            ]),
        SchemaFault(
            "an inverse that its models do not have",
            #"[{"name": "A", "properties": {"kids": {"kind": "array", "of": {"kind": "model", "model": "B"}, "#
                + #""inverse": "parent"}}}, {"name": "B", "properties": {"parnt": {"kind": "model", "model": "A", "#
                + #""weak": true}}}]"#,
            [
                #"1:107: A.kids: names the inverse parent, which is no weak model property of B; did you mean "#
                    + #"parnt?"#
            ]),
        SchemaFault(
            "a required property with a default",
            #"{"name": "A", "properties": {"a": {"kind": "integer", "required": true, "default": 1}}}"#,
            [
                #"1:84: A.a: is required and has a default; drop one: a default is never missing"#
            ]),
        SchemaFault(
            "a required property that archives leave out",
            #"{"name": "A", "properties": {"a": {"kind": "integer", "required": true, "archive": "excluded"}}}"#,
            [
                #"1:84: A.a: is required, but archives leave it out; archive it, or make it nullable"#
            ]),
        SchemaFault(
            "a profile for an unknown key",
            #"{"name": "A", "properties": {"title": {"kind": "string"}}, "profiles": {"v2": {"titel": "name"}}}"#,
            [
                #"1:89: A.titel: the profile v2 names a key that does not exist; did you mean title?"#
            ]),
        SchemaFault(
            "steps with a gap",
            #"{"name": "A", "version": 4, "properties": {"a": {"kind": "integer"}}, "upgrades": [{"from": 1}, "#
                + #"{"from": 3}]}"#,
            [
                #"1:83: A: the upgrade from version 2 is missing; declare a step, even an empty one"#
            ]),
        SchemaFault(
            "a step to an unknown key",
            #"{"name": "A", "version": 2, "properties": {"title": {"kind": "string"}}, "upgrades": [{"from": 1, "#
                + #""rename": {"name": "titel"}}]}"#,
            [
                #"1:87: A: the upgrade from version 1 renames "name" to "titel", which no property and no later "#
                    + #"step has; did you mean title?"#
            ]),
        SchemaFault(
            "a misspelt transformer of a step",
            #"{"name": "A", "version": 2, "properties": {"a": {"kind": "date"}}, "upgrades": [{"from": 1, "#
                + #""transform": {"a": "DateOnli"}}]}"#,
            [
                #"1:81: A: the upgrade of a names the transformer DateOnli, which is not registered; did you mean "#
                    + #"DateOnly?"#
            ]),
        SchemaFault(
            "a merge policy that does not fit the kind",
            #"{"name": "A", "properties": {"a": {"kind": "bool", "merge": "max"}}}"#,
            [
                #"1:61: A.a: the merge policy max needs values with an order, such as numbers, dates and text; "#
                    + #"choose another policy or kind"#
            ]),
        SchemaFault(
            "a merge policy that goes by an unknown key",
            #"{"name": "A", "properties": {"a": {"kind": "string", "merge": {"policy": "newest", "by": "b"}}}}"#,
            [
                #"1:63: A.a: the merge policy newest goes by b, which is no key; name the property that decides"#
            ]),
    ]

    @Test(arguments: faults) func aFaultIsReportedWithItsPlace(_ fault: SchemaFault) throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("schemas.json", fault.document)
        var found: [SchemaError.Problem]
        do throws(SchemaError) { found = try SchemaRegistry().check(contentsOf: folder.url) } catch {
            found = error.problems
        }
        let texts = found.map { problem in
            problem.description.replacing(folder.path + "/", with: "").replacing("schemas.json:", with: "")
        }
        #expect(texts == fault.problems)
    }
}
