import Foundation
import Pallium
import PalliumTrials
import TestSupport
import Testing

/// What samples cover, and what they leave out.
@Suite struct SampleCoverageTests {
    /// The values that samples of a schema with one property give it; absent ones are nil.
    private func values(
        of property: PropertySchema, _ registry: SchemaRegistry = SchemaRegistry(), seed: UInt64 = 0
    ) throws -> [JSONValue?] {
        let schema = ModelSchema("Holder", ["value": property])
        try registry.register(schema)
        var samples = try SampleDocuments(of: schema, registry: registry, seed: seed)
        var values: [JSONValue?] = []
        while !samples.isComplete, values.count < 200 { values.append(samples.next()["value"]) }
        return values
    }

    @Test func aPropertyIsAbsentNullAndPresent() throws {
        let values = try values(of: .bool)
        #expect(Set(values) == [nil, .some(.null), true, false])
        // Each once, because nothing else needs a document.
        #expect(values.count == 4)
    }

    @Test func aRequiredPropertyIsAlwaysThere() throws {
        #expect(try values(of: .integer.required).allSatisfy { $0.map { !$0.isNull } ?? false })
    }

    @Test func limitsAreReachedAndNeverPassed() throws {
        let numbers = try values(of: .integer.required.rules(.minimum(3), .exclusiveMaximum(9))).compactMap {
            $0?.intValue
        }
        #expect(numbers.min() == 3)
        #expect(numbers.max() == 8)
    }

    @Test(arguments: [(PropertySchema.integer(as: Int8.self), -128, 127), (.integer(as: UInt16.self), 0, 65535)])
    func widthsAreReached(_ property: PropertySchema, _ least: Int, _ most: Int) throws {
        let numbers = try values(of: property.required).compactMap { $0?.intValue }
        #expect(numbers.min() == least)
        #expect(numbers.max() == most)
    }

    @Test func multiplesAreMultiples() throws {
        let values = try values(of: .decimal.required.rules(.multipleOf(0.05), .minimum(0.01), .maximum(1)))
        let numbers = values.compactMap { $0?.numberValue.flatMap { Decimal(string: $0.text) } }
        #expect(numbers.count > 2)
        #expect(numbers.min() == Decimal(string: "0.05"))
        #expect(numbers.max() == 1)
    }

    @Test func lengthsAreReached() throws {
        let lengths = try values(of: .string.required.rules(.minLength(2), .maxLength(40)))
            .compactMap { $0?.stringValue?.unicodeScalars.count }
        #expect(lengths.min() == 2)
        #expect(lengths.max() == 40)
    }

    @Test func textsHaveEscapesAndMoreThanASCII() throws {
        let texts = try values(of: .string).compactMap { $0?.stringValue }
        #expect(texts.contains(""))
        #expect(texts.contains { $0.contains("\"") && $0.contains("\u{0}") })
        #expect(texts.contains { $0.contains("漢") })
        #expect(texts.contains { $0.unicodeScalars.contains("\u{301}") })
    }

    @Test func countsAreReached() throws {
        let counts = try values(of: .array(of: .integer).required.rules(.minCount(1), .maxCount(4)))
            .compactMap { $0?.arrayValue?.count }
        #expect(counts.min() == 1)
        #expect(counts.max() == 4)
        let free = try values(of: .array(of: .integer)).compactMap { $0?.arrayValue?.count }
        #expect(Set(free).isSuperset(of: [0, 1, 2]))
    }

    @Test(arguments: [
        (EnumerationSchema.UnknownCasePolicy<String>.fail, false), (.keep, true), (.fallback("a"), true),
    ])
    func everyCaseOccurs(_ policy: EnumerationSchema.UnknownCasePolicy<String>, _ hasUnlisted: Bool) throws {
        let texts = Set(try values(of: .enumeration("a", "b", unknown: policy)).compactMap { $0?.stringValue })
        #expect(texts.isSuperset(of: ["a", "b"]))
        #expect(texts.contains { $0 != "a" && $0 != "b" } == hasUnlisted)
    }

    @Test func datesHaveFractions() throws {
        #expect(try values(of: .date).contains { $0?.stringValue?.contains(".125") == true })
    }

    @Test(arguments: [
        "^[a-z-]+$", "^\\d{4}-\\d{2}$", "^(?:red|green|blue)$", "colou?r", "^[^a-z]{3,5}x$", "^\\u0041\\x42$",
        "^(a|b){2}[0-9]*$", "^#[0-9A-Fa-f]{6}$", "^[\\w.]+@[\\w.]+$",
    ])
    func textsAreMadeForSimplePatterns(_ pattern: String) throws {
        let texts = try values(of: .string.required.rules(.pattern(pattern))).compactMap { $0?.stringValue }
        let expression = try NSRegularExpression(pattern: pattern)
        let first = try #require(texts.first)
        #expect(expression.firstMatch(in: first, range: NSRange(first.startIndex..., in: first)) != nil, "\(first)")
    }

