import Testing

@testable import PalliumCore

@Suite("Assumptions about memory")
struct MemoryCheckTests {
    @Test func theStoredPropertiesOfObjectsStandWhereTheLibraryWritesThem() throws {
        let registry = SchemaRegistry()
        try registry.register(ModelSchema("Model", ["text": .string, "list": .array(of: .integer)]))
        let layout = try registry.layout(named: "Model")
        #expect(unsafe MemoryCheck.brokenAssumption(layout.rawLayout) == nil)
    }
}
