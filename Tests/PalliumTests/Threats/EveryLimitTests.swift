import Foundation
import Pallium
import TestSupport
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
        .threat(.hugeInput, .deepNesting), arguments: plainText + options + entrances + documents + registry + patches)
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

    private static func nested(_ depth: Int, _ open: String = "[", _ close: String = "]") -> String {
        String(repeating: open, count: depth) + String(repeating: close, count: depth)
    }

    private static func parse(_ text: String, _ change: (inout JSONReadingOptions) -> Void = { _ in }) throws {
        var options = JSONReadingOptions()
        change(&options)
        _ = try JSONValue(parsing: text, options: options)
    }

    private static let plainText: [Limit] = [
        Limit("arrays in arrays", 512, "nesting") { try parse(nested($0)) },
        Limit("objects in objects", 512, "nesting") {
            try parse(String(repeating: #"{"a":"#, count: $0 - 1) + nested(1, "{", "}") + nested($0 - 1, "", "}"))
        },
        Limit("bytes of a name", 64 << 10, "maximumNameBytes") {
            try parse(#"{"\#(String(repeating: "n", count: $0))":1}"#)
        },
        Limit("characters of a number", 1000, "maximumNumberCharacters") {
            try parse(String(repeating: "1", count: $0))
        },
        Limit("nesting of what is written", 512, "nesting") { depth in
            _ = try (1..<depth).reduce(JSONValue.array([])) { value, _ in [value] }.bytes()
        },
    ]

    // MARK: The same with other options

    private static let options: [Limit] = [
        Limit("depth as set", 3, "nesting") { try parse(nested($0)) { $0.maximumDepth = 3 } },
        Limit("bytes of a document as set", 10, "maximumDocumentBytes") {
            try parse(String(repeating: " ", count: $0 - 1) + "1") { $0.maximumDocumentBytes = 10 }
        },
        Limit("bytes of a string as set", 10, "maximumStringBytes") {
            try parse("\"\(String(repeating: "x", count: $0))\"") { $0.maximumStringBytes = 10 }
        },
        Limit("bytes of a name as set", 10, "maximumNameBytes") {
            try parse(#"{"\#(String(repeating: "n", count: $0))":1}"#) { $0.maximumNameBytes = 10 }
        },
        Limit("characters of a number as set", 10, "maximumNumberCharacters") {
            try parse("[\(String(repeating: "1", count: $0))]") { $0.maximumNumberCharacters = 10 }
        },
        Limit("values as set", 10, "maximumValues") {
            try parse("[\(Array(repeating: "0", count: $0 - 1).joined(separator: ","))]") { $0.maximumValues = 10 }
        },
        Limit("nesting of what is written as set", 3, "nesting") { depth in
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
        Limit("depth of models", 512, "nesting") { depth in
            let text =
                String(repeating: #"{"next":"#, count: depth - 1) + "{}" + String(repeating: "}", count: depth - 1)
            _ = try adapter(["next": .model("Plain")]).model(from: text)
        },
        Limit("depth of a skipped member", 512, "nesting") {
            _ = try adapter([:]).model(from: #"{"unknown":\#(nested($0 - 1))}"#)
        },
        Limit("depth of a value of any kind", 512, "nesting") {
            _ = try adapter(["json": .json]).model(from: #"{"json":\#(nested($0 - 1))}"#)
        },
        Limit("depth of a tree", 512, "nesting") { depth in
            let tree = (1..<depth).reduce(JSONValue.object([:])) { value, _ in ["next": value] }
            _ = try adapter(["next": .model("Plain")]).model(from: tree)
        },
        Limit("depth of a dictionary", 512, "nesting") { depth in
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
        Limit("depth of a value in a coder", 512, "levels") { depth in
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

    // MARK: Schema documents

    private static func load(_ documents: [String]) throws {
        let folder = try TemporaryFolder()
        for (number, document) in documents.enumerated() { try folder.write("\(number).json", document) }
        try SchemaRegistry().load(contentsOf: folder.url)
        withExtendedLifetime(folder) {}
    }

    private static func document(_ name: String, properties count: Int, _ more: String = "") -> String {
        let properties = (0..<count).map { #""p\#($0)":{"kind":"bool"}"# }.joined(separator: ",")
        return #"{"name":"\#(name)",\#(more)"properties":{\#(properties)}}"#
    }

    /// Loads a document, apart from complaints about its member `x`, which no schema has.
    private static func loadDespiteMember(_ document: String) throws {
        let found = problems(of: document).filter { !$0.contains("\"x\"") }
        if !found.isEmpty { throw Refusal(description: found.joined(separator: "\n")) }
    }

    private struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    private static let documents: [Limit] = [
        Limit("bytes of a schema document", 16 << 20, "more than 16 MiB") {
            try load([#"{"name":"A"}"# + String(repeating: " ", count: $0 - 12)])
        },
        Limit("nesting of a schema document", 64, "deeper than 64 levels") {
            try loadDespiteMember(#"{"name":"A","x":\#(nested($0 - 1))}"#)
        },
        Limit("values of a schema document", 2_000_000, "more than 2000000 values") {
            let zeros = String(repeating: "0,", count: $0 - 4) + "0"
            try loadDespiteMember(#"{"name":"A","x":[\#(zeros)]}"#)
        },
        Limit("properties of a schema document", 10_000, "10000 are allowed") {
            try load([document("A", properties: $0)])
        },
        Limit("bytes of a name in a schema document", 256, "256 are allowed") {
            try load([#"{"name":"\#(String(repeating: "n", count: $0))"}"#])
        },
        Limit("schemas and properties that are loaded at once", 1_000_000, "more than 1000000 properties") { total in
            // A parent with 9,999 properties counts 10,000, each of its children 10,001, and the rest is one schema. A
            // document that is no JSON keeps all this from being registered.
            let rest = total - 10_000 - 98 * 10_001
            let children = (0..<98).map { #"{"name":"C\#($0)","extends":"P"}"# }.joined(separator: ",")
            let error = try #require(throws: SchemaError.self) {
                try load([
                    "[\(document("P", properties: 9_999)),\(document("R", properties: rest - 1)),\(children)]", "[",
                ])
            }
            if error.problems.count > 1 { throw error }
        },
        Limit("levels of elements that are written", 59, "more than 59 levels") { levels in
            let deep = (0..<levels).reduce(PropertySchema.bool) { element, _ in .array(of: element) }
            let text = try SchemaRegistry().documentText(of: ModelSchema("A", ["p": deep]))
            #expect(problems(of: text) == [])
        },
    ]

    // MARK: Registries and archives, whose schemas are described as `ArchivedSchema+Coding.swift` says

    private static let registry: [Limit] = [
        Limit("properties of a schema", 10_000, "more than 10000 properties") { count in
            let document = document("A", properties: count / 2)
            let registry = SchemaRegistry()
            try registry.load(Array(document.utf8), name: "A.json")
            // Inherited ones count.
            var child = ModelSchema("B", [:], extends: "A")
            child.properties = (0..<count - count / 2).map { .init("q\($0)", .bool) }
            try registry.register(child)
        },
        Limit("ancestors of a schema, and of one in an archive", 64, "more than 64 ancestors") { count in
            let line = (0...count).map { ModelSchema("S\($0)", [:], extends: $0 == 0 ? nil : .named("S\($0 - 1)")) }
            let registry = SchemaRegistry()
            try registry.register(line)
            _ = try roundTrip(DynamicModel(schema: line[count], registry: registry), registry)
        },
        Limit("ancestors that an archive names", 64, "at most 65 entries") { count in
            try openArchive(describing: [1, UInt8(count + 1)] + level("M") + repeated(level("P"), count) + [0])
        },
        Limit("properties that an archive describes", 10_000, "at most 10000 entries") { count in
            let properties = (0..<count).flatMap { number -> [UInt8] in
                let key = Array("\(number)".utf8)
                return [UInt8(key.count)] + key + [0, bool]
            }
            try openArchive(describing: [1, 1] + level("M") + variable(count) + properties)
        },
        Limit("levels of elements that an archive describes", 64, "at most 64 levels of elements") { count in
            let type = repeated([array], count - 1) + [bool]
            try openArchive(describing: [1, 1] + level("M") + [1, 1, UInt8(ascii: "p"), 0] + type)
        },
        Limit("schemas that an archive describes", 10_000, "at most 10000 entries") { count in
            try openArchive(describing: variable(count) + repeated([1] + level("M") + [0], count))
        },
        Limit("levels of elements that are archived", 64, "at most 64 levels of elements") { count in
            let type = (1..<count).reduce(PropertySchema.bool) { element, _ in .array(of: element) }
            let schema = ModelSchema("M", ["p": type])
            let registry = SchemaRegistry()
            try registry.register(schema)
            _ = try roundTrip(DynamicModel(schema: schema, registry: registry), registry)
        },
        // Each of these models takes three bytes of the archive, and 64 bytes and 17 for each property of memory: 379 of
        // them the 64 MB, and 512 bytes for each byte of the archive, that are allowed.
        Limit("memory for the models of an archive", 379, "models of at most") { count in
            let small = ModelSchema("M", [:])
            let old = SchemaRegistry()
            try old.register(small)
            let bytes = try ModelArchiver().archive((0..<count).map { _ in DynamicModel(schema: small, registry: old) })
            let new = SchemaRegistry()
            try new.load(Array(document("M", properties: 10_000).utf8), name: "M.json")
            let models = try ModelUnarchiver(registry: new).unarchive(arrayOf: new.schema(named: "M"), from: bytes)
            #expect(models.count == count)
            #expect(count * (64 + 10_000 * 17) <= 64_000_000 + 512 * bytes.count)
        },
    ]

    // The numbers of kinds in an archive.
    private static let (bool, array) = (UInt8(1), UInt8(14))

    private static func level(_ name: Character) -> [UInt8] { [1, name.asciiValue ?? 0, 1] }

    private static func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
        Array(repeatElement(bytes, count: count).joined())
    }

    /// A number of three bytes.
    private static func variable(_ number: Int) -> [UInt8] {
        [UInt8(number & 0x7F) | 0x80, UInt8(number >> 7 & 0x7F) | 0x80, UInt8(number >> 14)]
    }

    /// Opens an archive without models that describes schemas in these bytes.
    private static func openArchive(describing schemas: [UInt8]) throws {
        let schema = ModelSchema("M", ["p": .bool])
        let registry = SchemaRegistry()
        try registry.register(schema)
        var bytes = [UInt8](try ModelArchiver().archive([]))
        // The schemas are the last part: so far a byte that says there are none.
        #expect(bytes.popLast() == 0)
        bytes += schemas
        for byte in 0..<4 { bytes[12 + byte] = UInt8(schemas.count >> (8 * byte) & 0xFF) }
        ArchiveHeader.repairChecksums(of: &bytes)
        #expect(try ModelUnarchiver(registry: registry).unarchive(arrayOf: schema, from: bytes) == [])
    }

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

    private static func text(_ bytes: Int) -> JSONValue { .string(String(repeating: "x", count: bytes)) }

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
