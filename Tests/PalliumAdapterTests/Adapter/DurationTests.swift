import Foundation
import ModelTestSupport
import Pallium
import PalliumCore
import Testing

/// The kind `duration` in every part of the library; its texts are the matter of `DurationTextTests`.
struct DurationTests {
    final class Talk: DynamicModel {
        var length: Duration? {
            get { value() }
            set { set(newValue) }
        }
        var pause: Duration {
            get { value() }
            set { set(newValue) }
        }

        static let schema = ModelSchema(
            Talk.self,
            [
                "length": .duration, "pause": .duration.default(Duration.seconds(60)), "breaks": .array(of: .duration),
                "slots": .set(of: .duration), "rooms": .dictionary(of: .duration.nullable),
                "longest": .duration.merge(.max), "shortest": .duration.merge(.min),
                "title": .string.merge(.newest(by: "longest")),
                "left": .duration.transformer(DurationSecondsTransformerName),
            ])
    }

    private static func adapter() throws -> Entrances<Talk> {
        Entrances(JSONAdapter(Talk.self, registry: try .of(Talk.schema)))
    }

    private static let text =
        #"{"length":"PT1H30M","pause":"PT5M","breaks":["PT0.5S","-P1D"],"slots":["PT1S","PT2S"],"#
        + #""rooms":{"a":"P1D","b":null},"longest":"PT1H","shortest":"PT1M","title":"A","left":90.5}"#

