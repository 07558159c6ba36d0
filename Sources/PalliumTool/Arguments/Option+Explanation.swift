import Pallium
import PalliumTrials

extension Option {
    /// Returns the explanation of the option, in lines for the help of a command.
    func explanation(for command: Command?) -> [String] {
        switch self {
        case .schemas where command == .compare:
            [
                "Documents that both versions refer to: a folder of .json files, or one file. May be",
                "given several times.",
            ]
        case .schemas:
            [
                "The schema documents: a folder of .json files, or one file. With several --schemas,",
                "all documents are one set.\(command == .diff ? "" : " Required.")",
            ]
        case .model where command == .laws: ["The schema of the documents' roots; otherwise every schema is one."]
        case .model where command == .diff: ["The schema of the documents' roots. Required with --schemas."]
        case .model where command == .check: ["Explain this schema only. Together with --explain."]
        case .model where command == .export:
            ["The schema to export, with all that it refers to; all schemas otherwise."]
        case .model where command == .import:
            ["The name of the schema at the root, instead of its title. Needs --json-schema."]
        case .model where command == .storeQuery: ["The schema of the models. Required."]
        case .model where command == .storeDump:
            [
                "Write the models of this schema only, as documents, which store import --lines reads.",
                "Otherwise a line is an object with the members schema and model.",
            ]
        case .model: ["The schema of the documents' roots. Required."]
        case .profile: ["The profile of the schemas that says where properties live in JSON."]
        case .folder where command == .generate:
            [
                "The folder for the Swift files, made if there is none; or a file for all classes, if",
                "the name ends in .swift. Files whose content stays the same are not written. Required.",
            ]
        case .folder:
            [
                "The folder for the schemas, one document each. It must be new or empty, and gets all",
                "documents or none. A name that ends in .json is a file for one array. Without the",
                "option, or with -, the array goes to standard output.",
            ]
        case .output where command == .archive:
            [
                "The archive to write, - for standard output. A file that exists is replaced as a",
                "whole or not at all. Required.",
            ]
        case .output where command == .storeQuery || command == .storeDump:
            [
                "The file to write, - for standard output. It is replaced as a whole when the run ends,",
                "and stays as it was if a model cannot be read, unless --skip-unreadable leaves it out.",
            ]
        case .output:
            [
                "The file to write, - for standard output. It is replaced as a whole when the run ends,",
                "and stays as it was at exit status 2, or if nothing was written before a problem.",
            ]
        case .opaqueTransformers where command == .generate:
            [
                "Accept transformers and kinds that only an application has. An accessor has the type",
                "of its kind; for an unknown kind, a comment stands in its place. Their names are",
                "reported on standard error.",
            ]
        case .opaqueTransformers where command == .sample || command == .laws:
            [
                "Accept transformers, kinds and formats that only an application has: their properties",
                "are left out, and named on standard error.",
            ]
        case .opaqueTransformers:
            [
                "Accept transformers, kinds and formats that only an application has: the values of",
                "their properties pass unchecked and unchanged. Their names go to standard error.",
            ]
        case .local:
            ["An edited copy of BASE. Its edits survive unless the policies say otherwise."]
        case .name:
            [
                "The name of the samples' schema: letters, digits and underscores. Without it, the",
                "name of the first file: issues.json holds samples of Issue.",
            ]
        case .rows: ["Read at most so many samples."]
        case .lines where [.infer, .drift, .storeImport].contains(command):
            ["Every line of the input is a document. Blank lines are skipped."]
        case .lines:
            [
                "Every line of the input is a document, and so is every line of the output.",
                "Blank lines are skipped.",
            ]
        case .jobs: ["Decode lines on N threads. The default is the number of cores. The output is the same."]
        case .unordered:
            ["Write lines as soon as they are decoded, in any order."]
        case .rejects:
            [
                "Write lines with problems to FILE, with their problems as JSON, and go on. Other lines",
                "go to the output. FILE is replaced. Values of properties with labels are masked, and",
                "what is no JSON is withheld if there are labels.",
            ]
        case .unmasked: ["Write rejected lines as they came, with the values of properties with labels."]
        case .redact:
            [
                "Write documents without the values of properties with these labels. A label may have",
                "a rule, as in email=hash: mask (the default, ••• in place of the value), drop (without",
                "the member), or hash (the same text for equal values).",
            ]
        case .redactionKey:
            [
                "The key of hashes: the bytes of FILE. With one key, equal values have equal hashes in",
                "all runs; without a key, in one run.",
            ]
        case .original: ["Write valid lines as they came, byte for byte."]
        case .quiet:
            [
                "Write no models and no single problems, but a summary with the number of problems by",
                "code, place and schema: as text, or as JSON with --errors json.",
            ]
        case .maximumProblems: ["Go on after problems, and end the run at N of them."]
        case .maximumDepth:
            [
                "Refuse documents with more than N levels of objects and arrays, at most",
                "\(JSONReadingOptions.highestDepth). The default is 512.",
            ]
        case .maximumBytes where [.unarchive, .inspect, .upgrade].contains(command):
            ["Refuse archives of more than N bytes. The default is \(JSONReadingOptions().maximumDocumentBytes)."]
        case .maximumBytes:
            [
                "Refuse documents of more than N bytes, and longer lines. A number above",
                "\(JSONReadingOptions().maximumStringBytes) is also the largest size of one text.",
            ]
        case .only where command == .storeQuery:
            [
                "Write these properties of the models only. A dot steps into nested models, which",
                "otherwise are written whole: author.login. Those of other rows need --include.",
            ]
        case .only:
            [
                "Read and write these properties of the model only; of the others, the syntax is",
                "checked. A dot steps into nested models, which otherwise are read and written",
                "whole: author.login. A backslash before a dot makes it part of a key.",
            ]
        case .unknown:
            [
                "Members that no property maps are skipped (ignore, the default), are problems",
                "(refuse), or are written back (keep).",
            ]
        case .format:
            [
                "One changed property a line (text, the default with --schemas), a JSON Patch",
                "(patch, RFC 6902; the default without), or a JSON Merge Patch (merge-patch,",
                "RFC 7396, which removes what became null).",
            ]
        case .reportFormat:
            [
                "Lines for people (text, the default), or a report for programs, which can be a",
                "baseline (json).",
            ]
        case .baseline:
            [
                "An earlier report in JSON, - for standard input. Only what it lacks counts: new",
                "findings, and clear changes of figures. In JSON, new findings are marked.",
            ]
        case .exitCode:
            [
                "The exit status is 1 for documents that differ, and 2 for data with problems.",
                "With schemas, properties are compared as for text, whatever the format.",
            ]
        case .pretty where command?.options.contains(.lines) == true:
            ["Write one member or element a line, indented. Not together with --lines."]
        case .pretty where command == .merge:
            ["Write one member or element a line, indented. Not together with --keep-format."]
        case .pretty: ["Write one member or element a line, indented."]
        case .keepFormat:
            [
                "Write the text of BASE with the values that changed, and leave every other byte as it",
                "is: order, white space, spelling, members that no property maps, the end of the text.",
            ]
        case .collect where command == .unarchive:
            [
                "Report every problem instead of the first, and write what could be opened: values and",
                "models that cannot be read are left out, and so are models that require them.",
                "Of one archive, the first \(DecodeCommand.maximumProblems.counted("problem")) are reported.",
            ]
        case .collect where command == .storeImport:
            [
                "Go on after a problem. The document that has it is left out as a whole: with --lines",
                "a line, otherwise a file.",
            ]
        case .collect:
            [
                "Report every problem instead of the first, and write what could be built:",
                "bad elements of lists are left out, and so are bad optional members.",
                "A document with \(DecodeCommand.maximumProblems.counted("problem")) is given up there.",
            ]
        case .validation:
            [
                "Models that lack required values or that rules refuse are problems (enforce, the",
                "default), or are taken as they are (none).",
            ]
        case .errors:
            [
                "Report problems as text (the default) or as one JSON object a line; with json",
                "there is no summary.",
            ]
        case .explain where command == .storeQuery:
            ["Print the statement, and how SQLite finds the rows: by which index, or by reading all."]
        case .explain:
            [
                "Print for each property its key path, kind, transformers, whether it may be missing,",
                "and its merge policy.",
            ]
        case .check:
            ["Write nothing: list the files that would change, and exit with 1 if there are any."]
        case .count where command == .laws:
            [
                "The number of documents for each schema; otherwise as many as cover every choice, at",
                "most \(SampleDocuments.maximumCoverage).",
            ]
        case .count:
            [
                "The number of documents; otherwise as many as cover every choice, at most \(SampleDocuments.maximumCoverage)."
            ]
        case .seed: ["The beginning of the random choices, from 0 on. The default is 0."]
        case .invalid:
            [
                "Make documents with exactly one mistake each, and the error that decoding reports."
            ]
        case .direction:
            [
                "Only read old data with the new schemas (backward), or new data with the old ones",
                "(forward). Both otherwise.",
            ]
        case .allowUnproved: ["The exit status is 1 for breaking changes only, and not for unproved ones."]
        case .jsonSchema where command == .import: ["Read a JSON Schema (2020-12)."]
        case .openAPI where command == .import: ["Read the schemas among the components of an OpenAPI 3.1 document."]
        case .jsonSchema:
            ["Write a JSON Schema (2020-12) that is as exact as it can be."]
        case .openAPI:
            ["Write an OpenAPI 3.1 document with the schemas as components, to generate code from."]
        case .strict where command == .drift:
            [
                "Notes count as findings do: the exit status is 1 if there are any, with --baseline if",
                "there are new ones. A new case of an enumeration that keeps unknown ones is a note.",
            ]
        case .strict:
            [
                "Write a JSON Schema for the structured output of language models. Needs --model."
            ]
        case .markdown: ["Write a page of Markdown with a table of properties for each model."]
        case .html:
            ["Write a page for browsers with links and a search field. It needs no other file."]
        case .dot: ["Write the graph of the models in the language of Graphviz."]
        case .mermaid: ["Write the graph of the models as a flowchart of Mermaid."]
        case .mode where command == .decode:
            [
                "The documents are what a service takes (input), or what it gives (output): properties",
                "that a schema has only in the others are neither required, read nor written.",
            ]
        case .mode:
            [
                "Describe the documents that are read (input, the default), without properties that are",
                "only written, or those that are written (output), without those that are only read.",
            ]
        case .array where command == .decode: ["A line may be an array of models. Otherwise it is one model."]
        case .array: ["Describe an array of the model instead of one. Needs --json-schema and --model."]
        case .nullAsAbsent:
            [
                "Take null and an absent member as the same. Members that may be absent may then be",
                "null as well, and members that may be null may be absent. Otherwise both are refused.",
            ]
        case .access: ["The access level of the classes and all that they declare. The default is internal."]
        case .condition where command == .storeDelete:
            [
                "Delete models for which KEY OPERATOR VALUE holds, such as 'state = closed'. With",
                "several --where, all must hold.",
            ]
        case .condition:
            [
                "Write models for which KEY OPERATOR VALUE holds, such as 'state = open'. With several",
                "--where, all must hold.",
            ]
        case .order:
            [
                "Write models in the order of these properties, from the smallest value to the",
                "greatest; after a hyphen from the greatest to the smallest. Without it, in any order.",
            ]
        case .limit: ["Write at most N models."]
        case .offset: ["Leave out the first N models."]
        case .include:
            [
                "Write the models of other rows that these properties refer to, or all of them (all).",
                "Otherwise a reference has the identity only, if its schema allows that.",
            ]
        case .countModels: ["Print the number of models."]
        case .skipUnreadable:
            [
                "Leave out models that cannot be read, and report them at the end. The status is",
                "then 1.",
            ]
        case .skipBad:
            [
                "Report every problem and go on, without the lines, files and elements of arrays that",
                "have one. The summary says how many lines or files the samples come from. The status",
                "is then 1.",
            ]
        case .forStores: ["Check also that stores can have the models."]
        case .manual: ["Write a page for man, in the macros of man(7)."]
        case .help: ["Explain the tool or a command."]
        case .version: ["Print the version."]
        }
    }
}
