import PalliumCore
import PalliumMerging
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
                ], extends: "Place"),
            ModelSchema("Place", [:]),
            ModelSchema(
                "Archive", ["files": .array(of: .model("File")).merge(.byIdentifier())], extends: "Place"),
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

    @Test(arguments: ["array", "dictionary"])
    func aLinkToAModelOfEqualContentLeadsToTheOwnOne(kind: String) throws {
        let files: PropertySchema = kind == "array" ? .array(of: .model("File")) : .dictionary(of: .model("File"))
        try registry.register(ModelSchema("Shelf", ["files": files, "favourite": .model("File").weak]))
        func shelf() throws -> (shelf: DynamicModel, files: [DynamicModel]) {
            let files = try (1...2).map { try registry.make("File", ["id": $0]) }
            let content: any PropertyValue = kind == "array" ? files : ["a": files[0], "b": files[1]]
            return (try registry.make("Shelf", ["files": content]), files)
        }
        for number in 0...1 {
            let (own, other) = (try shelf(), try shelf())
            other.shelf["favourite"] = other.files[number]
            try own.shelf.merge(from: other.shelf)
            #expect(own.shelf.model("favourite") === own.files[number])
        }
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

    /// The policy, whether a link came, and whether what came is taken.
    static let policies: [(policy: MergePolicy?, isNull: Bool, isTaken: Bool)] = [
        (nil, false, true), (nil, true, true), (.replace, false, true), (.replace, true, true), (.keep, false, false),
        (.keep, true, false), (.skipNull, false, true), (.skipNull, true, false), (.newest(by: "time"), false, false),
        (.newest(by: "time"), true, false),
    ]

    @Test(arguments: policies.indices)
    func policiesDecideAboutLinks(_ number: Int) throws {
        let (policy, isNull, isTaken) = Self.policies[number]
        let registry = SchemaRegistry()
        var link = PropertySchema.model("Item").weak
        if let policy { link = link.merge(policy) }
        try registry.register(ModelSchema("Item", ["time": .integer, "link": link]))
        let (old, new) = (try registry.make("Item", [:]), try registry.make("Item", [:]))
        // The time of the own link is later, and only that policy looks at it.
        let own = try registry.make("Item", ["time": 2, "link": old])
        let changes = try own.merge(from: registry.make("Item", ["time": 1, "link": isNull ? nil : new]))
        #expect(own.model("link") === (isTaken ? isNull ? nil : new : old))
        #expect(changes.kept.pointers.contains("/link") == (!isTaken && policy != .skipNull))
    }

    @Test func aMergerSeesTheOwnModelsToWhichLinksLead() throws {
        let mergers = MergerRegistry()
        try mergers.register(
            Merger(DynamicModel.self) { merge in
                // The child of the target, which is merged already.
                #expect(merge.source?["number", as: Int.self] == 2)
                return merge.source
            }, as: "linkByProgram")
        let registry = SchemaRegistry(mergers: mergers)
        try registry.register(
            ModelSchema(
                "Item",
                [
                    "number": .integer, "child": .model("Item").merge(.recurse),
                    "link": .model("Item").weak.merge(MergePolicy("linkByProgram")),
                ]))
        func item(_ number: Int) throws -> DynamicModel {
            let child = try registry.make("Item", ["number": number])
            return try registry.make("Item", ["child": child, "link": child])
        }
        let (own, other) = (try item(1), try item(2))
        try withExtendedLifetime(own.model("child")) {
            try own.setValue(nil as DynamicModel?, forKey: "link")
            try own.merge(from: other)
            #expect(own.model("link") === own.model("child"))
        }
    }

    /// A link of the program stays where the other side has what it had, or where it decided otherwise.
    @Test(arguments: ["unchanged", "changed", "null"])
    func aLinkThatTheProgramSetSurvivesARebase(_ other: String) throws {
        let nodes = try (0..<3).map { try registry.make("Node", ["number": $0]) }
        let own = try registry.make("Node", ["link": nodes[0]])
        own.trackChanges()
        own["link"] = nodes[1]
        let incoming: DynamicModel? = other == "null" ? nil : nodes[other == "unchanged" ? 0 : 2]
        let changes = try own.rebase(onto: registry.make("Node", ["link": incoming]))
        #expect(own.model("link") === nodes[1])
        #expect(changes.conflicts.pointers == (other == "unchanged" ? [] : ["/link"]))
        #expect(try own.originalValue(forKey: "link") as? DynamicModel === incoming)
        // Without an edit the link is taken.
        own["link"] = incoming
        try own.rebase(onto: registry.make("Node", ["link": nodes[1]]))
        #expect(own.model("link") === nodes[1])
    }

    /// What was there, and what the first and the second of two models say that are merged into one: nothing is -1.
    static let orders: [(own: Int, first: Int, second: Int)] = [
        (0, 1, 0), (0, 1, 2), (0, 1, -1), (0, -1, 1), (0, -1, 0), (-1, 1, -1), (-1, 1, 2),
    ]

    @Test(arguments: orders)
    func theLastOfSeveralLinksCounts(own: Int, first: Int, second: Int) throws {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema("Person", ["name": .string, "boss": .model("Person").weak]),
            ModelSchema(
                "Task", ["owner": .model("Person").merge(.recurse), "author": .model("Person").merge(.recurse)]))
        let bosses = try ["a", "b", "c"].map { try registry.make("Person", ["name": $0]) }
        func person(_ boss: Int) throws -> DynamicModel {
            try registry.make("Person", ["boss": boss < 0 ? nil : bosses[boss]])
        }
        let shared = try person(own)
        let task = try registry.make("Task", ["owner": shared, "author": shared])
        try task.merge(from: registry.make("Task", ["owner": person(first), "author": person(second)]))
        #expect(shared.model("boss") === (second < 0 ? nil : bosses[second]))
        #expect(task.model("owner") === shared)
    }
}