    @Test func itIsReadAndWrittenEverywhere() throws {
        let adapter = try Self.adapter()
        let model = try adapter.model(from: Self.text)
        #expect(model.length == .seconds(5400))
        #expect(model.pause == .seconds(300))
        #expect(model["breaks", as: [Duration].self] == [.milliseconds(500), .seconds(-86400)])
        #expect(model["rooms", as: [String: Duration?].self] == ["a": .seconds(86400), "b": nil])
        #expect(model["left", as: Duration.self] == .milliseconds(90500))
        #expect(try adapter.text(of: model) == Self.text)
        #expect(try model.value(forKey: "length") as? Duration == .seconds(5400))
        #expect("\(model)".contains("length: PT1H30M"))
        #expect(model.frozen().length == .seconds(5400))
        let again = try adapter.model(from: Self.text.replacingOccurrences(of: "PT1H30M", with: "PT90M"))
        #expect(again == model)
        #expect(again.hashValue == model.hashValue)
        again.length = .seconds(5401)
        #expect(again != model)
        #expect(
            try adapter.model(from: #"{"slots":["PT60S","PT1M","PT2M"]}"#)["slots", as: Set<Duration>.self]?.count == 2)
        #expect(try adapter.model(from: "{}").pause == .seconds(60))
    }

    @Test func itIsArchivedExactly() throws {
        let registry = try SchemaRegistry.of(Talk.schema)
        let model = try JSONAdapter(Talk.self, registry: registry).model(from: Self.text)
        #expect(try roundTrip(model, registry) == model)
        for (seconds, rest) in [(0, 1), (0, -1), (.max, 999_999_999_999_999_999), (.min, -1), (-1, 0)]
            as [(Int64, Int64)]
        {
            let length = Duration(secondsComponent: seconds, attosecondsComponent: rest)
            model.length = length
            #expect((try roundTrip(model, registry) as? Talk)?.length == length)
        }
    }

    @Test func aForgedDurationInAnArchiveIsRefused() throws {
        let schema = ModelSchema("Plain", ["a": .duration])
        let pattern = Duration(secondsComponent: 0x0102_0304_0506_0708, attosecondsComponent: 0x0A0B_0C0D_0E0F_0102)
        var archive = try archived(schema, ["a": pattern])
        let rest = try #require(archive.firstRange(of: Data([0x02, 0x01, 0x0F, 0x0E, 0x0D, 0x0C, 0x0B, 0x0A])))
        archive.replaceSubrange(rest, with: Data(repeating: 0x7F, count: 8))
        #expect(throws: ModelError.self) { try reopen(archive, as: schema) }
    }

    @Test func mergingComparesLengths() throws {
        let adapter = try Self.adapter().adapter
        let model = try adapter.model(from: Self.text)
        try adapter.merge(#"{"longest":"PT59M","shortest":"PT59S","title":"B"}"#, into: model)
        #expect(model["longest", as: Duration.self] == .seconds(3600))
        #expect(model["shortest", as: Duration.self] == .seconds(59))
        #expect(model["title", as: String.self] == "A")
        try adapter.merge(#"{"longest":"PT61M","shortest":"-PT1S","title":"C"}"#, into: model)
        #expect(model["longest", as: Duration.self] == .seconds(3660))
        #expect(model["shortest", as: Duration.self] == .seconds(-1))
        #expect(model["title", as: String.self] == "C")
    }

    @Test(arguments: [
        (
            #""P1Y""#, ModelError.Code.invalidValue,
            #"an ISO 8601 duration such as PT1H30M but found "P1Y", years and months have no fixed length"#
        ),
        (#""1:30""#, .invalidValue, #"an ISO 8601 duration such as PT1H30M but found "1:30""#),
        (
            #""PT0.0000000000000000001S""#, .invalidValue,
            #"a duration with at most 18 digits of a fraction but found "PT0.0000000000000000001S""#
        ),
        (
            #""PT9223372036854775808S""#, .numberOutOfRange,
            #"a duration whose whole seconds fit into 64 bits but found "PT9223372036854775808S""#
        ),
        ("5", .typeMismatch, "text of a duration but found the number 5"),
        ("true", .typeMismatch, "text of a duration but found true"),
    ])
    func itRefusesTextWithItsPlace(text: String, code: ModelError.Code, sentence: String) throws {
        let problem = try #require(try Self.adapter().problem(of: #"{"breaks":["PT1S",\#(text)]}"#))
        #expect(problem.code == code)
        #expect(problem.description == "expected \(sentence) at /breaks/1 (1:19)")
        let mistakes = Plain.problems(["a": .duration.default(json: try JSONValue(parsing: text))])
        #expect(mistakes.count == 1 && mistakes[0].hasPrefix("Plain.a: the default value does not fit: expected"))
    }

    @Test func aDurationOfMoreThan64BitsOfSecondsIsNotStored() throws {
        let model = try Self.adapter().model(from: "{}")
        let longer = Duration(secondsComponent: .max, attosecondsComponent: 0) * 2
        let error = #expect(throws: ModelError.self) { try model.setValue(longer, forKey: "length") }
        #expect(error?.code == .numberOutOfRange)
        #expect(try model.state(of: "length") == .unset)
    }

    @Test(arguments: [
        ("90.5", Duration.milliseconds(90500), "90.5"), ("-1e-3", .milliseconds(-1), "-0.001"), ("0", .zero, "0"),
        ("1e3", .seconds(1000), "1000"),
        ("5E-18", Duration(secondsComponent: 0, attosecondsComponent: 5), "5e-18"),
        (
            "9223372036854775807.999999999999999999",
            Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
            "9223372036854775807.999999999999999999"
        ),
        (
            "-9223372036854775808", Duration(secondsComponent: .min, attosecondsComponent: 0), "-9223372036854775808"
        ),
    ])
    func secondsAreExactNumbers(text: String, duration: Duration, written: String) throws {
        let adapter = try Self.adapter().bytesOnly
        let model = try adapter.model(from: #"{"left":\#(text)}"#)
        #expect(model["left", as: Duration.self] == duration)
        #expect(try adapter.text(of: model) == #"{"left":\#(written)}"#)
    }

    @Test(arguments: ["5e-19", "9223372036854775808", "-9223372036854775809", "1e400", "1e-400", #""5""#, "true"])
    func secondsThatNoDurationHoldsAreRefused(text: String) throws {
        let problem = try Self.adapter().bytesOnly.problem(of: #"{"left":\#(text)}"#)
        #expect(problem?.code == (text.contains { "\"t".contains($0) } ? .typeMismatch : .invalidValue))
        #expect(problem?.pointer?.description == "/left")
    }

    @Test func upgradeStepsSeeAndGiveDurations() throws {
        let archive = try archived(
            ModelSchema("Plain", ["a": .duration, "b": .string]), ["a": Duration.seconds(90), "b": "PT2M"])
        var schema = ModelSchema("Plain", ["a": .jsonValue, "b": .duration, "c": .duration], version: 2)
        schema.upgrades = [
            SchemaUpgrade(from: 1) { model in
                #expect(model["a"] == .duration(.seconds(90)))
                model["c"] = .duration(.seconds(1))
            }
        ]
        let model = try reopen(archive, as: schema)
        #expect(model["a", as: JSONValue.self] == "PT1M30S")
        #expect(model["b", as: Duration.self] == .seconds(120))
        #expect(model["c", as: Duration.self] == .seconds(1))
    }

    @Test func schemaDocumentsDescribeIt() throws {
        let registry = SchemaRegistry()
        let text = #"{"name":"Plain","properties":{"a":{"kind":"duration","default":"PT90M"}}}"#
        let schema = try registry.load(Data(text.utf8))[0]
        #expect(DynamicModel(schema: schema, registry: registry)["a", as: Duration.self] == .seconds(5400))
        let document = try registry.document(of: ModelSchema("Other", ["a": .duration.default(Duration.seconds(5400))]))
        #expect(document.description.contains(#""kind":"duration","default":"PT1H30M""#))
    }

    @Test func codableCarriesIt() throws {
        let registry = try SchemaRegistry.of(Talk.schema)
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        encoder.userInfo[.schemaRegistry] = registry
        decoder.userInfo[.schemaRegistry] = registry
        let model = try JSONAdapter(Talk.self, registry: registry).model(from: Self.text)
        #expect(try decoder.decode(Talk.self, from: encoder.encode(model)) == model)
    }
}
