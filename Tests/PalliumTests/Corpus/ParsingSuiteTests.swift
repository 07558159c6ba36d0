import Foundation
import Pallium
import TestSupport
import Testing

/// The parsing documents of JSONTestSuite as parts of a model's document: as the value of a property that holds any JSON,
/// and as a member that nobody asked for.
///
/// A document stands between `{"value":` and `}`; all that must be refused by themselves must be refused there, too.
@Suite(.threat(.invalidUTF8, .trailingText))
struct ParsingSuiteTests {
    private static let folder = SharedData.folder.appendingPathComponent("JSONTestSuite/test_parsing")

    private static let documents: [(name: String, bytes: [UInt8])] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().compactMap { name in
            (try? Data(contentsOf: folder.appendingPathComponent(name))).map { (name, [UInt8]($0)) }
        }
    }()

    private func adapter(_ properties: KeyValuePairs<String, PropertySchema>) throws -> JSONAdapter<DynamicModel> {
        let registry = try SchemaRegistry.of(ModelSchema("Holder", properties))
        return try JSONAdapter(schema: registry.schema(named: "Holder"), registry: registry)
    }

    private func accepts(_ bytes: [UInt8], _ adapter: JSONAdapter<DynamicModel>) -> Bool {
        (try? adapter.model(from: bytes)) != nil
    }

    private func wrapped(_ document: [UInt8]) -> [UInt8] { Array(#"{"value":"#.utf8) + document + Array("}".utf8) }

    @Test(.needs(shared: "JSONTestSuite/test_parsing"))
    func theSuiteIsComplete() {
        #expect(Self.documents.filter { $0.name.hasPrefix("y_") }.count == 95)
        #expect(Self.documents.filter { $0.name.hasPrefix("n_") }.count == 188)
    }

    @Test(.needs(shared: "JSONTestSuite/test_parsing"))
    func whatMustBeAcceptedIsAcceptedAsAValueAndAsASkippedMember() throws {
        let reading = try adapter(["value": .jsonValue])
        let skipping = try adapter(["other": .jsonValue])
        for (name, bytes) in Self.documents where name.hasPrefix("y_") {
            #expect((try? JSONValue(parsing: bytes)) != nil, "\(name)")
            #expect(accepts(wrapped(bytes), reading), "\(name) as a value")
            #expect(accepts(wrapped(bytes), skipping), "\(name) as a skipped member")
        }
    }

    @Test(.needs(shared: "JSONTestSuite/test_parsing"))
    func whatMustBeRefusedIsRefusedAsAValueAndAsASkippedMember() throws {
        let reading = try adapter(["value": .jsonValue])
        let skipping = try adapter(["other": .jsonValue])
        for (name, bytes) in Self.documents where name.hasPrefix("n_") {
            #expect((try? JSONValue(parsing: bytes)) == nil, "\(name)")
            #expect(!accepts(bytes, reading), "\(name) by itself")
            #expect(!accepts(wrapped(bytes), reading), "\(name) as a value")
            #expect(!accepts(wrapped(bytes), skipping), "\(name) as a skipped member")
        }
    }

    @Test(.needs(shared: "JSONTestSuite/test_parsing"))
    func readingAndSkippingAgreeOnEverything() throws {
        let reading = try adapter(["value": .jsonValue])
        let skipping = try adapter(["other": .jsonValue])
        for (name, bytes) in Self.documents {
            #expect(accepts(wrapped(bytes), reading) == accepts(wrapped(bytes), skipping), "\(name)")
        }
    }

    @Test(.needs(shared: "JSONTestSuite/test_parsing"))
    func whatIsAcceptedStaysByteForByteWhenAnotherMemberIsEdited() throws {
        let adapters = try [adapter(["value": .jsonValue, "id": .integer]), adapter(["id": .integer])]
        for (name, bytes) in Self.documents where !name.hasPrefix("n_") {
            for adapter in adapters {
                let text = Data(#"{"id":1,"value":"#.utf8 + bytes + "}".utf8)
                guard let model = try? adapter.model(from: text) else { continue }
                #expect(try adapter.data(from: model, editing: text) == text, "\(name)")
                model["id"] = 23
                let edited = Data(#"{"id":23,"value":"#.utf8 + bytes + "}".utf8)
                #expect(try adapter.data(from: model, editing: text) == edited, "\(name)")
            }
        }
    }
}
