import Foundation
import TestSupport
import Testing

/// However a document is made, it takes at most eight times its size, and 64 MB, of memory.
@Suite(.threat(.memoryBlowUp)) struct MemoryTests {
    /// Documents of some megabytes, whose values take many times their text in a tree of boxes.
    enum Document: String, CaseIterable, Sendable {
        case emptyObjects, emptyArrays, zeros, names, models, texts

        func bytes(_ count: Int) -> [UInt8] {
            let elements =
                switch self {
                case .emptyObjects: Array(repeating: "{}", count: count)
                case .emptyArrays: Array(repeating: "[]", count: count)
                case .zeros: Array(repeating: "0", count: count)
                case .names: (0..<count).map { "{\"\($0)\":0}" }
                case .models: (0..<count).map { "{\"id\":\($0)}" }
                case .texts: (0..<count).map { "\"\($0)\"" }
                }
            let list = "[\(elements.joined(separator: ","))]"
            return Array((self == .models ? list : "{\"id\":1,\"unknown\":\(list)}").utf8)
        }
    }

    /// Of data, which is what programs ask for; code and files that are mapped do not count.
    private func decode(_ document: [UInt8], _ more: String, kilobytes: Int) async throws -> ToolRun {
        try await NoteSchema().runShell(
            "ulimit -d \(kilobytes) && exec \"$0\" \"$@\" \(more)", "decode", "-", input: document)
    }

    @Test(
        .needs("/proc/self/status", if: FileManager.default.fileExists(atPath: "/proc/self/status")),
        arguments: Document.allCases)
    func aDocumentTakesAtMostEightTimesItsSize(document: Document) async throws {
        let bytes = document.bytes(sampled(0..<500_000).count)
        let limit = 64_000 + 8 * bytes.count / 1000
        // A sanitizer reserves more than that by itself.
        guard try await decode(Array(#"{"id":1}"#.utf8), "", kilobytes: 64_000).status == 0 else { return }
        let run = try await decode(bytes, "--unknown keep", kilobytes: limit)
        #expect(run.status == 0, "\(limit) kB: \(run.errors.prefix(300))")
    }

    /// Each member would be kept in 56 bytes, and twice that while the memory for them grows.
    @Test(.needs("/proc/self/status", if: FileManager.default.fileExists(atPath: "/proc/self/status")))
    func aNameThatComesAMillionTimesIsKeptOnce() async throws {
        guard try await decode(Array(#"{"id":1}"#.utf8), "", kilobytes: 64_000).status == 0 else { return }
        let members = String(repeating: #""a":0,"#, count: 1_000_000)
        let run = try await decode(
            Array(#"{"id":1,"unknown":{\#(members)"a":1}}"#.utf8), "--unknown keep", kilobytes: 64_000)
        #expect(run.status == 0, "\(run.errors.prefix(300))")
    }

    @Test(.needs("/proc/self/status", if: FileManager.default.fileExists(atPath: "/proc/self/status")))
    func theLimitIsFelt() async throws {
        // Twice the room of a long text is not enough to read and write it.
        let text = Array(#"{"id":1,"text":"\#(String(repeating: "x", count: 40_000_000))"}"#.utf8)
        #expect(try await decode(text, "", kilobytes: 64_000).status != 0)
    }
}
