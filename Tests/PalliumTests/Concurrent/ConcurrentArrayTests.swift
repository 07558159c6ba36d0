import Foundation
import Pallium
import RunSupport
import TestSupport
import Testing

/// An array that is decoded on several threads gives the models and the problem of decoding it in order.
struct ConcurrentArrayTests {
    @Test(arguments: 1...8) func documentsThatAreHardToDivide(threads: Int) throws {
        for policy in JSONAdapterOptions.ElementPolicy.allCases {
            let adapter = try Items.adapter { $0.elements = policy }
            for (name, text) in Items.documents {
                adapter.checkThreads(array: Array(text.utf8), name, threads: [threads])
            }
        }
    }

    @Test(arguments: JSONAdapterOptions.ElementPolicy.allCases)
    func aProblemInAnyElement(_ policy: JSONAdapterOptions.ElementPolicy) throws {
        let adapter = try Items.adapter { $0.elements = policy }
        for (number, refused) in Items.refused.enumerated() {
            for position in stride(from: number % 3, through: Items.elements.count, by: 3) {
                var elements = Items.elements
                elements.insert(refused, at: position)
                adapter.checkThreads(array: Array(Items.array(elements).utf8), "\(refused) at \(position)")
                // A second problem further on changes nothing.
                elements.append(#"{"id":false}"#)
                adapter.checkThreads(array: Array(Items.array(elements).utf8), "\(refused) at \(position), and another")
            }
        }
    }

    @Test func theFirstProblemHasItsPlaceInTheDocument() throws {
        var elements = Array(repeating: #"{"id":1}"#, count: 2000)
        elements[1234] = #"{"id":1,"text":5}"#
        elements[1800] = "nope"
        let text = "[\n\(elements.joined(separator: ",\n"))\n]"
        let problem = #expect(throws: ModelError.self) {
            try Items.adapter().models(from: text, concurrently: 4, partBytes: 64)
        }
        #expect(problem?.description == "expected a string but found the number 5 at /1234/text (1236:16)")
    }

    @Test(.threat(.trailingText)) func documentsThatAreCutShort() throws {
        let adapter = try Items.adapter()
        let bytes = Array(Items.array(Items.elements).utf8)
        for count in sampled(0...bytes.count) {
            adapter.checkThreads(array: Array(bytes.prefix(count)), "\(count) bytes")
        }
    }

    @Test(.threat(.invalidUTF8)) func bytesThatAreNoText() throws {
        let adapter = try Items.adapter()
        let bytes = Array(Items.array(Items.elements).utf8)
        for offset in sampled(bytes.indices) {
            for byte: UInt8 in [0xFF, 0, UInt8(ascii: "\""), UInt8(ascii: "}")] {
                var damaged = bytes
                damaged[offset] = byte
                adapter.checkThreads(array: damaged, "\(byte) at \(offset)", threads: [3])
            }
        }
    }

    @Test(.threat(.hugeInput)) func theValuesOfAllPartsCountForTheLimit() throws {
        let elements = (0..<20).map { #"{"id":\#($0),"value":[1,2,{"a":3}]}"# }
        let bytes = Array(Items.array(elements).utf8)
        // The array, and for each element: the object, its two members, three elements and a member of those.
        let count = 1 + 20 * 7
        for limit in [0, 1, 2, count / 2, count - 1, count, count + 1, .max] {
            let adapter = try Items.adapter { $0.reading.maximumValues = limit }
            adapter.checkThreads(array: bytes, "at most \(limit) values")
            #expect(adapter.outcome(ofWholeArray: bytes).problems.isEmpty == (limit >= count))
        }
    }

    @Test func theOtherLimitsHoldInEveryPart() throws {
        for (name, text) in Items.documents {
            let bytes = Array(text.utf8)
            for limit in 0...5 {
                try Items.adapter { $0.reading.maximumDepth = limit }
                    .checkThreads(array: bytes, "\(name), depth \(limit)", threads: [3])
            }
            for limit in [0, bytes.count - 1, bytes.count] {
                try Items.adapter { $0.reading.maximumDocumentBytes = limit }
                    .checkThreads(array: bytes, "\(name), \(limit) bytes", threads: [3])
            }
            try Items.adapter { $0.reading.maximumNameBytes = 2 }.checkThreads(
                array: bytes, "short names", threads: [3])
            try Items.adapter { $0.reading.byteOrderMark = .error }.checkThreads(array: bytes, "no mark", threads: [3])
        }
    }

    @Test func policiesHoldInEveryPart() throws {
        let changes: [(inout JSONAdapterOptions) -> Void] = [
            { $0.reading.duplicateMembers = .error }, { $0.reading.duplicateMembers = .firstWins },
            { $0.unknownMembers = .keep }, { $0.unknownMembers = .refuse }, { $0.leniency = .emptyTextAsNull },
        ]
        for (number, change) in changes.enumerated() {
            let adapter = try Items.adapter(change)
            for (name, text) in Items.documents {
                adapter.checkThreads(array: Array(text.utf8), "\(name), change \(number)", threads: [3])
            }
        }
    }

    /// Texts are made of pieces, and then damaged, so that most are read wrong in one way or another.
    @Test func randomDocuments() throws {
        var numbers = SeededGenerator(seed: 20)
        let adapters = try [
            Items.adapter(), Items.adapter { $0.elements = .skip },
            Items.adapter { $0.reading.maximumValues = 40 },
        ]
        for round in 0..<300 {
            let count = Int.random(in: 0..<24, using: &numbers)
            let elements = (0..<count).compactMap { _ in Items.elements.randomElement(using: &numbers) }
            var bytes = Array("[\(elements.joined(separator: round % 2 == 0 ? "," : "\n,  "))]".utf8)
            for _ in 0..<round % 3 {
                let offset = Int.random(in: 0..<bytes.count, using: &numbers)
                if round % 5 == 0 { bytes.remove(at: offset) } else { bytes.insert(bytes[offset], at: bytes.count / 2) }
                if bytes.isEmpty { break }
            }
            for adapter in adapters { adapter.checkThreads(array: bytes, "\(round)", threads: [4]) }
        }
    }

    @Test(arguments: [("events", "Event"), ("issues", "Issue")])
    func samplesWithClusters(name: String, schema: String) throws {
        let registry = try GitHub.registry()
        let adapter = try JSONAdapter(schema: registry.schema(named: schema), registry: registry)
        let bytes = [UInt8](try GitHub.sample(name))
        let expected = adapter.outcome(ofWholeArray: bytes)
        #expect(!expected.models.isEmpty)
        for partBytes in [50, 1000, 10_000] {
            #expect(adapter.outcome(ofArray: bytes, concurrently: 4, partBytes: partBytes) == expected)
        }
    }

    @Test func profilesAreThoseOfTheAdapter() throws {
        var schema = ModelSchema("Plain", ["id": .integer.required])
        schema.profiles = [ModelSchema.Profile("short", ["id": .path("n")])]
        let registry = try SchemaRegistry.of(schema)
        let adapter = try JSONAdapter(schema: schema, profile: "short", registry: registry)
        let text = Items.array((0..<50).map { #"{"n":\#($0)}"# })
        let models = try adapter.models(from: text, concurrently: 3, partBytes: 16)
        #expect(models.map { $0.value("id") } == Array(0..<50))
    }

    @Test func everyInputIsDecoded() throws {
        let adapter = try Items.adapter()
        let text = Items.array(Items.elements)
        let expected = try adapter.models(from: text).map { picture(of: $0) }
        let tree = try JSONValue(parsing: Array(text.utf8))
        let dictionaries = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [Any])
        #expect(
            try adapter.models(from: Data(text.utf8), concurrently: 2, partBytes: 16).map { picture(of: $0) }
                == expected)
        #expect(try adapter.models(from: text, concurrently: 2, partBytes: 16).map { picture(of: $0) } == expected)
        #expect(try adapter.models(from: tree, concurrently: 2, partBytes: 16).map { picture(of: $0) } == expected)
        #expect(
            try adapter.models(from: dictionaries, concurrently: 2, partBytes: 16).map { picture(of: $0) } == expected)
        for threads in [Int.min, 0, 1, .max] {
            #expect(try adapter.models(from: text, concurrently: threads, partBytes: 16).count == expected.count)
        }
    }
}
