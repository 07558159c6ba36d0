import Foundation
import Pallium

/// Archives of generated graphs: they come back, and damaged they are errors.
enum ArchiveCheck {
    /// How many archives, and how many models in each.
    private static let (archives, models) = (20, 36)

    static func run(_ arguments: Arguments, _ tally: inout Tally) throws {
        try checkRule(&tally)
        var total = 0
        var (flips, cuts, forged) = (0, 0, 0)
        for number in 0..<Self.archives {
            let graph = try GeneratedGraph(seed: arguments.seed + UInt64(number), count: models)
            defer { graph.release() }
            let unarchiver = ModelUnarchiver(registry: graph.registry)
            func open(_ bytes: [UInt8]) throws -> [DynamicModel] {
                try unarchiver.unarchive(arrayOf: GeneratedGraph.schema, from: bytes)
            }
            var bytes = [UInt8](try ModelArchiver().archive(graph.models))
            total += bytes.count

            let back = try open(bytes)
            tally.check(back == graph.models, "archive \(number): the models that came back differ")
            // States and shape of the graph too: numbers are given in the order of meeting.
            tally.check(
                try [UInt8](ModelArchiver().archive(back)) == bytes, "archive \(number): differs when archived again")
            release(back)

            func isRefused(_ bytes: [UInt8]) -> Bool {
                do { release(try open(bytes)) } catch { return true }
                return false
            }
            for position in bytes.indices {
                for bit in 0..<8 {
                    bytes[position] ^= 1 << bit
                    tally.check(isRefused(bytes), "archive \(number): bit \(bit) of byte \(position) flipped")
                    flips += 1
                    if arguments.has("--forged"), position >= 56 {
                        var repaired = bytes
                        ArchiveHeader.repairChecksums(of: &repaired)
                        // Any answer will do, as long as there is one.
                        _ = isRefused(repaired)
                        forged += 1
                    }
                    bytes[position] ^= 1 << bit
                }
                tally.check(isRefused(Array(bytes[..<position])), "archive \(number): cut to \(position) bytes")
                cuts += 1
            }
        }
        print(
            "\(Self.archives) archives, \(total) bytes: \(flips) flipped bits, \(cuts) truncations, \(forged) forgeries"
        )
    }

    private final class Refusing: DynamicModel {
        struct Refusal: Error {}
        override func validateModel() throws { throw Refusal() }
    }

    /// The metadata of a class tells whether it has a rule. Optimised builds make it in other ways.
    private static func checkRule(_ tally: inout Tally) throws {
        let registry = SchemaRegistry()
        try registry.register(ModelSchema(Refusing.self, ["text": .string]))
        var isRefused = false
        do { _ = try ModelArchiver().archive(Refusing(registry: registry)) } catch { isRefused = true }
        tally.check(isRefused, "the rule of a class was not asked")
    }

    private static func release(_ models: [DynamicModel]) {
        var pending = models
        var seen: Set<ObjectIdentifier> = []
        while let model = pending.popLast() {
            guard seen.insert(ObjectIdentifier(model)).inserted else { continue }
            if let next = model["next", as: DynamicModel.self] { pending.append(next) }
            pending += (model["list", as: [DynamicModel?].self] ?? []).compactMap { $0 }
            pending += (model["links", as: [String: DynamicModel].self] ?? [:]).values
            for key in ["next", "list", "links"] { try? model.unset(key) }
        }
    }
}
