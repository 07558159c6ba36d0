import ModelTestSupport
import Pallium
import Testing

/// Transformers that a property has as values, without a name.
struct InlineTransformerTests {
    private let cents = Transformer(from: Double.self, to: Int.self) { amount, _ in
        Int((amount * 100).rounded())
    } reverse: { cents, _ in
        Double(cents) / 100
    }

    @Test func aTransformerWithoutANameConvertsInBothDirections() throws {
        let adapter = try Plain.adapter([
            "price": .integer.transformer(cents), "prices": .array(of: .integer.transformer(cents)),
            "port": .integer.transformer(.validating(Int.self) { (1...65535).contains($0) }),
        ])
        let text = #"{"price":12.5,"prices":[1.25,0.01],"port":80}"#
        let model = try adapter.model(from: text)
        #expect(model["price", as: Int.self] == 1250 && model["prices", as: [Int].self] == [125, 1])
        #expect(try adapter.roundTrip(text) == text)
        #expect(throws: ModelError.self) { try adapter.model(from: #"{"port":0}"#) }
    }

    @Test func registrationChecksATransformerWithoutAName() {
        let problems = Plain.problems(["price": .date.transformer(cents)])
        #expect(problems.count == 1)
        #expect(
            problems.first?.hasPrefix(
                "Plain.price: the transformer from Double to Int gives Int, which does not fit ") == true)
    }

    @Test func propertiesAreEqualIfTheirTransformersAreCopies() throws {
        func schema(_ transformer: Transformer) -> ModelSchema {
            ModelSchema("Invoice", ["price": .integer.transformer(transformer)])
        }
        #expect(schema(cents) == schema(cents))
        #expect(schema(cents) != schema(Transformer.validating(Int.self) { $0 > 0 }))
        let registry = SchemaRegistry()
        try registry.register(schema(cents))
        try registry.register(schema(cents))
    }

    @Test func noDocumentHoldsATransformerWithoutAName() {
        for property in [PropertySchema.integer.transformer(cents), .array(of: .integer.transformer(cents))] {
            let schema = ModelSchema("Invoice", ["price": property])
            #expect(schema.hasClosures)
            let error = #expect(throws: SchemaError.self) { try SchemaRegistry().document(of: schema) }
            #expect(
                error?.description
                    == "Invoice.price: has a transformer without a name, which is Swift code; register it and use its name"
            )
        }
        #expect(!ModelSchema("Invoice", ["price": .integer.transformer("Cents")]).hasClosures)
    }
}
