import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Streams give the same models and problems wherever the bytes are cut, and the same as decoding the whole text.
struct SplitTests {
    private func holder(_ elements: JSONAdapterOptions.ElementPolicy) throws -> JSONAdapter<DynamicModel> {
        try Plain.adapter(
            ["value": .jsonValue, "list": .array(of: .integer)], options: .with { $0.elements = elements }
        ).adapter
    }

    /// Compares all ways to decode an array with one another; it is cut everywhere, or as given.
    private func check<Model>(
        array bytes: [UInt8], cuts: [[[UInt8]]]? = nil, _ adapter: JSONAdapter<Model>, _ name: String
    ) {
        let whole = adapter.outcome(ofWholeArray: bytes)
        let stream = adapter.outcome(ofArray: [bytes])
        #expect(stream.problems == whole.problems, "\(name)")
        if whole.problems.isEmpty { #expect(stream.models == whole.models, "\(name)") }
        let report = adapter.reportOutcome(ofWholeArray: bytes)
        let reports = adapter.reportOutcome(ofArray: [bytes])
        // A root that is no array is one model to a report, and a mistake to a stream.
        if adapter.report(from: bytes).isArray { #expect(reports == report, "\(name)") }
        for chunks in (cuts ?? bytes.cutOnce) + [bytes.singly] {
            #expect(adapter.outcome(ofArray: chunks) == stream, "\(name) cut at \(chunks[0].count)")
            #expect(adapter.reportOutcome(ofArray: chunks) == reports, "\(name) cut at \(chunks[0].count)")
        }
    }

    /// Chunks are read in pieces, of which a stream may hold one when its reports are taken.
    @Test func reportsGoOnWhereModelsWereRead() throws {
        let adapter = try holder(.fail)
        let lines = (0..<20_000).map { "{\"value\":\($0)}\n" }.joined()
        for chunks in [[Array(lines.utf8)], [Array(lines.utf8.prefix(150_000)), Array(lines.utf8.dropFirst(150_000))]] {
            var stream = adapter.models(fromLines: chunks)
            #expect(try stream.next()?["value", as: JSONValue.self] == 0)
            let reports = stream.reports
            #expect(reports.map { $0.model?["value", as: JSONValue.self]?.intValue } == (1..<20_000).map { $0 })
        }
    }

    /// Compares all ways to decode lines with one another.
    private func check<Model>(lines bytes: [UInt8], _ adapter: JSONAdapter<Model>, _ name: String) {
        let stream = adapter.outcome(ofLines: [bytes])
        let reports = adapter.reportOutcome(ofLines: [bytes])
        for chunks in bytes.cutOnce + [bytes.singly] {
            #expect(adapter.outcome(ofLines: chunks) == stream, "\(name) cut at \(chunks[0].count)")
            #expect(adapter.reportOutcome(ofLines: chunks) == reports, "\(name) cut at \(chunks[0].count)")
        }
    }

    private static let suite: [(name: String, bytes: [UInt8])] = {
        let folder = SharedData.folder.appendingPathComponent("JSONTestSuite/test_parsing")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().compactMap { name in
            guard let data = try? Data(contentsOf: folder.appendingPathComponent(name)), data.count < 4096 else {
                return nil
            }
            return (name, [UInt8](data))
        }
    }()

    @Test(
        .needs(shared: "JSONTestSuite/test_parsing"), arguments: JSONAdapterOptions.ElementPolicy.allCases
    )
    func documentsOfTheParsingSuiteAsTheyAre(_ policy: JSONAdapterOptions.ElementPolicy) throws {
        let adapter = try holder(policy)
        #expect(Self.suite.count > 300)
        for (name, bytes) in Self.suite { check(array: bytes, adapter, name) }
    }

    @Test(
        .needs(shared: "JSONTestSuite/test_parsing"), arguments: JSONAdapterOptions.ElementPolicy.allCases
    )
    func documentsOfTheParsingSuiteWithinElements(_ policy: JSONAdapterOptions.ElementPolicy) throws {
        let adapter = try holder(policy)
        for (name, bytes) in sampled(Self.suite) {
            let element = Array(#"{"value":"#.utf8) + bytes + Array("}".utf8)
            check(array: Array("[{\"list\":[1,\"\"]}\r\n , ".utf8) + element + Array(",{}]".utf8), adapter, name)
        }
    }

    @Test(.needs(shared: "JSONTestSuite/test_parsing"))
    func documentsOfTheParsingSuiteAsLines() throws {
        let adapter = try holder(.skip)
        for (name, bytes) in sampled(Self.suite) {
            let line = Array(#"{"value":"#.utf8) + bytes + Array("}\n".utf8)
            check(lines: Array("{}\r\n\n".utf8) + line + bytes + Array("\n{}".utf8), adapter, name)
        }
    }

    @Test(.trials, arguments: ["events", "issues"]) func sampleDocuments(name: String) throws {
        guard case .array(let elements) = try JSONValue(parsing: [UInt8](GitHub.sample(name))) else { return }
        let registry = try GitHub.registry()
        let schema = try registry.schema(named: name == "events" ? "Event" : "Issue")
        let adapter = try JSONAdapter(schema: schema, registry: registry)
        let documents = try elements.map { try JSONValue.array([$0]).bytes() }.filter { $0.count < 1500 }
        #expect(!documents.isEmpty)
        for (index, document) in sampled(documents.enumerated().map { ($0, $1) }) {
            #expect(adapter.outcome(ofArray: [document]).models.count == 1)
            // A prime number goes around all places.
            let cuts = Trials(30, atMost: document.count).map { seed in
                let place = seed * 7919 % document.count
                return [Array(document[..<place]), Array(document[place...])]
            }
            check(array: document, cuts: cuts, adapter, "\(name) \(index)")
        }
    }

    @Test(arguments: [
        "", " ", " \r\n [{}]", "  5", "\r\n\r {\"a\":1}", "\u{FEFF} \n []", "\u{FEFF}", "\r5", "     \u{FEFF}[]",
        "    é",
        "\u{FEFF}[]", "[", "]", "[]]", "[] x", "[]\r\n\r", "[]\r\n\r\n x", "[,]", "[{}{}]", "[{},]", "[{}", "[{},",
        "[{} \r\n\r\n {}]", "{}", "5", "\"text\"", "nul", "null", "[{}}", "[1e}", "[\"\\ud800\",{}]", "[\"\\u12\",{}]",
        "[{\"value\":1},{\"list\":[1,null]},5,{\"list\":[true]},{\"value\":tru},{}]", "[5,{\"list\":5}, nope]", "[5",
        "[{\"value\":\"\\\\\\\"]\"},{\"value\":\"é€😀\"}]", "[{}\r\n,\r{}\n,\r\n 5]",
    ]) func arraysThatAreCutShortOrBroken(text: String) throws {
        for policy in JSONAdapterOptions.ElementPolicy.allCases {
            check(array: Array(text.utf8), try holder(policy), text)
        }
    }

    @Test(.threat(.invalidUTF8)) func textsThatAreNotUTF8() throws {
        let adapter = try holder(.fail)
        for bytes: [UInt8] in [
            [0xFF, 0xFE, 0x5B, 0], [0x5B, 0, 0x5D, 0], [0xEF, 0xBB], [0x5B, 0x22, 0xF0, 0x22, 0x5D],
            [0x5B, 0x22, 0xF0, 0x9F, 0x98, 0x22, 0x2C], [0x5B, 0x22, 0xE2, 0x82],
        ] {
            check(array: bytes, adapter, "\(bytes)")
            check(lines: bytes, adapter, "\(bytes)")
        }
    }
}
