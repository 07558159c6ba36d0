import Foundation
import ModelTestSupport
import Pallium
import Testing

/// For whom archives open, and what is checked of the models in them.
@Suite struct UnarchiverTests {
    @Test func whoAsksForWhatNobodyRegisteredIsTold() throws {
        let schema = ModelSchema("Model", ["a": .integer])
        let bytes = try archived(schema)
        let empty = ModelUnarchiver(registry: SchemaRegistry())
        var error = #expect(throws: ModelError.self) { try empty.unarchive(schema, from: bytes) }
        #expect(error?.description == #"expected a registered schema but found "Model""#)
        error = #expect(throws: ModelError.self) { try empty.unarchive(Branch.self, from: bytes) }
        #expect(error?.description == "expected a schema registered for the class Branch but found none")
        error = #expect(throws: ModelError.self) { try empty.unarchive(arrayOf: DynamicModel.self, from: bytes) }
        #expect(error?.code == .unknownSchema)
        for allowed in [ModelReference.named("Model"), .modelClass(Branch.self)] {
            let unarchiver = ModelUnarchiver(registry: SchemaRegistry(), allowing: [allowed])
            error = #expect(throws: ModelError.self) { try unarchiver.unarchive(schema, from: bytes) }
            #expect(error?.code == .unknownSchema)
        }
    }

    @Test func theFirstBytesAloneAreNoArchive() throws {
        let schema = ModelSchema("Model", ["a": .integer])
        let unarchiver = ModelUnarchiver(registry: try .of(schema))
        let bytes = try archived(schema)
        for (count, sentence) in [
            (0, "expected an archive but found no bytes"),
            (7, "expected an archive but found bytes that begin otherwise"),
            (8, "expected the 56 bytes of a header but found 8 bytes"),
            (55, "expected the 56 bytes of a header but found 55 bytes"),
        ] {
            let error = #expect(throws: ModelError.self) { try unarchiver.unarchive(schema, from: bytes.prefix(count)) }
            #expect(error?.description == sentence)
        }
    }

    @Test func allowedSchemasCanBeNamedByTheirClass() throws {
        let other = ModelSchema("Other", [:])
        let registry = try SchemaRegistry.of(Branch.schema, other)
        let bytes = try ModelArchiver().archive([Branch(registry: registry)])
        let unarchiver = ModelUnarchiver(
            registry: registry, allowing: [.modelClass(Branch.self), .modelClass(Branch.self)])
        #expect(try unarchiver.unarchive(arrayOf: DynamicModel.self, from: bytes).map { $0 is Branch } == [true])
        let error = #expect(throws: ModelError.self) {
            try unarchiver.unarchive(arrayOf: DynamicModel.self, from: archived(other))
        }
        #expect(error?.description == #"expected models of the allowed schemas but found the schema "Other""#)
    }

    @Test func rulesOfAModelAreCheckedWhenItIsOpened() throws {
        let calls = Journal()
        let schema = ModelSchema(
            "Model",
            [
                "a": .integer.validate { (value: inout Int?, _) in
                    calls.add("validated \(value ?? 0)")
                }
            ]
        ).didDecode { _ in calls.add("decoded") }
        let bytes = try archived(schema, ["a": 5])
        calls.clear()
        #expect(try reopen(bytes, as: schema)["a", as: Int.self] == 5)
        #expect(calls.all == ["validated 5", "decoded"])
    }
}
