/// The texts of `--help` and `help`.
enum HelpText {
    /// Returns the help for a command, or for the tool.
    static func text(for command: Command?) -> String {
        switch command {
        case nil: tool
        case .decode: decode
        case .show: show
        case .diff: diff
        case .merge: merge
        case .archive: archive
        case .unarchive: unarchive
        case .inspect: inspect
        case .upgrade: upgrade
        case .check: check
        case .generate: generate
        case .infer: infer
        case .sample: sample
        case .laws: laws
        case .compare: compare
        case .drift: drift
        case .export: export
        case .import: `import`
        case .store: store
        case .storeImport: storeImport
        case .storeQuery: storeQuery
        case .storeDump: storeDump
        case .storeUpgrade: storeUpgrade
        case .storeCheck: storeCheck
        case .storeBackup: storeBackup
        case .completions: completions
        case .help: help
        }
    }

    private static var decode: String {
        """
        pallium decode: \(Command.decode.summary)

        usage: pallium decode --schemas DIR --model NAME [OPTION…] FILE…

        Reads documents, an object with one model or an array of models each, checks them against the
        schema and writes the models to standard output: an array for an array, an object for an object,
        one line for each document. FILE is a file, or - for standard input. It holds one document unless
        --lines is given. A summary goes to standard error. Lines are decoded one by one, and so are the
        elements of arrays above 4 MiB, so memory is bounded; when a problem in such an array is found,
        the elements before it have been written.

        options:
        \(options(of: .decode))

        problems:
          Each is a line on standard error: FILE:LINE:COLUMN: message. Lines and columns count from 1,
          columns in bytes. The first one ends the run unless --collect is given; documents before it have
          been written by then. With --errors json, a line is an object with the members file, code,
          category, schema, property, pointer, line, column, offset, expected, found and message; what
          does not apply is null. Wrong usage and problems of schemas are always text.

        \(exitStatus)

        examples:
          pallium decode --schemas Schemas/github --model Event Schemas/samples/events.json
          gunzip -c events.gz | pallium decode --schemas Schemas/github --model Event --lines --collect -

        """
    }

    private static var show: String {
        """
        pallium show: \(Command.show.summary)

        usage: pallium show --schemas DIR --model NAME [OPTION…] FILE…

        Reads documents as decode does and prints every model as a tree, one property a line. Defaults
        that the schema supplied are marked, values with labels are masked, very long values are cut.
        FILE is a file, or - for standard input. The first problem ends the run.

        options:
        \(options(of: .show))

        \(exitStatus)

        example:
          pallium show --schemas Schemas/github --model Event Schemas/samples/events.json | less

        """
    }

    private static var diff: String {
        """
        pallium diff: \(Command.diff.summary)

        usage: pallium diff [--schemas DIR --model NAME] [OPTION…] OLD NEW

        Compares two documents of one model each. With schemas, properties are compared as the schema
        understands them: members that no property maps, spellings of numbers and dates, sets in another
        order and null for an absent member make no difference; a patch contains such a null all the same.
        Values with labels are masked in text. Without schemas, the documents are compared as they are.
        OLD and NEW are files, one may be - for standard input. Equal documents give no line, an empty JSON
        Patch, or {}.

        options:
        \(options(of: .diff))

        \(statuses(one: "the data has problems; with --exit-code the documents differ, and problems are 2"))

        examples:
          pallium diff --schemas Schemas/github --model Event old.json new.json
          pallium diff old.json new.json > changes.patch.json

        """
    }

    private static var merge: String {
        """
        pallium merge: \(Command.merge.summary)

        usage: pallium merge --schemas DIR --model NAME [--local FILE] [OPTION…] BASE INCOMING

        Reads a model from BASE, merges INCOMING, which may be a partial document, into it, and writes the
        result to standard output. Properties that INCOMING does not mention keep their values; the merge
        policies of the schema decide about the others. With --local, the edits in a copy of BASE are kept
        as well. A property that both sides changed is a conflict: the policies decide it, it is reported
        on standard error with its JSON Pointer, and the exit status is 1. One of the files may be - for
        standard input.

        options:
        \(options(of: .merge))

        \(statuses(one: "the data has problems, or there are conflicts"))

        examples:
          pallium merge --schemas Schemas/github --model Event --local edited.json fetched.json newer.json
          pallium merge --schemas Schemas --model Settings --keep-format settings.json changes.json

        """
    }

    private static var archive: String {
        """
        pallium archive: \(Command.archive.summary)

        usage: pallium archive --schemas DIR --model NAME --output FILE [OPTION…] FILE…

        Reads documents as decode does and writes all their models into one archive. FILE is a file, or -
        for standard input. The first problem ends the run, and nothing is written then.

        options:
        \(options(of: .archive))

        \(exitStatus)

        example:
          pallium archive --schemas Schemas/github --model Event --output events.pallium \\
            Schemas/samples/events.json
          pallium archive --schemas Schemas/github --model Event --output - - < events.json > events.pallium
          pallium archive --schemas Schemas --model Person --target-version Person=2 \\
            --output people.pallium people.json

        """
    }

    private static var unarchive: String {
        """
        pallium unarchive: \(Command.unarchive.summary)

        usage: pallium unarchive --schemas DIR [OPTION…] FILE…

        Opens archives with the schemas of DIR, upgrades those of earlier versions as the schemas declare,
        and writes the models to standard output: an object for an archive of one model,
        an array for any other, nothing for one that cannot be opened, one line for each archive. FILE is
        a file, or - for standard input.

        options:
        \(options(of: .unarchive))

        \(exitStatus)

        example:
          pallium unarchive --schemas Schemas/github events.pallium

        """
    }

    private static var inspect: String {
        """
        pallium inspect: \(Command.inspect.summary)

        usage: pallium inspect FILE…

        Checks archives and prints the schemas they were written with, versions, numbers of objects, and
        the models as trees. Values with labels are masked, very long values are cut. FILE is a file, or -
        for standard input.

        options:
        \(options(of: .inspect))

        \(exitStatus)

        example:
          pallium inspect events.pallium | less

        """
    }

    private static var upgrade: String {
        """
        pallium upgrade: \(Command.upgrade.summary)

        usage: pallium upgrade --schemas DIR [OPTION…] FILE…

        Opens archives as unarchive does and writes them again, with the present versions. Each file is
        replaced as a whole or stays unchanged. The first problem ends the run.

        options:
        \(options(of: .upgrade))

        \(exitStatus)

        example:
          pallium upgrade --schemas Schemas/github *.pallium

        """
    }

    static let exitStatus = statuses(one: "the data has problems")

    static func statuses(one: String) -> String {
        """
        exit status:
          0    everything was done
          1    \(one)
          2    wrong usage, bad schemas, a file that cannot be read, output that cannot be written
          141  the reader of the output has gone, as in 'pallium … | head'
        """
    }

    static func options(of command: Command) -> String {
        table(command.options.map { ($0.synopsis, $0.explanation(for: command)) })
    }

    /// Formats two columns; a long entry on the left has a line of its own.
    static func table(_ rows: [(left: String, right: [String])]) -> String {
        let width = 14
        var lines: [String] = []
        for row in rows {
            var right = row.right[...]
            if row.left.count <= width {
                let padding = String(repeating: " ", count: width - row.left.count)
                lines.append("  \(row.left)\(padding)  \(right.popFirst() ?? "")")
            } else {
                lines.append("  \(row.left)")
            }
            lines += right.map { String(repeating: " ", count: width + 4) + $0 }
        }
        return lines.joined(separator: "\n")
    }
}
