import Pallium
import PalliumTrials

// The options of several commands.
extension Option {
    static let schemas = Option(
        "--schemas", value: "DIR", isRepeatable: true,
        """
        The schema documents: a folder of .json files, or one file. With several --schemas,
        all documents are one set. Required.
        """)
    static let model = Option("--model", value: "NAME", "The schema of the documents' roots. Required.")
    static let profile = Option(
        "--profile", value: "NAME", "The profile of the schemas that says where properties live in JSON.")
    static let opaqueTransformers = Option(
        "--opaque-transformers",
        """
        Accept transformers, kinds and formats that only an application has: the values of
        their properties pass unchecked and unchanged. Their names go to standard error.
        """)
    static let output = Option(
        "--output", value: "FILE", shortName: "-o",
        """
        The file to write, - for standard output. It is replaced as a whole when the run ends,
        and stays as it was at exit status 2, or if nothing was written before a problem.
        """)
    static let folder = Option(
        "--output", value: "FOLDER", shortName: "-o",
        """
        The folder for the schemas, one document each. It must be new or empty, and gets all
        documents or none. A name that ends in .json is a file for one array. Without the
        option, or with -, the array goes to standard output.
        """)
    static let lines = Option("--lines", "Every line of the input is a document. Blank lines are skipped.")
    static let linesOfBoth = lines.explained(
        """
        Every line of the input is a document, and so is every line of the output.
        Blank lines are skipped.
        """)
    static let only = Option(
        "--only", value: "KEY,KEY…",
        """
        Read and write these properties of the model only; of the others, the syntax is
        checked. A dot steps into nested models, which otherwise are read and written
        whole: author.login. A backslash before a dot makes it part of a key.
        """)
    static let redact = Option(
        "--redact", value: "LABEL,LABEL…",
        """
        Write documents without the values of properties with these labels. A label may have
        a rule, as in email=hash: mask (the default, ••• in place of the value), drop (without
        the member), or hash (the same text for equal values).
        """)
    static let redactionKey = Option(
        "--redact-key", value: "FILE",
        """
        The key of hashes: the bytes of FILE. With one key, equal values have equal hashes in
        all runs; without a key, in one run.
        """)
    static let unknown = Option(
        "--unknown", value: "ignore|refuse|keep",
        """
        Members that no property maps are skipped (ignore, the default), are problems
        (refuse), or are written back (keep).
        """)
    static let pretty = Option("--pretty", "Write one member or element a line, indented.")
    static let collect = Option(
        "--collect",
        """
        Report every problem instead of the first, and write what could be built:
        bad elements of lists are left out, and so are bad optional members.
        A document with \(DecodeCommand.maximumProblems.counted("problem")) is given up there.
        """)
    static let errors = Option(
        "--errors", value: "text|json",
        """
        Report problems as text (the default) or as one JSON object a line; with json
        there is no summary.
        """)
    static let maximumBytes = Option(
        "--max-bytes", value: "N",
        """
        Refuse documents of more than N bytes, and longer lines. A number above
        \(JSONReadingOptions().maximumStringBytes) is also the largest size of one text.
        """)
    static let comments = Option(
        "--jsonc",
        """
        Read comments, and a comma behind the last member or element, as white space.
        Arrays are then read whole. Not together with --lines.
        """)
    static let help = Option("--help", shortName: "-h", "Explain the tool or a command.")
}

// The options of archives.
extension Option {
    static let validation = Option(
        "--validation", value: "enforce|none",
        """
        Models that lack required values or that rules refuse are problems (enforce, the
        default), or are taken as they are (none).
        """)
    static let maximumArchiveBytes = maximumBytes.explained(
        "Refuse archives of more than N bytes. The default is \(JSONReadingOptions().maximumDocumentBytes).")
}

// The options of commands for schemas.
extension Option {
    static let explain = Option(
        "--explain",
        """
        Print for each property its key path, kind, transformers, whether it may be missing,
        and its merge policy.
        """)
    static let count = Option(
        "--count", value: "NUMBER",
        """
        The number of documents; otherwise as many as cover every choice, at most \
        \(SampleDocuments.maximumCoverage).
        """)
    static let seed = Option(
        "--seed", value: "NUMBER", "The beginning of the random choices, from 0 on. The default is 0.")
    static let samplesOfOpaque = opaqueTransformers.explained(
        """
        Accept transformers, kinds and formats that only an application has: their properties
        are left out, and named on standard error.
        """)
    static let jsonSchema = Option("--json-schema", "Write a JSON Schema (2020-12) that is as exact as it can be.")
    static let openAPI = Option(
        "--openapi", "Write an OpenAPI 3.1 document with the schemas as components, to generate code from.")
    static let strict = Option(
        "--strict", "Write a JSON Schema for the structured output of language models. Needs --model.")
    static let mode = Option(
        "--mode", value: "input|output",
        """
        Describe the documents that are read (input, the default), without properties that are
        only written, or those that are written (output), without those that are only read.
        """)
    static let array = Option(
        "--array", "Describe an array of the model instead of one. Needs --json-schema and --model.")
}

// The options of stores.
extension Option {
    static let condition = Option(
        "--where", value: "CONDITION", isRepeatable: true,
        """
        Write models for which KEY OPERATOR VALUE holds, such as 'state = open'. With several
        --where, all must hold.
        """)
    static let after = Option(
        "--after", value: "CONDITION", isRepeatable: true,
        """
        Begin behind the one model for which this holds, in the order of --order: the last one
        of a page, such as 'number = 7'. With several --after, all must hold.
        """)
    static let skipUnreadable = Option(
        "--skip-unreadable",
        """
        Leave out models that cannot be read, and report them at the end. The status is
        then 1.
        """)
    static let storeOutput = output.explained(
        """
        The file to write, - for standard output. It is replaced as a whole when the run ends,
        and stays as it was if a model cannot be read, unless --skip-unreadable leaves it out.
        """)
}
