import TestSupport

/// A folder with one small schema, and runs of the tool with it.
struct NoteSchema {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(
            "Note.json",
            """
            {"name": "Note", "properties": {
              "id": {"kind": "integer", "required": true},
              "text": {"kind": "string"},
              "due": {"kind": "date"},
              "tags": {"kind": "array", "of": {"kind": "string"}},
              "code": {"kind": "string", "labels": ["secret"]}
            }}
            """)
    }

    /// Runs a command of the tool with the schema and more arguments.
    func run(_ command: String, _ more: String..., input: String) async throws -> ToolRun {
        try await run([command] + more, input: Array(input.utf8))
    }

    /// Runs a command of the tool with the schema and more arguments.
    func run(_ command: String, _ more: String..., input: [UInt8] = []) async throws -> ToolRun {
        try await run([command] + more, input: input)
    }

    /// Runs a command line of the tool with the schema.
    func run(_ commandLine: [String], input: [UInt8] = []) async throws -> ToolRun {
        // The folder must be there until the process has ended.
        defer { withExtendedLifetime(folder) {} }
        return try await runTool(arguments(commandLine), input: input)
    }

    /// Runs a script in which `$0` is the tool and `$@` a command of it with the schema.
    func runShell(_ script: String, _ commandLine: String..., input: [UInt8] = []) async throws -> ToolRun {
        defer { withExtendedLifetime(folder) {} }
        return try await PalliumToolTests.runShell(script, arguments(commandLine), input: input)
    }

    private func arguments(_ commandLine: [String]) -> [String] {
        commandLine.prefix(1) + ["--schemas", folder.path, "--model", "Note"] + commandLine.dropFirst()
    }
}

/// The arguments that decode the example events.
func eventArguments(_ more: String...) -> [String] {
    ["decode", "--schemas", "Schemas/github", "--model", "Event"] + more
}
