import Foundation
import Pallium
import TestSupport
import Testing

@testable import PalliumStore

/// Texts that differ in case alone, by Unicode's simple case folding: the section *Search* of the article *Stores*, and what
/// *Rules* says of it.
struct TextCaseEdgeTests {
    private static let schemas = [
        ModelSchema(
            "Word",
            [
                "id": .integer.required, "plain": .string, "indexed": .string.indexed(),
                "folded": .string.indexed(.caseInsensitive), "list": .array(of: .string), "set": .set(of: .string),
                "next": .model("Word").indexed(), "parts": .array(of: .model("Part")), "number": .integer,
                "state": .enumeration("Open", "closed"), "link": .url, "names": .dictionary(of: .string),
            ], identity: ["id"]),
        ModelSchema("Part", ["text": .string]),
    ]
    private static let textKeys = ["plain", "indexed", "folded"]

    private let world: StoreWorld
    private let schema: ModelSchema

    init() throws {
        world = try StoreWorld(schemas: Self.schemas)
        schema = try world.schema("Word")
    }

    private func store(_ words: [String]) throws {
        for (id, word) in words.enumerated() {
            let model = try world.make(
                "Word",
                [
                    "id": id, "plain": word, "indexed": word, "folded": word, "list": ["", word],
                    "names": ["a": word],
                ])
            try world.store.save(model)
        }
    }

    private func ids(_ condition: Condition) throws -> [Int] {
        try world.store.fetch(ModelQuery(schema: schema, where: condition, order: [.ascending("id")]))
            .compactMap { $0["id", as: Int.self] }
    }

    // MARK: Which letters are the same

    /// Texts that are the same, and then some that are not.
    static let classes: [(same: [String], others: [String])] = [
        (["straße", "STRAẞE", "ſtraße"], ["STRASSE", "strase"]), (["ß", "ẞ"], ["ss", "SS", "ſſ"]),
        (["i", "I"], ["İ", "ı", "i\u{307}"]), (["ı"], ["I", "i"]), (["İ"], ["i\u{307}", "I"]),
        (["σ", "ς", "Σ"], ["s", "ϲ"]), (["ΣΊΣΥΦΟΣ", "σίσυφος", "ςίςυφοσ"], ["ΣΙΣΥΦΟΣ"]),
        (["\u{13A0}", "\u{AB70}"], ["\u{13A1}"]), (["\u{13F8}", "\u{13F0}"], ["\u{13F1}"]),
        (["ﬁ"], ["fi", "FI"]), (["ﬀ"], ["ff"]), (["\u{FB06}"], ["st"]), (["ŉ"], ["ʼn"]),
        (["é", "É"], ["e\u{301}", "E\u{301}", "e"]), (["e\u{301}", "E\u{301}"], ["é", "É"]),
        (["ǆ", "ǅ", "Ǆ"], ["dž"]), (["k", "K", "\u{212A}"], ["κ"]), (["å", "Å", "\u{212B}"], ["a", "A\u{30A}"]),
        (["ω", "Ω", "\u{2126}"], ["o"]), (["\u{B5}", "\u{3BC}", "\u{39C}"], ["M", "m"]), (["s", "S", "ſ"], ["σ"]),
        (["𐐀", "𐐨"], ["𐐁"]), (["ⓐ", "Ⓐ"], ["a"]), (["Ａ", "ａ"], ["A"]), (["ϑ", "θ", "Θ", "ϴ"], ["ϐ"]),
        (["ა", "Ა"], ["ბ"]), (["ᾳ", "ᾼ"], ["αι"]), (["\u{345}", "\u{3B9}", "\u{399}", "\u{1FBE}"], ["ί"]),
        (["a%_B", "A%_b"], ["aXYB", "a%__B"]), (["[a]*?", "[A]*?"], ["a", "[a]xx"]), (["", ""], [" ", "\u{200B}"]),
        (["1١", "1١"], ["11"]), (["日本", "日本"], ["日"]), (["\"'\\", "\"'\\"], ["\"'"]),
    ]

