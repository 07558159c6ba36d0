import Foundation
import ModelTestSupport
import Pallium
import Testing

/// The rule of the article *Transformers*: a date that was read is written as it was spelled.
@Suite(.threat(.dates))
struct DateSpellingTests {
    private static let schema = ModelSchema(
        "Event",
        [
            "id": .integer, "at": .date, "local": .date.transformer(.localISO8601Date),
            "berlin": .date.transformer("Berlin"), "unix": .date.transformer(.unixSeconds), "times": .array(of: .date),
            "named": .dictionary(of: .date),
            "days": .set(of: .date), "first": .date.default(json: "2026-01-31T12:00:00.000+01:00"), "extra": .jsonValue,
        ], identity: ["id"])

    private let registry: SchemaRegistry
    private let adapter: JSONAdapter<DynamicModel>

    init() throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        registry = try .of(Self.schema, transformers: ["Berlin": .localISO8601Date(timeZone: berlin)])
        adapter = try JSONAdapter(schema: registry.schema(named: "Event"), registry: registry)
    }

    private func text(of model: DynamicModel) throws -> String {
        String(decoding: try adapter.data(from: model), as: UTF8.self)
    }

    private func archived(_ model: DynamicModel) throws -> DynamicModel {
        try ModelUnarchiver(registry: registry).unarchive(
            registry.schema(named: "Event"), from: ModelArchiver().archive(model))
    }

    private static let zoned = [
        "2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000Z", "2026-01-31T12:00:00.123456789Z",
        "2026-01-31T12:00:00.123456789012Z", "2026-01-31T04:00:00-08:00", "2026-01-31T12:00:00z",
        "2026-01-31t12:00:00,5Z", "2026-01-31T17:30:00.10+0530", "2026-01-31T12:00:00+00", "2026-01-31T12:00:00-00:00",
        "2026-01-31T12:00:00-00", "2026-01-31T12:00:00+23:59", "0000-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59.999999999-23:59", "2016-12-31T23:59:60Z", "2016-12-31T15:59:60.50-0800",
        "2026-01-31T12:00:00.999999999999Z", "0001-01-01T00:00:00.999999999Z", "2001-01-01T00:00:00.000000000001Z",
        "1969-12-31T23:59:59.9Z",
    ]
    private static let local = [
        "2026-01-31T12:00:00", "2026-01-31T12:00:00.000", "2026-01-31t12:00:00,123456789012", "2026-07-14T09:05:03.50",
        "2026-10-25T02:30:00.10", "2016-12-31T23:59:60",
    ]

    private static let unix = [
        "0", "1443164400", "1443164400.0", "1443164400.50", "1443164400.123456789012", "-0.5", "-0.50", "-1.000",
        "0.1", "0.3", "978307199.999999999999", "978307200.000000000001", "1700000000.123456",
    ]

    private static func cases() -> [String] {
        zoned.map { #"{"at":"\#($0)"}"# }
            + local.flatMap { [#"{"local":"\#($0)"}"#, #"{"berlin":"\#($0)"}"#] }
            + unix.map { #"{"unix":\#($0)}"# }
            + [
                #"{"times":["2026-01-31T12:00:00.10Z","2026-01-31T13:00:00.1+01:00"],"#
                    + #""named":{"a":"2026-01-31T12:00:00.50Z"},"days":["2026-01-31T12:00:00-00:00"]}"#
            ]
    }

    @Test(arguments: cases().filter { !$0.contains(#""berlin":"2016-12-31T23:59:60"#) })
    func whatWasReadIsWrittenAsItWasSpelled(document: String) throws {
        let model = try adapter.model(from: document)
        #expect(try text(of: model) == document)
        // A tree keeps the values of numbers, not their digits.
        if !document.contains("unix") {
            let tree = try adapter.model(from: JSONValue(parsing: document))
            #expect(try adapter.jsonValue(from: tree).text() == document)
        }
        #expect(try text(of: model.copy()) == document)
        #expect(try text(of: archived(model)) == document)
    }

    @Test func aDefaultKeepsItsSpelling() throws {
        let model = try adapter.model(from: "{}")
        model["first"] = model["first", as: Date.self]
        #expect(try text(of: model) == #"{"first":"2026-01-31T11:00:00Z"}"#)
    }

    @Test(arguments: [PropertySchema.date, .date.transformer(.iso8601Date)])
    func aDefaultIsWrittenAsTheSchemaSpellsIt(property: PropertySchema) throws {
        let schema = ModelSchema("Holder", ["at": property.default(json: "2026-01-31T12:00:00.50+01:00")])
        let adapter = try JSONAdapter<DynamicModel>(
            schema: schema, registry: .of(schema), options: .with { $0.nilPolicy = .write })
        let written = try adapter.data(from: adapter.model(from: "{}"))
        #expect(String(decoding: written, as: UTF8.self) == #"{"at":"2026-01-31T12:00:00.50+01:00"}"#)
    }

    @Test(arguments: [
        ("2026-01-31T12:00:00.500Z", "2026-01-31T12:00:00.5Z"), ("2026-01-31T12:00:00+01:00", "2026-01-31T11:00:00Z"),
        ("2026-01-31T12:00:00.120Z", "2026-01-31T12:00:00.12Z"),
        ("2026-01-31T12:00:00.1234Z", "2026-01-31T12:00:00.1234Z"),
    ])
    func aDateOfTheProgramIsWrittenInUTCWithTheFewestDigits(text: String, written: String) throws {
        let model = try adapter.model(from: #"{"at":"\#(text)"}"#)
        let date = try #require(model["at", as: Date.self])
        model["at"] = date
        #expect(try self.text(of: model) == #"{"at":"\#(written)"}"#)
    }

    @Test func moreThanTwelveDigitsAreCutToThoseOfTheMoment() throws {
        let model = try adapter.model(from: #"{"at":"2001-01-01T00:00:00.1234567890123+01:00"}"#)
        #expect(try self.text(of: model) == #"{"at":"2000-12-31T23:00:00.123456789Z"}"#)
    }

    /// Neighbouring moments near many times, which numbers of seconds since 1970 tell apart only by more digits.
    @Test(.trials) func everyMomentComesBackFromUnixSeconds() throws {
        let schema = ModelSchema("Times", ["all": .array(of: .date.transformer(.unixSeconds))])
        let adapter = try JSONAdapter<DynamicModel>(schema: schema, registry: .of(schema))
        let model = try adapter.model(from: "{}")
        for seed in Trials(29) {
            var generator = SeededGenerator(seed: seed)
            let magnitude = [1e-9, 1, 1e3, 1e6, 8e8, 1e9, 6e10, 1e15][Int.random(in: 0..<8, using: &generator)]
            let seconds = Double.random(in: -magnitude...magnitude, using: &generator)
            let dates = [seconds, seconds.nextUp].map { Date(timeIntervalSinceReferenceDate: $0) }
            model["all"] = dates
            #expect(try adapter.model(from: adapter.data(from: model))["all", as: [Date].self] == dates)
        }
    }

    // MARK: The moment alone counts

    @Test func equalMomentsAreEqualHoweverTheyAreSpelled() throws {
        let left = try adapter.model(from: #"{"at":"2026-01-31T12:00:00.000Z","days":["2026-01-31T12:00:00Z"]}"#)
        let right = try adapter.model(from: #"{"at":"2026-01-31T13:00:00+01:00","days":["2026-01-31T13:00:00+01"]}"#)
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(try adapter.jsonPatch(from: left, to: right).jsonValue == [])
        let set = try adapter.model(from: #"{"days":["2026-01-31T12:00:00Z","2026-01-31T13:00:00+01:00"]}"#)
        #expect(try text(of: set) == #"{"days":["2026-01-31T12:00:00Z"]}"#)
    }

    @Test(arguments: ["text", "tree"])
    func aMergeOfAnEqualMomentKeepsTheSpelling(form: String) throws {
        let model = try adapter.model(from: #"{"id":1,"at":"2026-01-31T12:00:00.000Z"}"#)
        let document = #"{"at":"2026-01-31T13:00:00+01:00"}"#
        let changes =
            form == "text"
            ? try adapter.merge(document, into: model) : try adapter.merge(JSONValue(parsing: document), into: model)
        #expect(changes.isEmpty)
        #expect(try text(of: model) == #"{"id":1,"at":"2026-01-31T12:00:00.000Z"}"#)
    }

    @Test func aMergeOfAnotherMomentTakesItsSpelling() throws {
        let model = try adapter.model(from: #"{"id":1,"at":"2026-01-31T12:00:00.000Z"}"#)
        let changes = try adapter.merge(#"{"at":"2026-01-31T13:00:00.50+02:00"}"#, into: model)
        #expect(changes.count == 1)
        #expect(try text(of: model) == #"{"id":1,"at":"2026-01-31T13:00:00.50+02:00"}"#)
    }

    @Test func observersHearNothingOfAnotherSpelling() throws {
        let model = try adapter.model(from: #"{"at":"2026-01-31T12:00:00.000Z"}"#)
        model.trackChanges()
        model["at"] = model["at", as: Date.self]
        #expect(model.changedKeys.isEmpty)
    }

    // MARK: Random texts

    /// A text of the grammar that the article describes, with any digits.
    private static func text(_ generator: inout SeededGenerator) -> String {
        func number(_ range: ClosedRange<Int>, _ width: Int = 2) -> String {
            let digits = String(Int.random(in: range, using: &generator))
            return String(repeating: "0", count: width - digits.count) + digits
        }
        let day = "\(number(1...9998, 4))-\(number(1...12))-\(number(1...28))"
        let clock = "\(number(0...23)):\(number(0...59)):\(number(0...59))"
        let digits = Int.random(in: 0...12, using: &generator)
        let fraction = (0..<digits).map { _ in number(0...9, 1) }.joined()
        let separator = Bool.random(using: &generator) ? "." : ","
        let sign = Bool.random(using: &generator) ? "+" : "-"
        let zones = [
            "Z", "z", "\(sign)\(number(0...23)):\(number(0...59))", "\(sign)\(number(0...23))\(number(0...59))",
            "\(sign)\(number(0...23))", "\(sign)00:00",
        ]
        let zone = zones[Int.random(in: 0..<zones.count, using: &generator)]
        let letter = Int.random(in: 0..<8, using: &generator) == 0 ? "t" : "T"
        return day + letter + clock + (digits == 0 ? "" : separator + fraction) + zone
    }

    @Test(.trials) func everyTextOfTheGrammarComesBack() throws {
        for seed in Trials(6) {
            var generator = SeededGenerator(seed: seed)
            let texts = (0..<10).map { _ in Self.text(&generator) }
            let document = #"{"times":["\#(texts.joined(separator: #"",""#))"]}"#
            let model = try adapter.model(from: document)
            #expect(try text(of: model) == document)
            #expect(try text(of: archived(model)) == document)
        }
    }
}
