import Foundation
import Observation
import OddModels
import Pallium
import TestSupport
import Testing

/// Classes that were generated of schemas with all names that are hard for Swift: they compile, and their accessors work.
struct OddModelTests {
    private let registry = SchemaRegistry()

    init() throws { try SchemaDocuments.load(into: registry) }

    @Test func accessorsWithOddNamesReadTheirKeys() throws {
        let words = try Words(
            any: "any", await: "await", default: "default", in: "in", `inout`: "inout", registry: "registry",
            self: "self", unsafe: "unsafe", descriptionValue: "description", firstName: "first-name", registry: registry
        )
        #expect(words.any == "any" && words.await == "await" && words.default == "default" && words.in == "in")
        #expect(words.inout == "inout" && words.registry == "registry" && words.`self` == "self")
        #expect(words.unsafe == "unsafe" && words.descriptionValue == "description" && words.firstName == "first-name")
        let setters: [(key: String, set: (Words) -> Void)] = [
            ("value", { $0.value = "x" }), ("set", { $0.set = "x" }), ("get", { $0.get = "x" }),
            ("init", { $0.`init` = "x" }), ("copy", { $0.copy = "x" }), ("key", { $0.key = "x" }),
            ("values", { $0.valuesValue = "x" }), ("schema", { $0.schemaValue = "x" }),
            ("hashValue", { $0.hashValueValue = "x" }), ("ID", { $0.id = "x" }), ("HTMLName", { $0.htmlName = "x" }),
            ("Type", { $0.type = "x" }), ("a.b c", { $0.aBC = "x" }), ("2fa", { $0._2fa = "x" }),
            ("-1", { $0.minus1 = "x" }), ("größe", { $0.größe = "x" }), ("漢字", { $0.漢字 = "x" }),
        ]
        for (key, set) in setters {
            set(words)
            #expect(try words.value(forKey: key) as? String == "x", "\(key)")
            #expect(words.values.values.count { $0 as? String == "x" } == 1, "\(key)")
            try words.setValue(nil, forKey: key)
        }
        let allKeys = Words.Keys.self
        #expect(
            [allKeys.default, allKeys.`self`, allKeys.id, allKeys.valuesValue] == ["default", "self", "ID", "values"])
    }

    @Test func accessorsWithNumbersReadTheirKeys() throws {
        let members = #""_": "1", "$": "2", "😀": "3", "property_2": "4", "ID": 6, "id": 7, "Id": 8"#
        let cases = #""a-b": "x", "aB": "y", "a_b": "z", "AB": "w", "ⸯ": "5", "property": "9", "id_2": "0""#
        let child = try JSONAdapter(ClashChild.self, registry: registry).model(from: "{\(members), \(cases)}")
        #expect([child.property, child.property_3, child.property_4, child.property_2] == ["1", "2", "3", "4"])
        #expect(child.property_5 == "5" && child.id_2 == 6 && child.id == 7 && child.id_3 == 8)
        #expect(child.property_6 == "9" && child.id_2_2 == "0")
        #expect(child.aB_2 == .x && child.aB == .y && child.a_b == .z && child.ab == .w)
        #expect(ClashChild.Keys.property_4 == "😀" && ClashChild.Keys.id_2_2 == "id_2")
    }

    @Test func initializersSetTheDiscriminator() throws {
        let card = try Card(id: 1, number: "4", registry: registry)
        let gold = try GoldCard(id: 2, number: "5", registry: registry)
        let cash = try Cash(id: 3, registry: registry)
        let voucher = try Voucher(id: 4, paymentType: .coupon, registry: registry)
        let payments = [card, gold, cash, voucher]
        #expect(payments.map(\.paymentType) == [.card, .gold, .cash, .coupon])
        let adapter = JSONAdapter(Payment.self, registry: registry)
        let read = try adapter.models(from: adapter.data(from: payments))
        #expect(read == payments && read.map { "\(type(of: $0))" } == ["Card", "GoldCard", "Cash", "Voucher"])
        #expect(try Hello(registry: "x", registry: registry).op == 10)
        #expect(try Beat(registry: "x", time: 0.5, registry: registry).op == 11)
    }

    @Test func accessorsOfEveryKindFit() throws {
        try registry.verifyAccessors(
            of: Kinds.self, \.bool, \.integer, \.unsigned, \.int8, \.int16, \.int32, \.uint8, \.uint16, \.uint32,
            \.double,
            \.float, \.decimal, \.string, \.date, \.duration, \.url, \.uuid, \.data, \.json)
        try registry.verifyAccessors(
            of: Kinds.self, \.boolRequired, \.integerRequired, \.unsignedRequired, \.int8Required, \.uint32Required,
            \.doubleRequired, \.floatRequired, \.decimalRequired, \.stringRequired, \.dateRequired, \.durationRequired,
            \.urlRequired, \.uuidRequired, \.dataRequired, \.jsonRequired)
        try registry.verifyAccessors(
            of: Kinds.self, \.integerArray, \.decimalArray, \.urlArray, \.jsonArray, \.dateNullableSet,
            \.dataNullableSet, \.jsonNullableSet, \.int8Dictionary, \.durationDictionary, \.jsonDictionary)
    }

    @Test func enumerationsFitTheirCases() throws {
        try registry.verifyAccessors(
            of: Cases.self, \.type, \.data, \.set, \.protocol, \.any, \.keys, \.base, \._2fa, \.漢字, \.signs, \.numbers,
            \.kept, \.keptNumbers, \.lists, \.spelled)
        #expect(Cases.Signs.allCases.count == 21)
        #expect(Cases.Signs(rawValue: "\0\u{202e}") == .case20)
        #expect(Cases.Signs.aB_3.rawValue == "aB")
        let adapter = JSONAdapter(Cases.self, registry: registry)
        let members = ["type", "data", "set", "protocol", "any", "keys", "base", "2fa", "漢字"]
            .map { "\"\($0)\": \"a\"" }.joined(separator: ", ")
        let cases = try adapter.model(
            from: """
                {\(members), "signs": "what", "numbers": 2147483648, "kept": "c", "keptNumbers": 5,
                 "lists": {"x": ["a", "z"]}, "spelled": "on"}
                """)
        #expect(cases.type == .a)
        #expect(cases.signs == .minus1)
        #expect(cases.numbers == ._2147483648)
        #expect(cases.kept == nil)
        #expect(cases.keptNumbers == nil)
        #expect(cases.lists == ["x": [.a, nil]])
        #expect(cases.spelled == .on)
    }

    @Test func narrowedAccessorsReadAndSetThroughEveryClass() throws {
        try registry.verifyAccessors(of: Base.self, \.name, \.next, \.state, \.code, \.parent)
        try registry.verifyAccessors(of: Narrow.self, \.name, \.next, \.state, \.code, \.parent, \.size)
        try registry.verifyAccessors(of: Sibling.self, \.name, \.next, \.state, \.code)
        let narrow = try Narrow(name: "n", registry: registry)
        narrow.next = try Narrow(name: "m", registry: registry)
        narrow.state = .off
        let base: Base = narrow
        #expect(base.name == "n" && base.next === narrow.next && base.state == .off)
        let sibling = Sibling(registry: registry)
        sibling.name = nil
        sibling.next = narrow
        #expect(sibling.name == nil && sibling.next === narrow)
    }

    @Test func classesWithOddNamesAreBound() throws {
        let model = try JSONAdapter(`class`.self, registry: registry).model(from: #"{"other": {}}"#)
        #expect(type(of: try #require(model.other)) == `protocol`.self)
        let pair = try JSONAdapter(Twin.self, registry: registry).model(from: #"{"twin": {}}"#)
        #expect(type(of: try #require(pair.twin)) == twin.self)
    }

    @Test func classesWithOtherNamesThanTheirSchemasAreBound() throws {
        let owner = try JSONAdapter(LiteralOwner.self, registry: registry).model(
            from: #"{"text": {"same": "e\u0301"}, "literals": [{"self": {}}], "same": "\u00e9"}"#)
        #expect(owner.schema.name == "literal-owner")
        #expect(type(of: try #require(owner.text)) == Text.self)
        #expect(owner.literals?.first?.`self`.map { type(of: $0) == ModelSelf.self } == true)
        // Swift cannot tell the texts apart, but their bytes come back.
        #expect(owner.same == .é && owner.text?.same == .é)
        let written = try JSONAdapter(LiteralOwner.self, registry: registry).data(from: owner)
        let text = try JSONValue(parsing: [UInt8](written))["text"]?["same"]?.stringValue ?? ""
        #expect(text.utf8.elementsEqual("e\u{301}".utf8))
    }

    @Test func classesOfObservedSchemasConform() throws {
        let classes: [(DynamicModel.Type, Bool)] = [
            (Watched.self, true), (Watcher.self, true), (Heard.self, true), (Quiet.self, false), (Base.self, false),
        ]
        for (modelClass, isObservable) in classes {
            #expect(modelClass is any Observable.Type == isObservable, "\(modelClass)")
            let layout = try #require(registry.layout(for: modelClass))
            #expect(layout.isObserved == isObservable, "\(modelClass)")
        }
        try registry.verifyAccessors(of: Watcher.self, \.observable, \.count)
    }

    @Test func theDocumentsAreTheOriginals() throws {
        let file = SharedData.repository.appendingPathComponent("Tests/GeneratedModels/Odd.json")
        #expect(try SchemaRegistry().load(Data(SchemaDocuments.text.utf8)) == SchemaRegistry().load(contentsOf: file))
    }
}