    @Test func everyModelOfAClusterOccurs() throws {
        let registry = try SampledSchemas.registry()
        var samples = try SampleDocuments(of: registry.schema(named: "Shape"), registry: registry)
        let adapter = try JSONAdapter(schema: registry.schema(named: "Shape"), registry: registry)
        var names: Set<String> = []
        while !samples.isComplete { names.insert(try adapter.model(from: samples.next()).schema.name) }
        #expect(names == ["Circle", "Square", "FilledSquare"])
    }

    @Test func theDefaultOfADiscriminatorIsReachedByAnUnlistedTextAndByNone() throws {
        let registry = SchemaRegistry()
        let media = ModelSchema(
            "Media", ["kind": .string, "title": .string],
            cluster: .discriminator("kind", ["film": "Film"], default: "Media"))
        try registry.register(media, ModelSchema("Film", ["length": .duration.required], extends: "Media"))
        var samples = try SampleDocuments(of: media, registry: registry)
        var kinds: Set<JSONValue?> = []
        while !samples.isComplete { kinds.insert(samples.next()["kind"]) }
        #expect(kinds.isSuperset(of: [nil, "film"]))
        #expect(kinds.contains { $0 != nil && $0 != "film" && $0 != .some(.null) })
    }

    @Test func theSameSeedMakesTheSameDocuments() throws {
        let registry = try SampledSchemas.registry()
        func documents(seed: UInt64) throws -> [JSONValue] {
            var samples = try SampleDocuments(of: registry.schema(named: "Node"), registry: registry, seed: seed)
            return (0..<20).map { _ in samples.next() }
        }
        #expect(try documents(seed: 4) == documents(seed: 4))
        #expect(try documents(seed: 4) != documents(seed: 5))
        let schema = try registry.schema(named: "Node")
        #expect(
            try SampleDocuments(of: schema, registry: registry).invalid()
                == SampleDocuments(of: schema, registry: registry).invalid())
    }

    // MARK: What is left out

    private struct Refusal: Error {}

    /// A registry with a transformer that accepts nothing that can be guessed.
    private func registryWithRiddle() throws -> SchemaRegistry {
        let registry = SchemaRegistry()
        try registry.transformers.register(
            Transformer(from: String.self, to: String.self) { text, _ in
                guard text == "open sesame" else { throw Refusal() }
                return text
            }, as: "Riddle")
        return registry
    }

    @Test func anOptionalPropertyWithoutKnownValuesIsLeftOutAndNamed() throws {
        let registry = try registryWithRiddle()
        let schema = ModelSchema("Cave", ["door": .string.transformer("Riddle"), "size": .integer])
        try registry.register(schema)
        var samples = try SampleDocuments(of: schema, registry: registry)
        while !samples.isComplete {
            let document = samples.next()
            #expect(document["door"] ?? .null == .null)
        }
        #expect(samples.omissions.map(\.property) == ["door"])
        #expect(samples.omissions.first?.message.contains("the transformer Riddle") == true)
    }

    @Test func aRequiredPropertyWithoutKnownValuesIsAnError() throws {
        let registry = try registryWithRiddle()
        let schema = ModelSchema("Cave", ["door": .string.required.transformer("Riddle")])
        try registry.register(schema)
        let error = #expect(throws: SchemaError.self) { try SampleDocuments(of: schema, registry: registry) }
        #expect(error?.problems.contains { $0.schema == "Cave" && $0.property == "door" } == true)
    }

    @Test func aModelThatRequiresItselfIsAnError() throws {
        let registry = SchemaRegistry()
        let schema = ModelSchema("Endless", ["next": .model("Endless").required])
        try registry.register(schema)
        let error = #expect(throws: SchemaError.self) { try SampleDocuments(of: schema, registry: registry) }
        #expect(error?.description.contains("requires itself without end") == true)
    }

    @Test func modelsOnManyLevelsAreAnErrorAndNoStackOverflow() throws {
        let registry = SchemaRegistry()
        let count = 3000
        let schemas = (0..<count).map { number in
            ModelSchema(
                "Level\(number)", ["next": .model(number + 1 < count ? "Level\(number + 1)" : "Level0").required])
        }
        try registry.register(schemas)
        #expect(throws: SchemaError.self) { try SampleDocuments(of: schemas[0], registry: registry) }
        let ending = ModelSchema("End", ["value": .bool])
        let chain = (0..<count).map { number in
            ModelSchema(
                "Link\(number)", ["next": .model(number + 1 < count ? "Link\(number + 1)" : "End").required])
        }
        try registry.register([ending] + chain)
        #expect(throws: SchemaError.self) { try SampleDocuments(of: chain[0], registry: registry) }
        var samples = try SampleDocuments(of: chain[count - 40], registry: registry)
        #expect(samples.next()["next"]?["next"] != nil)
    }

    @Test func rulesThatNothingKeepsEndTheSearch() throws {
        let registry = SchemaRegistry()
        // The innermost model has no document, and every other one requires the next.
        let impossible = ModelSchema(
            "Impossible", ["a": .bool.required, "b": .bool.required]
        ).rules(.exactlyOneOf(["a", "b"]))
        let chain = (0..<20).map { number in
            ModelSchema("Link\(number)", ["next": .model(number < 19 ? "Link\(number + 1)" : "Impossible").required])
        }
        let endless = ModelSchema(
            "Endless", ["next": .model("Endless"), "other": .model("Endless")]
        ).rules(.exactlyOneOf(["next", "other"]))
        try registry.register([impossible, endless] + chain)
        #expect(throws: SchemaError.self) { try SampleDocuments(of: chain[0], registry: registry) }
        #expect(throws: SchemaError.self) { try SampleDocuments(of: endless, registry: registry) }
        let ending = ModelSchema(
            "Ending", ["next": .model("Ending"), "end": .bool]
        ).rules(.exactlyOneOf(["next", "end"]))
        try registry.register(ending)
        var samples = try SampleDocuments(of: ending, registry: registry)
        #expect(try (0..<20).allSatisfy { _ in try samples.next().text().utf8.count < 10_000 })
    }

    @Test func recursiveModelsEnd() throws {
        let registry = SchemaRegistry()
        let schema = ModelSchema(
            "Wide", ["a": .array(of: .model("Wide")), "b": .array(of: .model("Wide")), "c": .model("Wide")])
        try registry.register(schema)
        var samples = try SampleDocuments(of: schema, registry: registry)
        for _ in 0..<100 { #expect(try samples.next().text().utf8.count < 20_000) }
    }

    @Test func aSchemaThatIsNotRegisteredIsAnError() {
        #expect(throws: SchemaError.self) {
            try SampleDocuments(of: ModelSchema("Nowhere", [:]), registry: SchemaRegistry())
        }
    }

    // MARK: Mistakes

    @Test func everyKindOfMistakeOccurs() throws {
        let registry = try SampledSchemas.registry()
        var codes: Set<ModelError.Code> = []
        for name in SampledSchemas.names {
            codes.formUnion(
                try SampleDocuments(of: registry.schema(named: name), registry: registry).invalid().map(\.code))
        }
        #expect(
            codes.isSuperset(of: [
                .typeMismatch, .numberOutOfRange, .invalidValue, .nullNotAllowed, .missingProperty, .unknownMember,
                .unknownCase, .unknownModel, .ruleBroken,
            ]))
    }

    @Test func everyRuleIsBroken() throws {
        let registry = try SampledSchemas.registry()
        let mistakes = try ["Limits", "Ruled"].flatMap { name in
            try SampleDocuments(of: registry.schema(named: name), registry: registry).invalid().map(\.mistake)
        }
        for rule in [
            "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
            "format", "minCount", "maxCount", "unique",
        ] {
            #expect(mistakes.contains { $0.contains("against \(rule)") }, "\(rule)")
        }
        for rule in ["required", "notAfter", "before", "exactlyOneOf"] {
            #expect(mistakes.contains("the rule \(rule) of Ruled broken"), "\(rule)")
        }
    }

    @Test func anInvalidSampleIsWrittenWithItsError() throws {
        let registry = SchemaRegistry()
        let schema = ModelSchema("Number", ["number": .integer.required])
        try registry.register(schema)
        let invalid = try SampleDocuments(of: schema, registry: registry).invalid()
        let lines = try invalid.map { try $0.json.text() }
        #expect(lines.contains(#"{"document":{"number":true},"expected":{"code":"typeMismatch","pointer":"/number"}}"#))
        #expect(lines.contains(#"{"document":{},"expected":{"code":"missingProperty","pointer":""}}"#))
        #expect(invalid.contains { $0.description == "null for Number.number: nullNotAllowed at /number" })
    }
}
