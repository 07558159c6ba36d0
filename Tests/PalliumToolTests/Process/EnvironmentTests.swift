import Foundation
import TestSupport
import Testing

/// Language, time zone and other variables of the process change nothing of what the tool reads and writes.
///
/// In Turkish, `i` and `I` are no pair; the time zones are half an hour off, one of them with summer time.
@Suite(.threat(.environment)) struct EnvironmentTests {
    static let environments = [
        "LC_ALL=tr_TR.UTF-8 LANG=tr_TR.UTF-8 LANGUAGE=tr", "LC_ALL=de_DE.UTF-8 LC_NUMERIC=de_DE.UTF-8",
        "LC_ALL=ar_EG.UTF-8", "LC_ALL=C", "TZ=Asia/Kolkata", "TZ=America/St_Johns",
        "LC_ALL=tr_TR.UTF-8 TZ=America/St_Johns", "TZ=:no/such/zone LC_ALL=xx_YY",
    ]

    private static let schemas = """
        [{"name": "Item", "keys": "snakeCase", "properties": {
           "itemID": {"kind": "integer", "required": true}, "amount": {"kind": "double"}, "price": {"kind": "decimal"},
           "due": {"kind": "date"}, "day": {"kind": "date", "transformer": "DateOnly"},
           "seen": {"kind": "date", "transformer": "UnixSeconds"}, "text": {"kind": "string"},
           "count": {"kind": "integer", "transformer": "IntegerText"},
           "total": {"kind": "decimal", "transformer": "DecimalText"},
           "state": {"kind": "enumeration", "cases": ["INFINITE", "infinite", "ı"]},
           "ids": {"kind": "set", "of": {"kind": "uuid"}}, "link": {"kind": "url"}, "more": {"kind": "json"}}}]
        """

    private static let items = #"""
        [{"item_id":1,"amount":1234567.891,"price":0.10,"due":"2015-03-29T02:30:00.250+05:30","day":"2015-10-25",
          "seen":1443164400.5,"text":"İIıi","count":"12345","total":"1234.50","state":"infinite",
          "ids":["4a275fbd-8217-4397-964b-403f4c2b8545"],"link":"http://I.example/%c4%b0","more":{"I":1,"i":2,"ı":3,"İ":1e-7}},
         {"item_id":2,"amount":-1e21,"day":"1582-10-10","due":"0001-01-01T00:00:00Z","state":"INFINITE"}]
        """#

    /// Mistakes, whose messages must be the same, too.
    private static let mistakes = [
        #"{"item_id":1,"state":"İNFİNİTE"}"#, #"{"ITEM_ID":1}"#, #"{"item_id":1,"amount":"1,5"}"#,
        #"{"item_id":1,"count":"١٢"}"#, #"{"item_id":1,"total":"1.234,5"}"#, #"{"item_id":1,"day":"25.10.2015"}"#,
        #"{"item_id":1,"due":"2015-03-29 02:30"}"#, #"{"item_id":1.5}"#,
    ]

    /// What the tool says in the plainest environment; every other one is compared with it.
    private static let plain = Task { try await run("LC_ALL=en_US.UTF-8 TZ=UTC") }

    private static func run(_ environment: String) async throws -> ToolRun {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        try folder.write("schemas.json", schemas)
        try folder.write("items.json", items)
        try folder.write("later.json", items.replacing("+05:30", with: "+04:30").replacing("1234567.891", with: "1.5"))
        for (number, text) in mistakes.enumerated() { try folder.write("mistake\(number).json", text) }
        let script = """
            cd "$1"; model="--schemas schemas.json --model Item"; tool=$0
            for command in "decode --pretty" "decode --only day,due" show; do "$tool" $command $model items.json; done
            "$tool" diff $model items.json later.json
            "$tool" diff items.json later.json
            "$tool" archive $model --output ARCHIVE items.json && cksum < ARCHIVE && "$tool" inspect ARCHIVE
            "$tool" unarchive --schemas schemas.json ARCHIVE
            for file in mistake*.json; do "$tool" decode --unknown refuse $model "$file"; done
            "$tool" decode --schemas schemas.json --model ITEM items.json
            """
        let run = try await runShell("export \(environment)\n\(script)", [folder.path])
        return ToolRun(status: run.status, output: run.output, errors: run.errorLines.joined(separator: "\n"))
    }

    @Test(arguments: environments) func theBytesAreTheSame(environment: String) async throws {
        let plain = try await Self.plain.value
        #expect(try await Self.run(environment) == plain)
        // The commands did what they should.
        #expect(plain.output.contains(#""due": "2015-03-29T02:30:00.250+05:30""#))
        #expect(plain.output.contains(#""day": "1582-10-10""#))
        #expect(plain.output.contains("1234567.891"))
        #expect(plain.output.contains("Item version 1: 2 objects"))
        #expect(plain.errors.split(separator: "\n").filter { $0.hasPrefix("mistake") }.count == Self.mistakes.count)
        #expect(plain.errors.contains("did you mean Item?"))
    }
}
