import Foundation
import Pallium
import TestSupport
import Testing

@testable import PalliumStore

/// The check finds each kind of damage, and says in which table and row.
struct IntegrityCheckTests {
    private let world: StoreWorld

    init() throws {
        world = try StoreWorld()
        try world.store.save(
            (1...5).map {
                try world.make(
                    "Issue",
                    [
                        "number": $0, "title": "title \($0)", "state": "open",
                        "createdAt": Date(timeIntervalSinceReferenceDate: 5),
                        "assignee": world.make("User", ["id": $0, "login": "user \($0)"]),
                    ])
            })
    }

    private func document(_ number: Int) throws -> String {
        let row = try world.rows("SELECT \"_document\" FROM \"Issue\" WHERE number = \(number)").first?[0]
        guard case .text(let text) = row else { return "" }
        return text
    }

    @Test(arguments: ["a.store", nil]) func nothingIsWrongWithAStoreThatIsWhole(file: String?) throws {
        let world = try StoreWorld(file: file)
        #expect(try world.store.integrityCheck().isEmpty)
        let stub = try world.make("Milestone", ["title": "no row"])
        try world.store.save([
            world.make("Issue", ["number": 1, "title": "a", "milestone": stub]), world.make("Bug", ["number": 2]),
            world.make("Vote", ["issue": 1, "user": "a"]),
        ])
        // A reference that leads to no row is none of the problems.
        #expect(try world.store.integrityCheck().isEmpty)
    }

