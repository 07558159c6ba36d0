import Foundation
import ModelTestSupport
import Pallium
import PalliumCore
import Testing

/// What an adapter can be made of.
struct AdapterMakingTests {
    @Test func anotherSchemaOfARegisteredNameIsRefused() throws {
        let registry = try SchemaRegistry.of(ModelSchema("Plain", ["a": .string]))
        let problem = #expect(throws: ModelError.self) {
            try JSONAdapter(schema: ModelSchema("Plain", ["a": .integer]), registry: registry)
        }
        #expect(problem?.code == .unknownSchema && problem?.found == "another schema of the name Plain")
    }

    @Test func mistakesOfTheProgramEndIt() async throws {
        await #expect(processExitsWith: .failure) { _ = JSONAdapter(TestModel.self, registry: SchemaRegistry()) }
        await #expect(processExitsWith: .failure) {
            _ = JSONAdapter(TestModel.self, profile: "nobody's", registry: try .ofFixtures())
        }
        await #expect(processExitsWith: .failure) {
            let adapter = JSONAdapter(TestModel.self, registry: try .ofFixtures())
            _ = adapter.with { $0.transformersByKind = ["string": "Nobody's"] }
        }
    }

    @Test func aTransformerWhoseInputIsNoJSONIsRefused() throws {
        let transformers: [TransformerName: Transformer] = [
            "FromPoint": Transformer(from: Point.self, to: String.self) { point, _ in "\(point.x)" }
        ]
        #expect(throws: (any Error).self) {
            try Plain.adapter(["a": .string.transformer("FromPoint")], transformers: transformers)
        }
    }

    @Test func transformersByKindAreChosenTogether() throws {
        let names: [String: TransformerName] = [
            "date": UnixSecondsTransformerName, "url": URLPercentEncodingTransformerName,
            "decimal": DecimalTextTransformerName,
        ]
        let properties: KeyValuePairs<String, PropertySchema> = [
            "d": .date, "u": .url, "n": .decimal, "b": .data.transformer(Base64DataTransformerName),
        ]
        let text = #"{"d":1,"u":"https://example.org/%20","n":"0.5","b":"AQI="}"#
        #expect(
            try Plain.adapter(properties, options: .with { $0.transformersByKind = names }).roundTrip(text) == text)
        #expect(try Plain.adapter(properties).problem(of: text)?.pointer?.description == "/d")
    }
}

/// A class whose own hooks refuse some models.
private final class Guarded: DynamicModel {
    override func validateModel() throws {
        if self["n", as: Int.self] == 13 || values.values.allSatisfy({ $0 == nil }) { throw FixtureError.refused }
    }

    override func didDecode() throws {
        if self["n", as: Int.self] == 7 {
            throw ModelError(.invalidValue, expected: "another number", found: "the number 7")
        }
    }

    static let schema = ModelSchema(Guarded.self, ["n": .integer, "inner": .model(Guarded.self)])
}

/// What the hooks of a class throw, where nothing else has to be looked at when an object ends.
struct OverriddenHookTests {
    private func adapter(_ options: JSONAdapterOptions = JSONAdapterOptions()) throws -> Entrances<Guarded> {
        let registry = try SchemaRegistry.of(Guarded.schema)
        return Entrances(JSONAdapter(Guarded.self, registry: registry, options: options))
    }

    @Test(arguments: [
        (#"{"n":13}"#, ModelError.Code.validationFailed, "", "1:1"),
        (#"{"n":7}"#, .invalidValue, "", "1:1"),
        ("{\"n\":1,\n \"inner\":{\"n\":13}}", .validationFailed, "/inner", "2:10"),
        ("{\"inner\":{\"inner\":{\"n\":1}},\n\"n\":7}", .invalidValue, "", "1:1"),
    ])
    func theyConcernTheObjectAsAWhole(text: String, code: ModelError.Code, pointer: String, place: String) throws {
        let problem = try adapter().problem(of: text)
        #expect(problem?.code == code && problem?.schema == "Guarded")
        #expect(problem?.pointer?.description == pointer && problem?.location?.description == place)
        if code == .validationFailed { #expect(problem?.underlying as? FixtureError == .refused) }
    }

    @Test func aReportLeavesOutTheModelsThatTheyRefuse() throws {
        let adapter = try adapter()
        let report = adapter.report(from: #"[{"n":1},{"n":13},{"n":2,"inner":{"n":7}},{"n":7}]"#)
        #expect(report.models.map { $0["n", as: Int.self] } == [1, 2])
        #expect(report.problems.map { $0.pointer?.description } == ["/1", "/2/inner", "/3"])
        let empty = adapter.report(from: #"[{},{"n":1,"inner":{}}]"#)
        #expect(empty.models.map { $0["n", as: Int.self] } == [1])
        #expect(empty.problems.map { $0.pointer?.description } == ["/0", "/1/inner"])
        #expect(try report.models[1].state(of: "inner") == .unset)
        let skipping = try self.adapter(.with { $0.elements = .skip })
        #expect(try skipping.models(from: #"[{"n":13},{"n":1}]"#).map { $0["n", as: Int.self] } == [1])
    }
}
