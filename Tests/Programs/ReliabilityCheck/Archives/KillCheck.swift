import Foundation
import Pallium

/// Saves that are killed at moments all over their duration.
enum KillCheck {
    /// What a save writes: a number, many times.
    private static let schema = ModelSchema("Saved", ["number": .integer, "numbers": .array(of: .integer)])
    private static let length = 20_000

    static func run(_ arguments: Arguments, _ tally: inout Tally) throws {
        let registry = SchemaRegistry()
        try registry.register(schema)
        if let path = arguments.operands.dropFirst().first { return try saveForEver(path, registry) }
        guard let text = arguments.operands.first, let count = Int(text), count > 0 else {
            throw Arguments.Mistake(description: "how many kills?")
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pallium-kills-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("saved")
        try ModelArchiver().write(model(0, registry), to: file)
        var leftovers = 0
        for number in 1...count {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            process.arguments = [Mode.kills.rawValue, "1", file.path]
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            usleep(UInt32.random(in: 2_000...40_000))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            do {
                let saved = try ModelUnarchiver(registry: registry).unarchive(arrayOf: schema, from: file)[0]
                let value = saved["number", as: Int.self] ?? -1
                let numbers = saved["numbers", as: [Int].self] ?? []
                tally.check(
                    numbers.count == length && numbers.allSatisfy { $0 == value }, "kill \(number): a mixture of saves")
            } catch { tally.fail("kill \(number): \(error)") }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            leftovers += names.count - 1
            tally.check(names.count <= 2, "kill \(number): \(names.count) files, of one writer at a time")
        }
        try ModelArchiver().write(model(0, registry), to: file)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        tally.check(names == ["saved"], "after the last save there are \(names)")
        print("\(count) kills, \(leftovers) of them between the beginning and the end of a save")
    }

    private static func model(_ number: Int, _ registry: SchemaRegistry) throws -> DynamicModel {
        try DynamicModel(
            schema: schema, values: ["number": number, "numbers": Array(repeating: number, count: length)],
            registry: registry)
    }

    private static func saveForEver(_ path: String, _ registry: SchemaRegistry) throws {
        let file = URL(fileURLWithPath: path)
        for number in 1... { try ModelArchiver().write(model(number, registry), to: file) }
    }
}
