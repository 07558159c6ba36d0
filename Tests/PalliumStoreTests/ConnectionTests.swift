import Foundation
import PalliumCore
import TestSupport
import Testing

@testable import PalliumStore

/// Connections, statements and the errors that SQLite's codes become.
struct ConnectionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String = "a.store") -> String { folder.url.appendingPathComponent(name).path }

    private func open(
        _ path: String?, _ mode: SQLiteConnection.Mode = .writing, busyTimeout: Duration = .zero
    ) throws(ModelError) -> SQLiteConnection {
        try SQLiteConnection(path, mode, busyTimeout: busyTimeout)
    }

    @Test(
        arguments: [
            .null, .integer(0), .integer(.min), .integer(.max), .real(0.1), .real(-1e300), .text(""), .text("é\u{0}x"),
            .text("'; drop table t; --"),
        ] as [SQLiteValue])
    func valuesComeBack(value: SQLiteValue) throws {
        let connection = try open(nil)
        #expect(try connection.firstRow("SELECT ?1", [value]) { $0.value(0) } == value)
    }

    @Test func textIsComparedByItsBytes() {
        #expect(SQLiteValue.text("é") != .text("e\u{301}"))
        #expect(Set([SQLiteValue.text("é"), .text("e\u{301}"), .integer(1), .real(1)]).count == 4)
    }

    @Test func aStatementInUseIsNotUsedAgain() throws {
        let connection = try open(nil)
        var seen: [Int64] = []
        try connection.forEachRow("SELECT value FROM json_each('[1,2]')") { outer throws(ModelError) in
            try connection.forEachRow("SELECT value FROM json_each('[1,2]')") { inner throws(ModelError) in
                seen.append(outer.integer(0) * 10 + inner.integer(0))
            }
        }
        #expect(seen == [11, 12, 21, 22])
    }

    @Test func triggersAndViewsOfAHostileFileDoNotRun() throws {
        let plain = try open(path())
        try plain.execute("CREATE TABLE t(a)")
        try plain.execute("CREATE TABLE log(a)")
        try plain.execute("CREATE TRIGGER spy AFTER INSERT ON t BEGIN INSERT INTO log VALUES(new.a); END")
        try plain.execute("CREATE VIEW v AS SELECT 1")
        let connection = try open(path())
        try connection.execute("INSERT INTO t VALUES(7)")
        #expect(try connection.firstRow("SELECT count(*) FROM log") { $0.integer(0) } == 0)
        #expect(throws: ModelError.self) { try connection.execute("SELECT * FROM v") }
    }

    @Test func anotherWriterIsAnErrorThatCallsForAnotherTry() throws {
        let (one, other) = (try open(path()), try open(path()))
        try one.execute("CREATE TABLE t(a)")
        try one.execute("BEGIN IMMEDIATE")
        let error = #expect(throws: ModelError.self) { try other.execute("BEGIN IMMEDIATE") }
        #expect(error?.code == .busy && error?.category == .systemFailure)
        #expect((error?.underlying as? SQLiteError)?.code == 5)
        try one.execute("COMMIT")
        try other.execute("BEGIN IMMEDIATE")
    }

    @Test func errorsOfTheSystemAreTyped() throws {
        func code(_ body: () throws -> Void) -> ModelError.Code? {
            #expect(throws: ModelError.self, performing: body)?.code
        }
        #expect(code { _ = try open(path("none"), .reading) } == .unreadableFile)
        #expect(code { _ = try open(path("no/folder")) } == .unreadableFile)
        try Data("This is no database, but a letter to whom it may concern.".utf8).write(
            to: folder.url.appendingPathComponent("b"))
        #expect(code { try open(path("b")).execute("CREATE TABLE t(a)") } == .malformedStore)
        let connection = try open(path())
        try connection.execute("CREATE TABLE t(a UNIQUE)")
        try connection.execute("INSERT INTO t VALUES(1)")
        #expect(code { try connection.execute("INSERT INTO t VALUES(1)") } == .conflict)
        #expect(code { try open(path(), .readOnly).execute("INSERT INTO t VALUES(2)") } == .unwritableFile)
        #expect(code { try connection.execute("SELECT 1 \u{0}") } == .unknownKey)
        #expect(code { try connection.execute("SELEKT") } == .malformedStore)
        try connection.execute("PRAGMA max_page_count = 3")
        #expect(code { try connection.execute("CREATE TABLE u(a)") } == .unwritableFile)
    }
}
