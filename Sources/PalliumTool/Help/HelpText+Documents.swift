/// The texts about the commands for documents and archives.
extension HelpText {
    static let decode = HelpText(
        usage: ["--schemas DIR --model NAME [OPTION…] FILE…"],
        about: """
            Reads documents, an object with one model or an array of models each, checks them against the
            schema and writes the models to standard output: an array for an array, an object for an object,
            one line for each document. FILE is a file, or - for standard input. It holds one document unless
            --lines is given. A summary goes to standard error. Lines are decoded one by one, and so are the
            elements of arrays above 4 MiB, so memory is bounded; when a problem in such an array is found,
            the elements before it have been written.
            """,
        notes: """
            problems:
              Each is a line on standard error: FILE:LINE:COLUMN: message. Lines and columns count from 1,
              columns in bytes. The first one ends the run unless --collect is given; documents before it have
              been written by then. With --errors json, a line is an object with the members file, code,
              category, schema, property, pointer, line, column, offset, expected, found and message; what
              does not apply is null. Wrong usage and problems of schemas are always text.
            """,
        examples: """
            pallium decode --schemas Schemas/github --model Event Schemas/samples/events.json
            gunzip -c events.gz | pallium decode --schemas Schemas/github --model Event --lines --collect -
            """)

    static let show = HelpText(
        usage: ["--schemas DIR --model NAME [OPTION…] FILE…"],
        about: """
            Reads documents as decode does and prints every model as a tree, one property a line. Defaults
            that the schema supplied are marked, values with labels are masked, very long values are cut.
            FILE is a file, or - for standard input. The first problem ends the run.
            """,
        examples: """
            pallium show --schemas Schemas/github --model Event Schemas/samples/events.json | less
            """)

    static let diff = HelpText(
        usage: ["[--schemas DIR --model NAME] [OPTION…] OLD NEW"],
        about: """
            Compares two documents of one model each. With schemas, properties are compared as the schema
            understands them: members that no property maps, spellings of numbers and dates, sets in another
            order and null for an absent member make no difference; a patch contains such a null all the same.
            Values with labels are masked in text. Without schemas, the documents are compared as they are.
            OLD and NEW are files, one may be - for standard input. Equal documents give no line, an empty JSON
            Patch, or {}.
            """,
        problems: "the data has problems; with --exit-code the documents differ, and problems are 2",
        examples: """
            pallium diff --schemas Schemas/github --model Event old.json new.json
            pallium diff old.json new.json > changes.patch.json
            """)

    static let merge = HelpText(
        usage: ["--schemas DIR --model NAME [--local FILE] [OPTION…] BASE INCOMING"],
        about: """
            Reads a model from BASE, merges INCOMING, which may be a partial document, into it, and writes the
            result to standard output. Properties that INCOMING does not mention keep their values; the merge
            policies of the schema decide about the others. With --local, the edits in a copy of BASE are kept
            as well. A property that both sides changed is a conflict: the policies decide it, it is reported
            on standard error with its JSON Pointer, and the exit status is 1. One of the files may be - for
            standard input.
            """,
        problems: "the data has problems, or there are conflicts",
        examples: """
            pallium merge --schemas Schemas/github --model Event --local edited.json fetched.json newer.json
            pallium merge --schemas Schemas --model Settings --keep-format settings.json changes.json
            """)

    static let archive = HelpText(
        usage: ["--schemas DIR --model NAME --output FILE [OPTION…] FILE…"],
        about: """
            Reads documents as decode does and writes all their models into one archive. FILE is a file, or -
            for standard input. The first problem ends the run, and nothing is written then.
            """,
        examples: """
            pallium archive --schemas Schemas/github --model Event --output events.pallium \\
              Schemas/samples/events.json
            pallium archive --schemas Schemas/github --model Event --output - - < events.json > events.pallium
            """)

    static let unarchive = HelpText(
        usage: ["--schemas DIR [OPTION…] FILE…"],
        about: """
            Opens archives with the schemas of DIR, upgrades those of earlier versions as the schemas declare,
            and writes the models to standard output: an object for an archive of one model,
            an array for any other, nothing for one that cannot be opened, one line for each archive. FILE is
            a file, or - for standard input.
            """,
        examples: """
            pallium unarchive --schemas Schemas/github events.pallium
            """)

    static let inspect = HelpText(
        usage: ["FILE…"],
        about: """
            Checks archives and prints the schemas they were written with, versions, numbers of objects, and
            the models as trees. Values with labels are masked, very long values are cut. FILE is a file, or -
            for standard input.
            """,
        examples: """
            pallium inspect events.pallium | less
            """)

    static let upgrade = HelpText(
        usage: ["--schemas DIR [OPTION…] FILE…"],
        about: """
            Opens archives as unarchive does and writes them again, with the present versions. Each file is
            replaced as a whole or stays unchanged. The first problem ends the run.
            """,
        examples: """
            pallium upgrade --schemas Schemas/github *.pallium
            """)
}
