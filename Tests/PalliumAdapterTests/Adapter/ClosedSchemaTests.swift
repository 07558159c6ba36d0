import Foundation
import ModelTestSupport
import Pallium
import PalliumContracts
import Testing

/// Schemas that refuse members which nothing maps, as ``ModelSchema/refusesUnknownMembers`` says.
@Suite struct ClosedSchemaTests {
    private static let open = ModelSchema("Open", ["a": .string])
    private static let closed = ModelSchema(
        "Closed",
        [
            "a": .string, "deep": .integer.json("m.n"), "first": .string.json(firstOf: ["p.q", "r"]),
            "open": .model("Open"), "list": .array(of: .model("Closed")),
        ], refusesUnknownMembers: true, ignored: ["known", "part.x"])
    private static let shape = ModelSchema(
        "Shape", ["a": .string], refusesUnknownMembers: true,
        cluster: .discriminator("kind", ["round": "Round", "shape": "Shape"]))
    private static let round = ModelSchema("Round", ["r": .double], extends: "Shape")

    private let registry: SchemaRegistry

    init() throws { registry = try .of(Self.open, Self.closed, Self.shape, Self.round) }

    private func adapter(
        _ schema: ModelSchema, _ unknown: JSONAdapterOptions.UnknownMembers = .ignore
    ) throws -> JSONAdapter<DynamicModel> {
        try JSONAdapter(
            schema: schema, registry: registry, options: .with { $0.unknownMembers = unknown })
    }

    static let documents: [(String, [String])] = [
        (#"{"a":"x","m":{"n":1},"known":{"any":1},"part":{"x":2}}"#, []),
        (#"{"a":"x","b":1}"#, ["/b"]),
        (#"{"m":{"n":1,"o":2}}"#, ["/m/o"]),
        (#"{"p":{"q":"x","y":1}}"#, ["/p/y"]),
        (#"{"part":{"x":2,"y":3}}"#, ["/part/y"]),
        (#"{"open":{"a":"x","b":1}}"#, []),
        (#"{"list":[{"a":"x"},{"z":1,"a":"y"}]}"#, ["/list/1/z"]),
    ]

    @Test(arguments: documents, [JSONAdapterOptions.UnknownMembers.ignore, .keep, .refuse])
    func theSchemaDecidesWhateverTheOptionSays(
        document: (text: String, pointers: [String]), unknown: JSONAdapterOptions.UnknownMembers
    ) throws {
        let problems = try adapter(Self.closed, unknown).report(from: Data(document.text.utf8)).problems
        let isInOpen = unknown == .refuse && document.text.contains(#""open""#)
        #expect(problems.compactMap { $0.pointer?.description } == (isInOpen ? ["/open/b"] : document.pointers))
        #expect(problems.allSatisfy { $0.code == .unknownMember })
        let tree = try JSONValue(parsing: document.text)
        #expect(try adapter(Self.closed, unknown).report(from: tree).problems.map(\.pointer) == problems.map(\.pointer))
    }

    @Test func theContractSaysTheSame() throws {
        for schema in [Self.closed, Self.shape] {
            let adapter = try adapter(schema)
            let validator = try JSONSchemaValidator(registry.jsonSchema(of: schema))
            let documents =
                Self.documents.map(\.0) + [
                    #"{"kind":"round","r":1,"x":2}"#, #"{"kind":"shape","a":"x"}"#, #"{"kind":"shape","r":1}"#,
                ]
            for document in documents {
                let isValid = adapter.report(from: Data(document.utf8)).problems.isEmpty
                #expect(try validator.accepts(JSONValue(parsing: document)) == isValid, "\(schema.name) \(document)")
            }
        }
    }

    @Test func aClusterGoesByTheSchemaThatItChooses() throws {
        let shapes = try adapter(Self.shape)
        #expect(shapes.report(from: Data(#"{"kind":"round","r":1,"x":2}"#.utf8)).problems.isEmpty)
        #expect(shapes.report(from: Data(#"{"kind":"shape","x":2}"#.utf8)).problems.map(\.code) == [.unknownMember])
    }

    @Test func aMergeIsRefusedAsWell() throws {
        let adapter = try adapter(Self.closed)
        let model = try adapter.model(from: #"{"a":"x"}"#)
        let error = #expect(throws: ModelError.self) { try adapter.merge(#"{"a":"y","b":1}"#, into: model) }
        #expect(error?.code == .unknownMember && model["a", as: String.self] == "x")
    }
}
