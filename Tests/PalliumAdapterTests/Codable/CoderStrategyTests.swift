import Foundation
import ModelTestSupport
import Pallium
import Testing

/// What becomes of models and JSON values in coders with strategies of their own: the schema decides.
@Suite("Strategies of JSONEncoder and JSONDecoder")
struct CoderStrategyTests {
    final class Camel: DynamicModel {
        static let schema = ModelSchema(
            Camel.self,
            [
                "htmlURL": .url, "some_ID": .integer, "createdAt": .date, "bytes": .data, "ratio": .double,
                "inner": .model(Camel.self), "list": .array(of: .model(Camel.self)), "tags": .dictionary(of: .integer),
                "anyJSON": .jsonValue,
            ])
    }

    final class Snake: DynamicModel {
        static let schema = ModelSchema(
            Snake.self, ["htmlURL": .url, "createdAt": .date, "theInner": .model(Snake.self), "anyJSON": .jsonValue],
            keys: .snakeCase)
    }

    private static let camelText = """
        {"htmlURL":"https://a.b/","some_ID":7,"createdAt":"2001-01-01T00:00:01Z","bytes":"AAEC","ratio":0.5,\
        "inner":{"htmlURL":"https://c.d/","tags":{"a_b":1,"aB":2,"__x_":3}},\
        "list":[{"some_ID":1},{"list":[{"htmlURL":"https://e.f/"}]}],"tags":{"user_id":1,"userID":2},\
        "anyJSON":{"a_b":[{"cD":null}],"URL_x":{"y_z":true}}}
        """
    private static let snakeText = """
        {"html_url":"https://a.b/","created_at":"2001-01-01T00:00:01Z","the_inner":{"html_url":"https://c.d/"},\
        "any_json":{"aB":1,"a_b":2}}
        """

    enum Keys: CaseIterable { case usual, snake, custom }

    private static func registry() throws -> SchemaRegistry { try .of(Camel.schema, Snake.schema) }

