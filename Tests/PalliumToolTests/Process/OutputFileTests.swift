import Foundation
import TestSupport
import Testing

/// The section *Output* of the article *CommandLine*.
@Suite struct OutputFileTests {
    private let notes: NoteSchema
    private var folder: TemporaryFolder { notes.folder }
    private var path: String { folder.path + "/out" }

    init() throws { notes = try NoteSchema() }

    /// The names of the files that are in the folder beside the schema.
    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "Note.json" }.sorted()
    }

    static let commands: [[String]] = [
        ["decode", "--schemas", "S", "--model", "Note", "old"],
        ["decode", "--schemas", "S", "--model", "Note", "--quiet", "--errors", "json", "old"],
        ["decode", "--schemas", "S", "--model", "Note", "--lines", "old"],
        ["show", "--schemas", "S", "--model", "Note", "old"],
        ["diff", "--schemas", "S", "--model", "Note", "old", "new"],
        ["diff", "old", "new"],
        ["merge", "--schemas", "S", "--model", "Note", "old", "new"],
        ["archive", "--schemas", "S", "--model", "Note", "old"],
        ["check", "--explain", "S"],
        ["infer", "old"],
        ["sample", "--model", "Note", "S"],
        ["laws", "S"],
        ["compare", "S", "S"],
        ["export", "--openapi", "S"],
        ["import", "--json-schema", "--model", "Note", "contract"],
    ]

    @Test(arguments: commands)
    func aFileGetsWhatStandardOutputWouldGet(_ command: [String]) async throws {
        try folder.write("old", "{\"id\": 1, \"text\": \"old\"}\n")
        try folder.write("new", "{\"id\": 1, \"text\": \"new\"}\n")
        try folder.write(
            "contract", #"{"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}"#)
        let arguments = command.map {
            switch $0 {
            case "S": folder.path + "/Note.json"
            case "old", "new", "contract": "\(folder.path)/\($0)"
            default: $0
            }
        }
        // Standard output would otherwise need another name for the archive.
        let expected = try await runTool(arguments + ["--output", "-"])
        // Infer and import write into a folder unless the name is that of a document.
        let name = ["infer", "import"].contains(command[0]) ? "out.json" : "out"
        let run = try await runTool(arguments + ["-o", "\(folder.path)/\(name)"])
        #expect(run.status == expected.status)
        #expect(run.output.isEmpty)
        #expect(expected.status == 0)
        // An archive is no text.
        if command[0] != "archive" { #expect(try folder.read(name) == expected.output) }
        #expect(try files() == ["contract", "new", "old", name].sorted())
    }

    @Test func anArchiveIsInspectedAndUnarchivedIntoFiles() async throws {
        let archive = folder.path + "/a.pallium"
        #expect(try await notes.run("archive", "-o", archive, "-", input: #"{"id": 1}"#).status == 0)
        let tree = try await runTool(["inspect", archive])
        #expect(try await runTool(["inspect", "-o", path, archive]) == ToolRun(status: 0, output: "", errors: ""))
        #expect(try folder.read("out") == tree.output)
        let schemas = ["--schemas", folder.path + "/Note.json"]
        #expect(try await runTool(["unarchive", archive, "--output=\(path)"] + schemas).status == 0)
        #expect(try folder.read("out") == "{\"id\":1}\n")
    }

    @Test func theOutputMayBeOneOfTheInputs() async throws {
        try folder.write("out", "{\"id\": 1}\n{\"id\": 2}\n")
        let run = try await notes.run("decode", "--lines", path, "-o", path)
        #expect(run.status == 0)
        #expect(try folder.read("out") == "{\"id\":1}\n{\"id\":2}\n")
    }

    @Test func aFileKeepsItsPermissions() async throws {
        try folder.write("out", "old")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        #expect(try await notes.run("decode", "-o", path, "-", input: #"{"id": 1}"#).status == 0)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
    }

    /// With status 1, the file is replaced if something was written before.
    @Test(
        arguments: [
            (["decode"], #"[{"id": 1}, {}]"#, 1, nil),
            (["decode", "--collect"], #"[{"id": 1}, {}]"#, 1, "[{\"id\":1}]\n"),
            (["decode", "--lines"], "{\"id\": 1}\n{}\n", 1, "{\"id\":1}\n"),
            (["decode", "--lines", "--collect"], "{}\n", 1, ""),
            (["decode", "nowhere"], "", 2, nil),
            (["decode", "--collect", "nowhere"], #"{"id": 1}"#, 2, nil),
            (["decode", "--model", "Nte"], #"{"id": 1}"#, 2, nil),
            (["archive"], #"[{"id": 1}, {}]"#, 1, nil),
        ] as [([String], String, Int32, String?)])
    func aRunThatFailsLeavesTheFileAsItWas(
        _ command: [String], _ input: String, _ status: Int32, _ expected: String?
    ) async throws {
        try folder.write("out", "old")
        var arguments = [command[0], "--schemas", folder.path + "/Note.json"] + command.dropFirst()
        if !command.contains("--model") { arguments += ["--model", "Note"] }
        let run = try await runTool(arguments + ["-o", path, "-"], input: input)
        #expect(run.status == status)
        #expect(run.output.isEmpty)
        #expect(try folder.read("out") == expected ?? "old")
        #expect(try files() == ["out"])
    }

    @Test func aConflictIsAResultToo() async throws {
        for (name, text) in [("base", "a"), ("local", "b"), ("new", "c")] {
            try folder.write(name, #"{"id": 1, "text": "\#(text)"}"#)
        }
        let run = try await notes.run(
            "merge", "--local", folder.path + "/local", "-o", folder.path + "/base", folder.path + "/base",
            folder.path + "/new")
        #expect(run.status == 1)
        #expect(try folder.read("base").hasPrefix(#"{"id":1,"text":""#))
    }

    @Test func aPipeIsWrittenAsLinesCome() async throws {
        let script = """
            cd "$3"
            mkfifo lines result || exit 3
            "$0" "$@" < lines 2> errors &
            exec 3> lines
            exec 4< result
            echo '{"id": 1}' >&3
            read -r line <&4
            echo "$line"
            exec 3>&-
            wait
            ls -A
            """
        let run = try await notes.runShell(script, "decode", "--lines", "-o", "result", "-")
        #expect(run.output == "{\"id\":1}\nNote.json\nerrors\nlines\nresult\n")
    }

    @Test func aRunThatASignalEndsKeepsWholeLines() async throws {
        let script = """
            cd "$3"
            mkfifo lines || exit 3
            "$0" "$@" < lines 2> errors &
            exec 3> lines
            echo '{"id": 1}' >&3
            echo '{"id": 2}' >&3
            # The new file lies hidden beside the place that it takes at the end.
            await '[ $(cat .pallium-* | wc -l) -eq 2 ]' 2> /dev/null
            ls
            kill -TERM $!
            wait $!
            echo "status $?"
            exec 3>&-
            cat out
            """
        let run = try await notes.runShell(script, "decode", "--lines", "-o", "out", "-")
        #expect(run.output == "Note.json\nerrors\nlines\nstatus 143\n{\"id\":1}\n{\"id\":2}\n")
    }

    /// The new file takes the last descriptor, so that the folder cannot be opened after it.
    @Test(.threat(.failingDisk), arguments: ["completions bash", "help decode"])
    func aFileWhoseFolderCannotBeSynchronisedIsSaidToBeWritten(command: String) async throws {
        let run = try await runShell(
            #"cd "$1"; echo old > out; exec 3>&-; ulimit -n 4; "$0" \#(command) -o out"#, [folder.path])
        #expect(run.errors == "pallium: out is written, but a power failure may undo that: Too many open files\n")
        #expect(run.status == 2)
        let expected = try await runTool(command.split(separator: " ").map(String.init)).output
        #expect(try folder.read("out") == expected)
    }

    @Test func aFileThatCannotBeWrittenEndsWithStatus2BeforeAnythingIsRead() async throws {
        let missing = try await notes.run("decode", "-o", "nowhere/x", "-", input: #"{"id": 1}"#)
        #expect(
            missing
                == ToolRun(
                    status: 2, output: "", errors: "pallium: cannot write nowhere/x: No such file or directory\n"))
        let place = try await notes.run("show", "-o", folder.path, "-", input: #"{"id": 1}"#)
        #expect(place.errors == "pallium: cannot write \(folder.path): Is a directory\n")
        #expect(place.status == 2)
    }

    @Test(.threat(.failingDisk), .needs("/dev/full", if: FileManager.default.fileExists(atPath: "/dev/full")))
    func aDeviceIsWrittenDirectly() async throws {
        let run = try await notes.run("decode", "-o", "/dev/full", "-", input: #"{"id": 1}"#)
        #expect(run.errorLines.first == "pallium: cannot write /dev/full: No space left on device")
        #expect(run.status == 2)
    }

    @Test func rejectsDoNotGoToTheFileOfStandardOutput() async throws {
        let run = try await NoteSchema().runShell(
            #"cd "$3" && "$0" "$@" --rejects both - > both; echo $?; "$0" "$@" --rejects /dev/null - > /dev/null; echo $?"#,
            "decode", "--lines", input: Array("{\"id\": 1}\n".utf8))
        #expect(run.output == "2\n0\n")
        #expect(run.errorLines.first == "pallium: --rejects and the output cannot be one file")
    }

    @Test func rejectsAndOutputAreTwoFiles() async throws {
        try folder.write("out", "old")
        let run = try await notes.run("decode", "--lines", "--rejects", path, "-o", path, "-", input: "{\"id\": 1}\n")
        #expect(run.errors == "pallium: --rejects and the output cannot be one file\n")
        #expect(run.status == 2)
        #expect(try folder.read("out") == "old")
    }
}
