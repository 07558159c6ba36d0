import Foundation
import Pallium
import TestSupport
import Testing

/// A writer of lines writes what the adapter writes for each model, without indentation, and a line feed.
struct LinesWriterTests {
    private static let changes: [@Sendable (inout JSONAdapterOptions) -> Void] = [
        { _ in }, { $0.writing.sortsKeys = true }, { $0.writing.escapesSlashes = true }, { $0.writing.isPretty = true },
        { $0.unknownMembers = .keep },
        {
            $0.writing.sortsKeys = true
            $0.writing.isPretty = true
            $0.writing.escapesSlashes = true
        },
    ]

    private static let texts =
        Items.elements + [
            #"{"text":"a/b\u2028\u0000\n\\\"","id":7,"value":{"z":[1,{}],"a":[],"/":null},"other":[1,2]}"#,
            #"{"id":8,"value":"\n","items":[{"id":1,"text":"/"},{"id":2,"items":[]}]}"#,
        ]

    /// What the adapter writes of all texts, as a line each and as lines of some arrays.
    private func expected(
        _ change: (inout JSONAdapterOptions) -> Void, only: PropertySelection? = nil
    ) throws -> [Data] {
        let adapter = try Items.adapter {
            change(&$0)
            $0.writing.isPretty = false
        }
        let models = try Self.texts.map { try adapter.model(from: $0) }
        return try models.map { try adapter.data(from: $0, only: only) + Data("\n".utf8) }
            + [[], [models[0]], models].map { try adapter.data(from: $0, only: only) + Data("\n".utf8) }
    }

    /// What the writer writes of the same.
    private func written(
        _ change: (inout JSONAdapterOptions) -> Void, only: PropertySelection? = nil
    ) throws -> [Data] {
        let adapter = try Items.adapter(change)
        let models = try Self.texts.map { try adapter.model(from: $0) }
        var lines = JSONLinesWriter(try only.map { try adapter.projected(to: $0) } ?? adapter)
        var written: [Data] = []
        for model in models {
            try lines.append(model)
            written.append(lines.takeData())
        }
        for array in [[], [models[0]], models] {
            try lines.append(array)
            written.append(lines.takeData())
        }
        // All of them together are the same.
        for model in models { try lines.append(model) }
        for array in [[], [models[0]], models] { try lines.append(array) }
        #expect(lines.byteCount == written.map(\.count).reduce(0, +))
        #expect(lines.takeData() == written.reduce(Data(), +))
        #expect(lines.byteCount == 0 && lines.takeData().isEmpty)
        return written
    }

    @Test func eachLineIsWhatTheAdapterWrites() throws {
        for (number, change) in Self.changes.enumerated() {
            let lines = try written(change)
            #expect(try lines == expected(change), "change \(number)")
            #expect(lines.allSatisfy { $0.firstIndex(of: UInt8(ascii: "\n")) == $0.endIndex - 1 })
        }
    }

    @Test func aSelectionHoldsForEveryLine() throws {
        let selections: [PropertySelection] = [["id"], ["text", "items.id"], [], ["id", "items"]]
        for (number, selection) in selections.enumerated() {
            for change in Self.changes {
                #expect(
                    try written(change, only: selection) == expected(change, only: selection), "selection \(number)")
            }
        }
    }

    /// The model is refused when a part of it has been written.
    @Test(.threat(.cycles)) func aModelThatCannotBeWrittenLeavesTheLinesAsTheyWere() throws {
        let adapter = try Items.adapter()
        let good = try adapter.model(from: Items.elements[8])
        let line = try adapter.data(from: good) + Data("\n".utf8)
        let loop = try adapter.model(from: #"{"id":1,"text":"a text before the items"}"#)
        try loop.setValue([good, loop], forKey: "items")
        defer { try? loop.unset("items") }
        let expected = #expect(throws: ModelError.self) { try adapter.data(from: loop) }
        let expectedOfMany = #expect(throws: ModelError.self) { try adapter.data(from: [good, loop]) }
        #expect(expected?.code == .cycle && expectedOfMany?.code == .cycle)
        var lines = JSONLinesWriter(adapter)
        // A closure cannot have a part in what cannot be copied.
        for round in 0..<4 {
            let count = lines.byteCount
            do throws(ModelError) {
                try lines.append(loop)
                Issue.record("a cycle was written")
            } catch { #expect(error == expected) }
            #expect(lines.byteCount == count)
            do throws(ModelError) {
                try lines.append([good, loop])
                Issue.record("a cycle was written")
            } catch { #expect(error == expectedOfMany) }
            #expect(lines.byteCount == count)
            if round != 1 { try lines.append(good) }
            if round == 2 { #expect(lines.takeData() == line + line) }
        }
        #expect(lines.takeData() == line)
    }

    @Test func manyLinesAreKeptUntilTheyAreTaken() throws {
        let adapter = try Items.adapter()
        let model = try adapter.model(from: Items.elements[8])
        let line = try adapter.data(from: model) + Data("\n".utf8)
        var lines = JSONLinesWriter(adapter)
        for count in [3000, 1, 5000] {
            for _ in 0..<count { try lines.append(model) }
            #expect(lines.byteCount == line.count * count)
            let data = lines.takeData()
            #expect(data.count == line.count * count && data.prefix(line.count) == line)
            #expect(data.suffix(line.count) == line)
        }
    }
}