    private static func encoder(_ keys: Keys, _ registry: SchemaRegistry) -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.userInfo[.schemaRegistry] = registry
        switch keys {
        case .usual: break
        case .snake: encoder.keyEncodingStrategy = .convertToSnakeCase
        case .custom:
            encoder.keyEncodingStrategy = .custom { path in AnyName("x" + (path.last?.stringValue ?? "").uppercased()) }
        }
        return encoder
    }

    private static func decoder(_ keys: Keys, _ registry: SchemaRegistry) -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.userInfo[.schemaRegistry] = registry
        switch keys {
        case .usual: break
        case .snake: decoder.keyDecodingStrategy = .convertFromSnakeCase
        case .custom:
            decoder.keyDecodingStrategy = .custom { path in AnyName((path.last?.stringValue ?? "").lowercased()) }
        }
        return decoder
    }

    private struct AnyName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    @Test(arguments: Keys.allCases) func namesAreThoseOfTheSchemaWhateverTheKeyStrategy(keys: Keys) throws {
        let registry = try Self.registry()
        func check<Model: DynamicModel>(_ type: Model.Type, _ text: String) throws {
            let model = try JSONAdapter(type, registry: registry).model(from: text)
            let value = try JSONValue(parsing: text)
            let decoded = try Self.decoder(keys, registry).decode(type, from: Data(text.utf8))
            #expect(picture(of: decoded) == picture(of: model))
            #expect(try JSONValue(parsing: [UInt8](Self.encoder(keys, registry).encode(model))) == value)
            // Inside other values, arrays and dictionaries, too.
            let outer = try Self.decoder(keys, registry).decode(
                [String: [Model]].self, from: Data(#"{"a_B":[\#(text)]}"#.utf8))
            #expect(outer["a_B"] == [model])
            let written = try Self.encoder(keys, registry).encode(["a_B": [model]])
            #expect(try JSONValue(parsing: [UInt8](written)) == ["a_B": [value]])
            #expect(try Self.decoder(keys, registry).decode(JSONValue.self, from: Data(text.utf8)) == value)
            #expect(try JSONValue(parsing: [UInt8](Self.encoder(keys, registry).encode(value))) == value)
        }
        try check(Camel.self, Self.camelText)
        try check(Snake.self, Self.snakeText)
    }

    @Test(arguments: Keys.allCases) func aProblemHasItsPlaceWhateverTheKeyStrategy(keys: Keys) throws {
        let registry = try Self.registry()
        do {
            _ = try Self.decoder(keys, registry).decode(Camel.self, from: Data(#"{"list":[{"some_ID":"x"}]}"#.utf8))
            Issue.record("decoded")
        } catch DecodingError.dataCorrupted(let context) {
            #expect((context.underlyingError as? ModelError)?.pointer?.description == "/list/0/some_ID")
        }
        let model = Camel(registry: registry)
        model["ratio"] = Double.nan
        let outer = Camel(registry: registry)
        outer["inner"] = model
        let error = #expect(throws: ModelError.self) { try Self.encoder(keys, registry).encode(outer) }
        #expect(error?.pointer?.description == "/inner/ratio")
    }

    @Test func arraysAreAsDeepAsObjectsThroughAKeyStrategy() throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        func nested(_ depth: Int) -> JSONValue { (1..<depth).reduce([]) { value, _ in [value] } }
        let text = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(try encoder.encode(nested(64)) == Data(text.utf8))
        let error = #expect(throws: ModelError.self) { try encoder.encode(nested(65)) }
        #expect(error?.code == .depthLimit)
    }

    @Test func depthIsBoundedOnASmallStackWhateverTheKeyStrategy() throws {
        let registry = try Self.registry()
        let failures = Journal()
        for keys in Keys.allCases {
            onStack(kilobytes: 512) {
                for (depth, isFitting) in [(60, true), (500, false)] {
                    let text =
                        String(repeating: #"{"inner":"#, count: depth - 1) + "{}"
                        + String(repeating: "}", count: depth - 1)
                    do {
                        let model = try JSONAdapter(Camel.self, registry: registry).model(from: text)
                        if try Self.encoder(keys, registry).encode(model) != Data(text.utf8) { failures.add("changed") }
                        if !isFitting { failures.add("written") }
                    } catch {
                        if isFitting || (error as? ModelError)?.code != .depthLimit { failures.add("\(error)") }
                    }
                    do {
                        _ = try Self.decoder(keys, registry).decode(Camel.self, from: Data(text.utf8))
                        if !isFitting { failures.add("read") }
                    } catch {
                        if isFitting || !(error is DecodingError) { failures.add("\(error)") }
                    }
                }
            }
        }
        #expect(failures.all == [])
    }

    @Test func datesDataAndNumbersAreThoseOfTheSchemaWhateverTheStrategy() throws {
        let registry = try Self.registry()
        let model = try JSONAdapter(Camel.self, registry: registry).model(from: Self.camelText)
        let value = try JSONValue(parsing: Self.camelText)
        let dates: [(JSONEncoder.DateEncodingStrategy, JSONDecoder.DateDecodingStrategy)] = [
            (.deferredToDate, .deferredToDate), (.iso8601, .iso8601), (.secondsSince1970, .secondsSince1970),
            (.millisecondsSince1970, .millisecondsSince1970),
            (
                .custom { _, encoder in
                    var container = encoder.singleValueContainer()
                    try container.encode("custom")
                }, .custom { _ in Date(timeIntervalSince1970: 0) }
            ),
        ]
        let data: [(JSONEncoder.DataEncodingStrategy, JSONDecoder.DataDecodingStrategy)] = [
            (.deferredToData, .deferredToData), (.base64, .base64),
            (
                .custom { _, encoder in
                    var container = encoder.singleValueContainer()
                    try container.encode("custom")
                }, .custom { _ in Data() }
            ),
        ]
        for (writesDates, readsDates) in dates {
            for (writesData, readsData) in data {
                let (encoder, decoder) = (Self.encoder(.usual, registry), Self.decoder(.usual, registry))
                encoder.dateEncodingStrategy = writesDates
                encoder.dataEncodingStrategy = writesData
                encoder.nonConformingFloatEncodingStrategy = .convertToString(
                    positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
                decoder.dateDecodingStrategy = readsDates
                decoder.dataDecodingStrategy = readsData
                decoder.nonConformingFloatDecodingStrategy = .convertFromString(
                    positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
                #expect(try JSONValue(parsing: [UInt8](encoder.encode(model))) == value)
                #expect(try decoder.decode(Camel.self, from: Data(Self.camelText.utf8)) == model)
                // What JSON does not have stays refused, both ways.
                let infinite = Camel(registry: registry)
                infinite["ratio"] = Double.infinity
                #expect(throws: ModelError.self) { try encoder.encode(infinite) }
                #expect(throws: DecodingError.self) {
                    try decoder.decode(Camel.self, from: Data(#"{"ratio":"inf"}"#.utf8))
                }
            }
        }
    }
}
