import Foundation
import Pallium
import PalliumStore

/// Programs that write a store and are killed at any moment: two with two threads each, and now and then one that upgrades.
enum StoreKillCheck {
    /// How many programs write, and with how many threads each.
    private static let (programs, threads) = (2, 2)

    /// One of the two rows that a transaction writes. It refers to the other one and to itself in turn, so that links change.
    private static let half = ModelSchema(
        "Half",
        [
            "writer": .integer.required, "side": .integer.required, "number": .integer.indexed(),
            "text": .string, "title": .string.indexed(.caseInsensitive),
            "others": .array(of: .model("Half")).indexed().deleteRule(.nullify),
        ], identity: ["writer", "side"])

    static func run(_ arguments: Arguments, _ tally: inout Tally) throws {
        guard let text = arguments.operands.first, let count = Int(text), count > 0 else {
            throw Arguments.Mistake(description: "how many kills?")
        }
        if arguments.operands.count == 3 {
            let file = URL(fileURLWithPath: arguments.operands[1])
            if let way = StoreUpgradeKill.Way(rawValue: arguments.operands[2]) {
                return try StoreUpgradeKill.upgrade(file, way)
            }
            return saveForEver(file, Int(arguments.operands[2]) ?? 0)
        }
        let folder = try StoreFolder()
        let registry = SchemaRegistry()
        try registry.register(half)
        let upgrade = try StoreUpgradeKill(folder)
        var (transactions, upgrades) = (0, 0)
        for number in 1...count {
            if number % 10 == 0 {
                upgrades += 1
                try upgrade.killAndCheck(number, &tally)
                continue
            }
            let running = try (0..<programs).map { try KilledProgram(folder.file("store"), "\($0 * threads)") }
            usleep(UInt32.random(in: 20_000...200_000))
            let acknowledged = running.reduce(into: [Int: Int]()) { numbers, program in
                for line in program.end() {
                    let words = line.split(separator: " ").compactMap { Int($0) }
                    if words.count == 2 { numbers[words[0]] = words[1] }
                }
            }
            transactions += acknowledged.values.reduce(0, +)
            do {
                let store = try ModelStore(at: folder.file("store"), registry: registry)
                try check(store, acknowledged, "kill \(number)", &tally)
                try store.delete(ModelQuery(schema: half))
            } catch { tally.fail("kill \(number): \(error)") }
        }
        print(
            "\(count) kills: of \(programs) programs with \(threads) writers each, with \(transactions) transactions that",
            "they knew to be saved, and \(upgrades) of an upgrade")
    }

    private static func check(
        _ store: ModelStore, _ acknowledged: [Int: Int], _ name: String, _ tally: inout Tally
    ) throws {
        let rows = try store.fetch(ModelQuery(schema: half))
        for writer in 0..<programs * threads {
            let numbers = rows.filter { $0["writer", as: Int.self] == writer }
                .map { $0["number", as: Int.self] ?? -1 }
            let isWhole = numbers.isEmpty || numbers.count == 2 && numbers[0] == numbers[1]
            tally.check(isWhole, "\(name): half of a transaction: \(numbers)")
            let saved = acknowledged[writer] ?? 0
            tally.check(numbers.first ?? 0 >= saved, "\(name): \(saved) was saved, but there is \(numbers)")
            guard isWhole, let number = numbers.first else { continue }
            for condition in [
                Key("title").caseInsensitive == "Half \(number)", Key("others").any(Key("number") == number),
            ] {
                let found = try store.count(ModelQuery(schema: half, where: Key("writer") == writer && condition))
                tally.check(found == 2, "\(name): \(found) of two rows are found by what repeats their documents")
            }
        }
        let problems = try store.integrityCheck()
        tally.check(problems.isEmpty, "\(name): \(problems)")
    }

    /// Saves with several threads until the program is killed, and prints each number that is saved.
    private static func saveForEver(_ file: URL, _ first: Int) {
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            do {
                let registry = SchemaRegistry()
                try registry.register(half)
                let store = try ModelStore(at: file, registry: registry)
                let writer = first + thread
                for number in 1... {
                    let halves = try (0..<2).map { side in
                        let other = try DynamicModel(
                            schema: half, values: ["writer": writer, "side": (side + number) % 2], registry: registry)
                        return try DynamicModel(
                            schema: half,
                            values: [
                                "writer": writer, "side": side, "number": number,
                                "text": String(repeating: "x", count: number % 3000), "others": [other],
                                "title": number % 2 == 0 ? "half \(number)" : "HALF \(number)",
                            ], registry: registry)
                    }
                    try store.save(halves)
                    FileHandle.standardOutput.write(Data("\(writer) \(number)\n".utf8))
                }
            } catch { FileHandle.standardError.write(Data("\(error)\n".utf8)) }
        }
    }
}

/// A folder that is gone with the object.
final class StoreFolder {
    private let url = FileManager.default.temporaryDirectory
        .appendingPathComponent("pallium-stores-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    /// Removes a store and what SQLite keeps beside it.
    func remove(_ name: String) {
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(at: file(name + end)) }
    }
}

/// This program once more, at work on a store until it is killed.
struct KilledProgram {
    private let process = Process()
    private let output = Pipe()

    init(_ file: URL, _ work: String) throws {
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = [Mode.stores.rawValue, "1", file.path, work]
        process.standardOutput = output
        try process.run()
    }

    /// Kills the program and returns the lines that it printed.
    func end() -> [Substring] {
        kill(process.processIdentifier, SIGKILL)
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        // The last line may be cut off.
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    }
}
