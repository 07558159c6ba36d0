import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Every limit, each at its last value that is taken and the first that is refused.
///
/// Limits that a caller can change are properties of ``JSONReadingOptions``, ``JSONWritingOptions`` and
/// ``JSONAdapterOptions``; the others are constants, because what one program writes another must be able to read.
struct EveryLimitTests {
    struct Limit: Sendable, CustomTestStringConvertible {
        let name: String
        let value: Int
        /// What the error of one more says.
        let refusal: String
        /// Does something of a size, and throws where it is refused.
        let attempt: @Sendable (Int) throws -> Void

        init(_ name: String, _ value: Int, _ refusal: String, _ attempt: @escaping @Sendable (Int) throws -> Void) {
            self.name = name
            self.value = value
            self.refusal = refusal
            self.attempt = attempt
        }

        var testDescription: String { "\(name): \(value)" }
    }

    @Test(
        .threat(.hugeInput, .deepNesting), arguments: plainText + options + entrances + documents + registries + patches
    )
    func whatIsAtTheLimitIsTakenAndOneMoreIsRefused(limit: Limit) throws {
        try limit.attempt(limit.value)
        let error = try #require(throws: (any Error).self) { try limit.attempt(limit.value + 1) }
        #expect("\(error)".contains(limit.refusal), "\(error)")
    }

    @Test(.threat(.hugeInput, .readerWriterDepth)) func theDefaultsAreTheDocumentedOnes() {
        let reading = JSONReadingOptions()
        #expect(reading.maximumDepth == 512)
        #expect(reading.maximumDocumentBytes == 1 << 30)
        #expect(reading.maximumStringBytes == 64 << 20)
        #expect(reading.maximumNameBytes == 64 << 10)
        #expect(reading.maximumNumberCharacters == 1000)
        #expect(reading.maximumValues == 50_000_000)
        #expect(JSONAdapterOptions().reading == reading)
        // What was read can be written.
        #expect(JSONWritingOptions().maximumDepth == reading.maximumDepth)
        #expect(JSONAdapterOptions().writing == JSONWritingOptions())
        #expect(JSONAdapterOptions().maximumProblems == 1000)
        #expect(JSONAdapterOptions().maximumElementBytes == reading.maximumStringBytes)
        #expect(JSONPatch.maximumCopiedBytes == 64 << 20)
    }

    // MARK: JSON text with the default options

    static func nested(_ depth: Int, _ open: String = "[", _ close: String = "]") -> String {
        String(repeating: open, count: depth) + String(repeating: close, count: depth)
    }

    private static func parse(_ text: String, _ change: (inout JSONReadingOptions) -> Void = { _ in }) throws {
        var options = JSONReadingOptions()
        change(&options)
        _ = try JSONValue(parsing: text, options: options)
    }

