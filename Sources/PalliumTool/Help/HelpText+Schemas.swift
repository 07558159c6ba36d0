/// The texts about the commands for schemas.
extension HelpText {
    static let check = HelpText(
        usage: ["[OPTION…] DIR…"],
        about: """
            Reads schema documents, those of folders and single ones, and reports every mistake at once:
            FILE:LINE:COLUMN: message, and a way to mend it. Warnings say what can be loaded but is probably
            not meant, such as rules of a cluster that both match the same object.
            """,
        problems: "the schemas have problems, or cannot be read; warnings do not count",
        examples: """
            pallium check Schemas/github
            pallium check --explain --model Issue Schemas/github
            """)

    static let generate = HelpText(
        usage: ["DIR… --output FOLDER|FILE.swift [OPTION…]"],
        about: """
            Reads the schema documents of DIR, a folder of .json files or one file, and writes a Swift file for
            each schema: a subclass of DynamicModel with accessors, enumerations, an initialiser and the keys.
            One more file, SchemaDocuments.swift, holds the documents; SchemaDocuments.load() registers them
            with the classes when the program starts. Files of schemas that are gone are removed. Files that
            this command did not write are never replaced or removed: one in the way is an error. All files are
            complete before the first old one is replaced.
            """,
        problems: "with --check: files would change",
        examples: """
            pallium generate Schemas/github --output Sources/App/Models
            pallium generate Schemas/github --output Sources/App/Models --check
            pallium generate Schemas/github --output Sources/App/Models.swift --access package
            """)

    static let infer = HelpText(
        usage: ["[OPTION…] FILE…"],
        about: """
            Reads sample documents, an object or an array of objects each, and writes schemas that read them
            strictly and write them back equal: properties, kinds, identities and nested models. FILE is a
            file, or - for standard input. It holds one document unless --lines is given. A line for each
            schema goes to standard error, with the evidence. Lines are read one by one, and so are the elements
            of arrays above 4 MiB; other documents are read whole. Samples are forgotten once they are counted.
            """,
        examples: """
            pallium infer --output Schemas Schemas/samples/issues.json
            gunzip -c events.gz | pallium infer --name Event --lines --rows 10000 - > Event.json
            pallium infer --lines --skip-bad --output Schemas events.jsonl
            """)

    static let export = HelpText(
        usage: ["--json-schema|--openapi|--strict [OPTION…] DIR…", "--markdown|--html|--dot|--mermaid [OPTION…] DIR…"],
        about: """
            Reads the schema documents of DIR, a folder of .json files or one file, and writes what other
            programs need to know of the documents to standard output. A document that decode reads is always
            valid by the JSON Schema. The article Contracts describes the three forms and what they leave
            open, and the forms of the second line, which are for people.
            """,
        problems: "not used",
        examples: """
            pallium export --json-schema --model Event Schemas/github > event.schema.json
            pallium export --openapi --output github.openapi.json Schemas/github
            pallium export --html --output github.html Schemas/github
            """)

    static let sample = HelpText(
        usage: ["DIR… --model NAME [OPTION…]"],
        about: """
            Reads the schema documents of DIR, a folder or a file, and writes documents of one model each to
            standard output, one a line. A few documents cover every property absent, null and with values at
            the edges of its kind and rules, every case, and every model that a cluster chooses. The same
            schemas and seed give the same documents. Properties for which no value is known are left out and
            named on standard error.

            With --invalid, every line is an object with the members document and expected. The document has
            one mistake, and expected has the code and the JSON Pointer of the error that
            'pallium decode --unknown refuse' reports.
            """,
        problems: "not used",
        examples: """
            pallium sample Schemas/github --model Issue > issues.jsonl
            pallium sample Schemas/github --model Issue --invalid
            """)

    static let laws = HelpText(
        usage: ["DIR… [--model NAME] [OPTION…]"],
        about: """
            Makes samples of the schemas in DIR, a folder or a file, and checks that models survive what
            programs do with them: JSON and archives give back equal models, copies are equal, validating
            and merging an equal model changes nothing, merging into an empty model gives an equal one, and
            documents of earlier versions are upgraded. Each law that does not hold is reported on standard
            output with the property, and the smallest document that was found to show it. Properties for
            which no value is known are not checked and named on standard error.
            """,
        problems: "a law is broken",
        examples: """
            pallium laws Schemas/github --model Issue
            """)

    static let compare = HelpText(
        usage: ["[OPTION…] OLD NEW"],
        about: """
            Reads two versions of schema documents, folders or files, and lists every change on standard output.
            Documents made from the schemas of one version, and archives of them, are read with the other one.
            A change is breaking if data is refused or a property is read with another value, lossy if a value
            has no property any more, and harmless if nothing of this can happen. It is unproved if neither a
            document that breaks was found nor a proof that there is none. What breaks is shown with the
            smallest document that was found, and with the error. Properties for which no value is known are
            not compared and named on standard error.
            """,
        problems: "a change is breaking, or unproved without --allow-unproved",
        examples: """
            pallium compare Schemas.old Schemas
            """)

    static let drift = HelpText(
        usage: ["[OPTION…] --schemas DIR --model NAME FILE…"],
        about: """
            Reads documents and reports what contradicts the schemas: unknown members, absent and null values,
            other kinds, unlisted cases and models, broken rules; each with its count, the first examples, and
            the edit of a schema document that would accept it. Notes name what no document had, and figures
            tell how often each property is present or null, its ranges, and its number of distinct values.
            FILE is a file, or - for standard input. It holds one document unless --lines is given. Lines are
            read one by one, and so are the elements of arrays above 4 MiB; other documents are read whole.
            Values of properties with labels are never shown. The article Drift describes the report.
            """,
        problems: "there are findings, with --strict also notes; with --baseline: new ones, or figures changed",
        examples: """
            pallium drift --schemas Schemas/github --model Event --lines events.jsonl
            pallium drift --schemas Inferred --model Event --strict --lines events.jsonl
            pallium drift --schemas Schemas/github --model Event --format json events.json > baseline.json
            pallium drift --schemas Schemas/github --model Event --baseline baseline.json today.json
            """)

    static let `import` = HelpText(
        usage: ["--json-schema|--openapi [OPTION…] FILE"],
        about: """
            Reads a contract and writes the schemas that it describes to standard output, as one document that
            the other commands take as --schemas. FILE is a file, or - for standard input. A schema allows the
            same documents as the contract; what schemas cannot say is refused, with its line and column. The
            article Contracts describes what is read.
            """,
        problems: "not used: a contract that is refused is 2",
        examples: """
            pallium import --json-schema --model Issue issue.schema.json > issue.json
            pallium import --openapi --null-as-absent --output Schemas/service openapi.json
            """)
}
