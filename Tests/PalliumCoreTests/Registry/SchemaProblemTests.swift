import Foundation
import PalliumCore
import PalliumJSON
import TestSupport
import Testing

@Suite("Problems of schemas")
struct SchemaProblemTests {
    private func check(_ mistake: SchemaMistake) {
        let registry = SchemaRegistry(transformers: (try? SchemaMistake.transformers()) ?? TransformerRegistry())
        let error = #expect(throws: SchemaError.self) { try registry.register(mistake.schemas) }
        let found = error?.problems.map(\.description) ?? []
        #expect(found == mistake.problems)
        #expect(registry.schemas.isEmpty)
    }

    @Test(.threat(.schemaDocuments), .row("C051"), arguments: SchemaMistake.names)
    func mistakesInNamesAndParentsAreReported(_ mistake: SchemaMistake) { check(mistake) }

    @Test(arguments: SchemaMistake.properties)
    func mistakesInPropertiesAreReported(_ mistake: SchemaMistake) { check(mistake) }

    @Test(arguments: SchemaMistake.conversions)
    func transformersThatDoNotFitAreReported(_ mistake: SchemaMistake) { check(mistake) }

    @Test(arguments: SchemaMistake.modifiers)
    func modifiersThatMeanNothingAreReported(_ mistake: SchemaMistake) { check(mistake) }

    @Test(arguments: SchemaMistake.unmapped)
    func aRequiredPropertyThatNothingMapsIsReported(_ mistake: SchemaMistake) { check(mistake) }

    @Test(arguments: [
        PropertySchema.model("Other").weak.local, .model("Other").weak.nullable, .string.nullable,
        .string.local.secret.default("x"), .date.local.transformer(DateOnlyTransformerName).default(json: "2026-01-31"),
        .string.storage(.transitory).archive(.excluded), .array(of: .model("Other")).archive(.conditional),
        .model("Other").weak.archive(.included), .string.default("x").nilPolicy(.write), .string.storage(.notStored),
        .string.storage(.notStored).doc("What it was."), .unsigned.transformer(IntegerTextTransformerName),
        .double.transformer(IntegerTextTransformerName), .decimal.transformer(IntegerTextTransformerName),
        .integer(as: Int8.self).transformer(IntegerTextTransformerName),
        .integer.transformer(DecimalTextTransformerName),
        .date.transformer(EmptyTextAsNullTransformerName), .uuid.transformer(EmptyTextAsNullTransformerName),
        .enumeration("a").transformer(EmptyTextAsNullTransformerName),
        .jsonValue.transformer(NumberOrTextTransformerName),
        .jsonValue.transformer(EmptyTextAsNullTransformerName), .custom(Point.self).local.archive(.excluded),
        .custom(Point.self).local.storage(.transitory), .array(of: .custom(Point.self)).local.archive(.excluded),
    ])
    func whatOnlySaysWhatHoldsIsNoMistake(_ property: PropertySchema) throws {
        try SchemaRegistry().register(ModelSchema("S", ["p": property]), ModelSchema("Other", [:]))
    }

