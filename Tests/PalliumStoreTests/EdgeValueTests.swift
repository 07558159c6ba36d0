import Foundation
import Pallium
import Testing

@testable import PalliumStore

/// Conditions with values at the edges of their kinds.
struct EdgeValueTests {
    private let world: StoreWorld

    init() throws {
        let schema = ModelSchema(
            "Item", ["id": .integer.required, "title": .string.indexed(), "score": .double, "when": .date],
            identity: ["id"])
        world = try StoreWorld(file: nil, schemas: [schema])
        try world.store.save([
            world.make("Item", ["id": 1, "title": "a\u{0}b", "score": 1.5, "when": Date(timeIntervalSince1970: 0)]),
            world.make("Item", ["id": 2]),
        ])
    }

    /// Columns have no limit of null characters.
    @Test(
        arguments: [
            ("prefix", Key("title").hasPrefix("a\u{0}")), ("whole prefix", Key("title").hasPrefix("a\u{0}b")),
            ("list", Key("title").isIn(["x", "a\u{0}b"])),
        ] as [(String, Condition)])
    func anIndexedTextIsFoundBehindItsNullCharacter(name: String, condition: Condition) throws {
        #expect(try world.store.count(world.query("Item", where: condition)) == 1)
    }

    /// Each is a comparison of its own.
    @Test func listsOfTextsWithNullCharactersHaveALimit() throws {
        let texts = (0..<1000).map { "\u{0}\($0)" } + ["a\u{0}b"]
        #expect(try world.store.count(world.query("Item", where: Key("title").isIn(Array(texts.suffix(800))))) == 1)
        let error = #expect(throws: ModelError.self) {
            try world.store.count(world.query("Item", where: Key("title").isIn(texts)))
        }
        #expect(error?.code == .limitExceeded)
    }

    /// They are values of the kind or mistakes, but not nothing at all.
    @Test(
        arguments: [
            ("nan", Key("score") != Double.nan, 2), ("below", Key("score") < Double.infinity, 1),
            ("above", Key("score") > -Double.infinity, 1), ("infinity", Key("score") != Double.infinity, 2),
            ("date", Key("when") < Date(timeIntervalSinceReferenceDate: .infinity), 1),
            ("distant date", Key("when") < Date.distantFuture, 1),
        ] as [(String, Condition, Int)])
    func numbersThatAreNotFiniteAreComparedOrRefused(name: String, condition: Condition, count: Int) throws {
        do {
            #expect(try world.store.count(world.query("Item", where: condition)) == count)
        } catch let error as ModelError {
            #expect(error.code == .notConvertible)
        }
    }

    /// Not among the others: the words of such a date stop the program.
    @Test func aDateThatIsNoNumberIsComparedOrRefused() throws {
        let condition = Key("when") != Date(timeIntervalSinceReferenceDate: .nan)
        do {
            #expect(try world.store.count(world.query("Item", where: condition)) == 2)
        } catch let error as ModelError {
            #expect(error.code == .notConvertible)
        }
    }

    /// Its shortest digits are those of another integer, with which SQLite compares the column.
    @Test(
        arguments: [
            ("equal", Key("score") == large, 1), ("different", Key("score") != large, 0),
            ("at most", Key("score") <= large, 1), ("at least", Key("score") >= large, 1),
            ("list", Key("score").isIn([large]), 1),
        ] as [(String, Condition, Int)], [true, false])
    func aLargeNumberEqualsItself(row: (name: String, condition: Condition, count: Int), isIndexed: Bool) throws {
        let score: PropertySchema = isIndexed ? .double.indexed() : .double
        let schema = ModelSchema("Item", ["id": .integer.required, "score": score], identity: ["id"])
        let world = try StoreWorld(file: nil, schemas: [schema])
        try world.store.save(world.make("Item", ["id": 1, "score": large]))
        #expect(try world.store.count(world.query("Item", where: row.condition)) == row.count, "\(row.name)")
    }
}

private let large = 1.9231950761613322e17
