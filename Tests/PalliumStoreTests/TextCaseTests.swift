import Foundation
import Pallium
import Testing

@testable import PalliumStore

/// Texts can be compared without the difference of case, with a column for it and without.
struct TextCaseTests {
    private static func schemas(_ index: PropertySchema.Index?) -> [ModelSchema] {
        let title = index.map { PropertySchema.string.indexed($0) } ?? .string
        return [
            ModelSchema(
                "Note",
                ["id": .integer.required, "title": title, "tags": .array(of: .string), "next": .model("Note")],
                identity: ["id"])
        ]
    }

    private static let titles = [
        "Crash", "CRASH", "crash on start", "Straße", "STRAẞE", "ΣΊΣΥΦΟΣ", "σίσυφος", "İ", "i",
    ]

    private func world(_ index: PropertySchema.Index?) throws -> StoreWorld {
        let world = try StoreWorld(schemas: Self.schemas(index))
        let notes = try Self.titles.enumerated().map {
            try world.make("Note", ["id": $0, "title": $1, "tags": [$1, "x"]])
        }
        try notes[1].setValue(notes[0], forKey: "next")
        try world.store.save(notes)
        try world.store.save(world.make("Note", ["id": 100]))
        return world
    }

    private static let title = Key("title").caseInsensitive

    static let conditions: [(Condition, [Int])] = [
        (title == "crash", [0, 1]), (title == "cRASH", [0, 1]), (title == "rash", []),
        (Key("title") == "crash", []), (Key("title").contains("crash"), [2]),
        (Key("title").caseInsensitive.contains("CRASH"), [0, 1, 2]),
        (Key("title").contains("CRASH"), [1]),
        (Key("title").caseInsensitive.hasPrefix("cr"), [0, 1, 2]),
        (Key("title").caseInsensitive.hasPrefix("STRAß"), [3, 4]), (title == "strasse", []),
        (title == "Σίσυφος", [5, 6]), (title.isIn(["I", "straße"]), [3, 4, 8]), (title == "i", [8]),
        (title == nil, [100]), (title != "crash", [2, 3, 4, 5, 6, 7, 8, 100]),
        (!(title == "crash"), [2, 3, 4, 5, 6, 7, 8, 100]),
        (Key("tags").caseInsensitive.contains("STRAßE"), [3, 4]),
        (Key("tags").any(Key.element.caseInsensitive == "CRASH"), [0, 1]),
        (Key("next.title").caseInsensitive == "crash", [1]),
    ]