    private static let plainText: [Limit] = [
        Limit("arrays in arrays", 512, "at most 512 levels") { try parse(nested($0)) },
        Limit("objects in objects", 512, "at most 512 levels") {
            try parse(String(repeating: #"{"a":"#, count: $0 - 1) + nested(1, "{", "}") + nested($0 - 1, "", "}"))
        },
        Limit("bytes of a name", 64 << 10, "a member name of at most 65536 bytes") {
            try parse(#"{"\#(String(repeating: "n", count: $0))":1}"#)
        },
        Limit("characters of a number", 1000, "a number of at most 1000 characters") {
            try parse(String(repeating: "1", count: $0))
        },
        Limit("nesting of what is written", 512, "at most 512 levels") { depth in
            _ = try (1..<depth).reduce(JSONValue.array([])) { value, _ in [value] }.bytes()
        },
    ]

    // MARK: The same with other options

    private static let options: [Limit] = [
        Limit("depth as set", 3, "at most 3 levels") { try parse(nested($0)) { $0.maximumDepth = 3 } },
        Limit("bytes of a document as set", 10, "at most 10 bytes") {
            try parse(String(repeating: " ", count: $0 - 1) + "1") { $0.maximumDocumentBytes = 10 }
        },
        Limit("bytes of a string as set", 10, "a string of at most 10 bytes") {
            try parse("\"\(String(repeating: "x", count: $0))\"") { $0.maximumStringBytes = 10 }
        },
        Limit("bytes of a name as set", 10, "a member name of at most 10 bytes") {
            try parse(#"{"\#(String(repeating: "n", count: $0))":1}"#) { $0.maximumNameBytes = 10 }
        },
        Limit("characters of a number as set", 10, "a number of at most 10 characters") {
            try parse("[\(String(repeating: "1", count: $0))]") { $0.maximumNumberCharacters = 10 }
        },
        Limit("values as set", 10, "at most 10 values") {
            try parse("[\(Array(repeating: "0", count: $0 - 1).joined(separator: ","))]") { $0.maximumValues = 10 }
        },
        Limit("nesting of what is written as set", 3, "at most 3 levels") { depth in
            var options = JSONWritingOptions()
            options.maximumDepth = 3
            _ = try (1..<depth).reduce(JSONValue.array([])) { value, _ in [value] }.bytes(options: options)
        },
        Limit("problems of a report", 10, "at most 10 problems") { count in
            let adapter = try adapter(["a": .array(of: .bool)]) { $0.maximumProblems = 10 }
            let zeros = Array(repeating: "0", count: count).joined(separator: ",")
            let problems = adapter.report(from: Array(#"{"a":[\#(zeros)]}"#.utf8)).problems
            if let limit = problems.first(where: { $0.code == .limitExceeded }) { throw limit }
            #expect(problems.count == count)
        },
        Limit("bytes of a line", 20, "an element of at most 20 bytes") { count in
            let line = "{}" + String(repeating: " ", count: count - 2)
            try takeAll(adapter([:]) { $0.maximumElementBytes = 20 }.models(fromLines: [Array("\(line)\n".utf8)]))
        },
        Limit("bytes of an element", 20, "an element of at most 20 bytes") { count in
            let element = "{" + String(repeating: " ", count: count - 2) + "}"
            try takeAll(adapter([:]) { $0.maximumElementBytes = 20 }.models(fromArray: [Array("[\(element)]".utf8)]))
        },
    ]

    private static func takeAll<Chunks>(_ stream: ModelStream<DynamicModel, Chunks>) throws {
        var stream = stream
        while try stream.next() != nil {}
    }

    // MARK: Models

    private static func adapter(
        _ properties: KeyValuePairs<String, PropertySchema>, _ change: (inout JSONAdapterOptions) -> Void = { _ in }
    ) throws -> JSONAdapter<DynamicModel> {
        try Plain.adapter(properties, options: .with(change)).adapter
    }

    private static let entrances: [Limit] = [
        Limit("depth of models", 512, "at most 512 levels") { depth in
            let text =
                String(repeating: #"{"next":"#, count: depth - 1) + "{}" + String(repeating: "}", count: depth - 1)
            _ = try adapter(["next": .model("Plain")]).model(from: text)
        },
        Limit("depth of a skipped member", 512, "at most 512 levels") {
            _ = try adapter([:]).model(from: #"{"unknown":\#(nested($0 - 1))}"#)
        },
        Limit("depth of a value of any kind", 512, "at most 512 levels") {
            _ = try adapter(["json": .jsonValue]).model(from: #"{"json":\#(nested($0 - 1))}"#)
        },
        Limit("depth of a tree", 512, "at most 512 levels") { depth in
            let tree = (1..<depth).reduce(JSONValue.object([:])) { value, _ in ["next": value] }
            _ = try adapter(["next": .model("Plain")]).model(from: tree)
        },
        Limit("depth of a dictionary", 512, "at most 512 levels") { depth in
            let dictionary = (1..<depth).reduce([String: Any]()) { value, _ in ["next": value] }
            _ = try adapter(["next": .model("Plain")]).model(from: dictionary)
        },
        Limit("depth of models that are written", 512, "at most 512 levels") { depth in
            let registry = try SchemaRegistry.ofFixtures()
            var chain = Node(registry: registry)
            for _ in 1..<depth {
                let above = Node(registry: registry)
                above.next = chain
                chain = above
            }
            _ = try JSONAdapter(Node.self, registry: registry).data(from: chain)
        },
        Limit("values split by allOf that are written in one another", 64, "at most 64 levels of allOf") { depth in
            let adapter = try adapter(["next": .model("Plain").json(allOf: ["a"])])
            let leaf = try adapter.model(from: "{}")
            _ = try adapter.jsonValue(
                from: (0..<depth).reduce(leaf) { chain, _ in
                    let above = leaf.copy()
                    above["next"] = chain
                    return above
                })
        },
        Limit("depth of a value in a coder", 64, "levels") { depth in
            _ = try TreeCoder.encode((1..<depth).reduce(JSONValue.array([])) { value, _ in [value] })
        },
        Limit("bytes of a date", 64, "date") { count in
            let fraction = String(repeating: "1", count: count - 21)
            _ = try adapter(["date": .date]).model(from: #"{"date":"2015-09-25T07:00:00.\#(fraction)Z"}"#)
        },
        Limit("characters of a number in a text", 1000, "text that holds one") { count in
            let adapter = try adapter(["number": .double.transformer(NumberOrTextTransformerName)])
            _ = try adapter.model(from: #"{"number":"0.\#(String(repeating: "1", count: count - 2))"}"#)
        },
        Limit("bytes of a text in a format", 1024, "at most 1024 bytes") { count in
            let text = String(repeating: "x", count: count)
            let length = try Transformer.formatted(LengthStyle()).transform(text, as: Int.self)
            #expect(length == count)
        },
        Limit("characters of input in an error", 64, "…") { count in
            let text = String(repeating: "x", count: count)
            let error = try #require(throws: ModelError.self) {
                try adapter(["id": .uuid]).model(from: #"{"id":"\#(text)"}"#)
            }
            if error.found != "\"\(text)\"" { throw error }
        },
    ]

    // MARK: Patches

    private static let patches: [Limit] = [
        Limit("depth that a patch makes", 512, "no deeper nesting") { depth in
            func tower(_ depth: Int) -> JSONValue { (0..<depth).reduce(.null) { value, _ in ["a": value] } }
            let path = JSONPointer(tokens: Array(repeating: "a", count: 12))
            _ = try JSONPatch([.add(path, tower(depth - 12))]).applied(to: tower(12))
        },
        // Eight bytes for each value, and those of texts and names.
        Limit("bytes that a patch copies of a text", JSONPatch.maximumCopiedBytes, copying) { bytes in
            try copy(text(bytes - 8))
        },
        Limit("bytes that a patch copies of an array", JSONPatch.maximumCopiedBytes, copying) { bytes in
            try copy([1, [true, text(bytes - 40)]])
        },
        Limit("bytes that a patch copies of an object", JSONPatch.maximumCopiedBytes, copying) { bytes in
            try copy(["small": 1, "text": text(bytes - 33)])
        },
        Limit("bytes that a patch copies of an array it stepped into", JSONPatch.maximumCopiedBytes, copying) { bytes in
            try copy([1, text(bytes - 24)], after: .test(["a", "0"], 1))
        },
        Limit("bytes that a patch copies of an object it stepped into", JSONPatch.maximumCopiedBytes, copying) {
            bytes in
            try copy(["small": 1, "text": text(bytes - 33)], after: .test(["a", "small"], 1))
        },
        Limit("bytes that a patch copies in several pieces", JSONPatch.maximumCopiedBytes, copying) { bytes in
            let document: JSONValue = ["a": text(1000), "b": text(bytes - 2 * 1008 - 8)]
            let copies: [JSONPatch.Operation] = [
                .copy(from: ["a"], to: ["c"]), .copy(from: ["b"], to: ["d"]), .copy(from: ["c"], to: ["e"]),
            ]
            let patched = try JSONPatch(copies).applied(to: document)
            #expect(patched.objectValue?.count == 5)
        },
    ]

    private static let copying = "no more than \(JSONPatch.maximumCopiedBytes) bytes to be copied"

    private static func text(_ bytes: Int) -> JSONValue {
        .string(String(decoding: [UInt8](repeating: 0x78, count: bytes), as: UTF8.self))
    }

    /// Copies a value after another operation.
    private static func copy(_ value: JSONValue, after operation: JSONPatch.Operation? = nil) throws {
        let patch = JSONPatch([operation, .copy(from: ["a"], to: ["b"])].compactMap { $0 })
        #expect(try patch.applied(to: ["a": value])["b"] == value)
    }
}

/// A number as so many letters.
private struct LengthStyle: ParseableFormatStyle {
    struct Strategy: ParseStrategy {
        func parse(_ text: String) -> Int { text.utf8.count }
    }

    var parseStrategy: Strategy { Strategy() }

    func format(_ number: Int) -> String { String(repeating: "x", count: number) }
}
