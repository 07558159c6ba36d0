import PalliumCore
import PalliumJSON
import TestSupport
import Testing

@Suite("Problems of schemas")
struct SchemaProblemTests {
    private func check(_ mistake: SchemaMistake) {
        let registry = SchemaRegistry()
        let error = #expect(throws: SchemaError.self) { try registry.register(mistake.schemas) }
        let found = error?.problems.map(\.description) ?? []
        #expect(found == mistake.problems)
        #expect(registry.schemas.isEmpty)
    }

    @Test(.threat(.schemaDocuments), .row("C051"), arguments: SchemaMistake.names)
    func mistakesInNamesAndParentsAreReported(_ mistake: SchemaMistake) { check(mistake) }

    @Test(arguments: SchemaMistake.properties)
    func mistakesInPropertiesAreReported(_ mistake: SchemaMistake) { check(mistake) }

    @Test(arguments: SchemaMistake.defaults)
    func mistakesInDefaultsAndValidatorsAreReported(_ mistake: SchemaMistake) { check(mistake) }

    @Test(.row("C105"), arguments: SchemaMistake.mapping)
    func mistakesInMappingsAndClustersAreReported(_ mistake: SchemaMistake) { check(mistake) }

    @Test(.threat(.archiveVersions), arguments: SchemaMistake.upgrades)
    func mistakesInUpgradesAreReported(_ mistake: SchemaMistake) { check(mistake) }

    @Test(.row("C105"), arguments: JSONKeyPathTests.malformed)
    func aMalformedKeyPathIsReportedWhereverItStands(_ text: String, _ problem: String) {
        check(SchemaMistake("", .string.json(text), "key path \"\(text)\" \(problem)"))
        check(SchemaMistake("", .string.json(firstOf: ["a", text]), "key path \"\(text)\" \(problem)"))
        check(
            SchemaMistake(
                "", ModelSchema("S", [:], ignored: [text]), problems: "S: ignored: key path \"\(text)\" \(problem)"))
        let profile = JSONProfile("web", ["p": .path(text)])
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
        let references = ModelSchema(
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

    @Test func aProblemNamesThePlaceInItsDocument() {
        let source = SchemaSource(schema: "A.json:1:2", properties: [UTF8Key("a"): "A.json:3:4"])
        let error = #expect(throws: SchemaError.self) {
            try SchemaRegistry().register(
                [ModelSchema("A", ["a": .model("Nowhere")], identity: ["b"])], sources: [UTF8Key("A"): source])
        }
        #expect(error?.problems.map(\.source) == ["A.json:3:4", "A.json:1:2"])
        #expect(error?.problems.first?.description.hasPrefix("A.json:3:4: A.a: names the model") == true)
    }
}