    @Test(arguments: [nil, .ordinary, .caseInsensitive] as [PropertySchema.Index?])
    func conditionsFindTheSame(index: PropertySchema.Index?) throws {
        let world = try world(index)
        for (number, (condition, expected)) in Self.conditions.enumerated() {
            let query = try world.query("Note", where: condition, order: [.ascending("id")])
            #expect(try world.store.fetch(query).map { $0["id", as: Int.self] } == expected, "condition \(number)")
        }
        let order = try world.query("Note", order: [.ascending(Self.title), .descending("id")])
        #expect(try world.store.fetch(order).map { $0["id", as: Int.self] } == [100, 1, 0, 2, 8, 4, 3, 7, 6, 5])
        #expect(
            try world.store.rows(
                of: world.query("Note", where: Key("id") < 3), only: [.value(Self.title), .count]
            ) == [["crash", 2], ["crash on start", 1]])
    }

    @Test func theColumnIsUsedAndAnyProgramCanReadIt() throws {
        let world = try world(.caseInsensitive)
        func plan(_ condition: Condition) throws -> String {
            try world.store.plan(of: world.query("Note", where: condition))
        }
        #expect(try plan(Self.title == "crash").contains("USING INDEX Note._folded title (_folded title=?)"))
        #expect(try plan(Self.title.hasPrefix("a")).contains("(_folded title>? AND _folded title<?)"))
        #expect(try plan(Key("title") == "crash").contains("SCAN t0"))
        #expect(
            try world.rows(#"SELECT "_folded title" FROM Note WHERE id < 2"#).map { $0[0] }
                == [.text("crash"), .text("crash")])
        #expect(try world.rows("PRAGMA user_version")[0][0] == .integer(3))
        #expect(try world.store.integrityCheck().isEmpty)
        try world.change(#"UPDATE Note SET "_folded title" = 'Crash' WHERE id = 0"#)
        let problem = try #require(try world.store.integrityCheck().first)
        #expect(problem.code == .malformedStore && problem.property == "title")
    }

    /// Rows that were stored before have it, too, and rows that change keep it.
    @Test func theColumnIsMadeFromDocuments() throws {
        let plain = try world(nil)
        #expect(try plain.rows("PRAGMA user_version")[0][0] == .integer(1))
        let (store, registry) = try plain.reopened(Self.schemas(.caseInsensitive))
        let schema = try registry.schema(named: "Note")
        func ids(_ store: ModelStore) throws -> [Int?] {
            try store.fetch(ModelQuery(schema: schema, where: Self.title == "crash", order: [.ascending("id")]))
                .map { $0["id", as: Int.self] }
        }
        #expect(try ids(store) == [0, 1])
        // A program without the index fills the column.
        try plain.store.save(plain.make("Note", ["id": 0, "title": "Other"]))
        try plain.store.save(plain.make("Note", ["id": 200, "title": "cRaSh"]))
        #expect(try ids(store) == [1, 200])
        let note = try #require(try store.first(schema, identity: 1))
        try note.setValue("gone", forKey: "title")
        try store.save(note)
        #expect(try ids(store) == [200])
        #expect(try store.integrityCheck().isEmpty)
        // Until nobody asks for it.
        try plain.reopened(Self.schemas(nil)).store.upgrade()
        #expect(
            try plain.rows("SELECT count(*) FROM pragma_table_info('Note') WHERE name = '_folded title'")[0][0]
                == .integer(0))
    }

    @Test(
        arguments: [(.caseInsensitive, .ordinary, "title"), (.ordinary, .caseInsensitive, "_folded title")]
            as [(PropertySchema.Index, PropertySchema.Index, String)])
    func anUpgradeDropsTheColumnOfTheFormerIndex(
        former: PropertySchema.Index, present: PropertySchema.Index, column: String
    ) throws {
        let world = try world(former)
        let (store, registry) = try world.reopened(Self.schemas(present))
        let note = try registry.schema(named: "Note")
        #expect(try store.count(ModelQuery(schema: note, where: Self.title == "crash")) == 2)
        try store.upgrade()
        let columns = try world.rows("SELECT name FROM pragma_table_info('Note') WHERE name LIKE '%title'")
        #expect(columns.map { $0[0] } == [.text(column)])
        #expect(try store.count(ModelQuery(schema: note, where: Self.title == "crash")) == 2)
        #expect(try store.integrityCheck().isEmpty)
    }

    /// It joins the space in the name of the column.
    @Test func aKeyMayBeginWithACombiningMark() throws {
        let key = "\u{301}x"
        func schema(_ property: PropertySchema) -> ModelSchema {
            ModelSchema("Row", ["id": .integer.required, key: property], identity: ["id"])
        }
        let world = try StoreWorld(schemas: [schema(.string.indexed(.caseInsensitive))])
        try world.store.save(world.make("Row", ["id": 1, key: "A"]))
        let version = try world.rows("PRAGMA schema_version")[0][0]
        // A program without the index keeps the column, and fills it.
        let (other, registry) = try world.reopened([schema(.string)])
        let row = DynamicModel(schema: try registry.schema(named: "Row"), registry: registry)
        try row.setValue(2, forKey: "id")
        try row.setValue("a", forKey: key)
        try other.save(row)
        #expect(try world.rows("PRAGMA schema_version")[0][0] == version)
        let query = try world.query("Row", where: Key(key).caseInsensitive == "A")
        #expect(try world.store.count(query) == 2 && world.store.plan(of: query).contains("USING INDEX"))
        #expect(try world.store.integrityCheck().isEmpty && other.integrityCheck().isEmpty)
    }

    @Test func anIdentityHasAColumnForItsText() throws {
        let schema = ModelSchema("Tag", ["name": .string.required.indexed(.caseInsensitive)], identity: ["name"])
        let world = try StoreWorld(schemas: [schema])
        try world.store.save([world.make("Tag", ["name": "Bug"]), world.make("Tag", ["name": "bug"])])
        let query = try world.query("Tag", where: Key("name").caseInsensitive == "BUG")
        #expect(try world.store.count(query) == 2)
        #expect(try world.store.plan(of: query).contains("USING INDEX Tag._folded name"))
        #expect(try world.store.first(schema, identity: "bug") != nil)
    }

    @Test(arguments: [
        Key("id").caseInsensitive == 1, Key("next").caseInsensitive == nil,
        Key("tags").caseInsensitive.any(Key.element == "x"),
    ])
    func onlyTextsHaveCase(condition: Condition) throws {
        let world = try world(nil)
        let error = #expect(throws: ModelError.self) { try world.fetch("Note", where: condition) }
        #expect(error?.code == .typeMismatch)
    }

    /// Unicode's lines with the status C and S, as far as Swift knows them, are those of the table.
    @Test func foldingIsThatOfUnicode() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let folded = CaseFolding.fold(String(scalar))
            let properties = scalar.properties
            if folded.unicodeScalars.first != scalar {
                // One letter in two cases has one folding.
                #expect(CaseFolding.fold(folded) == folded)
                #expect(
                    properties.uppercaseMapping == folded.unicodeScalars.first?.properties.uppercaseMapping
                        || properties.lowercaseMapping == folded || properties.uppercaseMapping == folded, "\(scalar)")
            } else if properties.changesWhenCaseFolded {
                // Only what folds to several scalars, which the simple folding leaves alone, or is unknown to the table.
                let isFull =
                    properties.lowercaseMapping.unicodeScalars.count > 1
                    || properties.uppercaseMapping.unicodeScalars.count > 1
                #expect(isFull || properties.age.map { $0.major > 17 } == true, "\(scalar)")
            }
        }
        #expect(CaseFolding.fold("ÀÉ Ǆ ϴ \u{212A} \u{10400} Ꭰ ꭰ") == "àé ǆ θ k \u{10428} Ꭰ Ꭰ")
    }
}
