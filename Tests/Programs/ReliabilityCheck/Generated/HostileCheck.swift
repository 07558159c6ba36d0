import Foundation
import Pallium

/// Hostile inputs through every entrance: right verdict, linear time, bounded memory.
enum HostileCheck {
    static func run(_ arguments: Arguments, _ tally: inout Tally) throws {
        let entrances = try HostileEntrance.all()
        if let counted = Growth.Counted(arguments) {
            let (index, entrance) = (counted.number - 1).quotientAndRemainder(dividingBy: entrances.count)
            let family = HostileFamily.all[index]
            let document = entrances[entrance].document(family.bytes(family.size * counted.size))
            for _ in 0..<counted.runs { try? entrances[entrance].read(document) }
            return
        }
        for path in arguments.operands { try recipes(CaseFile(path), entrances, &tally) }
        guard arguments.operands.isEmpty || arguments.has("--scaling") || arguments.has("--rss") else { return }
        if arguments.has("--scaling") { Measured.restartKeepingFreedMemory() }
        for (index, family) in HostileFamily.all.enumerated() {
            let bytes = family.bytes(family.size)
            for (number, entrance) in entrances.enumerated() {
                let document = entrance.document(bytes)
                let outcome = Result { try entrance.read(document) }
                if case .failure(let error) = outcome {
                    tally.checkRefusal(error, inputCount: document.count, "\(family.name), \(entrance.name)")
                }
                tally.check(
                    (try? outcome.get()) != nil ? family.isValid : !family.isValid,
                    "\(family.name), \(entrance.name): \(family.isValid ? "refused: \(outcome)" : "accepted")")
                if arguments.has("--scaling") {
                    let large = entrance.document(family.bytes(family.size * 4))
                    let growth = Growth(
                        mode: .hostile, number: index * entrances.count + number + 1,
                        name: "\(family.name), \(entrance.name)")
                    _ = try growth.check(
                        &tally, one: { try? entrance.read(document) }, four: { try? entrance.read(large) })
                }
                if arguments.has("--rss") { memory(family, entrance, document, &tally) }
            }
        }
    }

    private static func recipes(_ file: CaseFile, _ entrances: [HostileEntrance], _ tally: inout Tally) throws {
        for item in file.cases {
            let parts = try item.required("parts", \.arrayValue)
            var bytes: [UInt8] = []
            for part in parts {
                guard let content = part[0]?.stringValue.flatMap({ Hexadecimal.bytes($0) }),
                    let count = part[1]?.intValue,
                    count >= 0, content.count <= max(1, (1 << 30) / max(1, count))
                else {
                    throw CaseFile.Problem(description: "line \(item.line): a part is no pair of hex and repetitions")
                }
                bytes.reserveCapacity(bytes.count + content.count * count)
                for _ in 0..<count { bytes += content }
            }
            let expectation = try item.text("expect")
            let limit = try item.required("maxMillis", \.doubleValue) / 1000
            for entrance in entrances {
                let document = entrance.document(bytes)
                var outcome = Result<Void, any Error>.success(())
                let time = Measured.seconds(runs: 1) { outcome = Result { try entrance.read(document) } }
                let name = "line \(item.line), \(entrance.name)"
                tally.check(time <= limit, "\(name): \(Int(time * 1000)) ms of \(Int(limit * 1000))")
                switch (expectation, outcome) {
                case ("valid", .failure(let error)), ("accept", .failure(let error)): tally.fail("\(name): \(error)")
                case ("invalid", .success), ("refuse", .success), ("reject", .success): tally.fail("\(name): accepted")
                case (_, .failure(let error)): tally.checkRefusal(error, inputCount: document.count, name)
                default: tally.check(true, "")
                }
            }
        }
    }

    private static func memory(
        _ family: HostileFamily, _ entrance: HostileEntrance, _ document: [UInt8], _ tally: inout Tally
    ) {
        Measured.resetPeak()
        let before = Measured.residentBytes
        try? entrance.read(document)
        let growth = Measured.residentBytes - before
        tally.check(
            growth <= document.count * 8 + 64 << 20,
            "\(family.name), \(entrance.name): \(growth) bytes for an input of \(document.count)")
    }
}

/// A way into the library.
struct HostileEntrance {
    let name: String
    /// Where a value stands in the document that the entrance takes.
    let document: ([UInt8]) -> [UInt8]
    let read: ([UInt8]) throws -> Void

    static func all() throws -> [HostileEntrance] {
        var keeping = JSONAdapterOptions()
        keeping.unknownMembers = .keep
        let typed = try Holder(.jsonValue)
        let skipping = try Holder(.jsonValue.json("other"))
        let preserving = try Holder(.jsonValue.json("other"), options: keeping)
        let captured = try Holder(.jsonValue.json(firstOf: ["value", "other"]))
        return [
            HostileEntrance(name: "a tree", document: { $0 }) { _ = try JSONValue(parsing: $0) },
            HostileEntrance(name: "a tree, written", document: { $0 }) { _ = try JSONValue(parsing: $0).bytes() },
            HostileEntrance(name: "a tree, compared", document: { $0 }) {
                let value = try JSONValue(parsing: $0)
                var hasher = Hasher()
                value.hash(into: &hasher)
                guard try JSONValue(parsing: $0) == value else { throw CaseFile.Problem(description: "unequal") }
            },
            HostileEntrance(name: "a property", document: Holder.document) {
                let model = try typed.adapter.model(from: $0)
                _ = try typed.adapter.data(from: model)
                _ = model.hash(into:)
                _ = "\(model)"
            },
            HostileEntrance(name: "a skipped member", document: Holder.document) {
                _ = try skipping.adapter.model(from: $0)
            },
            HostileEntrance(name: "a kept member", document: Holder.document) {
                _ = try preserving.adapter.data(from: preserving.adapter.model(from: $0))
            },
            HostileEntrance(name: "a captured member", document: Holder.document) {
                _ = try captured.adapter.model(from: $0)
            },
            HostileEntrance(name: "a report", document: Holder.document) {
                if let problem = typed.adapter.report(from: $0).problems.first { throw problem }
            },
            HostileEntrance(name: "a line in chunks", document: line) {
                var models = typed.adapter.models(fromLines: chunks($0))
                while try models.next() != nil {}
            },
            HostileEntrance(name: "a line in chunks, in blocks", document: line) {
                _ = try typed.adapter.map(lines: chunks($0), concurrently: 1) { _ in true }
            },
        ]
    }

    private static func line(_ value: [UInt8]) -> [UInt8] {
        Holder.document(value).map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }
    }

    /// The bytes in chunks that are small against every input.
    private static func chunks(_ bytes: [UInt8]) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: 64).map { Array(bytes[$0..<min($0 + 64, bytes.count)]) }
    }
}
