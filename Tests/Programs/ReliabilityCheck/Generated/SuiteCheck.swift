import Foundation
import Pallium

/// JSONTestSuite's parsing documents.
enum SuiteCheck {
    static func run(_ arguments: Arguments, _ tally: inout Tally) throws {
        guard let folder = arguments.operands.first else { throw Arguments.Mistake(description: "which folder?") }
        let typed = try Holder(.jsonValue)
        let skipping = try Holder(.jsonValue.json("other"))
        var accepted: [Character: Int] = [:]
        var counts: [Character: Int] = [:]
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw CaseFile.Problem(description: "\(folder): cannot be read")
        }
        for name in names.sorted() where name.hasSuffix(".json") {
            guard let kind = name.first, "yni".contains(kind) else { continue }
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder).appendingPathComponent(name)))
            counts[kind, default: 0] += 1
            var verdicts = ["untyped": verdict(name, bytes, &tally) { _ = try JSONValue(parsing: bytes) }]
            if arguments.has("--all-paths") {
                // A byte order mark may stand at the beginning only.
                let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
                let document = Holder.document(isMarked ? Array(bytes.dropFirst(3)) : bytes)
                verdicts["typed"] = verdict(name, document, &tally) { _ = try typed.adapter.model(from: document) }
                let array = [0x5B] + document + [0x5D]
                verdicts["one byte at a time"] = verdict(name, array, &tally) {
                    var stream = typed.adapter.models(fromArray: array.map { [$0] })
                    while try stream.next() != nil {}
                }
                verdicts["skipped"] = verdict(name, document, &tally) { _ = try skipping.adapter.model(from: document) }
            }
            if verdicts["untyped"] == true { accepted[kind, default: 0] += 1 }
            for (path, verdict) in verdicts.sorted(by: { $0.key < $1.key }) where kind != "i" {
                tally.check(verdict == (kind == "y"), "\(name), \(path): \(verdict ? "accepted" : "refused")")
            }
            tally.check(Set(verdicts.values).count == 1, "\(name): the paths disagree: \(verdicts)")
        }
        for kind in "yni" { print("\(kind)_: \(accepted[kind, default: 0]) of \(counts[kind, default: 0]) accepted") }
    }

    private static func verdict(
        _ name: String, _ bytes: [UInt8], _ tally: inout Tally, _ read: () throws -> Void
    ) -> Bool {
        do {
            try read()
            return true
        } catch {
            tally.checkRefusal(error, inputCount: bytes.count, name)
            return false
        }
    }
}
