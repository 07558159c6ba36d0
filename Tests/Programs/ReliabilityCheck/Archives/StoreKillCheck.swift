import Foundation
import Pallium
import PalliumStore

/// Two programs that write one store and are killed at any moment.
enum StoreKillCheck {
    /// One of the two rows that a transaction writes.
    private static let schema = ModelSchema(
        "Half",
        [
            "writer": .integer.required, "side": .integer.required, "number": .integer.required.indexed(),
            "text": .string,
        ], identity: ["writer", "side"])

    static func run(_ arguments: Arguments, _ tally: inout Tally) throws {
        let registry = SchemaRegistry()
        try registry.register(schema)
        guard let text = arguments.operands.first, let count = Int(text), count > 0 else {
            throw Arguments.Mistake(description: "how many kills?")
        }
        if arguments.operands.count == 3, let writer = Int(arguments.operands[2]) {
            return try saveForEver(URL(fileURLWithPath: arguments.operands[1]), writer, registry)
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "pallium-stores-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("store")
        var transactions = 0
        for number in 1...count {
            let writers = try (0..<2).map { try Writer(file, $0) }
            usleep(UInt32.random(in: 20_000...200_000))
            let acknowledged = writers.map { $0.end() }
            transactions += acknowledged.reduce(0, +)
            do {
                let store = try ModelStore(at: file, registry: registry)
                let rows = try store.fetch(ModelQuery(schema: schema))
                for writer in 0..<2 {
                    let numbers = rows.filter { $0["writer", as: Int.self] == writer }
                        .map { $0["number", as: Int.self] ?? -1 }
                    let isWhole = numbers.isEmpty || numbers.count == 2 && numbers[0] == numbers[1]
                    tally.check(isWhole, "kill \(number): half of a transaction: \(numbers)")
                    tally.check(
                        numbers.first ?? 0 >= acknowledged[writer],
                        "kill \(number): \(acknowledged[writer]) was saved, but there is \(numbers)")
                    for value in numbers.prefix(1) {
                        let found = try store.count(
                            ModelQuery(schema: schema, where: Key("number") == value && Key("writer") == writer))
                        tally.check(found == 2, "kill \(number): the index has \(found) rows of two")
                    }
                }
                try store.delete(ModelQuery(schema: schema))
            } catch { tally.fail("kill \(number): \(error)") }
        }
        print("\(count) kills of two writers, \(transactions) transactions that they knew to be saved")
    }

    /// A program that saves until it is killed, and tells each number that is saved.
    private struct Writer {
        private let process = Process()
        private let output = Pipe()

        init(_ file: URL, _ number: Int) throws {
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            process.arguments = [Mode.stores.rawValue, "1", file.path, "\(number)"]
            process.standardOutput = output
            try process.run()
        }

        /// Kills the program and returns the last number that it told.
        func end() -> Int {
            kill(process.processIdentifier, SIGKILL)
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            // The last line may be cut off.
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            return lines.last.flatMap { Int($0) } ?? 0
        }
    }

    private static func saveForEver(_ file: URL, _ writer: Int, _ registry: SchemaRegistry) throws {
        let store = try ModelStore(at: file, registry: registry)
        for number in 1... {
            let halves = try (0..<2).map { side in
                try DynamicModel(
                    schema: schema,
                    values: [
                        "writer": writer, "side": side, "number": number,
                        "text": String(repeating: "x", count: number % 3000),
                    ], registry: registry)
            }
            try store.save(halves)
            FileHandle.standardOutput.write(Data("\(number)\n".utf8))
        }
    }
}
