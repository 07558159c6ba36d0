import Foundation
import TestSupport
import Testing

@Suite struct DecodeTests {
    /// The objects of an array, read by another reader than the tool's own.
    private func objects(_ text: String) throws -> [[String: Any]] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    }

    @Test func exampleEventsAreDecodedWrittenAndSummedUp() async throws {
        let run = try await runTool(eventArguments("Schemas/samples/events.json"))
        #expect(run.status == 0)
        #expect(
            run.errorLines == [
                "pallium: 7 models (1 CreateEvent, 1 ForkEvent, 1 GollumEvent, 1 IssueCommentEvent, 1 IssuesEvent, "
                    + "1 PushEvent, 1 WatchEvent), 22.9 kB in TIME, no problems"
            ])
        #expect(run.outputLines.count == 1)
        let events = try objects(run.output)
        #expect(events.count == 7)
        #expect((events.first?["repo"] as? [String: Any])?["name"] as? String == "noahlu/mockingbird")
    }

    @Test func whatWasWrittenIsReadAgainUnchanged() async throws {
        let first = try await runTool(eventArguments("--unknown", "refuse", "Schemas/samples/events.json"))
        let second = try await runTool(eventArguments("--unknown", "refuse", "-"), input: first.output)
        #expect(first.status == 0)
        #expect(second.status == 0)
        #expect(second.output == first.output)
    }

    @Test func onlyWritesTheNamedPropertiesOfEveryModel() async throws {
        let run = try await runTool(eventArguments("--only", "type,id", "Schemas/samples/events.json"))
        #expect(run.status == 0)
        #expect(run.output.hasPrefix(#"[{"id":"1652857721","type":"CreateEvent"},{"id":"#))
        let events = try objects(run.output)
        #expect(events.count == 7)
        for event in events { #expect(event.keys.sorted() == ["id", "type"]) }
    }

    @Test func onlyWithAnUnknownKeyIsWrongUsage() async throws {
        for (keys, line) in [
            ("id,tpye", #"Event: expected a key of Event but found "tpye"; did you mean "type"?"#),
            ("id.x", #"Event: expected a property of models before the dot but found "id""#),
            ("actor.logni", #"User: expected a key of User but found "logni"; did you mean "login"?"#),
        ] {
            let run = try await runTool(eventArguments("--only", keys, "missing.json"))
            #expect(run.errorLines == ["pallium: --only: \(line)"])
            #expect(run.status == 2)
        }
    }

    @Test func onlyStepsIntoModelsAtDots() async throws {
        let run = try await runTool(eventArguments("--only", "id,actor.login", "Schemas/samples/events.json"))
        #expect(run.output.hasPrefix(#"[{"id":"1652857721","actor":{"login":""#))
        for event in try objects(run.output) { #expect((event["actor"] as? [String: Any])?.keys.sorted() == ["login"]) }
    }

    @Test func onlyChecksNoMoreThanTheSyntaxOfTheOthers() async throws {
        let notes = try NoteSchema()
        let run = try await notes.run("decode", "--only", "id", "-", input: #"[{"tags":["a",null],"id":1}]"#)
        #expect(run.output == #"[{"id":1}]"# + "\n")
        #expect(run.status == 0)
        let broken = try await notes.run("decode", "--only", "id", "-", input: #"[{"tags":["a",nul],"id":1}]"#)
        #expect(broken.status == 1)
    }

    @Test func anObjectStaysAnObjectAndAnArrayAnArray() async throws {
        let notes = try NoteSchema()
        for (input, output) in [
            (#"{"id": 1}"#, #"{"id":1}"#), (#" [ {"id": 1} ] "#, #"[{"id":1}]"#), ("[]", "[]"),
            ("\u{FEFF}[{\"id\": 1}]", #"[{"id":1}]"#),
        ] {
            let run = try await notes.run("decode", "-", input: input)
            #expect(run.output == output + "\n")
            #expect(run.status == 0)
        }
    }

    @Test func prettyIndents() async throws {
        let run = try await NoteSchema().run("decode", "--pretty", "-", input: #"[{"id":1,"tags":["a",null]}]"#)
        let wrong = try await NoteSchema().run("decode", "--pretty", "-", input: #"[{"id":1,"tags":["a","b"]}]"#)
        #expect(run.errorLines.first == "<stdin>:1:22: expected a string but found null at /0/tags/1")
        #expect(
            wrong.output == """
                [
                  {
                    "id": 1,
                    "tags": [
                      "a",
                      "b"
                    ]
                  }
                ]

                """)
    }

    @Test func unknownMembersAreSkippedRefusedOrKept() async throws {
        let notes = try NoteSchema()
        let input = #"{"id": 1, "extra": [true]}"#
        let ignored = try await notes.run("decode", "-", input: input)
        #expect(ignored.output == "{\"id\":1}\n")
        let kept = try await notes.run("decode", "--unknown", "keep", "-", input: input)
        #expect(kept.output == "{\"id\":1,\"extra\":[true]}\n")
        let refused = try await notes.run("decode", "--unknown=refuse", "-", input: input)
        #expect(refused.status == 1)
        #expect(refused.output.isEmpty)
        let line = try #require(refused.errorLines.first)
        #expect(line.hasPrefix("<stdin>:1:"))
        #expect(line.hasSuffix(": expected a member that Note knows but found \"extra\" at /extra"))
    }

    @Test func severalFilesAreSeveralDocuments() async throws {
        let notes = try NoteSchema()
        let first = try notes.folder.write("first.txt", #"{"id": 1}"#)
        let second = try notes.folder.write("second.txt", #"[{"id": 2}, {"id": 3}]"#)
        let run = try await notes.run("decode", first, "-", second, input: #"{"id": 4}"#)
        #expect(run.outputLines == [#"{"id":1}"#, #"{"id":4}"#, #"[{"id":2},{"id":3}]"#])
        #expect(run.errorLines == ["pallium: 4 models (4 Note), 40 bytes in TIME, no problems"])
    }

    @Test func aFileThatCannotBeReadEndsWithStatus2() async throws {
        let notes = try NoteSchema()
        let missing = try await notes.run("decode", "nowhere/x.json", "-", input: #"{"id": 1}"#)
        #expect(missing.errorLines == ["pallium: cannot read nowhere/x.json: No such file or directory"])
        #expect(missing.status == 2)
        #expect(missing.output.isEmpty)
        let folder = try await notes.run("decode", "Schemas")
        #expect(folder.errorLines == ["pallium: cannot read Schemas: Is a directory"])
        #expect(folder.status == 2)
    }

    @Test func collectingGoesOnAfterAFileThatCannotBeRead() async throws {
        let run = try await NoteSchema().run("decode", "--collect", "nowhere/x.json", "-", input: #"{"id": 1}"#)
        #expect(run.output == "{\"id\":1}\n")
        #expect(
            run.errorLines == [
                "pallium: cannot read nowhere/x.json: No such file or directory",
                "pallium: 1 model (1 Note), 9 bytes in TIME, no problems",
            ])
        #expect(run.status == 2)
    }
}
