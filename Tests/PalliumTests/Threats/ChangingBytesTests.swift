import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Input is borrowed for the time of a call: what comes out of it keeps nothing of the bytes, and bytes that change
/// meanwhile, which only code of the program can do, are still no reason to crash.
@Suite(.threat(.changingBytes)) struct ChangingBytesTests {
    /// Memory that is overwritten and freed after use.
    private func withBorrowed<Result>(
        _ bytes: [UInt8], _ body: (UnsafeMutableBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result {
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        defer {
            memory.update(repeating: 0x58)
            memory.deallocate()
        }
        _ = memory.initialize(from: bytes)
        return try body(memory)
    }

    private static let text = #"""
        {"short":"é","long":"\#(String(repeating: "long text ", count: 20))","escaped":"a\nb","url":"https://example.org/a",
         "other":"https://example.org/ä","data":"aGVsbG8gd29ybGQgaGVsbG8gd29ybGQ=","state":"something new","number":1.50,
         "decimal":12345678901234567890.125,"json":{"a":["b\t",1e400]},"table":{"key \u0041":["x","y"]},"tags":["p","q"],
         "unknown":[{"kept":"text"}],"child":{"short":"inner","unknown":"kept, too"},"trimmed":"  x  "}
        """#

    private func adapter() throws -> JSONAdapter<DynamicModel> {
        try Plain.adapter(
            [
                "short": .string, "long": .string, "escaped": .string, "url": .url,
                "other": .url.transformer(URLPercentEncodingTransformerName), "data": .data,
                "state": .enumeration("open", unknown: .keep),
                "number": .jsonValue, "decimal": .decimal, "json": .jsonValue,
                "table": .dictionary(of: .array(of: .string)), "tags": .set(of: .string), "child": .model("Plain"),
                "trimmed": .string.transformer("Trim"),
            ], options: .with { $0.unknownMembers = .keep },
            transformers: [
                "Trim": Transformer(from: String.self, to: String.self) { text, _ in
                    text.trimmingCharacters(in: .whitespaces)
                }
            ]
        ).adapter
    }

    @Test func modelsKeepNothingOfTheirDocument() throws {
        let adapter = try adapter()
        let bytes = Array(Self.text.utf8)
        let expected = picture(of: try adapter.model(from: bytes))
        #expect(picture(of: try withBorrowed(bytes) { try adapter.model(from: $0) }) == expected)
        #expect(picture(of: try withBorrowed(bytes) { try #require(adapter.report(from: $0).model) }) == expected)
        let merged = try adapter.model(from: "{}")
        try withBorrowed(bytes) { _ = try adapter.merge($0, into: merged) }
        #expect(merged["long", as: String.self] == String(repeating: "long text ", count: 20))
        #expect(merged["url", as: URL.self]?.absoluteString == "https://example.org/a")
        let streamed = try withBorrowed(Array("[".utf8) + bytes + Array("]".utf8)) { memory in
            var stream = adapter.models(fromArray: [memory])
            return try #require(try stream.next())
        }
        #expect(picture(of: streamed) == expected)
        let tree = try withBorrowed(bytes) { try JSONValue(parsing: $0) }
        #expect(try tree == JSONValue(parsing: Self.text))
    }

    @Test func modelsKeepNothingOfTheirArchive() throws {
        let registry = try Everything.registry()
        let model = DynamicModel(schema: Everything.schema, registry: registry)
        for (key, value) in Everything.values { try model.setValue(value, forKey: key) }
        let bytes = [UInt8](try ModelArchiver().archive(model))
        let back = try withBorrowed(bytes) {
            try ModelUnarchiver(registry: registry).unarchive(Everything.schema, from: $0)
        }
        #expect(back == model)
        #expect([UInt8](try ModelArchiver().archive(back)) == bytes)
    }

    @Test func errorsKeepNothingOfTheirDocument() throws {
        let adapter = try adapter()
        for text in [#"{"short":7}"#, #"{"url":"no URL"}"#, #"{"json":[tru]}"#, #"{"tags":["a",["b"]]}"#] {
            let expected = #expect(throws: ModelError.self) { try adapter.model(from: text) }
            let found = withBorrowed(Array(text.utf8)) { memory in
                #expect(throws: ModelError.self) { try adapter.model(from: memory) }
            }
            #expect(found?.description == expected?.description)
            #expect(found?.location == expected?.location)
        }
    }

    /// A transformer that overwrites the document it is called from, all of it or what is still to come.
    @Test(arguments: [0x00, 0x20, 0x22, 0x2C, 0x5B, 0x5C, 0x7B, 0x7D, 0xC3, 0xFF] as [UInt8])
    func bytesThatChangeWhileTheyAreReadDoNoHarm(byte: UInt8) throws {
        let document = Array(#"{"a":["x","long text that is not stored inline"],"b":{"c":["x","y"]},"x":[{}]}"#.utf8)
        for start in stride(from: 0, to: document.count, by: 3) {
            try withBorrowed(document) { memory in
                // Nobody else knows the memory, and it outlives the call.
                nonisolated(unsafe) let memory = memory
                let scribbling = Transformer(from: String.self, to: String.self) { text, _ in
                    for position in start..<memory.count { memory[position] = byte }
                    return text
                } reverse: { text, _ in
                    text
                }
                for unknown in JSONAdapterOptions.UnknownMembers.allCases {
                    _ = memory.update(fromContentsOf: document)
                    let adapter = try Plain.adapter(
                        [
                            "a": .array(of: .string.transformer("Scribble")),
                            "b": .jsonValue.readOnly, "c": .array(of: .string.transformer("Scribble")).json("b.c"),
                        ], options: .with { $0.unknownMembers = unknown }, transformers: ["Scribble": scribbling]
                    ).adapter
                    // Any answer will do, as long as it is one.
                    let report = adapter.report(from: UnsafeBufferPointer(memory))
                    for problem in report.problems {
                        #expect((0...document.count).contains(problem.location?.byteOffset ?? 0))
                        #expect(problem.description.utf8.count < 512)
                    }
                    if let model = report.model { #expect(throws: Never.self) { try adapter.data(from: model) } }
                }
            }
        }
    }
}
