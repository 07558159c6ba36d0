import ModelTestSupport
import Pallium
import Testing

/// The formats of text, each with texts from its specification.
struct FormatTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let format: String
        let good: [String]
        let bad: [String]
        var testDescription: String { format }
    }

    private static let label = String(repeating: "a", count: 63)
    /// A host name of 253 bytes: three labels of 63 and one of 61, with dots between.
    private static let host = "\(label).\(label).\(label)." + label.dropLast(2)

    private static let rows: [Row] = [
        Row(
            format: "email",
            good: [
                "a@b", "first.last@example.org", "a+b@x.y", "!#$%&'*+/=?^_`{|}~-@example.com", "1@2", "a@x-y.z", ".a@b",
                "a..b@c", "a@\(label)",
            ],
            bad: [
                "", "a", "a@", "@b", "a b@c", "a@-b.c", "a@b-", "a@b..c", "a@b.", "ä@b.c", "a@ä.c", "a@b_c", "a@b@c",
                "\"a b\"@c.d", "a@[127.0.0.1]", "a@b\n", " a@b", "a@b\0", "a@\(label)a",
            ]),
        Row(
            format: "hostname",
            good: [
                "example.org", "a", "1", "3com.com", "xn--bcher-kva.example", "a-b.c", "A.B", "\(label).\(label)", host,
            ],
            bad: [
                "", "-a", "a-", "a.-b", "a-.b", "a..b", ".a", "a.", "a_b", "bücher.example", "a b", "a\n", "\(label)a",
                host + "a", "a.b:80", "。",
            ]),
        Row(
            format: "ipv4",
            good: ["0.0.0.0", "255.255.255.255", "127.0.0.1", "1.2.3.4", "192.168.0.1", "100.64.10.200"],
            bad: [
                "", "256.0.0.1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.00", "1.2.3.4 ", " 1.2.3.4", "1.2.3.a",
                "0x7f.0.0.1", "127.1", "1..2.3", ".1.2.3", "1.2.3.", "-1.2.3.4", "+1.2.3.4", "1.2.3.1000", "١.2.3.4",
                "1.2.3.4\n",
            ]),
        Row(
            format: "ipv6",
            good: [
                "::", "::1", "1::", "1:2:3:4:5:6:7:8", "fe80::1", "::ffff:192.0.2.1", "2001:DB8::1",
                "1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1:2:3::6:7:8", "::1.2.3.4",
                "0:0:0:0:0:0:0:0", "64:ff9b::192.0.2.33",
            ],
            bad: [
                "", ":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", ":1", "1:", "::1%eth0",
                "::g", "1:2:3:4:5:6:7:1.2.3.4", "::1.2.3", "::256.1.1.1", "::01.2.3.4", "[::1]", "::1/64",
                "1:2:3:4:5:6:7:8::", "1.2.3.4", "1.2.3.4::", "::1 ", "1:2:3:4::5:6:7:8",
            ]),
        Row(
            format: "uri",
            good: [
                "http://example.org", "mailto:a@b", "urn:isbn:0451450523", "a:", "https://user@host:80/p?q#f",
                "file:///a%20b", "x+y-z.1:q", "http://[::1]/", "HTTP://X", "ldap://[2001:db8::7]/c=GB?objectClass?one",
                "tel:+1-816-555-1212", "a:?#",
            ],
            bad: [
                "", "no", "//a", "/a", "?q", "#f", ":a", "1a:b", "+a:b", "a b:c", "http://a b", "http://ä",
                "http://a/%zz", "a:%4", "a:%", "http://a/<b>", "http://a/\\", "a:^", "a:\"", "a:{}", "a:|", "a:`",
                "a:\n", "a:b\0", "ä:b",
            ]),
        Row(
            format: "uuid",
            good: [
                "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff",
                "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
                "f81D4fae-7dec-11D0-a765-00a0C91e6bf6", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
            ],
            bad: [
                "", "f81d4fae7dec11d0a76500a0c91e6bf6", "{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}",
                "g81d4fae-7dec-11d0-a765-00a0c91e6bf6", "f81d4fae-7dec-11d0-a765-00a0c91e6bf",
                "f81d4fae-7dec-11d0-a765-00a0c91e6bf60", "f81d4fa-e7dec-11d0-a765-00a0c91e6bf6",
                "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "f81d4fae_7dec_11d0_a765_00a0c91e6bf6",
                "f81d4fae-7dec-11d0-a765-00a0c91e6bf\n",
            ]),
        Row(
            format: "date",
            good: ["2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31", "1999-12-31", "2100-02-28", "0000-01-01"],
            bad: [
                "", "2023-02-29", "1900-02-29", "2100-02-29", "2024-13-01", "2024-00-01", "2024-01-00", "2024-01-32",
                "2024-04-31", "24-01-01", "2024-1-1", "2024-01-01T", "+2024-01-01", "-001-01-01", "12024-01-01",
                "2024/01/01", "20240101", "2024-01-01 ", "2024-01-01Z", "２024-01-01", "2024-W01-1",
            ]),
        Row(
            format: "time",
            good: [
                "00:00:00Z", "23:59:59+23:59", "12:00:00.5Z", "12:00:00z", "12:00:00.123456789-08:00", "23:59:60Z",
                "15:59:60-08:00", "12:00:00-00:00",
            ],
            bad: [
                "", "12:00:00", "24:00:00Z", "12:60:00Z", "12:00Z", "12:00:61Z", "12:00:00+24:00", "12:00:00+00:60",
                "12:00:00+0100", "12:00:00+01", "12:00:00.Z", "12:00:00,5Z", "1:00:00Z", "T12:00:00Z", "12:00:00 Z",
                "12:00:00Z ", "120000Z", "12:00:00ZZ", "12:00:00+1:00",
            ]),
        Row(
            format: "date-time",
            good: [
                "1985-04-12T23:20:50.52Z", "1996-12-19T16:39:57-08:00", "1990-12-31T23:59:60Z",
                "1990-12-31T15:59:60-08:00", "1937-01-01T12:00:27.87+00:20", "2024-02-29T00:00:00Z",
                "2024-02-29t12:00:00z",
            ],
            bad: [
                "", "2024-02-29", "12:00:00Z", "2024-02-29 12:00:00Z", "2024-02-29T12:00:00", "2023-02-29T12:00:00Z",
                "2024-02-29T24:00:00Z", "2024-02-29T12:00Z", "2024-02-29T12:00:00+0100", "2024-02-29T", "T12:00:00Z",
                "2024-02-29T12:00:00.Z", "2024-02-29T12:00:00Z\n", "20240229T120000Z", "2024-02-29TT12:00:00Z",
            ]),
    ]

    @Test(arguments: rows) func theFormatIsThatOfItsSpecification(row: Row) throws {
        try RuleRow(
            .string.rules(.format(row.format)), kept: try row.good.map(quoted), broken: try row.bad.map(quoted)
        ).check()
    }

    /// Section 5.7 of RFC 3339: leap seconds are inserted at the end of a day of UTC.
    @Test(arguments: [("time", "22:59:60Z"), ("time", "23:58:60Z"), ("date-time", "1990-12-31T12:00:60Z")])
    func leapSecondsEndTheDay(format: String, text: String) throws {
        try RuleRow(.string.rules(.format(format)), kept: [], broken: [quoted(text)]).check()
    }

    @Test func theArticleListsEveryFormat() { #expect(Self.rows.map(\.format).sorted() == FormatRegistry().names) }

    @Test func aProgramAddsFormats() throws {
        let registry = SchemaRegistry()
        let schema = ModelSchema("Plain", ["p": .string.rules(.format("even"))])
        #expect(throws: SchemaError.self) { try registry.register(schema) }
        try registry.formats.register("even") { $0.utf8.count.isMultiple(of: 2) }
        try registry.register(schema)
        let adapter = try Entrances(JSONAdapter(schema: schema, registry: registry))
        #expect(throws: Never.self) { try adapter.model(from: #"{"p": "é"}"#) }
        let error = try #require(adapter.problem(of: #"{"p": "abc"}"#))
        #expect(error.code == .ruleBroken && error.expected.contains("even"))
        // Other registries do not know it.
        #expect(throws: SchemaError.self) { try SchemaRegistry().register(schema) }
    }

    @Test func aNameKeepsItsMeaning() throws {
        let formats = FormatRegistry()
        try formats.register("x") { _ in true }
        for name in ["x", "email", "date-time"] {
            let error = #expect(throws: ModelError.self) { try formats.register(name) { _ in false } }
            #expect(error?.code == .duplicateMember)
            #expect(error?.found.contains(name) == true)
        }
        // Names are compared by bytes.
        try formats.register("\u{E9}") { _ in true }
        try formats.register("e\u{301}") { _ in true }
    }
}
