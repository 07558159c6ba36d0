import Foundation
import Pallium
import PalliumContracts
import Testing

/// What a reading without losses accepts: the section *Reading contracts* of the article *Contracts*.
@Suite struct DroppedDefaultTests {
    private func load(
        _ text: String, _ change: (inout ContractOptions) -> Void
    ) throws -> (schemas: ContractSchemas, registry: SchemaRegistry) {
        var options = ContractOptions()
        change(&options)
        let registry = SchemaRegistry()
        return (try registry.load(jsonSchema: Array(text.utf8), name: "a.json", options: options), registry)
    }

    /// A contract without losses is not refused, and a default that does not fit is dropped.
    @Test(arguments: [
        #"{"type": "string", "default": 5}"#, #"{"type": "string", "minLength": 3, "default": "x"}"#,
        #"{"enum": ["a"], "default": "b"}"#,
    ])
    func aContractWithoutLossesIsRead(_ property: String) throws {
        let text = #"{"title": "A", "type": "object", "properties": {"a": \#(property)}}"#
        #expect(try load(text) { _ in }.schemas.losses.isEmpty)
        let (schemas, _) = try load(text) { $0.isLossless = true }
        #expect(schemas.losses.isEmpty)
    }
}
