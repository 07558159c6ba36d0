import Foundation
import TestSupport
import Testing

/// The section *Recipes* of the article *DataAtScale*: what programs around the tool may do, done by small stand-ins.
@Suite struct RecipeTests {
    private let notes: NoteSchema

    init() throws {
        notes = try NoteSchema()
        try notes.folder.write("all.ndjson", NoteLines.bytes + [10])
    }

    /// Runs a shell script in the folder, in which `pallium` and `schemas` are set.
    private func run(_ script: String) async throws -> ToolRun {
        defer { withExtendedLifetime(notes) {} }
        return try await runShell(
            #"cd "$1" && export pallium="$0" schemas="--schemas $1/Note.json --model Note"; eval "$2""#,
            [notes.folder.path, script])
    }

    private func lines(_ name: String) throws -> [String] {
        try notes.folder.read(name).split(separator: "\n").map(String.init)
    }

    /// As `split` and `xargs` do it, and GNU parallel with `--pipepart`: parts of whole lines, each with its process.
    @Test(arguments: ["-l 500", "-C 100k", "-n l/7"])
    func outputsOfPartsAreTogetherTheOutputOfTheWhole(_ option: String) async throws {
        let run = try await run(
            """
            split \(option) all.ndjson part.
            ls part.* | xargs -P 4 -I{} sh -c \
                '$pallium decode $schemas --lines --jobs 1 --rejects bad.{} {} > good.{} 2> errors.{}'
            echo "xargs $?"
            cat good.part.* > good
            cat bad.part.* > bad
            ls part.* | wc -l
            """)
        #expect(run.outputLines.first == "xargs 123")
        #expect(run.outputLines.last.flatMap { Int($0.filter { $0 != " " }) } ?? 0 >= 7)
        #expect(try lines("good") == NoteLines.output)
        // The lines of rejects count from the beginning of the part.
        #expect(try lines("bad").count == NoteLines.refusedNumbers.count)
    }

    /// The system adds a block to a file at once, and a block has whole lines. Nothing can force processes to write at the
    /// same time, so there are many of them.
    @Test func processesMayAppendToOneFile() async throws {
        let run = try await run(
            """
            seq 16 | xargs -P 16 -I{} sh -c \
                '$pallium decode $schemas --lines --rejects /dev/null all.ndjson all.ndjson >> good 2> errors.{}'
            LC_ALL=C sort good | uniq -c | sed 's/^ *32 //' > once
            """)
        #expect(run.status == 0)
        #expect(try lines("once") == NoteLines.output.sorted())
    }

    /// Programs that write or read byte by byte, and one that opens standard input by its name.
    @Test(arguments: [
        ("dd bs=1 status=none", "cat"), ("cat", "dd bs=1 status=none"), ("cat", "cat /dev/stdin"),
        ("dd bs=7 status=none", "sort -s -k 1,1.1"),
    ])
    func anyPipeCarriesTheSameLines(_ producer: String, _ consumer: String) async throws {
        let input = Array(NoteLines.all[..<300].map(\.bytes).joined(separator: [10]))
        try notes.folder.write("some.ndjson", input)
        let run = try await run(
            "\(producer) < some.ndjson | $pallium decode $schemas --lines --rejects bad - 2> errors | \(consumer)")
        #expect(run.outputLines == NoteLines.all[..<300].compactMap(\.output))
        #expect(run.status == 0)
        #expect(try lines("bad").count == NoteLines.refusedNumbers.count { $0 <= 300 })
    }

    /// As partitions without rows do it.
    @Test func noInputGivesNoOutputAndStatus0() async throws {
        let run = try await run("$pallium decode $schemas --lines --jobs 1 --rejects bad.$$.ndjson - < /dev/null")
        #expect(run.status == 0)
        #expect(run.output.isEmpty)
        #expect(run.errorLines.last?.hasPrefix("pallium: no models, no bytes in ") == true)
    }

    /// As `pipe` of Spark starts it: what cannot run must not look like a partition without lines.
    @Test(arguments: [
        ("all good", #"{"id": 1}"#, "Note", "status 0"), ("a rejected line", #"{"id": "x"}"#, "Note", "status 0"),
        ("no schemas", #"{"id": 1}"#, "Missing", "status 1"),
    ])
    func aPartitionFailsIfTheCommandCannotRun(name: String, line: String, schema: String, status: String) async throws {
        let run = try await run(
            """
            schemas="--schemas \(notes.folder.path)/\(schema).json --model Note"
            echo '\(line)' | sh -c "$pallium decode $schemas --lines --jobs 1 --rejects bad.ndjson - 2> errors; [ \\$? -le 1 ]"
            echo "status $?"
            """)
        #expect(run.outputLines.last == status, "\(name)")
        #expect(run.outputLines.count == (name == "all good" ? 2 : 1), "\(name)")
        if name == "a rejected line" { #expect(try lines("bad.ndjson").count == 1) }
    }

    /// A producer that dies in the middle of a line; its last line is refused, and nothing of it is written.
    @Test func halfALineIsNeverWritten() async throws {
        let run = try await run(
            #"""
            { printf '{"id":1}\n{"id":'; exec sh -c 'kill -KILL $$'; } |
                $pallium decode $schemas --lines --rejects bad - 2> errors
            echo "status $?"
            """#)
        #expect(run.output == "{\"id\":1}\nstatus 1\n")
        #expect(try lines("bad").count == 1)
    }

    /// The reader of the output has gone, and the writer of the input notices.
    @Test func aChainEndsWithItsLastReader() async throws {
        let run = try await run(
            #"""
            { yes '{"id":1}' 2> /dev/null; echo "producer $?" >&2; } |
                { $pallium decode $schemas --lines --jobs 1 -; echo "pallium $?" >&2; } | head -n 3
            """#)
        #expect(run.output == String(repeating: "{\"id\":1}\n", count: 3))
        // Both end at about the same time; a shell that ignores SIGPIPE gives the producer another status.
        let endings = run.errorLines.sorted()
        #expect(endings.count == 2)
        #expect(endings.first == "pallium 141")
        #expect(endings.last?.hasPrefix("producer ") == true)
    }
}
