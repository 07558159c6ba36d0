import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Which properties are written of which models, and the program's last word on their objects.
@Suite(.row("C192", "C232"))
struct WrittenPropertyTests {
    private static let schemas = [
        ModelSchema(
            "Issue",
            [
                "title": .string, "author": .model("User").json("meta.author"),
                "labels": .array(of: .model("Label")), "named": .dictionary(of: .array(of: .model("User"))),
                "local": .string.local, "dotted.key": .integer, "broken": .string.transformer("OneWay"),
            ]),
        ModelSchema("User", ["login": .string, "mail": .string, "boss": .model("User")]),
        ModelSchema("Label", ["name": .string], extends: "Base"), ModelSchema("Base", ["color": .string]),
    ]
    private static let text = """
        {"title":"t","meta":{"author":{"login":"a","mail":"a@b","boss":{"login":"c","mail":"c@d"}}},\
        "labels":[{"color":"red","name":"x"},{"color":"blue","name":"y"}],"named":{"k":[{"login":"e","mail":"e@f"}]},\
        "dotted\\.key":1}
        """.replacingOccurrences(of: "\\", with: "")

    private static func adapter(
        _ change: (inout JSONAdapterOptions) -> Void = { _ in }
    ) throws -> Entrances<DynamicModel> {
        try Plain.adapter(
            schemas, options: .with(change),
            transformers: ["OneWay": Transformer(from: String.self, to: String.self) { text, _ in text }])
    }

