import Foundation

/// A work that must grow as its input does, by a number that the mode gives it.
struct Growth {
    /// How many times as much four times the input may take: an exponent of 1.1, and what caches add.
    static let limit = 4.8

    let mode: Mode
    /// Which work of the mode it is, from 1.
    let number: Int
    let name: String

    /// Checks what four times the input takes. The time decides where it is in proportion. Where it is not, other programs
    /// may have taken the caches, so the instructions are counted, which nothing else changes.
    func check(
        _ tally: inout Tally, one: () throws -> Void, four: () throws -> Void
    ) throws -> (ratio: Double, times: (one: Double, four: Double)) {
        let result = try Measured.growth(until: Self.limit, one: one, four: four)
        let ratio = result.ratio <= Self.limit ? result.ratio : try instructionGrowth() ?? result.ratio
        tally.check(
            ratio <= Self.limit,
            "\(name): four times the input takes \(result.ratio) times as long (\(result.times) s), \(ratio) times counted"
        )
        return result
    }

    /// How many times as many instructions four times the input takes; nil where there is no valgrind that can run this
    /// program, which it cannot with the debug information of C.
    private func instructionGrowth() throws -> Double? {
        // Start-up, and what is done once, are in the count of one run and of three.
        guard let one = try instructionCount(size: 1, runs: 1), let oneThrice = try instructionCount(size: 1, runs: 3),
            let four = try instructionCount(size: 4, runs: 1), let fourThrice = try instructionCount(size: 4, runs: 3)
        else { return nil }
        return Double(fourThrice - four) / Double(oneThrice - one)
    }

    private func instructionCount(size: Int, runs: Int) throws -> Int? {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
            + [CommandLine.arguments[0], mode.rawValue]
            + ["--work", "\(number)", "--size", "\(size)", "--runs", "\(runs)"]
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0,
            let count = text.split(separator: "refs:").last?.split(separator: "\n").first
        else { return nil }
        return Int(count.filter(\.isNumber))
    }

    /// The work that this program was started for, to count its instructions.
    struct Counted {
        let number: Int
        /// How many times the input of the mode.
        let size: Int
        let runs: Int

        init?(_ arguments: Arguments) {
            guard let number = arguments.number("--work") else { return nil }
            self.number = number
            size = arguments.number("--size", default: 1)
            runs = arguments.number("--runs", default: 1)
        }
    }

    /// The options that `Counted` reads.
    static let options: [String: Mode.Option] = ["--work": .number, "--size": .number, "--runs": .number]
}
