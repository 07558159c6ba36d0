import Foundation
import Pallium
import PalliumStore
import TestSupport
import Testing

@Suite("Stores on several threads") struct StoreRaceTests {
    /// How many rows each save of the writer changes together.
    private static let rowCount = 20

    @Test func severalThreadsMayMakeOneStore() async throws {
        let folder = try TemporaryFolder()
        for number in 0..<60 {
            let file = folder.url.appendingPathComponent("\(number).store")
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        #expect(throws: Never.self) {
                            try ModelStore(at: file, registry: SchemaRegistry(), options: .patient)
                        }
                    }
                }
            }
        }
    }

    @Test(arguments: ["a.store", nil]) func eightReadersSeeWholeSavesOfOneWriter(file: String?) async throws {
        let world = try StoreWorld(file: file)
        let store = world.store
        let query = try world.query("Issue", order: [.ascending("number")], including: .all)
        let user = try world.makeAda()
        let issues = try (0..<Self.rowCount).map {
            try world.make("Issue", ["number": $0, "votes": 0, "assignee": user])
        }
        try store.save(issues)
        let changes = try store.changes(of: query)
        let loop = Task {
            for try await change in changes where change.updated.count == Self.rowCount { return true }
            return false
        }
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var mistakes = 0
                    for _ in 0..<40 {
                        do {
                            let votes = Set(try store.frozen(query).map { $0["votes", as: Int.self] })
                            let count = try store.count(query)
                            if votes.count != 1 || count != Self.rowCount { mistakes += 1 }
                        } catch { mistakes += 1 }
                    }
                    return mistakes
                }
            }
            for number in 1...40 {
                for issue in issues { issue["votes"] = number }
                #expect(throws: Never.self) { try store.save(issues) }
            }
            for await mistakes in group { #expect(mistakes == 0) }
        }
        #expect(try await loop.value)
    }
}
