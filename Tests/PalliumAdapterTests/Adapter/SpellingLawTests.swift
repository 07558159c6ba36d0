import Foundation
import Pallium
import TestSupport
import Testing

/// The law of the article *Transformers*: for every kind and predefined transformer, a value that is accepted is written as it
/// was read, or the article's table has the case.
struct SpellingLawTests {
    /// A row of the article's table.
    private struct Row {
        let names: [String]
        let read: String
        let written: String
    }

    private static let kinds: [String: PropertySchema] = [
        "bool": .bool, "integer": .integer, "unsigned": .unsigned, "double": .double, "float": PropertySchema(.float),
        "decimal": .decimal, "string": .string, "date": .date, "duration": .duration, "url": .url, "uuid": .uuid,
        "data": .data, "json": .jsonValue, "color": .enumeration("red", "dark blue"),
        "URL": .url.transformer(.url), "URLPercentEncoding": .url.transformer(.urlPercentEncoding),
        "EmptyTextAsNull": .string.transformer(.emptyTextAsNull), "UUID": .uuid.transformer(.uuid),
        "LowercaseUUID": .uuid.transformer(.lowercaseUUID), "Boolean": .bool.transformer(.boolean),
        "ISO8601Date": .date.transformer(.iso8601Date), "LocalISO8601Date": .date.transformer(.localISO8601Date),
        "DateOnly": .date.transformer(.dateOnly), "UnixSeconds": .date.transformer(.unixSeconds),
        "UnixMilliseconds": .date.transformer(.unixMilliseconds),
        "DurationSeconds": .duration.transformer(.durationSeconds), "Base64Data": .data.transformer(.base64Data),
        "DecimalText": .decimal.transformer(.decimalText),
        "ScaledDecimalText": .decimal.transformer(.scaledDecimalText),
        "IntegerText": .integer.transformer(.integerText), "NumberOrText": .double.transformer(.numberOrText),
    ]

    private static func rows() throws -> [Row] {
        let file = SharedData.repository.appendingPathComponent("Sources/Pallium/Pallium.docc/Transformers.md")
        let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
        let start = try #require(lines.firstIndex { $0.hasPrefix("| kind or transformer | read | written |") })
        return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            let cells = line.components(separatedBy: "|").map { cell in
                cell.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
            }
            return Row(names: cells[1], read: cells[2].first ?? "", written: cells[3].first ?? "")
        }
    }

    /// What a property writes for a value; nil if it refuses it.
    private static func written(_ text: String, _ property: PropertySchema) throws -> String? {
        let schema = ModelSchema("Holder", ["a": property.nullable])
        let adapter = try JSONAdapter<DynamicModel>(schema: schema, registry: .of(schema))
        guard let model = try? adapter.model(from: #"{"a":\#(text)}"#) else { return nil }
        return String(String(decoding: try adapter.data(from: model), as: UTF8.self).dropFirst(5).dropLast())
    }

    @Test func theTableSaysWhatIsWritten() throws {
        let rows = try Self.rows()
        #expect(rows.count > 15)
        for row in rows {
            for name in row.names {
                let property = try #require(Self.kinds[name], "\(name)")
                #expect(try Self.written(row.read, property) == row.written, "\(name) \(row.read)")
            }
        }
    }

    private static let numbers = [
        "0", "-0", "1", "-1", "1.0", "1.50", "0.10", "1e2", "1.5E+1", "100e-2", "0.1", "-7.25", "90.5",
        "9007199254740993", "12345678901234567890", "1443164400", "1443164400.25", "1443164400.250", "1443164400250",
        "-0.5", "1700000000.123456", "0.3", "4.35", "1e-7",
    ]
    private static let texts = [
        "", "a", "a b", "red", "dark blue", "é", "2026-01-31", "0000-01-01", "2026-01-31T12:00:00Z",
        "2026-01-31T12:00:00.000Z", "2026-01-31T12:00:00.120+05:30", "2026-01-31t12:00:00,5z", "2026-01-31T12:00:00-00",
        "2016-12-31T23:59:60Z", "2026-01-31T12:00:00.123456789012Z", "2026-01-31T12:00:00", "2026-01-31T12:00:00.000",
        "2026-01-31T12:00:00,123456789", "PT1H30M", "PT90M", "-P1D", "PT0S", "https://example.org/%C3%A4?b=c#d",
        "https://example.org/a b", "HTTPS://Example.ORG", "x:y", "4A275FBD-8217-4397-964B-403F4C2B8545",
        "4a275fbd-8217-4397-964b-403f4c2b8545", "4A275fbd-8217-4397-964B-403F4C2B8545", "aGk=", "AP8Q", "aGl=", "aGk",
        "12.50", "0.00", "-0.00", "-1", "007", "+7", "1e2", "7", "12345678901234567890",
    ]

    @Test(arguments: kinds.keys.sorted())
    func whatIsAcceptedComesBackOrStandsInTheTable(name: String) throws {
        let property = try #require(Self.kinds[name])
        let isListed = try Self.rows().contains { $0.names.contains(name) }
        let values = ["true", "false", "null"] + Self.numbers + Self.texts.map { "\"\($0)\"" }
        var accepted = 0
        for value in values {
            guard let written = try Self.written(value, property) else { continue }
            accepted += 1
            // All digits of these dates are kept; no row is about them.
            let mustComeBack = !isListed || name.hasSuffix("Date") || name == "date"
            #expect(written == value || !mustComeBack, "\(name) \(value) \(written)")
        }
        #expect(accepted > 1)
    }
}
