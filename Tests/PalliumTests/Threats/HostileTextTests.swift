import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Texts made to be slow, to collide, or to be taken for one another.
struct HostileTextTests {
    /// Hashing is seeded by the process, so nobody can know which names collide.
    @Test(.threat(.hashFlooding)) func hashesOfNamesDifferFromProcessToProcess() async throws {
        var lines: [String] = []
        for _ in 0..<2 {
            let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                let names = ["name", String(repeating: "long name ", count: 10)]
                for name in names {
                    let value = JSONValue.object([name: .string(name)])
                    print("hashes", UTF8Key(name).hashValue, value.hashValue, JSONPointer(tokens: [name]).hashValue)
                }
            }
            let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
            lines += output.split(separator: "\n").filter { $0.hasPrefix("hashes") }.map(String.init)
        }
        let numbers = lines.flatMap { $0.split(separator: " ").dropFirst() }
        #expect(numbers.count == 12)
        #expect(Set(numbers).count == numbers.count)
    }

    /// Members of objects and keys of models are found by tables that input does not fill, or by seeded ones.
    @Test(.threat(.hashFlooding)) func manyNamesOfEveryShapeAreToldApart() throws {
        // Equal beginnings, equal ends, equal lengths, equal sums of bytes.
        let names = (0..<20_000).flatMap { number -> [String] in
            let digits = "\(number + 100_000)"
            return ["key" + digits, digits + "key", String(digits.reversed()) + "yek"]
        }
        let members = names.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",")
        let adapter = try Plain.adapter(
            ["known": .integer, "table": .dictionary(of: .integer)],
            options: .with {
                $0.unknownMembers = .keep
                $0.reading.duplicateMembers = .error
            }
        ).adapter
        let model = try adapter.model(from: "{\(members),\"table\":{\(members)},\"known\":1}")
        #expect(model["known", as: Int.self] == 1)
        let table = try #require(model["table", as: [String: Int].self])
        #expect(names.enumerated().allSatisfy { table[$1] == $0 })
        let report = adapter.report(from: Array("{\(members),\"\(names[7])\":0}".utf8))
        #expect(report.problems.map(\.code) == [.duplicateMember])
    }

    /// Texts that are slow to divide into characters, or to bring into canonical order.
    enum SlowText: String, CaseIterable, Sendable {
        /// Flags, whose pairs are told only from their beginning.
        case flags = "\u{1F1E6}"
        /// Marks, whose order takes quadratic time to establish.
        case marks = "\u{316}\u{301}"
        case syllables = "\u{1112}\u{1161}\u{11AB}"
        case joined = "\u{200D}\u{1F469}"

        /// A text of at least so many bytes.
        func text(_ bytes: Int) -> String {
            "a" + String(repeating: rawValue, count: bytes / rawValue.utf8.count)
        }
    }

    static let properties: [PropertySchema] = [
        .uuid, .date, .duration, .data, .integer, .bool, .model("Plain"), .enumeration(Color.self),
        .date.transformer(DateOnlyTransformerName), .decimal.transformer(DecimalTextTransformerName),
        .integer.transformer(IntegerTextTransformerName), .double.transformer(NumberOrTextTransformerName),
        .integer.transformer("Mapping"), .date.transformer("Format"), .decimal.transformer("Number"),
    ]

    private func transformers() throws -> [TransformerName: Transformer] {
        [
            "Mapping": .mapping(["a": 1, "b": 2]), "Format": try .date(format: "yyyy-MM-dd"), "Number": .number(),
        ]
    }

    @Test(.threat(.characterWork, .normalization, .secretsInErrors), arguments: SlowText.allCases)
    func slowTextsAreRefusedInAShortSentence(slow: SlowText) throws {
        let text = slow.text(200_000)
        let transformers = try transformers()
        for property in Self.properties {
            let adapter = try Plain.adapter(["a": property], transformers: transformers).bytesOnly
            let problem = try #require(adapter.problem(of: "{\"a\":\"\(text)\"}"), "\(property.kind.name)")
            #expect(problem.description.utf8.count < 512, "\(property.kind.name)")
            #expect(problem.pointer?.description == "/a")
        }
        let cluster = try Plain.adapter([
            ModelSchema("Base", [:], cluster: .discriminator("kind", ["a": "A"])),
            ModelSchema("A", [:], extends: "Base"),
        ]).bytesOnly
        #expect(cluster.problem(of: "{\"kind\":\"\(text)\"}")?.code == .unknownModel)
        let strict = try Plain.adapter(["a": .string], options: .with { $0.unknownMembers = .refuse }).bytesOnly
        let unknown = try #require(strict.problem(of: "{\"\(slow.text(60_000))\":1}"))
        #expect(unknown.code == .unknownMember)
        #expect(unknown.description.utf8.count < 512)
    }

    @Test(.threat(.characterWork, .normalization), arguments: SlowText.allCases)
    func slowTextsArePlainValues(slow: SlowText) throws {
        let adapter = try Plain.adapter(
            [
                "text": .string, "set": .set(of: .string), "table": .dictionary(of: .integer),
                "link": .url.transformer(URLPercentEncodingTransformerName), "json": .jsonValue,
            ], options: .with { $0.unknownMembers = .keep }
        ).adapter
        // Equal but for the last byte, so that whoever compares has to go to the end.
        let (one, other) = (slow.text(60_000) + "x", slow.text(60_000) + "y")
        let document =
            "{\"text\":\"\(one)\",\"set\":[\"\(one)\",\"\(other)\",\"\(one)\"],\"table\":{\"\(one)\":1,\"\(other)\":2},"
            + "\"link\":\"http://a/\(one)\",\"json\":{\"\(one)\":1,\"\(other)\":\"\(one)\"},\"\(one)\":true}"
        let (left, right) = (try adapter.model(from: document), try adapter.model(from: document))
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(left.difference(to: right).isEmpty)
        right["text"] = other
        #expect(left != right)
        #expect(left.difference(to: right).count == 1)
        #expect(left.description.utf8.count < 4096)
        #expect(try left.merge(from: right).count == 1)
        let set = try #require(try left.value(forKey: "set") as? [String])
        #expect(set.map { Array($0.utf8) } == [Array(one.utf8), Array(other.utf8)])
        let back = try JSONValue(parsing: [UInt8](adapter.data(from: left)))
        #expect(back[one] == true)
        #expect(back["table"]?[other] == 2)
        #expect(throws: ModelError.self) { try left.setValue(1, forKey: one) }
        #expect(throws: ModelError.self) { try left.value(forKeyPath: "json." + one) }
        #expect(throws: ModelError.self) { try JSONPatch([.remove([one + "z"])]).applied(to: back) }
        #expect(try JSONPatch([.remove([one])]).applied(to: back)[one] == nil)
    }

    /// One policy holds wherever text comes in.
    @Test(.threat(.duplicateMembers)) func duplicatesAreErrorsAtEveryEntrance() throws {
        let registry = SchemaRegistry()
        let schema = ModelSchema("M", ["id": .integer, "json": .jsonValue], identity: ["id"])
        try registry.register(schema)
        let adapter = try JSONAdapter(
            schema: schema, registry: registry, options: .with { $0.reading.duplicateMembers = .error })
        for object in [
            #"{"id":1,"id":1}"#, #"{"id":1,"\u0069d":2}"#, #"{"id":1,"json":{"a":1,"a":1}}"#, #"{"x":1,"x":1}"#,
        ] {
            let (bytes, list) = (Array(object.utf8), Array("[\(object)]".utf8))
            let entrances: [(String, () throws -> Void)] = [
                ("model", { _ = try adapter.model(from: bytes) }),
                ("models", { _ = try adapter.models(from: list) }),
                ("whole lines", { _ = try adapter.models(fromLines: bytes) }),
                ("report", { try adapter.report(from: bytes).problems.first.map { throw $0 } }),
                (
                    "lines",
                    {
                        var stream = adapter.models(fromLines: [bytes])
                        _ = try stream.next()
                    }
                ),
                (
                    "elements",
                    {
                        var stream = adapter.models(fromArray: [list])
                        _ = try stream.next()
                    }
                ),
                (
                    "merge",
                    { _ = try adapter.merge(bytes, into: DynamicModel(schema: schema, registry: registry)) }
                ),
                (
                    "rebase",
                    {
                        let model = DynamicModel(schema: schema, registry: registry)
                        model.trackChanges()
                        _ = try adapter.rebase(model, onto: bytes)
                    }
                ),
                ("import", { _ = try IdentityMap().import(bytes, using: adapter) }),
                ("version", { _ = try adapter.model(from: bytes, versionMember: "version") }),
            ]
            for (name, entrance) in entrances {
                let error = try #require(throws: ModelError.self, "\(name): \(object)") { try entrance() }
                #expect(error.code == .duplicateMember, "\(name): \(object)")
            }
            var options = JSONReadingOptions()
            options.duplicateMembers = .error
            let error = try #require(throws: JSONSyntaxError.self) { try JSONValue(parsing: object, options: options) }
            #expect(error.code == .duplicateMember)
        }
    }
}
