import Foundation
import Pallium
import PalliumTrials
import Testing

/// The promise of `compare`: a breaking change has a witness, a harmless one a proof, and any other is unproved.
@Suite struct ProvedChangeTests {
    static let breaking: [PropertyEdit] = [
        // Stricter patterns.
        text("pattern-changed", #""pattern": "^[a-z]+$""#, #""pattern": "^[a-y]+$""#),
        text("pattern-changed", #""pattern": "abc""#, #""pattern": "^abc$""#),
        text("pattern-changed", #""pattern": "^(ab)*$""#, #""pattern": "^(abab)*$""#),
        text("pattern-changed", #""pattern": "^[^]$""#, #""pattern": "^[^\\ud83d\\ude00]$""#),
        PropertyEdit(
            "of.pattern-changed", #""kind": "array", "of": {"kind": "string", "pattern": "^[a-z]+$"}"#,
            #""kind": "array", "of": {"kind": "string", "pattern": "^[a-y]+$"}"#),
        PropertyEdit(
            "of.of.pattern-changed",
            #""kind": "dictionary", "of": {"kind": "array", "of": {"kind": "string", "pattern": "^q.$"}}"#,
            #""kind": "dictionary", "of": {"kind": "array", "of": {"kind": "string", "pattern": "^q[^7]$"}}"#),
        // Lengths, also of texts with a pattern.
        text("maxLength-changed", #""maxLength": 50000"#, #""maxLength": 40000"#),
        text("minLength-changed", #""minLength": 20000"#, #""minLength": 30000"#),
        text(
            "maxLength-changed", #""pattern": "^x[0-9]*$", "maxLength": 900"#,
            #""pattern": "^x[0-9]*$", "maxLength": 700"#),
        text("minLength-added", #""pattern": "^x[0-9]*$""#, #""pattern": "^x[0-9]*$", "minLength": 4"#),
        // Counts, also above the 1,000 elements of plain samples.
        list("maxCount-changed", #""maxCount": 1200"#, #""maxCount": 1100"#),
        list("minCount-changed", #""minCount": 2000"#, #""minCount": 3000"#),
        list(
            "maxCount-changed", #""minCount": 20, "maxCount": 30, "unique": true"#,
            #""minCount": 20, "maxCount": 29, "unique": true"#),
        PropertyEdit(
            "maxCount-changed", #""kind": "dictionary", "of": {"kind": "bool"}, "maxCount": 1020"#,
            #""kind": "dictionary", "of": {"kind": "bool"}, "maxCount": 1010"#),
        // Repeated elements.
        list("unique-added", #""minCount": 5, "maxCount": 5"#, #""minCount": 5, "maxCount": 5, "unique": true"#),
        PropertyEdit(
            "unique-added", #""kind": "array", "of": {"kind": "string", "pattern": "^[0-9]{9}x$"}"#,
            #""kind": "array", "of": {"kind": "string", "pattern": "^[0-9]{9}x$"}, "unique": true"#),
        PropertyEdit(
            "of.unique-added", #""kind": "array", "of": {"kind": "array", "of": {"kind": "date"}}"#,
            #""kind": "array", "of": {"kind": "array", "of": {"kind": "date"}, "unique": true}"#),
        // Another order of the paths.
        PropertyEdit(
            "json-changed", #""kind": "string", "json": {"firstOf": ["a", "b"]}"#,
            #""kind": "string", "json": {"firstOf": ["b", "a"]}"#),
        PropertyEdit(
            "json-changed", #""kind": "integer", "json": {"firstOf": ["a", "b", "c.d"]}"#,
            #""kind": "integer", "json": {"firstOf": ["a", "c.d", "b"]}"#),
        PropertyEdit(
            "json-changed", #""kind": "enumeration", "cases": ["x"], "json": {"firstOf": ["a", "b"]}"#,
            #""kind": "enumeration", "cases": ["x"], "json": {"firstOf": ["b", "a"]}"#),
    ]

    static let harmless: [PropertyEdit] = [
        text("pattern-changed", #""pattern": "^[a-y]+$""#, #""pattern": "^[a-z]+$""#),
        text("pattern-changed", #""pattern": "^abc$""#, #""pattern": "abc""#),
        text("pattern-changed", #""pattern": "^(a|b)$""#, #""pattern": "^[ab]$""#),
        text("maxLength-added", #""pattern": "^[0-9]{3}$""#, #""pattern": "^[0-9]{3}$", "maxLength": 3"#),
        text("pattern-changed", #""pattern": "^[a-z]+$", "minLength": 2"#, #""pattern": "^[a-z]*$", "minLength": 2"#),
        text("maxLength-changed", #""maxLength": 40000"#, #""maxLength": 50000"#),
        list("minCount-changed", #""minCount": 3000"#, #""minCount": 2000"#),
        list("unique-added", #""maxCount": 1"#, #""maxCount": 1, "unique": true"#),
        PropertyEdit("only-added", #""kind": "string""#, #""kind": "string", "only": "output""#),
        PropertyEdit("only-changed", #""kind": "string", "only": "input""#, #""kind": "string", "only": "output""#),
        PropertyEdit("minimum-added", #""kind": "uint8""#, #""kind": "uint8", "minimum": 0"#),
        PropertyEdit(
            "minimum-added", #""kind": "integer", "exclusiveMinimum": 0"#,
            #""kind": "integer", "exclusiveMinimum": 0, "minimum": 1"#),
        PropertyEdit(
            "json-changed", #""kind": "string", "json": {"firstOf": ["a", "b"]}"#,
            #""kind": "string", "json": {"firstOf": ["a", "b", "c"]}"#),
        PropertyEdit("json-added", #""kind": "string""#, #""kind": "string", "json": "value""#),
    ]

    static let unproved: [PropertyEdit] = [
        // Beyond the limit of the search.
        text(
            "pattern-changed", #""pattern": "^(a{101})*$", "minLength": 200000"#,
            #""pattern": "^((a{101})*|b{9})$", "minLength": 200000"#),
        // Beyond the longest text and the longest list.
        text("maxLength-changed", #""maxLength": 90000000"#, #""maxLength": 80000000"#),
        list("maxCount-changed", #""maxCount": 90000000"#, #""maxCount": 80000000"#),
        // What only a format knows.
        text("minLength-changed", #""format": "date", "minLength": 1"#, #""format": "date", "minLength": 10"#),
        text("pattern-added", #""format": "ipv4""#, #""format": "ipv4", "pattern": "^[0-9.]+$""#),
        PropertyEdit("transformer-added", #""kind": "url""#, #""kind": "url", "transformer": "URL""#),
    ]

    private static func text(_ rule: String, _ old: String, _ new: String) -> PropertyEdit {
        PropertyEdit(rule, #""kind": "string", \#(old)"#, #""kind": "string", \#(new)"#)
    }

    private static func list(_ rule: String, _ old: String, _ new: String) -> PropertyEdit {
        let kind = #""kind": "array", "of": {"kind": "integer"}"#
        return PropertyEdit(rule, "\(kind), \(old)", "\(kind), \(new)")
    }

    @Test(arguments: breaking) func aStricterVersionHasAWitness(_ edit: PropertyEdit) throws {
        let changes = try edit.changes()
        #expect(changes.map(\.rule) == [edit.rule])
        #expect(changes.map(\.severity) == [.breaking])
    }

    @Test(arguments: harmless) func aLooserVersionIsHarmless(_ edit: PropertyEdit) throws {
        let changes = try edit.changes()
        #expect(changes.map(\.rule) == [edit.rule])
        #expect(changes.map(\.severity) == [.harmless], "\(changes)")
    }

    @Test(arguments: unproved) func whatIsNotDecidedIsUnproved(_ edit: PropertyEdit) throws {
        let changes = try edit.changes()
        #expect(changes.map(\.rule) == [edit.rule])
        #expect(changes.map(\.severity) == [.unproved], "\(changes)")
        #expect(changes.map(\.unproved) == [[.backward]])
        #expect(
            changes.first?.description.hasSuffix(
                "\n  unproved: new schemas read old documents and archives: no document was found that breaks, "
                    + "and no proof") == true)
    }
}
