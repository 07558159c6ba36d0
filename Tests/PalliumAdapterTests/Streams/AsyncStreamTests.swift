import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Streams whose chunks arrive over time.
struct AsyncStreamTests {
    private func adapter() throws -> JSONAdapter<DynamicModel> { try Plain.adapter(["id": .integer.required]).adapter }

    @Test func modelsComeFromLinesAndArrays() async throws {
        let adapter = try adapter()
        let (lines, feed) = AsyncStream.makeStream(of: [UInt8].self)
        for byte in "{\"id\":1}\n{\"id\":2}\n".utf8 { feed.yield([byte]) }
        feed.finish()
        var ids: [Int?] = []
        for try await model in adapter.models(fromLines: lines) { ids.append(model.value("id")) }
        let (array, elements) = AsyncStream.makeStream(of: Data.self)
        for byte in "[{\"id\":3},{\"id\":4}]".utf8 { elements.yield(Data([byte])) }
        elements.finish()
        for try await model in adapter.models(fromArray: array) { ids.append(model.value("id")) }
        #expect(ids == [1, 2, 3, 4])
    }

    @Test func aModelIsHandedOutBeforeTheNextChunkArrives() async throws {
        let (lines, feed) = AsyncStream.makeStream(of: [UInt8].self)
        var models = try adapter().models(fromLines: lines).makeAsyncIterator()
        for id in 1...3 {
            feed.yield(Array("{\"id\":\(id)}\n{\"id".utf8))
            let model = try #require(try await models.next())
            #expect(model.value("id") == id)
            feed.yield(Array("\":0}\n".utf8))
            _ = try await models.next()
        }
    }

    @Test func reportsGoOnBehindProblems() async throws {
        let (lines, feed) = AsyncStream.makeStream(of: [UInt8].self)
        feed.yield(Array("{\"id\":1}\n{\"id\":true}\n{\"id\n{\"id\":4}".utf8))
        feed.finish()
        var problems: [Int] = []
        for try await report in try adapter().models(fromLines: lines).reports {
            problems.append(report.problems.count)
        }
        #expect(problems == [0, 1, 1, 0])
        let (array, elements) = AsyncStream.makeStream(of: [UInt8].self)
        elements.yield(Array("[{\"id\":true},{\"id\":5}]".utf8))
        elements.finish()
        problems = []
        for try await report in try adapter().models(fromArray: array).reports {
            problems.append(report.problems.count)
        }
        #expect(problems == [1, 0])
    }

    @Test func aCancelledTaskGetsNoFurtherModel() async throws {
        let adapter = try adapter()
        let (lines, feed) = AsyncStream.makeStream(of: [UInt8].self)
        feed.yield(Array("{\"id\":1}\n{\"id\":2}\n".utf8))
        let task = Task {
            var models = adapter.models(fromLines: lines).makeAsyncIterator()
            let first: Int? = try await models.next()?.value("id")
            withUnsafeCurrentTask { $0?.cancel() }
            await #expect(throws: CancellationError.self) { _ = try await models.next() }
            return first
        }
        #expect(try await task.value == 1)
    }

    @Test func whatTheChunksThrowEndsTheStream() async throws {
        struct Lost: Error {}
        let chunks = AsyncThrowingStream<[UInt8], any Error> { feed in
            feed.yield(Array("[{\"id\":1},{\"id\"".utf8))
            feed.finish(throwing: Lost())
        }
        var models = try adapter().models(fromArray: chunks).makeAsyncIterator()
        #expect(try await models.next() != nil)
        await #expect(throws: Lost.self) { _ = try await models.next() }
        #expect(try await models.next() == nil)
    }

    @Test func streamsWithSendableChunksCanBeSentAway() throws {
        let (lines, _) = AsyncStream.makeStream(of: [UInt8].self)
        let stream: any Sendable = try adapter().models(fromLines: lines)
        #expect(stream is AsyncModelStream<DynamicModel, AsyncStream<[UInt8]>>)
    }
}
