import Pallium
import PalliumTrials
import Testing

/// What is larger than samples may be is named with its limit.
@Suite struct SampleLimitTests {
    private func problems(_ property: PropertySchema) throws -> [String] {
        let registry = SchemaRegistry()
        let schema = ModelSchema("Holder", ["value": property])
        try registry.register(schema)
        do throws(SchemaError) {
            return try SampleDocuments(of: schema, registry: registry).omissions.map(\.description)
        } catch { return error.problems.map(\.description) }
    }

    @Test(arguments: [
        (
            PropertySchema.string.rules(.minLength(100_000_000)),
            "minLength 100000000 is wanted, and texts of samples have at most 999999 characters"
        ),
        (
            .array(of: .integer).rules(.minCount(200_000)),
            "minCount 200000 is wanted, and such lists of samples have at most 100000 elements"
        ),
        (
            .set(of: .integer).rules(.minCount(2000)),
            "minCount 2000 is wanted, and such lists of samples have at most 1000 elements"
        ),
        (
            .array(of: .string.rules(.minLength(50_000))).rules(.minCount(1)),
            "texts of at least 50000 bytes are wanted, and texts in lists of samples have at most 40000"
        ),
    ]) func aValueBeyondALimitIsNamed(property: PropertySchema, text: String) throws {
        #expect(try problems(property) == ["Holder.value: has no samples: \(text); samples leave it out"])
        let required = try problems(property.required)
        #expect(required.last == "Holder.value: has no samples: \(text)")
    }

    @Test func aPatternForHugeTextsIsRefusedBeforeSamples() {
        let error = #expect(throws: SchemaError.self) {
            try problems(.string.rules(.pattern("^a{1000000}$")))
        }
        let text = error?.problems.first?.description ?? ""
        #expect(text.hasPrefix("Holder.value: the pattern \"^a{1000000}$\" cannot be used: "))
        #expect(text.contains("at most 1000"))
    }

    @Test func manyRequiredModelsMeetTheLimitOfADocument() throws {
        let levels = 5
        let schemas = (0..<levels).map { level in
            ModelSchema.named(
                "Level\(level)",
                properties: level == levels - 1
                    ? [ModelSchema.Property("leaf", .integer)]
                    : (0..<20).map { ModelSchema.Property("m\($0)", .model("Level\(level + 1)").required) })
        }
        let registry = SchemaRegistry()
        try registry.register(schemas)
        let error = #expect(throws: SchemaError.self) { try SampleDocuments(of: schemas[0], registry: registry) }
        #expect(
            error?.problems.map(\.description) == [
                "Level0: has no samples: a document needs more than the 4000 attempts to make objects"
            ])
    }
}
