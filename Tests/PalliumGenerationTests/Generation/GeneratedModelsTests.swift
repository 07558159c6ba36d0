import Foundation
import GitHubModels
import ModelTestSupport
import Pallium
import PalliumGeneration
import Testing
import TicketModels

/// The generated classes of the repository: they are what the generator makes, and they read the samples.
struct GeneratedModelsTests {
    /// Documents of GitHub that refer to no others.
    private static let documents = ["Account", "Milestone", "User"].map { "Schemas/github/\($0).json" }

    private static func locations(_ paths: [String]) -> [URL] {
        paths.map(SharedData.repository.appendingPathComponent)
    }

    /// A folder for each access level: one file for all classes is `Models.swift`.
    @Test(arguments: [
        (documents, "GitHub", "package"), (["Tests/GeneratedModels/Odd.json"], "Odd", "package"),
        (["Schemas/tickets"], "Tickets/Models.swift", "public"),
    ])
    func checkedInClassesAreWhatTheGeneratorMakes(documents: [String], output: String, level: String) throws {
        let access = try #require(SwiftGenerator.Access(rawValue: level))
        let generator = try SwiftGenerator(contentsOf: Self.locations(documents))
        let isFile = output.hasSuffix(".swift")
        let files =
            isFile
            ? [try generator.file(named: "Models.swift", access: access)] : try generator.files(access: access)
        let path = SharedData.repository.appendingPathComponent("Tests/GeneratedModels/\(output)")
        let folder = isFile ? path.deletingLastPathComponent() : path
        for file in files {
            let text = try? String(contentsOf: folder.appendingPathComponent(file.name), encoding: .utf8)
            #expect(
                text == file.text,
                """
                run pallium generate \(documents.joined(separator: " ")) \
                --output Tests/GeneratedModels/\(output) --access \(access)
                """)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == files.map(\.name).sorted())
    }

    @Test func theLoaderRegistersEverySchemaWithItsClass() throws {
        let registry = SchemaRegistry()
        try GitHubModels.SchemaDocuments.load(into: registry)
        let schemas = try SchemaRegistry().load(contentsOf: Self.locations(Self.documents))
        #expect(registry.schemas.map(\.name) == schemas.map(\.name))
        for (bound, schema) in zip(registry.schemas, schemas) {
            #expect(bound.modelClass.map { "\($0)" } == schema.name)
            var plain = bound
            plain.modelClass = nil
            #expect(plain == schema)
        }
    }

    @Test func accessorsFitTheirSchemas() throws {
        let registry = try GitHub.registry()
        try registry.verifyAccessors(of: Account.self, \.id, \.type, \.login, \.avatarURL, \.createdAt)
        try registry.verifyAccessors(of: GitHub.User.self, \.login, \.isSiteAdmin, \.bio)
        try registry.verifyAccessors(of: Milestone.self, \.number, \.title, \.state, \.creator, \.dueOn)
    }

    @Test func modelsInSamplesAreReadThroughAccessors() throws {
        let bytes = try GitHub.sample("issues")
        let issues = try GitHub.adapter("Issue").models(from: bytes)
        let objects = try #require(try JSONValue(parsing: [UInt8](bytes)).arrayValue)
        try #require(issues.count == objects.count)
        for (issue, object) in zip(issues, objects) {
            let user = try #require(try issue.value(forKey: "user") as? GitHub.User)
            #expect(user.login == object["user"]?["login"]?.stringValue)
            #expect(user.type?.rawValue == object["user"]?["type"]?.stringValue)
            // Read as the parent.
            #expect((user as Account).login == user.login)
            let milestone = try issue.value(forKey: "milestone") as? Milestone
            #expect(milestone?.title == object["milestone"]?["title"]?.stringValue)
            #expect(milestone?.state.rawValue == object["milestone"]?["state"]?.stringValue)
        }
    }

    @Test func anInitializerTakesTheRequiredProperties() throws {
        let registry = SchemaRegistry()
        try TicketModels.SchemaDocuments.load(into: registry)
        let ticket = try TicketModels.Ticket(number: 7, registry: registry)
        ticket.title = "Crash"
        ticket.reason = .reopened
        ticket.labels = ["bug"]
        #expect(try ticket.value(forKey: TicketModels.Ticket.Keys.title) as? String == "Crash")
        let text = #"{"number":7,"title":"Crash","reason":"reopened","meta":{"labels":["bug"]}}"#
        #expect(
            String(
                decoding: try JSONAdapter(TicketModels.Ticket.self, registry: registry).data(from: ticket),
                as: UTF8.self)
                == text)
    }

    @Test func keptTextsAreNoCases() throws {
        let registry = SchemaRegistry()
        try TicketModels.SchemaDocuments.load(into: registry)
        let adapter = JSONAdapter(TicketModels.Ticket.self, registry: registry)
        let ticket = try adapter.model(from: #"{"number":8,"reason":"spam"}"#)
        #expect(ticket.reason == nil)
        #expect(String(decoding: try adapter.data(from: ticket), as: UTF8.self) == #"{"number":8,"reason":"spam"}"#)
    }
}