    @Test func aMistakeOfAProfileIsReportedForTheSchemaThatHasIt() {
        var parent = ModelSchema("Parent", ["a": .string])
        parent.profiles = [ModelSchema.Profile("web", ["a": .path("x..y")])]
        let error = #expect(throws: SchemaError.self) {
            try SchemaRegistry().register(
                ModelSchema("Grandchild", [:], extends: "Child"),
                ModelSchema("Child", ["b": .string], extends: "Parent"),
                parent)
        }
        #expect(error?.problems.map { "\($0.schema ?? "").\($0.property ?? "")" } == ["Parent.a"])
    }

    @Test func everySchemaBehindAnUnknownParentIsChecked() {
        var versioned = ModelSchema("E", ["e": .string], extends: "Nowhere", version: 0)
        versioned.profiles = [ModelSchema.Profile("web", ["inherited": .path("x")])]
        let error = #expect(throws: SchemaError.self) {
            try SchemaRegistry().register(
                ModelSchema(
                    "A",
                    [
                        "a": .integer.default("text"), "b": .model("Missing"), "c": .string.json("a..b"),
                        "d": .integer.validate { (_: inout String?, _) in },
                        "e": .array(of: .model("Grandchild")).inverse("inherited"),
                        "f": .string.merge(.newest(by: "inherited")),
                    ], extends: "Nowhere", identity: ["inherited"],
                    cluster: .discriminator("a..b", ["x": "Elsewhere", "y": "Grandchild"])),
                ModelSchema("Child", ["c": .url.default(json: "")], extends: "A"),
                ModelSchema("Grandchild", ["g": .date.transformer(IntegerTextTransformerName)], extends: "Child"),
                versioned, ModelSchema("Loop", ["l": .string.weak], extends: "Loop"),
                ModelSchema("", ["n": .string.weak]), ModelSchema("Grandchild", ["n": .model("Missing")]))
        }
        let found = error?.problems.map { "\($0.schema ?? "").\($0.property ?? "")" }
        #expect(
            found == [
                "A.", "A.b", "A.c", "A.", "A.", "A.a", "A.d", "Child.c", "Grandchild.", "Grandchild.g", "Grandchild.n",
                "E.", "E.", "Loop.", "Loop.l", ".", ".n",
            ])
    }

    @Test(arguments: SchemaMistake.modifiers + SchemaMistake.conversions)
    func aChildIsNotBlamedForWhatItInherits(_ mistake: SchemaMistake) {
        let registry = SchemaRegistry(transformers: (try? SchemaMistake.transformers()) ?? TransformerRegistry())
        let parent = mistake.schemas[0].name
        let error = #expect(throws: SchemaError.self) {
            try registry.register(mistake.schemas + [ModelSchema("AChild", [:], extends: .named(parent))])
        }
        #expect(error?.problems.contains { $0.schema == "AChild" } == false)
    }

    @Test(arguments: SchemaMistake.defaults)
    func mistakesInDefaultsAndValidatorsAreReported(_ mistake: SchemaMistake) { check(mistake) }

    @Test(.row("C105"), arguments: SchemaMistake.mapping)
    func mistakesInMappingsAndClustersAreReported(_ mistake: SchemaMistake) { check(mistake) }

    @Test(.threat(.archiveVersions), arguments: SchemaMistake.upgrades)
    func mistakesInUpgradesAreReported(_ mistake: SchemaMistake) { check(mistake) }

    @Test(arguments: JSONKeyPathTests.otherNotations)
    func aPathInAnotherNotationIsReportedWithTheRightForm(_ text: String, _ advice: String) {
        check(SchemaMistake("", .string.json(text), "key path \"\(text)\" is \(advice)"))
        check(
            SchemaMistake(
                "", ModelSchema("S", [:], ignored: [text]), problems: "S: ignored: key path \"\(text)\" is \(advice)"))
    }

    @Test(.row("C105"), arguments: JSONKeyPathTests.malformed)
    func aMalformedKeyPathIsReportedWhereverItStands(_ text: String, _ problem: String) {
        check(SchemaMistake("", .string.json(text), "key path \"\(text)\" \(problem)"))
        check(SchemaMistake("", .string.json(firstOf: ["a", text]), "key path \"\(text)\" \(problem)"))
        check(
            SchemaMistake(
                "", ModelSchema("S", [:], ignored: [text]), problems: "S: ignored: key path \"\(text)\" \(problem)"))
        let profile = ModelSchema.Profile("web", ["p": .path(text)])
        var schema = ModelSchema("S", ["p": .string])
        schema.profiles = [profile]
        let error = #expect(throws: SchemaError.self) { try SchemaRegistry().register(schema) }
        #expect(error?.description.contains("key path \"\(text)\" \(problem)") == true)
    }

    @Test func allProblemsOfASetAreReportedAtOnceWhateverTheirSort() {
        let registry = SchemaRegistry()
        let error = #expect(throws: SchemaError.self) {
            try registry.register(
                ModelSchema("0", ["o": .integer.default("text")]),
                ModelSchema("A", [:], extends: "Nowhere"),
                ModelSchema("B", ["b": .model("Missing"), "c": .string.transformer("None")]),
                ModelSchema("C", ["c": .string.json("a..b")]),
                ModelSchema("D", ["d": .integer.default("text")]),
                ModelSchema("E", ["e": .integer]))
        }
        let found = error?.problems.map { "\($0.schema ?? "").\($0.property ?? "")" }
        #expect(found == ["0.o", "A.", "B.b", "B.c", "C.c", "D.d"])
        #expect(error?.description.hasPrefix("6 problems in schemas:\n  0.o: the default value") == true)
        #expect(registry.schemas.isEmpty)
    }

    /// Each suggestion looks through all names.
    @Test func theFirstProblemsComeWithSuggestions() {
        let keys = (0..<25).map { "key\($0)x" }
        let schema = ModelSchema("S", ["key0": .string], identity: keys)
        let references = ModelSchema.named(
            "R", properties: (0..<25).map { ModelSchema.Property("p\($0)", .model("Other")) })
        for (schema, fix) in [(schema, "did you mean key0?"), (references, "did you mean Others?")] {
            let error = #expect(throws: SchemaError.self) {
                try SchemaRegistry().register(schema, ModelSchema("Others", [:]))
            }
            #expect(error?.problems.count == 25)
            #expect(error?.problems[0].fix == fix)
            #expect(error?.problems[20...].allSatisfy { $0.fix != fix } == true)
        }
    }

    @Test func aProblemNamesTheMembersThatLeadToIt() {
        let error = #expect(throws: SchemaError.self) {
            try SchemaRegistry().register(
                ModelSchema("A", ["a": .array(of: .model("Nowhere"))], identity: ["b"]))
        }
        #expect(error?.problems.map(\.members) == [["of", "model"], ["identity"]])
    }
}