    @Test(
        arguments: [
            (["title"], #"{"title":"t"}"#),
            (["author.login"], #"{"meta":{"author":{"login":"a"}}}"#),
            (["author.login", "author.boss"], #"{"meta":{"author":{"login":"a","boss":{"login":"c","mail":"c@d"}}}}"#),
            (
                ["author", "author.login"],
                #"{"meta":{"author":{"login":"a","mail":"a@b","boss":{"login":"c","mail":"c@d"}}}}"#
            ),
            (["author.boss.mail"], #"{"meta":{"author":{"boss":{"mail":"c@d"}}}}"#),
            (["labels.name", "title"], #"{"title":"t","labels":[{"name":"x"},{"name":"y"}]}"#),
            (["named.mail"], #"{"named":{"k":[{"mail":"e@f"}]}}"#),
            ([#"dotted\.key"#], #"{"dotted.key":1}"#), ([], "{}"), (["local"], "{}"),
        ] as [([String], String)]) func onlyWhatIsNamedIsWritten(keys: [String], expected: String) throws
    {
        let adapter = try Self.adapter()
        let model = try adapter.model(from: Self.text)
        #expect(try adapter.text(of: model, only: PropertySelection(keys)) == expected)
        #expect(try adapter.text(of: model, only: PropertySelection(Set(keys)), except: []) == expected)
        let list = try adapter.adapter.data(from: [model, model], only: PropertySelection(keys))
        #expect(String(decoding: list, as: UTF8.self) == "[\(expected),\(expected)]")
    }

    @Test(
        arguments: [
            (
                ["labels", "named", "author.boss", #"dotted\.key"#],
                #"{"title":"t","meta":{"author":{"login":"a","mail":"a@b"}}}"#
            ),
            (
                ["author.mail", "author.boss.mail", "labels.color", "named.mail", "title", #"dotted\.key"#],
                """
                {"meta":{"author":{"login":"a","boss":{"login":"c"}}},"labels":[{"name":"x"},{"name":"y"}],\
                "named":{"k":[{"login":"e"}]}}
                """
            ),
        ] as [([String], String)]) func whatIsExceptedIsNotWritten(keys: [String], expected: String) throws
    {
        let adapter = try Self.adapter()
        let model = try adapter.model(from: Self.text)
        #expect(try adapter.text(of: model, except: PropertySelection(keys)) == expected)
    }

    @Test(arguments: [#"a\.b\\c.d"#, #"a\.b\\c.\.\\"#]) func backslashesMakeDotsAndBackslashesOfKeys(key: String) throws
    {
        let adapter = try Plain.adapter([
            ModelSchema("Odd", [#"a.b\c"#: .model("Inner").json("x"), "a": .string]),
            ModelSchema("Inner", ["d": .string.json("y"), #".\"#: .string.json("z")]),
        ])
        let model = try adapter.model(from: #"{"x":{"y":"1","z":"2"},"a":"3"}"#)
        let expected = key.hasSuffix("d") ? #"{"x":{"y":"1"}}"# : #"{"x":{"z":"2"}}"#
        #expect(try adapter.text(of: model, only: [key]) == expected)
    }

    @Test func bothTogetherMeanBoth() throws {
        let adapter = try Self.adapter()
        let model = try adapter.model(from: Self.text)
        #expect(
            try adapter.text(of: model, only: ["author"], except: ["author.boss.login"])
                == #"{"meta":{"author":{"login":"a","mail":"a@b","boss":{"mail":"c@d"}}}}"#)
        #expect(
            try adapter.text(
                of: model, only: .where { _, key in key != "title" && !key.hasPrefix("d") },
                except: ["author", "named", "labels.name"])
                == #"{"labels":[{"color":"red"},{"color":"blue"}]}"#)
    }

    @Test func aClosureIsAskedAboutEachModelThatIsWritten() throws {
        let adapter = try Self.adapter()
        let model = try adapter.model(from: Self.text)
        var asked: [String] = []
        let text = try adapter.text(
            of: model,
            except: .where { model, key in
                asked.append("\(model.schema.name).\(key)")
                return key == "mail" && model["login", as: String.self] != "c"
            })
        #expect(
            text
                == Self.text.replacingOccurrences(of: #","mail":"a@b""#, with: "")
                .replacingOccurrences(of: #","mail":"e@f""#, with: ""))
        // Only keys that are written, outer models first; what is local is not asked about.
        #expect(
            asked.prefix(6) == [
                "Issue.title", "Issue.author", "Issue.labels", "Issue.named", "Issue.dotted.key", "Issue.broken",
            ])
        #expect(asked.filter { $0 == "User.mail" }.count == 3 && asked.filter { $0 == "Label.color" }.count == 2)
    }

    @Test func whatIsNotChosenIsNotConvertedEither() throws {
        let adapter = try Self.adapter()
        let model = try adapter.model(from: #"{"title":"t","broken":"b"}"#)
        #expect(throws: ModelError.self) { try adapter.text(of: model) }
        #expect(try adapter.text(of: model, except: .where { _, key in key == "broken" }) == #"{"title":"t"}"#)
    }

    @Test(
        arguments: [
            ("athor", "athor", "author"), ("author.logn", "logn", "login"), ("title.x", "title", nil),
            ("labels.nme", "nme", "name"),
            ("author.boss.x", "x", nil), ("", "", nil), ("author.", "author.", nil),
            (#"title[0]"#, #"title[0]"#, nil), (#"author.mail\"#, #"author.mail\"#, nil),
            (#"title\\"#, #"title\"#, "title"),
            (#"author\.mail"#, "author.mail", nil),
        ] as [(String, String, String?)]) func aKeyThatNoModelThereHasIsAnError(
            key: String, found: String, suggestion: String?
        ) throws
    {
        let adapter = try Self.adapter()
        let model = try adapter.model(from: "{}")
        for isOnly in [true, false] {
            let selection: PropertySelection = [key]
            let problem = #expect(throws: ModelError.self) {
                try adapter.text(of: model, only: isOnly ? selection : nil, except: isOnly ? nil : selection)
            }
            #expect(problem?.code == .unknownKey)
            #expect(problem?.found == "\"\(found)\"")
            #expect(problem?.suggestion == suggestion)
        }
    }

    @Test func aClosureThatTakesModelsAwayDoesNoHarm() throws {
        let adapter = try Self.adapter()
        let model = try adapter.model(from: Self.text)
        _ = try adapter.text(
            of: model,
            only: .where { asked, _ in
                if asked.schema.name == "User" { model["author"] = nil as DynamicModel? }
                if asked.schema.name == "Label" { model["labels"] = nil as [DynamicModel]? }
                return true
            })
        #expect(model["author", as: DynamicModel.self] == nil)
    }

    // MARK: The last word

    @Test(.row("C177")) func theLastWordSeesEveryModelInnerOnesFirst() throws {
        let journal = Journal()
        let adapter = try Self.adapter {
            $0.didWrite = { model, object in
                journal.add("\(model.schema.name) \(object.keys.joined(separator: " "))")
                object["test"] = true
                object["title"] = nil
            }
        }
        let model = try adapter.model(
            from: #"{"title":"t","meta":{"author":{"login":"a","boss":{}}},"named":{"k":[{},{"mail":"m"}]}}"#)
        let expected =
            #"{"meta":{"author":{"login":"a","boss":{"test":true},"test":true}},"#
            + #""named":{"k":[{"test":true},{"mail":"m","test":true}]},"test":true}"#
        #expect(try adapter.text(of: model) == expected)
        #expect(
            journal.all == [
                "User mail", "User ", "User ", "User login boss", "Issue title meta named",
            ])
        #expect(try adapter.adapter.jsonValue(from: model) == JSONValue(parsing: expected))
        #expect(try adapter.adapter.jsonObject(from: model)["test"] as? Bool == true)
        let list = try adapter.adapter.data(from: [model, model])
        #expect(String(decoding: list, as: UTF8.self) == "[\(expected),\(expected)]")
    }

    @Test func whatTheLastWordThrowsHasItsPlace() throws {
        let adapter = try Self.adapter {
            $0.didWrite = { model, _ in if model["login", as: String.self] == "bad" { throw FixtureError.refused } }
        }
        let model = try adapter.model(from: #"{"named":{"k":[{},{"boss":{"login":"bad"}}]}}"#)
        let problem = #expect(throws: ModelError.self) { try adapter.adapter.data(from: [model]) }
        #expect(problem?.code == .hookFailed)
        #expect(problem?.underlying as? FixtureError == .refused)
        #expect(problem?.pointer?.description == "/0/named/k/1/boss")
    }

    @Test func aClusterLooksAtTheLastWord() throws {
        let schemas = [
            ModelSchema("Base", ["n": .integer], cluster: .rules([.init([.present("mark")], "Leaf")], default: nil)),
            ModelSchema("Leaf", [:], extends: "Base"),
        ]
        let registry = try SchemaRegistry.of(schemas)
        let leaf = DynamicModel(schema: schemas[1], registry: registry)
        let plain = try JSONAdapter(schema: schemas[0], registry: registry)
        #expect(throws: ModelError.self) { try plain.data(from: leaf) }
        let told = Journal()
        let marking = try JSONAdapter(
            schema: schemas[0], registry: registry,
            options: .with {
                $0.didWrite = {
                    told.add($0.schema.name)
                    $1["mark"] = 1
                }
            })
        #expect(String(decoding: try marking.data(from: leaf), as: UTF8.self) == #"{"mark":1}"#)
        #expect(told.all == ["Leaf"])
    }

    @Test func whatTheLastWordNestsTooDeepIsRefused() throws {
        let deep = (1..<600).reduce(JSONValue.array([])) { inner, _ in [inner] }
        let adapter = try Self.adapter { $0.didWrite = { $1["deep"] = deep } }
        let problem = #expect(throws: ModelError.self) { try adapter.text(of: adapter.model(from: "{}")) }
        #expect(problem?.code == .depthLimit)
    }

    @Test func theLastWordOnDeepModelsTakesLinearTime() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let adapter = JSONAdapter(Node.self, registry: registry, options: .with { $0.didWrite = { $1["x"] = 1 } })
        let text = String(repeating: #"{"next":"#, count: 511) + "{}" + String(repeating: "}", count: 511)
        let written = try adapter.data(from: [adapter.model(from: text.dropLast().dropFirst(8).description)])
        #expect(written.count > 511 * 10)
    }

    @Test func manyModelsAreWrittenAsDictionaries() throws {
        let adapter = try Self.adapter()
        let models = try adapter.models(from: #"[{"title":"a"},{"title":"b","labels":[{"name":"x"}]}]"#)
        let objects = try adapter.adapter.jsonObjects(from: models, except: ["labels"])
        #expect(objects.map { $0["title"] as? String } == ["a", "b"])
        #expect(objects[1].count == 1)
        models[1]["broken"] = "b"
        let problem = #expect(throws: ModelError.self) { try adapter.adapter.jsonObjects(from: models) }
        #expect(problem?.pointer?.description == "/1/broken")
    }
}
