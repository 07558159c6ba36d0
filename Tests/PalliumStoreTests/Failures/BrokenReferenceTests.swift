import Pallium
import Synchronization
import Testing

@testable import PalliumStore

/// A reference to a row that does not exist, of a schema that allows no stubs, keeps nobody from reading the other rows and
/// from replacing it.
struct BrokenReferenceTests {
    private static let schemas = [
        ModelSchema("User", ["id": .integer.required, "login": .string.required], identity: ["id"]),
        ModelSchema(
            "Post",
            [
                "id": .integer.required, "text": .string, "owner": .model("User"), "tags": .array(of: .model("User")),
                "by": .dictionary(of: .model("User")), "part": .model("Part"), "reply": .model("Post"),
            ], identity: ["id"]),
        ModelSchema("Part", ["user": .model("User")]),
    ]

    private let world: StoreWorld

    /// Posts 1 to 6 lead to the user 7, whose row is deleted; the post 8 leads to the user 9.
    init() throws {
        world = try StoreWorld(schemas: Self.schemas)
        let user = #"{"id": 7, "login": "ada"}"#
        try world.store.import(
            """
            [{"id": 1, "owner": \(user)}, {"id": 2, "tags": [\(user)]}, {"id": 3, "by": {"x": \(user)}},
             {"id": 4, "part": {"user": \(user)}}, {"id": 5, "reply": {"id": 1}}, {"id": 6, "tags": [\(user), \(user)]},
             {"id": 8, "owner": {"id": 9, "login": "bob"}}]
            """, using: world.adapter("Post"))
        try world.store.delete(world.query("User", where: Key("id") == 7))
    }

    private func readable() throws -> [Int] {
        try world.store.fetch(
            ModelQuery(schema: world.schema("Post"), order: [.ascending("id")], including: .all, rows: .skip)
        ).compactMap { $0["id", as: Int.self] }
    }

    @Test func theOtherRowsAreFoundAndTheBrokenOnesReported() throws {
        let reports = Mutex<[String]>([])
        let query = try ModelQuery(
            schema: world.schema("Post"), order: [.ascending("id")], including: .all,
            rows: .skip { error in reports.withLock { $0.append("\(error.code) \(error.pointer?.description ?? "")") } }
        )
        let found = try world.store.fetch(query)
        #expect(found.compactMap { $0["id", as: Int.self] } == [8])
        #expect(found[0]["owner", as: DynamicModel.self]?["login", as: String.self] == "bob")
        #expect(
            reports.withLock { $0.sorted() } == [
                "missingProperty /Post/1/owner", "missingProperty /Post/2/tags/0", "missingProperty /Post/3/by/x",
                "missingProperty /Post/4/part/user", "missingProperty /Post/5/reply/owner",
                "missingProperty /Post/6/tags/0",
            ])
        // Without the policy, the first one is the error of the query.
        let error = #expect(throws: ModelError.self) { try world.fetch("Post", where: Key("id") == 2) }
        #expect(error?.code == .missingProperty)
        #expect(error?.pointer?.description == "/Post/2/tags/0")
    }

    @Test func everyCallTakesThePolicy() throws {
        let schema = try world.schema("Post")
        let query = ModelQuery(schema: schema, including: .all, rows: .skip)
        var seen: [Int] = []
        try world.store.forEach(query) { model in seen += [model["id", as: Int.self] ?? 0] }
        #expect(seen == [8])
        #expect(try world.store.frozen(query).map { $0["id", as: Int.self] } == [8])
        let session = ModelSession(world.store)
        #expect(try session.fetch(query).compactMap { $0["id", as: Int.self] } == [8])
        let inTransaction = try world.store.transaction { store in
            try store.fetch(query).compactMap { $0["id", as: Int.self] }
        }
        #expect(inTransaction == [8])
    }

    @Test func theCheckReportsRowsThatCannotBeRead() throws {
        let pointers = try world.store.integrityCheck().compactMap { $0.pointer?.description }.sorted()
        #expect(
            pointers == [
                "/Post/1/owner", "/Post/2/tags/0", "/Post/3/by/x", "/Post/4/part/user", "/Post/5/reply/owner",
                "/Post/6/tags/0",
            ])
    }

    @Test(
        arguments: [
            (#"{"id": 1, "owner": null}"#, 1), (#"{"id": 1, "owner": {"id": 9}}"#, 1), (#"{"id": 2, "tags": []}"#, 2),
            (#"{"id": 3, "by": {}}"#, 3), (#"{"id": 4, "part": null}"#, 4), (#"{"id": 5, "reply": null}"#, 5),
            (#"{"id": 6, "tags": [{"id": 9, "login": "eve"}]}"#, 6),
            (#"{"id": 1, "owner": {"id": 10, "login": "new"}}"#, 1),
        ] as [(String, Int)])
    func anImportReplacesIt(document: String, id: Int) throws {
        try world.store.import(document, using: world.adapter("Post"))
        #expect(try readable().contains(id), "\(document)")
    }

    @Test(arguments: [
        #"{"id": 1, "owner": {"id": 7, "login": "again"}}"#, #"{"id": 2, "tags": [{"id": 7, "login": "a"}]}"#,
    ])
    func theCompleteModelMendsAllReferences(document: String) throws {
        try world.store.import(document, using: world.adapter("Post"))
        #expect(try readable() == [1, 2, 3, 4, 5, 6, 8])
        #expect(try world.store.integrityCheck().isEmpty)
    }

    /// What a document does not mention stays broken and is no error of the import.
    @Test func anImportOfOtherPropertiesLeavesIt() throws {
        try world.store.import(#"{"id": 1, "text": "a"}"#, using: world.adapter("Post"))
        #expect(try readable() == [8])
        #expect(try world.store.count(world.query("Post", where: Key("text") == "a")) == 1)
        #expect(try world.store.count(world.query("Post", where: Key("owner.id") == 7)) == 1)
    }
}
