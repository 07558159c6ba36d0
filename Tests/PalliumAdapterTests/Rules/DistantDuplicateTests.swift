import Foundation
import Pallium
import TestSupport
import Testing

/// Unique elements that differ far away, beyond the levels that hashes look at, and then lead into a cycle.
@Suite struct DistantDuplicateTests {
    private let registry: SchemaRegistry
    private let person: DynamicModel

    init() throws {
        registry = try SchemaRegistry.of(
            ModelSchema("Person", ["friend": .model("Person")]),
            ModelSchema("Value", ["number": .integer, "inner": .model("Value"), "person": .model("Person")]),
            ModelSchema("Holder", ["values": .array(of: .model("Value")).rules(.unique)]))
        person = try DynamicModel(schema: registry.schema(named: "Person"), registry: registry)
        try person.setValue(person, forKey: "friend")
    }

    private func value(_ number: Int, depth: Int) throws -> DynamicModel {
        let schema = try registry.schema(named: "Value")
        let end = try DynamicModel(schema: schema, values: ["number": number, "person": person], registry: registry)
        return try (0..<depth).reduce(end) { inner, _ in
            try DynamicModel(schema: schema, values: ["inner": inner], registry: registry)
        }
    }

    @Test(arguments: [1, 15, 16, 17, 40]) func elementsThatDifferFarAwayAreTold(depth: Int) throws {
        defer { person["friend"] = nil }
        var values = try (0..<30).map { try value($0, depth: depth) }
        let holder = try DynamicModel(
            schema: registry.schema(named: "Holder"), values: ["values": values], registry: registry)
        #expect(throws: Never.self) { try holder.validate() }
        // The same number at another depth is another value.
        values.append(try value(7, depth: depth + 1))
        try holder.setValue(values, forKey: "values")
        #expect(throws: Never.self) { try holder.validate() }
        values.append(try value(7, depth: depth))
        try holder.setValue(values, forKey: "values")
        let error = #expect(throws: ModelError.self) { try holder.validate() }
        #expect(error?.pointer?.description == "/values/31")
        #expect(error?.found == "an element that equals the one at index 7")
    }
}
