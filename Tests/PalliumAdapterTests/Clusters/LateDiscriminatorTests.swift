import ModelTestSupport
import Pallium
import Testing

/// Discriminators that stand behind other members, near or far.
@Suite(.threat(.hostileDiscriminators))
struct LateDiscriminatorTests {
    private static let schemas = [
        ModelSchema(
            "Node", ["text": .string, "child": .model("Node"), "others": .array(of: .model("Node"))],
            cluster: .discriminator("kind", ["leaf": "Leaf", "branch": "Branch"], default: "Node")),
        ModelSchema("Leaf", ["size": .integer.required], extends: "Node"),
        ModelSchema("Branch", ["width": .integer.required], extends: "Node"),
    ]

    /// An object of a model whose discriminator stands behind a text and the objects in it.
    private static func late(_ kind: String, _ own: String, _ inner: String = "", padding: Int) -> String {
        let text = String(repeating: "x", count: padding)
        return #"{"text":"\#(text)",\#(own)\#(inner.isEmpty ? "" : ",\(inner)"),"kind":"\#(kind)"}"#
    }

    @Test(arguments: [0, 400, 500, 512, 600, 5000])
    func theModelIsThatOfTheDiscriminatorWhereverItStands(padding: Int) throws {
        let adapter = try Plain.adapter(Self.schemas)
        let leaf = Self.late("leaf", #""size":1"#, padding: padding)
        let branch = Self.late(
            "branch", #""width":2"#, #""child":\#(leaf),"others":[\#(leaf),\#(leaf)]"#, padding: padding)
        let root = try adapter.model(from: Self.late("branch", #""width":3"#, #""child":\#(branch)"#, padding: padding))
        #expect(root.schema.name == "Branch")
        let child = try #require(root["child", as: DynamicModel.self])
        #expect(child.schema.name == "Branch")
        #expect(child["child", as: DynamicModel.self]?.schema.name == "Leaf")
        #expect(child["others", as: [DynamicModel].self]?.map(\.schema.name) == ["Leaf", "Leaf"])
        #expect(child["text", as: String.self]?.count == padding)
    }

    @Test(arguments: [10, 600, 5000])
    func problemsHaveTheirPlacesWhereverTheDiscriminatorStands(padding: Int) throws {
        let adapter = try Plain.adapter(Self.schemas)
        let leaf = Self.late("leaf", #""size":"1""#, padding: padding)
        let problem = adapter.problem(of: Self.late("branch", #""width":3"#, #""child":\#(leaf)"#, padding: padding))
        #expect(problem?.code == .typeMismatch)
        #expect(problem?.pointer?.description == "/child/size")
        #expect(problem?.location?.line == 1)
        let unknown = Self.late("tree", #""width":3"#, padding: padding)
        #expect(try adapter.model(from: unknown).schema.name == "Node")
    }

    @Test func manyLevelsOfLateDiscriminatorsAreRead() throws {
        let adapter = try Plain.adapter(Self.schemas)
        var document = Self.late("leaf", #""size":1"#, padding: 100_000)
        for level in 0..<400 {
            document = Self.late(
                level % 2 == 0 ? "branch" : "leaf", #""width":3,"size":4"#, #""child":\#(document)"#, padding: 600)
        }
        var node: DynamicModel? = try adapter.model(from: document)
        var count = 0
        while let next = node {
            count += 1
            node = next["child", as: DynamicModel.self]
        }
        #expect(count == 401)
    }
}
