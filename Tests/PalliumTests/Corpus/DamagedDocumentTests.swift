import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Real documents that were cut off or changed on the way: a located error or models, never anything else.
struct DamagedDocumentTests {
    private func document() throws -> [UInt8] { [UInt8](try GitHub.sample("issues")) }

    @Test func everyBeginningOfADocumentIsRefusedWithItsPlace() throws {
        let adapter = try GitHub.adapter("Issue")
        let bytes = try document()
        let end = try #require(bytes.lastIndex(of: UInt8(ascii: "]")))
        for length in 0...end {
            let error = #expect(throws: ModelError.self) { try adapter.models(from: Array(bytes[..<length])) }
            #expect(error?.category == .malformedInput, "cut off after \(length) bytes")
            #expect(error?.location.map { $0.byteOffset <= length } == true, "cut off after \(length) bytes")
        }
    }

    @Test(.trials) func changedBytesGiveModelsOrALocatedErrorOnEveryWay() throws {
        let adapter = try GitHub.adapter("Issue")
        let bytes = try document()
        let trials = Trials(60)
        var refused = 0
        for seed in trials {
            var random = SeededGenerator(seed: seed)
            var changed = bytes
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            do throws(ModelError) {
                _ = try adapter.models(from: changed)
                #expect(adapter.report(from: changed).problems.isEmpty)
            } catch {
                refused += 1
                #expect(error.location != nil && error.description.utf8.count < 1024)
                #expect(!adapter.report(from: changed).problems.isEmpty)
            }
        }
        #expect(refused > trials.count / 10)
    }
}