    @Test(arguments: classes)
    func textsAreEqualByTheirFoldedScalars(same: [String], others: [String]) throws {
        try store(same + others)
        let expected = Array(same.indices)
        for word in same {
            for name in Self.textKeys {
                let key = Key(name)
                #expect(try ids(key.caseInsensitive == word) == expected, "\(name) \(word)")
                #expect(try ids(key.caseInsensitive.isIn([word])) == expected)
                #expect(try ids(key.caseInsensitive != word) == (same + others).indices.filter { $0 >= same.count })
            }
            #expect(
                try ids(Key("list").caseInsensitive.contains(word))
                    == (word.isEmpty ? Array((same + others).indices) : expected))
            #expect(try ids(Key("names").any(Key.element.caseInsensitive == word)) == expected)
        }
    }

    @Test(arguments: classes)
    func aPartIsFoundByItsFoldedScalars(same: [String], others: [String]) throws {
        let words = same.flatMap { [$0, $0 + "-x", "x-" + $0, "中" + $0 + "中"] }
        try store(words)
        for part in same where !part.isEmpty {
            for name in Self.textKeys {
                let key = Key(name)
                #expect(try ids(key.caseInsensitive.contains(part)).count == words.count, "\(name) \(part)")
                #expect(try ids(key.caseInsensitive.hasPrefix(part)).count == same.count * 2, "\(name) \(part)")
                #expect(try ids(key.caseInsensitive.hasPrefix(part + "-X")).count == same.count)
            }
        }
    }

    // MARK: Empty, null, missing

    @Test func anEmptyTextIsPartOfEachTextAndOfNoMissingOne() throws {
        try world.store.import(
            #"""
            [{"id": 0, "plain": "", "indexed": "", "folded": ""}, {"id": 1, "plain": "a", "indexed": "a", "folded": "a"},
             {"id": 2, "plain": null, "indexed": null, "folded": null}, {"id": 3}]
            """#, using: world.adapter("Word"))
        for name in Self.textKeys {
            let key = Key(name)
            for key in [key, key.caseInsensitive] {
                #expect(try ids(key.contains("")) == [0, 1], "\(name)")
                #expect(try ids(key.hasPrefix("")) == [0, 1], "\(name)")
                #expect(try ids(!key.contains("")) == [2, 3], "\(name)")
            }
            #expect(try ids(!key.hasPrefix("A")) == [0, 1, 2, 3])
            #expect(try ids(!key.caseInsensitive.hasPrefix("A")) == [0, 2, 3])
            #expect(try ids(key.caseInsensitive == "") == [0])
            #expect(try ids(key.caseInsensitive == nil) == [2, 3])
            #expect(try ids(key.caseInsensitive != nil) == [0, 1])
            #expect(try ids(key.caseInsensitive != "A") == [0, 2, 3])
            #expect(try ids(key.caseInsensitive < "B") == [0, 1])
            #expect(try ids(key.caseInsensitive >= "") == [0, 1])
            #expect(try ids(key.caseInsensitive.isIn([])) == [])
        }
    }

    @Test func aNullCharacterIsReadWhereAnIndexIs() throws {
        try store(["a\u{0}B", "a\u{0}C", "a"])
        #expect(try ids(Key("folded").caseInsensitive == "A\u{0}b") == [0])
        #expect(try ids(Key("folded").caseInsensitive.contains("\u{0}b")) == [0])
        #expect(try ids(Key("folded").caseInsensitive.hasPrefix("A\u{0}")) == [0, 1])
    }

    // MARK: Where texts are

    @Test func textsOfOtherModelsAndOfElementsAreComparedSo() throws {
        try world.store.import(
            #"""
            [{"id": 0, "folded": "Ada", "plain": "Ada", "parts": [{"text": "ONE"}, {"text": "Two"}], "list": ["X"]},
             {"id": 1, "next": {"id": 0}, "parts": [], "set": ["Äpfel", "b"]}, {"id": 2, "parts": [{}]}]
            """#, using: world.adapter("Word"))
        #expect(try ids(Key("next.folded").caseInsensitive == "ADA") == [1])
        #expect(try ids(Key("next.plain").caseInsensitive.hasPrefix("aD")) == [1])
        #expect(try ids(Key("parts.text").caseInsensitive == "one") == [0])
        #expect(try ids(Key("parts").any(Key("text").caseInsensitive.contains("W"))) == [0])
        #expect(try ids(Key("parts").all(Key("text").caseInsensitive != "one")) == [1, 2])
        #expect(try ids(Key("parts").none(Key("text").caseInsensitive == "two")) == [1, 2])
        #expect(try ids(Key("list").caseInsensitive.contains("x")) == [0])
        #expect(try ids(Key("list").contains("x")) == [])
        #expect(try ids(Key("set").caseInsensitive.contains("äPFEL")) == [1])
        #expect(try ids(Key("set").any(Key.element.caseInsensitive.hasPrefix("ÄP"))) == [1])
    }

    @Test(arguments: ["number", "state", "link", "next", "parts", "names", "id"])
    func onlyTextsAreComparedSo(_ key: String) throws {
        #expect(throws: ModelError.self) { try ids(Key(key).caseInsensitive == "a") }
        #expect(throws: ModelError.self) { try ids(Key(key).caseInsensitive.contains("a")) }
        #expect(throws: ModelError.self) { try ids(Key(key).caseInsensitive.hasPrefix("a")) }
    }

    // MARK: Indexes

    @Test(arguments: ["a", "ß", "Σ", "\u{10FFFF}", "a\u{10FFFF}", "\u{D7FF}", "a\u{D7FF}", "é"])
    func theIndexFindsWhatReadingAllTextsFinds(_ prefix: String) throws {
        try store([
            prefix, prefix + "a", prefix + "\u{10FFFF}", prefix + "é", "b", "", "\u{E000}", prefix.uppercased() + "Z",
        ])
        #expect(
            try ids(Key("folded").caseInsensitive.hasPrefix(prefix))
                == ids(Key("plain").caseInsensitive.hasPrefix(prefix)))
        let plan = try world.store.plan(
            of: ModelQuery(schema: schema, where: Key("folded").caseInsensitive.hasPrefix(prefix)))
        #expect("\(plan)".contains("USING INDEX"), "\(plan)")
    }

    /// It serves conditions without the difference of case and no others.
    @Test func theIndexServesNoExactCondition() throws {
        try store(["Ada", "ADA"])
        #expect(try ids(Key("folded") == "Ada") == [0])
        #expect(try ids(Key("folded").hasPrefix("AD")) == [1])
        let plan = try world.store.plan(of: ModelQuery(schema: schema, where: Key("folded") == "Ada"))
        #expect(!"\(plan)".contains("USING INDEX"), "\(plan)")
    }
}
