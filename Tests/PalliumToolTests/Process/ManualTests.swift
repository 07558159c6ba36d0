import Foundation
import TestSupport
import Testing

/// The pages for `man`: the section *In the shell* of the article *CommandLine*.
@Suite struct ManualTests {
    @Test func aPageHasTheSectionsOfTheHelp() async throws {
        let page = try await runTool(["help", "--man", "decode"])
        #expect(page.status == 0)
        #expect(page.errors.isEmpty)
        #expect(
            page.output.hasPrefix(
                #"""
                .TH pallium\-decode 1 "" "pallium 0.1.0" "User Commands"
                .SH NAME
                pallium\-decode \- decode and validate documents, write the models back as JSON
                .SH SYNOPSIS
                .nf
                pallium decode \-\-schemas DIR \-\-model NAME [OPTION...] FILE...
                .fi
                .SH DESCRIPTION
                .PP
                Reads documents, an object

                """#.dropLast()))
        #expect(
            page.outputLines.filter { $0.hasPrefix(".SH") } == [
                ".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION", ".SH OPTIONS", ".SH PROBLEMS", ".SH EXIT STATUS",
                ".SH EXAMPLES", ".SH SEE ALSO",
            ])
        #expect(
            page.output.contains("\n.TP\n\\fB\\-\\-output\\fR, \\fB\\-o\\fR \\fIFILE\\fR\nThe file to write, \\- for"))
        #expect(page.output.contains("\n.TP\n\\fB141\\fR\nthe reader of the output has gone, as in \\(aqpallium"))
    }

    @Test func backslashesAndApostrophesAreEscaped() async throws {
        let archive = try await runTool(["help", "archive", "--man"]).output
        #expect(archive.contains("events.pallium \\(rs\n"))
        for command in ["decode", "archive", "infer", "completions", "help"] {
            let page = try await runTool(["help", "--man", command])
            // Every line that begins with a full stop or an apostrophe is one of these macros.
            let macros = page.outputLines.filter { $0.hasPrefix(".") || $0.hasPrefix("'") }
            #expect(macros.allSatisfy { $0.contains(#/^\.(TH|SH|PP|TP|nf|fi)\b/#) })
            #expect(page.output.utf8.allSatisfy { $0 < 0x80 })
            // A hyphen that nothing escapes is printed as a hyphen of text, which nobody can paste into a shell.
            #expect(!page.output.replacing("\\-", with: "").contains("-"))
        }
    }

    @Test func aPageOfTheToolListsTheCommands() async throws {
        let page = try await runTool(["help", "--man"])
        #expect(page.output.hasPrefix(".TH pallium 1 "))
        #expect(page.output.contains("\n.SH COMMANDS\n.TP\n\\fBdecode\\fR\ndecode and validate"))
    }

    @Test func aPageOfASubcommandHasItsWholeName() async throws {
        let page = try await runTool(["help", "--man", "store", "query"])
        #expect(page.output.hasPrefix(#".TH pallium\-store\-query 1 "#))
        #expect(page.output.contains("\n.SH CONDITIONS\n"))
    }

    static let groff = "/usr/bin/groff"

    /// With `-ww`, `groff` warns of everything that it does not understand.
    @Test(
        .needs("groff", if: FileManager.default.fileExists(atPath: groff)),
        arguments: [
            "", "decode", "show", "diff", "merge", "archive", "unarchive", "inspect", "upgrade", "check", "generate",
            "infer", "sample", "laws", "compare", "export", "import", "completions", "help", "store", "store import",
            "store query", "store dump", "store delete", "store upgrade", "store check", "store backup",
        ])
    func groffUnderstandsEveryPage(_ command: String) async throws {
        let run = try await runShell(#""$0" help --man $1 | groff -man -Tascii -P-cbou -ww"#, [command])
        #expect(run.errors.isEmpty)
        #expect(run.output.contains("SYNOPSIS"))
        #expect(run.output.contains("EXIT STATUS"))
    }
}
