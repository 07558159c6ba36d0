import Foundation
import PalliumCore
import PalliumJSON
import TestSupport
import Testing

@Suite struct PredefinedNameTests {
    /// The texts stand in documents; a change of one breaks them.
    static let names: [(name: TransformerName, text: String, output: any PropertyValue.Type)] = [
        (URLTransformerName, "URL", URL.self),
        (URLPercentEncodingTransformerName, "URLPercentEncoding", URL.self),
        (EmptyTextAsNullTransformerName, "EmptyTextAsNull", String.self),
        (UUIDTransformerName, "UUID", UUID.self),
        (LowercaseUUIDTransformerName, "LowercaseUUID", UUID.self),
        (BooleanTransformerName, "Boolean", Bool.self),
        (ISO8601DateTransformerName, "ISO8601Date", Date.self),
        (LocalISO8601DateTransformerName, "LocalISO8601Date", Date.self),
        (DateOnlyTransformerName, "DateOnly", Date.self),
        (UnixSecondsTransformerName, "UnixSeconds", Date.self),
        (UnixMillisecondsTransformerName, "UnixMilliseconds", Date.self),
        (DurationSecondsTransformerName, "DurationSeconds", Duration.self),
        (Base64DataTransformerName, "Base64Data", Data.self),
        (DecimalTextTransformerName, "DecimalText", Decimal.self),
        (ScaledDecimalTextTransformerName, "ScaledDecimalText", Decimal.self),
        (IntegerTextTransformerName, "IntegerText", Int64.self),
        (NumberOrTextTransformerName, "NumberOrText", JSONValue.self),
    ]

    @Test(.row("C303"), arguments: names)
    func everyNameHasItsTextAndItsTransformer(
        name: TransformerName, text: String, output: any PropertyValue.Type
    ) throws {
        #expect(name.description == text)
        #expect(name == TransformerName(text))
        let transformer = try predefined(name)
        #expect(ObjectIdentifier(transformer.outputType) == ObjectIdentifier(output))
        #expect(transformer.isReversible)
        #expect(!transformer.handlesNull)
        #expect(try transformer.passesNull())
    }

    @Test func aRegistryBeginsWithExactlyThese() {
        #expect(Set(TransformerRegistry().names) == Set(Self.names.map(\.name)))
    }

    @Test(.row("C366", "C367"), arguments: names)
    func everyTransformerNamesWhatItExpectedAndFound(
        name: TransformerName, text: String, output: any PropertyValue.Type
    ) throws {
        let transformer = try predefined(name)
        for error in [
            try transformer.refusal(of: JSONValue.array([])), try transformer.refusal(of: nullValue),
            try transformer.reverseRefusal(of: JSONValue.array([])), try transformer.reverseRefusal(of: nullValue),
        ] {
            #expect(error.code == .typeMismatch)
            #expect(error.found == "an array" || error.found == "null")
        }
    }

    @Test
    func anUnknownNameIsAnErrorThatKnowsTheNearestOne() throws {
        let error = try #require(throws: ModelError.self) { try predefined("ISO8601Dat") }
        #expect(error.code == .unknownTransformer)
        #expect(error.suggestion == "ISO8601Date")
    }

    /// Wherever a schema names a transformer that is not there, it is not registered; the error names key and name.
    @Test(.row("C304"))
    func aSchemaThatNamesAnUnknownTransformerIsNotRegistered() throws {
        var upgraded = ModelSchema("Model", ["when": .date], version: 2)
        upgraded.upgrades = [SchemaUpgrade(from: 1, transformed: ["when": ["ISO8601Dat"]])]
        let schemas = [
            ModelSchema("Model", ["when": .date.transformer("ISO8601Dat")]),
            ModelSchema("Model", ["when": .array(of: .date.transformer("ISO8601Dat"))]),
            ModelSchema("Model", ["when": .custom(Point.self, transformer: "ISO8601Dat")]), upgraded,
        ]
        for schema in schemas {
            let registry = SchemaRegistry()
            let error = try #require(throws: SchemaError.self) { try registry.register(schema) }
            #expect(error.problems.count == 1)
            let problem = try #require(error.problems.first?.description)
            #expect(problem.contains("when") && problem.contains("ISO8601Dat"), "\(problem)")
            #expect(registry.schemas.isEmpty)
        }
    }

    @Test(.threat(.registryRaces), .row("C305"))
    func aNameNeverChangesItsMeaning() throws {
        let registry = TransformerRegistry()
        let mine = Transformer.mapping(["a": 1])
        try registry.register(mine, as: "Mine")
        try registry.register(mine, as: "Mine")
        let error = try #require(throws: ModelError.self) {
            try registry.register(Transformer.mapping(["a": 1]), as: "Mine")
        }
        #expect(error.code == .duplicateMember)
        #expect(throws: ModelError.self) { try registry.register(mine, as: URLTransformerName) }
        #expect(try registry.transformer(named: "Mine") === mine)
        #expect(throws: ModelError.self) { try TransformerRegistry().transformer(named: "Mine") }
    }
}
