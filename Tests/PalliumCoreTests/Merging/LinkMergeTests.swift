import PalliumCore
import TestSupport
import Testing

@Suite("Merging weak links")
struct LinkMergeTests {
    let registry = SchemaRegistry()

    init() throws {
        try registry.register(
            ModelSchema(
                "Folder",
                [
                    "name": .string,
                    "files": PropertySchema.array(of: .model("File")).inverse("folder").merge(.byIdentifier()),
                ]),
            ModelSchema("Archive", ["files": .array(of: .model("File")).merge(.byIdentifier())]),
            ModelSchema(
                "File", ["id": .integer, "text": .string, "folder": .model("Folder").weak], identity: ["id"]),
            ModelSchema(
                "Node", ["number": .integer, "next": .model("Node").merge(.recurse), "link": .model("Node").weak]))
    }

    private func holder(_ schema: String, _ text: String) throws -> DynamicModel {
        try registry.make(schema, ["files": [registry.make("File", ["id": 1, "text": text])]])
    }

    @Test(arguments: [false, true])
    func linksToParentsLeadToTheOwnOne(isWhole: Bool) throws {
        let (own, other) = (try holder("Folder", "a"), try holder("Folder", "b"))
        if isWhole { try own.merge(from: other) } else { try own.merge("files", from: other) }
        let file = own.models("files")[0]
        #expect(file["text", as: String.self] == "b")
        #expect(file.model("folder") === own)
    }

    @Test func aLinkDoesNotLeadToAModelThatItsPropertyIsNotFor() throws {
        let archive = try holder("Archive", "a")
        let folder = try holder("Folder", "b")
        // The folder is merged into the archive, to which no link to a folder can lead.
        try archive.merge(from: folder)
        let file = archive.models("files")[0]
        #expect(file["text", as: String.self] == "b")
        #expect(file.model("folder") == nil)
    }

    @Test(.threat(.deepGraphs)) func linksOutOfLongChainsAreMergedInLinearTime() throws {
        let outside = try registry.make("Node", [:])
        func chain(_ number: Int) throws -> DynamicModel {
            var node = try registry.make("Node", ["number": number])
            for _ in 0..<50_000 { node = try registry.make("Node", ["next": node]) }
            node["link"] = outside
            return node
        }
        nonisolated(unsafe) let (own, other) = (try chain(0), try chain(1))
        try onStack {
            let changes = try own.merge(from: other)
            #expect(changes.count == 1)
        }
        #expect(own.model("link") === outside)
    }
}
