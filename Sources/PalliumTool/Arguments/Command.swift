/// The commands. A name of two words is that of a subcommand, which begins with the name of its command.
enum Command: String, CaseIterable {
    case decode, show, diff, merge, archive, unarchive, inspect, upgrade, check, generate, infer, sample, laws
    case compare, drift, export, `import`, store
    case storeImport = "store import"
    case storeQuery = "store query"
    case storeDump = "store dump"
    case storeDelete = "store delete"
    case storeUpgrade = "store upgrade"
    case storeCheck = "store check"
    case storeBackup = "store backup"
    case completions, help

    /// The purpose of the command, in one line.
    var summary: String {
        switch self {
        case .decode: "decode and validate documents, write the models back as JSON"
        case .show: "print the models of documents as indented trees"
        case .diff: "report the changes between two documents, or write them as a patch"
        case .merge: "merge a document into another by the policies of the schema"
        case .archive: "write the models of documents into an archive"
        case .unarchive: "write the models of archives as JSON"
        case .inspect: "print what archives hold, without schemas"
        case .upgrade: "bring archives of earlier versions up to date"
        case .check: "find every mistake in schema documents, and explain their mapping"
        case .generate: "write Swift classes for schemas"
        case .infer: "infer schemas from sample documents"
        case .sample: "make documents from schemas, valid ones or with one mistake each"
        case .laws: "check with samples that models survive JSON, archives, copies and merges"
        case .compare: "find what a change of schemas does to data of the other version"
        case .drift: "find where data contradicts its schema, and what would accept it"
        case .export: "write contracts for other programs, and pages about schemas"
        case .import: "write schema documents from contracts: JSON Schema, OpenAPI"
        case .store: "keep models in a file of SQLite, and find them"
        case .storeImport: "import documents into a store, and make it if there is none"
        case .storeQuery: "write the models of a store that meet conditions"
        case .storeDump: "write all models of a store as lines of JSON"
        case .storeDelete: "delete the models of a store that meet conditions"
        case .storeUpgrade: "bring rows of earlier versions up to date"
        case .storeCheck: "find what is wrong with a store"
        case .storeBackup: "write one state of a store to another file, also while others write"
        case .completions: "write a script by which a shell completes arguments"
        case .help: "explain the tool or a command"
        }
    }

    /// The options the command takes, in the order of its help.
    var options: [Option] {
        switch self {
        case .decode:
            [
                .schemas, .model, .profile, .opaqueTransformers, .lines, .array, .jobs, .unordered, .only, .redact,
                .redactionKey, .unknown, .mode, .pretty, .original, .collect, .rejects, .unmasked, .quiet, .errors,
                .maximumProblems,
                .maximumDepth, .maximumBytes, .output,
                .help,
            ]
        case .show: [.schemas, .model, .profile, .opaqueTransformers, .lines, .maximumBytes, .output, .help]
        case .diff:
            [
                .schemas, .model, .profile, .opaqueTransformers, .format, .exitCode, .pretty, .maximumBytes, .output,
                .help,
            ]
        case .merge:
            [
                .schemas, .model, .profile, .opaqueTransformers, .local, .unknown, .redact, .redactionKey, .pretty,
                .keepFormat, .maximumBytes, .output, .help,
            ]
        case .archive: [.schemas, .model, .profile, .output, .lines, .unknown, .maximumBytes, .help]
        case .unarchive:
            [.schemas, .redact, .redactionKey, .pretty, .collect, .validation, .maximumBytes, .output, .help]
        case .inspect: [.maximumBytes, .output, .help]
        case .upgrade: [.schemas, .validation, .maximumBytes, .help]
        case .check: [.model, .profile, .opaqueTransformers, .explain, .forStores, .output, .help]
        case .generate: [.folder, .access, .check, .opaqueTransformers, .help]
        case .infer: [.name, .rows, .lines, .skipBad, .maximumBytes, .folder, .errors, .help]
        case .sample: [.model, .count, .seed, .invalid, .opaqueTransformers, .output, .help]
        case .laws: [.model, .count, .seed, .opaqueTransformers, .output, .help]
        case .compare: [.schemas, .direction, .allowUnproved, .seed, .opaqueTransformers, .output, .help]
        case .drift:
            [
                .schemas, .model, .profile, .opaqueTransformers, .lines, .reportFormat, .baseline, .strict,
                .maximumBytes, .output, .help,
            ]
        case .export:
            [
                .jsonSchema, .openAPI, .strict, .markdown, .html, .dot, .mermaid, .mode, .model, .array, .profile,
                .opaqueTransformers, .output, .help,
            ]
        case .import: [.jsonSchema, .openAPI, .model, .nullAsAbsent, .folder, .help]
        case .store: [.help]
        case .storeImport: [.schemas, .model, .profile, .lines, .unknown, .collect, .maximumBytes, .errors, .help]
        case .storeQuery:
            [
                .schemas, .model, .profile, .condition, .order, .limit, .offset, .include, .countModels, .explain,
                .only, .skipUnreadable, .redact, .redactionKey, .pretty, .output, .help,
            ]
        case .storeDump: [.schemas, .model, .skipUnreadable, .redact, .redactionKey, .output, .help]
        case .storeDelete: [.schemas, .model, .condition, .help]
        case .storeUpgrade: [.schemas, .help]
        case .storeCheck: [.schemas, .errors, .help]
        case .storeBackup: [.help]
        case .completions: [.output, .help]
        case .help: [.manual, .output, .help]
        }
    }
}
