import Foundation
import ModelTestSupport
import Pallium
import Testing

extension JSONAdapter {
    /// What decoding lines on several threads gives.
    func outcome(ofLines bytes: [UInt8], concurrently threadCount: Int, blockBytes: Int) -> StreamOutcome {
        do throws(ModelError) {
            let models = try models(fromLines: bytes, concurrently: threadCount, blockBytes: blockBytes)
            return StreamOutcome(models: models.map { picture(of: $0) })
        } catch { return StreamOutcome(problems: [error]) }
    }

    /// What decoding lines in order gives.
    func outcome(ofWholeLines bytes: [UInt8]) -> StreamOutcome {
        do throws(ModelError) {
            return StreamOutcome(models: try models(fromLines: bytes).map { picture(of: $0) })
        } catch { return StreamOutcome(problems: [error]) }
    }

    /// Decodes lines on different numbers of threads, in blocks of different sizes, and compares each result with that of
    /// decoding in order: models, or the problem with its place.
    func checkThreads(
        lines bytes: [UInt8], _ name: String, threads: [Int] = [2, 8], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let expected = outcome(ofWholeLines: bytes)
        for threadCount in threads {
            for blockBytes in [1, 24, 90] {
                #expect(
                    outcome(ofLines: bytes, concurrently: threadCount, blockBytes: blockBytes) == expected,
                    "\(name): \(threadCount) threads, blocks of \(blockBytes)", sourceLocation: sourceLocation)
            }
        }
    }
}

/// An item that holds items of its own shape.
enum Items {
    static func adapter(
        _ change: (inout JSONAdapterOptions) -> Void = { _ in }
    ) throws -> JSONAdapter<DynamicModel> {
        try Plain.adapter(
            ["id": .integer.required, "text": .string, "value": .jsonValue, "items": .array(of: .model("Plain"))],
            options: .with(change)
        ).adapter
    }

    /// A document of elements that look like the borders between elements, and hold some.
    static let elements = [
        #"{"id":1,"text":"},{"}"#, #"{"id":2,"text":"\"},{\"id\":3},{\"id\":4}"}"#, #"{"id":3}"#,
        #"{"id":4,"value":["},{","id",":1},{","},{\"id\":5"]}"#, #"{"id":5,"items":[{"id":6},{"id":7},{"id":8}]}"#,
        #"{"id":6,"},{":7,"{\"},":{"},{":[]}}"#, #"{"id":7,"text":"\\"}"#, #"{"id":8,"text":"],\"},{"}"#,
        #"{"id":9,"items":[{"id":10,"items":[{"id":11},{"id":12}]},{"id":13,"items":[]},{"id":14}]}"#,
        #"{ "id" : 10 , "value" : [ { "id" : 1 } , { "id" : 2 } ] }"#, #"{"text":"é€😀","id":11}"#, #"{"id":12}"#,
    ]

    static func array(_ elements: [String]) -> String { "[\(elements.joined(separator: ","))]" }

    static func children(_ count: Int) -> String { array((0..<count).map { #"{"id":\#($0),"text":"},{"}"# }) }

    /// Documents whose elements are hard to tell from their surroundings.
    static let documents: [(name: String, text: String)] = [
        ("no text", ""), ("empty", "[]"), ("space", " \r\n[ \t] "), ("one element", #"[{"id":1}]"#),
        ("one element and a comma", #"[{"id":1},]"#), ("borders in strings", array(elements)),
        ("space", "\n[\n" + elements.joined(separator: "\r\n ,\t") + "\r\n ]\n"),
        ("one element of many", #"[{"id":1,"items":\#(children(40))}]"#),
        ("elements of many", array((0..<6).map { #"{"id":\#($0),"items":\#(children($0 * 5))}"# })),
        ("a long first element", #"[{"id":1,"items":\#(children(30))},{"id":2},{"id":3}]"#),
        ("a long last element", #"[{"id":1},{"id":2},{"id":3,"items":\#(children(30))}]"#),
        ("one long string", #"[{"id":1,"text":"\#(String(repeating: #"},{\"id\":1"#, count: 40))"},{"id":2}]"#),
        ("long space", "[{\"id\":1}" + String(repeating: " ", count: 300) + ",{\"id\":2}]"),
        ("a byte order mark", "\u{FEFF}" + array(elements)), ("trailing bytes", array(elements) + ",{\"id\":1}"),
        ("a second bracket", array(elements) + "]"), ("two arrays", array(elements) + array(elements)),
        ("an object", #"{"id":1,"items":\#(children(20))}"#), ("a string", #""},{"id":1},{"id":2},{"id":3}""#),
        ("lines", elements.joined(separator: "\n")), ("no brackets", elements.joined(separator: ",")),
        ("arrays in an array", "[\(array(elements)),\(array(elements))]"),
        ("repeated members", array(elements + [#"{"id":"x","id":1}"#] + elements)),
        ("repeated names", array((0..<12).map { #"{"id":\#($0),"id":\#($0 + 1)}"# })),
    ]

    /// Elements that are refused, or break the text.
    static let refused = [
        #"{"id":"1"}"#, #"{}"#, #"{"text":"},{"}"#, #"{"id":1,"items":[{"id":1},{"id":"},{"},{}]}"#, "null", "5", "[]",
        "",
        #"{"id":tru}"#, #"{"id":1}}"#, #"{"id":1]"#, #"{"id":1},"#, #"{"id":1} {"id":2}"#,
        #"{"id":1,"text":"},{"id":2}"#,
        #"{"id":1,"text":"\ud800"}"#, #"{"id":1,"value":[1,{"id":]}"#, #"{"id":1]},{"id":1}"#,
        #"{"id":1.5},{"id":true}"#,
    ]
}
