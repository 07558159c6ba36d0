import Foundation
import Pallium
import PalliumGeneration
import TestSupport
import Testing
import TicketModels

@testable import GitHubModels

/// The generated classes of the repository: they are what the generator makes, and they read the samples.
struct GeneratedModelsTests {
    /// A folder for each access level: one file for all classes is `Models.swift`.
    @Test(arguments: [
        ("Schemas/github", "GitHub", "internal"), ("Tests/GeneratedModels/Odd.json", "Odd", "package"),
        ("Schemas/tickets", "Tickets/Models.swift", "public"),
    ])
    func checkedInClassesAreWhatTheGeneratorMakes(documents: String, output: String, level: String) throws {
        let access = try #require(SwiftGenerator.Access(rawValue: level))
        let generator = try SwiftGenerator(contentsOf: SharedData.repository.appendingPathComponent(documents))
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
                "run pallium generate \(documents) --output Tests/GeneratedModels/\(output) --access \(access)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == files.map(\.name).sorted())
    }

    @Test func theLoaderRegistersEverySchemaWithItsClass() throws {
        let registry = SchemaRegistry()
        try GitHubModels.SchemaDocuments.load(into: registry)
        let folder = SharedData.repository.appendingPathComponent("Schemas/github")
        let schemas = try SchemaRegistry().load(contentsOf: folder)
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
        try registry.verifyAccessors(
            of: GitHubModels.Issue.self, \.id, \.number, \.url, \.htmlURL, \.state, \.isLocked, \.title, \.user,
            \.authorAssociation, \.labels, \.milestone, \.assignees, \.commentCount, \.createdAt, \.stateReason,
            \.pullRequest, \.type)
        try registry.verifyAccessors(of: Conversation.self, \.htmlURL, \.state, \.title, \.commentCount, \.createdAt)
        try registry.verifyAccessors(of: Account.self, \.id, \.type, \.login, \.avatarURL, \.createdAt)
        try registry.verifyAccessors(of: Gist.self, \.files)
    }

    @Test func sampleIssuesAreReadThroughAccessors() throws {
        let adapter = JSONAdapter(GitHubModels.Issue.self, registry: try GitHub.registry())
        let bytes = try GitHub.sample("issues")
        let issues = try adapter.models(from: bytes)
        let objects = try #require(try JSONValue(parsing: [UInt8](bytes)).arrayValue)
        try #require(issues.count == objects.count)
        for (issue, object) in zip(issues, objects) {
            #expect(issue.title == object["title"]?.stringValue)
            #expect(issue.state.rawValue == object["state"]?.stringValue)
            #expect(issue.user?.login == object["user"]?["login"]?.stringValue)
            #expect(issue.labels?.map(\.name) == object["labels"]?.arrayValue?.map { $0["name"]?.stringValue })
            // Read as the parent, whose accessor has another type.
            #expect((issue as Conversation).title == issue.title)
        }
    }

    @Test func sampleEventsAreInstancesOfTheirClasses() throws {
        let adapter = JSONAdapter(GitHubModels.Event.self, registry: try GitHub.registry())
        let events = try adapter.models(from: GitHub.sample("events"))
        for event in events { #expect("\(type(of: event))" == event.schema.name) }
        let push = try #require(events.lazy.compactMap { $0 as? GitHubModels.PushEvent }.first)
        #expect(push.payload.commits?.isEmpty == false)
        #expect(push.actor.login.isEmpty == false)
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
