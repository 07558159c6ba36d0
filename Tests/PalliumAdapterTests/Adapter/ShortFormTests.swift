import ModelTestSupport
import Pallium
import Testing

/// Short forms mean the same as the long ones.
struct ShortFormTests {
    @Test func everyPredefinedTransformerHasAShortName() {
        let names: [TransformerName] = [
            .url, .urlPercentEncoding, .emptyTextAsNull, .uuid, .lowercaseUUID, .boolean, .iso8601Date,
            .localISO8601Date, .dateOnly, .unixSeconds, .unixMilliseconds, .durationSeconds, .base64Data,
            .decimalText, .scaledDecimalText, .integerText, .numberOrText,
        ]
        #expect(Set(names) == Set(TransformerRegistry().names) && Set(names).count == names.count)
        #expect(TransformerName.unixMilliseconds == UnixMillisecondsTransformerName)
    }

    @Test func anEnumerationMayListItsTexts() {
        let cases = [EnumerationSchema.Case(.text("open")), EnumerationSchema.Case(.text("closed"))]
        #expect(PropertySchema.enumeration("open", "closed") == .enumeration(EnumerationSchema(cases: cases)))
        #expect(
            PropertySchema.enumeration("open", "closed", unknown: .fallback("open"))
                == .enumeration(EnumerationSchema(cases: cases, unknown: .fallback(.text("open")))))
        #expect(
            PropertySchema.enumeration("open", "closed", unknown: .keep)
                == .enumeration(EnumerationSchema(cases: cases, unknown: .keep)))
    }

    @Test func aDiscriminatorMayListClasses() {
        #expect(
            ModelCluster.discriminator("kind", ["a": EmptyModel.self, "b": TestModel.self], default: EmptyModel.self)
                == .discriminator(
                    "kind", ["a": .modelClass(EmptyModel.self), "b": .modelClass(TestModel.self)],
                    default: .modelClass(EmptyModel.self)))
    }

    @Test func anAdapterWithOtherOptionsKeepsItsSchemaAndProfile() throws {
        var schema = ModelSchema("Note", ["id": .integer.required])
        schema.profiles = [ModelSchema.Profile("short", ["id": .path("i")])]
        let registry = try SchemaRegistry.of(schema)
        let strict = try JSONAdapter(schema: schema, profile: "short", registry: registry)
        let skipping = strict.with { $0.elements = .skip }
        let text = #"[{"i":1},{"i":"2"},{"id":3}]"#
        #expect(try skipping.models(from: text).map { $0["id", as: Int.self] } == [1])
        #expect(throws: ModelError.self) { try strict.models(from: text) }
        #expect(skipping.schema == schema && strict.options.elements == .fail)
    }
}
