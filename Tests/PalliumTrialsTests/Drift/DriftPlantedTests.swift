import Foundation
import Pallium
import PalliumTrials
import TestSupport
import Testing

/// Drifts that were planted in real events are found, all of them and nothing else.
@Suite(.needs(shared: "github_events.json")) struct DriftPlantedTests {
    /// A change of one event.
    struct Plant: Sendable {
        let pointer: JSONPointer
        /// The new value; nil to remove the member.
        let value: JSONValue?
        let finding: String

        init(_ pointer: String, _ value: JSONValue?, _ finding: String) {
            self.pointer = JSONPointer(pointer) ?? JSONPointer()
            self.value = value
            self.finding = finding
        }
    }

    static let plants = [
        Plant("/0/payload/forced", true, "unknownMember PushPayload.forced"),
        Plant("/1/actor/is_bot", false, "unknownMember User.is_bot"),
        Plant("/2/payload/forkee/topic_count", 5, "unknownMember Repository.topic_count"),
        Plant(
            "/4/payload/commits/0/signature", ["key": "abc", "signed_at": "2026-01-01T00:00:00Z"],
            "unknownMember PushCommit.signature"),
        Plant("/5/payload/head", nil, "missingMember PushPayload.head"),
        Plant("/6/repo/url", nil, "missingMember EventRepository.url"),
        Plant("/8/created_at", .null, "unexpectedNull Event.createdAt"),
        Plant("/9/payload/commits/0/author", .null, "unexpectedNull PushCommit.author"),
        Plant("/10/payload/issue/number", "12", "otherKind Conversation.number"),
        Plant("/11/payload/issue/labels", ["a": 1], "otherKind Conversation.labels"),
        Plant("/12/payload/commits/0/distinct", 1, "otherKind PushCommit.isDistinct"),
        Plant("/28/payload/pages/0", "Home", "otherKind GollumPayload.pages[]"),
        Plant("/13/created_at", "yesterday", "invalidValue Event.createdAt"),
        Plant("/14/repo/url", "http://[bad", "invalidValue EventRepository.url"),
        Plant("/21/payload/ref_type", "fork", "unlistedCase CreatePayload.refType"),
        Plant("/17/type", "SponsorEvent", "unlistedModel Event"),
        Plant("/18/payload/size", -1, "brokenRule PushPayload.size"),
        Plant("/16/payload/ref", "main", "brokenRule PushPayload.ref"),
        Plant(
            "/25/payload/commits/0/sha", .string(String(repeating: "a", count: 41)), "brokenRule PushCommit.sha"),
        Plant("/27/payload/commits/0/author/email", 7, "otherKind CommitAuthor.email"),
    ]

    /// The schemas of GitHub, with rules, a secret and a closed cluster, which the events obey.
    static func trial() throws -> DriftTrial {
        let folder = SharedData.repository.appendingPathComponent("Schemas/github")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }
        var trial = DriftTrial(try files.map { try JSONValue(parsing: Data(contentsOf: $0)) }, root: "Event")
        let edits: [(String, JSONPointer, JSONValue?)] = [
            ("Event", ["cluster", "default"], nil), ("PushPayload", ["properties", "size", "minimum"], 0),
            ("PushPayload", ["properties", "ref", "pattern"], "^refs/"),
            ("PushCommit", ["properties", "sha", "maxLength"], 40),
            ("CommitAuthor", ["properties", "email", "labels"], ["pii"]),
        ]
        for (schema, pointer, value) in edits {
            trial = try trial.setting(value, at: pointer, in: schema)
        }
        return trial
    }

    static func events() throws -> [JSONValue] {
        try #require(JSONValue(parsing: SharedData.bytes("github_events.json")).arrayValue)
    }

    static func plantedEvents() throws -> [JSONValue] {
        var holder: JSONObject = ["events": .array(try events())]
        for plant in plants { holder.set(plant.value, at: ["events"] + plant.pointer.tokens) }
        return try #require(holder["events"]?.arrayValue)
    }

    @Test func cleanEventsHaveNoFindings() throws {
        let report = try Self.trial().report(Self.events())
        #expect(report.titles == [] && !report.hasNews)
        #expect(report.documents == 30)
    }

    @Test func twentyPlantedDriftsAreNamed() throws {
        #expect(Self.plants.count == 20)
        let report = try Self.trial().report(Self.plantedEvents())
        let titles = Set(report.titles)
        for plant in Self.plants { #expect(titles.contains(plant.finding), "\(plant.finding)") }
        #expect(titles.subtracting(Self.plants.map(\.finding)) == [])
        #expect(report.findings.allSatisfy { $0.count == 1 })
        for plant in Self.plants {
            let example = try #require(report.findings.first { $0.short == plant.finding }?.examples.first)
            let event = try #require(plant.pointer.tokens.first.flatMap { Int($0) })
            #expect(example.line == event + 1, "\(plant.finding)")
        }
    }

    @Test func everyProposedEditAcceptsItsDrift() throws {
        let trial = try Self.trial()
        let events = try Self.plantedEvents()
        for finding in try trial.report(events).findings {
            let edit = try #require(finding.edit, "\(finding.short)")
            let titles = try trial.applying(edit).report(events).titles
            #expect(!titles.contains(finding.short), "\(edit)")
        }
    }

    @Test(arguments: [0, 1, 7, 15, 29, 30]) func twoPartsMergedAreTheWhole(count: Int) throws {
        let trial = try Self.trial()
        let events = try Self.plantedEvents()
        var first = try trial.monitor(Array(events.prefix(count)))
        try first.merge(trial.monitor(Array(events.dropFirst(count)), from: count))
        let whole = try trial.report(events)
        #expect(first.report() == whole)
        #expect(first.report().json == whole.json)
    }

    @Test func theReportIsReadBack() throws {
        var report = try Self.trial().report(Self.plantedEvents())
        #expect(try DriftReport(json: report.json.bytes()) == report)
        report.compare(with: try Self.trial().report(Self.events()))
        #expect(try DriftReport(json: report.json.bytes()) == report)
    }

    @Test func aNoteWithAnotherValueIsNew() throws {
        let trial = try DriftTrial(
            """
            [{"name": "Order", "properties": {"state": {"kind": "enumeration", "cases": ["x"], "unknown": "keep"},
              "note": {"kind": "string"}, "total": {"kind": "integer"}}}]
            """)
        let baseline = try trial.report(#"{"state": "y", "total": 1}"#)
        var report = try trial.report(#"{"state": "y"}"#)
        report.compare(with: baseline)
        #expect(report.notes.filter(\.isNew).map(\.short) == ["neverSeen Order.total"])
        #expect(!report.hasNews)
        #expect(report.text.hasPrefix("new notes:\n  Order: neverSeen total\nnotes:\n  Order.state: unlistedCase"))
        #expect(try DriftReport(json: report.json.bytes()) == report)
        report = try trial.report(#"{"state": "z", "total": 1}"#)
        report.compare(with: baseline)
        #expect(report.notes.filter(\.isNew).map(\.short) == ["unlistedCase Order.state"])
    }

    @Test func onlyNewDriftCountsAgainstABaseline() throws {
        let trial = try Self.trial()
        let baseline = try trial.report(Self.plantedEvents())
        var same = baseline
        same.compare(with: baseline)
        #expect(!same.hasNews && same.findings.count == 20)
        var holder: JSONObject = ["events": .array(try Self.plantedEvents())]
        holder.set("sponsor", at: ["events", "22", "payload", "ref_type"])
        holder.set(1, at: ["events", "29", "new"])
        var report = try trial.report(#require(holder["events"]?.arrayValue))
        report.compare(with: baseline)
        #expect(
            Set(report.findings.filter(\.isNew).map(\.short)) == [
                "unlistedCase CreatePayload.refType", "unknownMember ForkEvent.new",
            ])
        #expect(report.hasNews)
    }
}
