import Foundation
import TestSupport
import Testing

/// The program of the plugins, which takes what `pallium generate` takes.
@Suite struct GeneratorProgramTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/schemas", withIntermediateDirectories: true)
        try folder.write("schemas/a.json", #"{"name": "A", "properties": {"x": {"kind": "string"}}}"#)
    }

    /// Words in which @S is the folder of schemas, and @O the output.
    private func arguments(_ line: String) -> [String] {
        line.replacing("@S", with: folder.path + "/schemas").replacing("@O", with: folder.path + "/out")
            .split(separator: " ").map(String.init)
    }

    /// The names of all files and folders, and the texts of files.
    private func contents() throws -> [String: String?] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return Dictionary(uniqueKeysWithValues: names.map { ($0, try? folder.read($0)) })
    }

    /// Both write the same files, or refuse with the same words.
    @Test(arguments: [
        "@S --output @O", "--output=@O.swift -- @S", "-o @O --access public @S", "@S -o @O --check", "missing -o @O",
        "@S -o Package.swift", "@S -o @O --opaque-transformers", "-o @O", "@S", "@S -o -",
    ])
    func theProgramDoesWhatTheToolDoes(_ line: String) async throws {
        defer { withExtendedLifetime(folder) {} }
        let program = try await runGenerator(arguments(line))
        let files = try contents()
        for name in ["/out", "/out.swift"] { try? FileManager.default.removeItem(atPath: folder.path + name) }
        let tool = try await runTool(["generate"] + arguments(line))
        #expect(program.status == tool.status)
        #expect(program.output == tool.output)
        #expect(program.errorLines.first == tool.errorLines.first)
        #expect(try contents() == files)
    }

    @Test(arguments: [
        ("@S -o @O --check=yes", "generate has no option --check=yes"),
        ("@S -o @O --acces public", "generate has no option --acces"),
        ("@S -o @O --output @O", "--output is given twice"),
        ("@S --output", "--output needs a value"),
        ("@S -o @O --access open", "--access cannot be \"open\", only internal, package, public"),
    ])
    func aMistakeInTheArgumentsOfTheProgramEndsItWithStatus2(_ line: String, _ message: String) async throws {
        defer { withExtendedLifetime(folder) {} }
        let run = try await runGenerator(arguments(line))
        #expect(run == ToolRun(status: 2, output: "", errors: "pallium: \(message)\ntry: --help\n"))
    }

    @Test func theProgramHasAHelp() async throws {
        let run = try await runGenerator(["--help"])
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("usage: swift package generate-models DIR… --output FOLDER|FILE.swift"))
        #expect(run.errors.isEmpty)
    }
}