    /// Each kind of damage that the article names, by SQL; the row is the third of its table.
    @Test func everyKindOfDamageIsFound() throws {
        let cases: [(String, String, ModelError.Code?)] = [
            ("a wrong checksum", "\"_checksum\" = 7", .malformedStore),
            ("another document", "\"_document\" = replace(\"_document\", 'title', 'Title')", .malformedStore),
            ("another schema", "\"_schema\" = 'Bug'", .malformedStore),
            ("other versions", "\"_versions\" = '{\"Issue\":3}'", .malformedStore),
            ("an indexed column", "\"title\" = 'other'", nil),
            ("an indexed column without value", "\"state\" = NULL", nil),
            ("a column of a date", "\"createdAt\" = 6", nil),
            ("a column of the identity", "\"number\" = 77", nil),
            ("no JSON", forged("{"), .malformedJSON), ("another kind", forged(#"{"number":"x"}"#), .typeMismatch),
            ("no identity", forged(#"{"title":"title 3"}"#), nil),
            ("an unknown case", forged(#"{"number":3,"state":"gone"}"#), .unknownCase),
            ("a later version", forged(try document(3), versions: #"{"Issue":9}"#), .newerVersion),
            ("an unknown schema", forged(try document(3), schema: "Nothing"), .unknownModel),
        ]
        for (name, change, code) in cases {
            try world.change("UPDATE \"Issue\" SET \(change) WHERE \"number\" = 3")
            let problems = try world.store.integrityCheck()
            #expect(problems.count >= 1, "\(name)")
            for problem in problems {
                #expect(problem.pointer?.tokens.first == "Issue", "\(name): \(problem)")
                let row = change.hasPrefix("\"number\"") ? "77" : "3"
                #expect(problem.pointer?.tokens.dropFirst().first == row, "\(name): \(problem)")
                if let code { #expect(problem.code == code, "\(name): \(problem)") }
            }
            try world.change("DELETE FROM \"Issue\"")
            try world.store.save(
                (1...5).map {
                    try world.make(
                        "Issue",
                        [
                            "number": $0, "title": "title \($0)", "state": "open",
                            "createdAt": Date(timeIntervalSinceReferenceDate: 5),
                        ])
                })
            #expect(try world.store.integrityCheck().isEmpty, "\(name)")
        }
    }

    private func forged(_ document: String, schema: String = "Issue", versions: String = "{}") -> String {
        "\"_document\" = '\(document)', \"_schema\" = '\(schema)', \"_versions\" = '\(versions)', \"_checksum\" = "
            + "\(StoredRow.checksum(document, schema: schema, versions: versions))"
    }

    @Test func aTableOfNoRegisteredSchemaIsAProblem() throws {
        let (store, _) = try world.reopened(StoreWorld.schemas.filter { $0.name == "Vote" })
        let problems = try store.integrityCheck()
        #expect(problems.compactMap { $0.pointer?.tokens.first }.sorted() == ["Issue", "Milestone", "User"])
        #expect(problems.allSatisfy { $0.code == .unknownSchema }, "\(problems)")
    }

    /// What SQLite finds: an entry of an index that fits no row.
    @Test func damageThatOnlySQLiteSeesIsFound() throws {
        try world.change("PRAGMA wal_checkpoint(TRUNCATE)")
        let original = try Data(contentsOf: world.url)
        let text = Data("title 4".utf8)
        var (places, start) = ([Int](), original.startIndex)
        while let range = original.range(of: text, in: start..<original.endIndex) {
            places.append(range.lowerBound)
            start = range.upperBound
        }
        // The index, the column and the document.
        #expect(places.count == 3)
        for (number, place) in places.enumerated() {
            var bytes = original
            bytes[place] = UInt8(ascii: "T")
            let file = world.folder.url.appendingPathComponent("damaged-\(number)")
            try bytes.write(to: file)
            let store = try ModelStore(at: file, registry: world.registry)
            let problems = try store.integrityCheck()
            #expect(!problems.isEmpty, "\(place)")
            #expect(problems.contains { $0.code == .malformedStore }, "\(problems)")
        }
    }

    @Test func everyRowWithDamageIsTold() throws {
        try world.change("UPDATE \"Issue\" SET \"_checksum\" = 0 WHERE number <> 2")
        try world.change("UPDATE \"User\" SET \"_checksum\" = 0 WHERE id = 2")
        let problems = try world.store.integrityCheck().map {
            $0.pointer?.tokens.prefix(2).joined(separator: " ") ?? ""
        }
        // The second issue cannot be read without its user.
        #expect(problems.sorted() == ["Issue 1", "Issue 2", "Issue 3", "Issue 4", "Issue 5", "User 2"])
    }

    @Test func aTableWithManyProblemsDoesNotHideTheNext() throws {
        try world.store.save((10..<310).map { try world.make("Issue", ["number": $0]) })
        try world.change("UPDATE \"Issue\" SET \"_checksum\" = 0")
        try world.change("UPDATE \"User\" SET \"_checksum\" = 0 WHERE id = 2")
        let tables = try world.store.integrityCheck().compactMap { $0.pointer?.tokens.first }
        #expect(tables.filter { $0 == "Issue" }.count == 100)
        #expect(tables.filter { $0 == "User" }.count == 1)
    }

    @Test func theCheckChangesNothingAndTellsItsProgress() throws {
        try world.store.save((10..<3000).map { try world.make("Issue", ["number": $0]) })
        try world.change("UPDATE \"Issue\" SET \"title\" = 'other' WHERE number = 3")
        let before = try (world.rows("SELECT * FROM \"Issue\""), world.rows("PRAGMA data_version"))
        var told: [StoreProgress] = []
        #expect(try world.store.integrityCheck { told.append($0) }.count == 1)
        #expect(try world.rows("SELECT * FROM \"Issue\"") == before.0)
        #expect(!told.isEmpty && zip(told, told.dropFirst()).allSatisfy { $0.completed <= $1.completed })
        #expect(told.allSatisfy { $0.completed <= $0.total && $0.total == 3000 }, "\(told.last.debugDescription)")
    }

    @Test func aStoreThatIsReadOnlyIsChecked() throws {
        try world.change("UPDATE \"Issue\" SET \"_checksum\" = 0 WHERE number = 3")
        var options = ModelStoreOptions()
        options.isReadOnly = true
        #expect(try world.reopened(options: options).store.integrityCheck().count == 1)
    }
}
