import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Which conversion a property gets: section J of the conformance table.
struct TransformerChoiceTests {
    @Test(.row("C162", "C171")) func aKindConvertsByItselfAndByName() throws {
        let model = try entrances(URLSubModel.self).model(
            from: #"{"URL":"http://github.com/1","otherURL":"http://github.com/2"}"#)
        #expect(model.url == URL(string: "http://github.com/1"))
        #expect(model.otherURL == URL(string: "http://github.com/2"))
    }

    @Test(.row("C163", "C165", "C166")) func defaultsOfCodeAreWritten() throws {
        let registry = try SchemaRegistry.ofFixtures()
        #expect(
            try entrances(URLModel.self, registry: registry).text(of: URLModel(registry: registry))
                == #"{"URL":"http://github.com"}"#)
        #expect(
            try entrances(UUIDModel.self, registry: registry).text(of: UUIDModel(registry: registry))
                == #"{"UUID":"4A275FBD-8217-4397-964B-403F4C2B8545"}"#)
        #expect(
            try entrances(BoolModel.self, registry: registry).text(of: BoolModel(registry: registry))
                == #"{"flag":false}"#)
    }

    @Test(.row("C166")) func aBoolIsABoolForFoundation() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let object = try JSONAdapter(BoolModel.self, registry: registry).jsonObject(from: BoolModel(registry: registry))
        let bytes = try JSONSerialization.data(withJSONObject: object)
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"flag":false}"#)
    }

    @Test(.row("C164")) func textsBecomeUUIDs() throws {
        let first = try #require(UUID(uuidString: "4A275FBD-8217-4397-964B-403F4C2B8545"))
        let second = try #require(UUID(uuidString: "9C5E0C1B-3B0B-4F0E-8A51-0D9B4B7F6E2A"))
        let model = try entrances(UUIDSubModel.self).model(
            from: #"{"UUID":"\#(first.uuidString)","otherUUID":"\#(second.uuidString.lowercased())"}"#)
        #expect(model.uuid == first)
        #expect(model.otherUUID == second)
    }

    @Test(.row("C168")) func nestedModelsNeedNoTransformer() throws {
        let model = try entrances(NestedDefaultModel.self).model(
            from: #"{"property":"property","conforming":{"username":"testName","count":"5"},"nonConforming":null}"#)
        #expect(model.property == "property")
        #expect(model.conforming?.name == "testName")
        #expect(model.conforming?.count == 5)
        #expect(model.nonConforming == nil)
    }

    // Whoever wants a model without JSON maps it nowhere; its member is then one that nobody knows.
    @Test(.row("C169")) func aModelThatIsNotMappedIsNotRead() throws {
        let text = #"{"nonConforming":{}}"#
        #expect(try entrances(NestedDefaultModel.self).model(from: text).nonConforming == nil)
        let strict = try entrances(NestedDefaultModel.self, options: .with { $0.unknownMembers = .refuse })
        #expect(strict.problem(of: text)?.code == .unknownMember)
    }

    @Test(.row("C171", "C173")) func thePropertysTransformerWinsOverTheAdaptersOneForItsKind() throws {
        let adapter = try Plain.adapter(
            ["named": .date.transformer(ISO8601DateTransformerName), "plain": .date],
            options: .with { $0.transformersByKind = ["date": UnixSecondsTransformerName] })
        let text = #"{"named":"1970-01-01T00:00:01Z","plain":1}"#
        let model = try adapter.model(from: text)
        #expect(model["named", as: Date.self] == model["plain", as: Date.self])
        #expect(try adapter.text(of: model) == text)
    }

    @Test(
        .row("C176"),
        arguments: [
            (["date": IntegerTextTransformerName], PropertySchema.date), (["date": NumberOrTextTransformerName], .date),
            (["date": IntegerTextTransformerName], .array(of: .date)), (["model": URLTransformerName], .model("Plain")),
            (["array": EmptyTextAsNullTransformerName], .array(of: .string)),
        ] as [([String: TransformerName], PropertySchema)]
    ) func aTransformerThatDoesNotFitTheKindIsAnErrorOfTheAdapter(
        transformers: [String: TransformerName], property: PropertySchema
    ) throws {
        let error = #expect(throws: ModelError.self) {
            try Plain.adapter(["at": property], options: .with { $0.transformersByKind = transformers })
        }
        #expect(error?.code == .notConvertible)
        #expect(error?.property == "at")
    }

    @Test func textOfATransformerIsReadAsItsKindReadsJSON() throws {
        let id = "4A275FBD-8217-4397-964B-403F4C2B8545"
        for (property, text) in [
            (PropertySchema.date, "2026-01-31T12:00:00Z"), (.uuid, id), (.enumeration("open"), "open"),
            (.url, "https://example.org"), (.data, "aGk="), (.jsonValue, "x"),
        ] {
            let adapter = try Plain.adapter(["p": property.transformer(EmptyTextAsNullTransformerName)])
            #expect(try adapter.text(of: adapter.model(from: #"{"p":"\#(text)"}"#)) == #"{"p":"\#(text)"}"#)
            #expect(try adapter.text(of: adapter.model(from: #"{"p":""}"#)) == #"{"p":null}"#)
        }
        let number = try Plain.adapter(["p": .double.transformer(IntegerTextTransformerName)])
        let model = try number.model(from: #"{"p":"5"}"#)
        #expect(model["p", as: Double.self] == 5)
        #expect(try number.text(of: model) == #"{"p":"5"}"#)
    }

    // What a transformer cannot take back is refused, not cut.
    @Test func aNumberThatTheTransformerCannotTakeBackIsRefused() throws {
        let small = Transformer(from: String.self, to: Int8.self) { text, _ in
            Int8(text) ?? 0
        } reverse: { number, _ in
            "\(number)"
        }
        let adapter = try Plain.adapter(["p": .integer.transformer("Small")], transformers: ["Small": small])
        let model = try adapter.model(from: #"{"p":"5"}"#)
        #expect(try adapter.text(of: model) == #"{"p":"5"}"#)
        model["p"] = 300
        #expect(throws: ModelError.self) { try adapter.text(of: model) }
    }

    @Test func aMappingWithADefaultTakesWhateverStandsThere() throws {
        let state = Transformer.mapping(["open": 1, "closed": 2], default: 0)
        let adapter = try Plain.adapter(["state": .integer.transformer("State")], transformers: ["State": state])
        for (text, number) in [
            (#""closed""#, 2), (#""x""#, 0), ("7", 0), ("{}", 0), ("[1]", 0), ("true", 0), ("null", 0),
        ] {
            #expect(try adapter.model(from: #"{"state":\#(text)}"#)["state", as: Int.self] == number)
        }
        #expect(try adapter.text(of: adapter.model(from: #"{"state":"closed"}"#)) == #"{"state":"closed"}"#)
    }

    @Test func aScaleSurvivesJSONCopiesAndArchives() throws {
        let schema = ModelSchema("Plain", ["price": .decimal.transformer(ScaledDecimalTextTransformerName)])
        let registry = try SchemaRegistry.of(schema)
        let adapter = Entrances(try JSONAdapter(schema: schema, registry: registry))
        for price in ["1.50", "0.00", "2", "-3.100"] {
            let model = try adapter.model(from: #"{"price":"\#(price)"}"#)
            let archived = try ModelUnarchiver(registry: registry).unarchive(
                schema, from: ModelArchiver().archive(model))
            for copy in [model, model.copy(), archived] {
                #expect(try adapter.text(of: copy) == #"{"price":"\#(price)"}"#)
                #expect(copy == model)
            }
        }
    }

    @Test func aTypeOfTheProgramThatStaysInItNeedsNoTransformer() throws {
        let adapter = try Plain.adapter([
            "a": .string, "at": .custom(Point.self).local.archive(.excluded),
            "all": .array(of: .custom(Point.self)).local.storage(.transitory),
        ])
        let model = try adapter.model(from: #"{"a":"x","at":1}"#)
        model["at"] = Point(x: 1, y: 2)
        model["all"] = [Point(x: 3, y: 4)]
        #expect(try adapter.text(of: model) == #"{"a":"x"}"#)
        #expect(model["at", as: Point.self] == Point(x: 1, y: 2))
        #expect(model.copy()["all", as: [Point].self] == [Point(x: 3, y: 4)])
        let archive = try ModelArchiver().archive(model)
        #expect(!archive.isEmpty)
    }

    @Test(.row("C172")) func withoutATransformerTheKindIsStillChecked() throws {
        #expect(try Plain.adapter(["url": .url]).problem(of: #"{"url":5}"#)?.code == .typeMismatch)
        #expect(try Plain.adapter(["url": .url.transformers([])]).problem(of: #"{"url":5}"#)?.code == .typeMismatch)
    }

    @Test(.row("C176", "C232", "C244")) func theAdaptersTransformersHoldForNestedModels() throws {
        let child = ModelSchema("Child", ["at": .date])
        let parent = ModelSchema(
            "Parent",
            ["at": .date, "child": .model("Child"), "children": .array(of: .model("Child")), "days": .array(of: .date)])
        let adapter = try Plain.adapter(
            [parent, child], options: .with { $0.transformersByKind = ["date": UnixMillisecondsTransformerName] })
        let text = #"{"at":1000,"child":{"at":2000},"children":[{"at":3000}],"days":[4000,5000]}"#
        let model = try adapter.model(from: text)
        #expect(try model.value(forKeyPath: "children[0].at") as? Date == Date(timeIntervalSince1970: 3))
        #expect(model["days", as: [Date].self]?.last == Date(timeIntervalSince1970: 5))
        #expect(try adapter.text(of: model) == text)
        #expect(adapter.problem(of: #"{"child":{"at":"1970-01-01T00:00:01Z"}}"#)?.pointer?.description == "/child/at")
    }

    @Test(
        .row("C176"),
        arguments: [
            ["date": "NoSuchName" as TransformerName], ["dtae": UnixSecondsTransformerName],
        ]) func aWrongNameIsAnErrorOfTheAdapter(transformers: [String: TransformerName])
    {
        #expect(throws: ModelError.self) {
            try Plain.adapter(["at": .date], options: .with { $0.transformersByKind = transformers })
        }
    }
}
