import Foundation
import Pallium
import TestSupport

@testable import PalliumStore

/// What all rows of the file are.
extension VersionTrial {
    /// How all rows differ from the reference, as a process reads them together, and one of each table by its identity.
    func contents(_ store: ModelStore, _ process: Int) throws -> String? {
        for table in VersionFamily.tables {
            if let found = try run(.fetch(PlainQuery(schema: table), all: false), process, in: store) {
                return "all of \(table): \(found)"
            }
            let identity = PlainIdentity(table, [.integer(1 + comparisonCount % 5)])
            if let found = try run(.first(identity), process, in: store) { return "\(identity): \(found)" }
        }
        comparisonCount += 1
        return nil
    }

    /// How the versions of rows differ from those that the reference has: no read changes them.
    func versionDifference() throws -> String? {
        let versions = try versions()
        for (identity, row) in reference.rows where versions[identity] != text(identity, row) {
            return "the row \(identity) has \(versions[identity] ?? "no"), not \(text(identity, row))"
        }
        return nil
    }

    /// The versions of a row as its column has them, but in another order.
    func text(_ identity: PlainIdentity, _ row: VersionReference.Row) -> String {
        let versions = family.storedVersions(identity.table, row.program).filter { $0.value > 1 }
        return versions.map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", ")
    }

    /// The versions of all rows in the file.
    func versions() throws -> [PlainIdentity: String] {
        let connection = try SQLiteConnection(url.path, .reading, busyTimeout: Patience.duration)
        var found: [PlainIdentity: String] = [:]
        for table in VersionFamily.tables where reference.rows.keys.contains(where: { $0.table == table }) {
            try connection.forEachRow("SELECT id, _versions FROM \(table)") { row throws(ModelError) in
                found[PlainIdentity(table, [.integer(Int(row.integer(0)))])] = row.text(1)
            }
        }
        return try found.mapValues { text in
            let members = text.isEmpty ? [:] : try JSONValue(parsing: text).objectValue ?? [:]
            return members.map { "\($0.0) \($0.1)" }.sorted().joined(separator: ", ")
        }
    }
}
