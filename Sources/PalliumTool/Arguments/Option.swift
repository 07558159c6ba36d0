/// The options, with everything that parsing and help need.
enum Option: CaseIterable {
    case schemas, model, profile, opaqueTransformers, output, local, lines, only, unknown, format, exitCode, pretty
    case reportFormat, baseline
    case collect, validation, errors, explain, check, name, rows, folder, count, seed, invalid, direction, allowUnproved
    case keepFormat
    case redact, redactionKey, unmasked
    case jobs, unordered, rejects, quiet, original, maximumProblems, maximumDepth, maximumBytes
    case jsonSchema, openAPI, strict, markdown, html, dot, mermaid, mode, array, nullAsAbsent, access
    case condition, order, limit, offset, include, countModels, skipUnreadable, skipBad, forStores
    case manual, help, version

    /// The spelling of the option, and the name of its value in the help; nil for options without one.
    private var form: (name: String, value: String?) {
        switch self {
        case .schemas: ("--schemas", "DIR")
        case .model: ("--model", "NAME")
        case .profile: ("--profile", "NAME")
        case .opaqueTransformers: ("--opaque-transformers", nil)
        case .output: ("--output", "FILE")
        case .folder: ("--output", "FOLDER")
        case .local: ("--local", "FILE")
        case .lines: ("--lines", nil)
        case .only: ("--only", "KEY,KEY…")
        case .unknown: ("--unknown", "ignore|refuse|keep")
        case .format: ("--format", "text|patch|merge-patch")
        case .reportFormat: ("--format", "text|json")
        case .baseline: ("--baseline", "FILE")
        case .exitCode: ("--exit-code", nil)
        case .pretty: ("--pretty", nil)
        case .keepFormat: ("--keep-format", nil)
        case .collect: ("--collect", nil)
        case .validation: ("--validation", "enforce|none")
        case .name: ("--name", "NAME")
        case .rows: ("--rows", "N")
        case .errors: ("--errors", "text|json")
        case .explain: ("--explain", nil)
        case .jobs: ("--jobs", "N")
        case .unordered: ("--unordered", nil)
        case .rejects: ("--rejects", "FILE")
        case .unmasked: ("--unmasked", nil)
        case .redact: ("--redact", "LABEL,LABEL…")
        case .redactionKey: ("--redact-key", "FILE")
        case .quiet: ("--quiet", nil)
        case .original: ("--original", nil)
        case .maximumProblems: ("--max-problems", "N")
        case .maximumDepth: ("--max-depth", "N")
        case .maximumBytes: ("--max-bytes", "N")
        case .check: ("--check", nil)
        case .count: ("--count", "NUMBER")
        case .seed: ("--seed", "NUMBER")
        case .invalid: ("--invalid", nil)
        case .direction: ("--direction", "backward|forward")
        case .allowUnproved: ("--allow-unproved", nil)
        case .jsonSchema: ("--json-schema", nil)
        case .openAPI: ("--openapi", nil)
        case .strict: ("--strict", nil)
        case .markdown: ("--markdown", nil)
        case .html: ("--html", nil)
        case .dot: ("--dot", nil)
        case .mermaid: ("--mermaid", nil)
        case .mode: ("--mode", "input|output")
        case .array: ("--array", nil)
        case .nullAsAbsent: ("--null-as-absent", nil)
        case .access: ("--access", "internal|package|public")
        case .condition: ("--where", "CONDITION")
        case .order: ("--order", "KEY,-KEY…")
        case .limit: ("--limit", "N")
        case .offset: ("--offset", "N")
        case .include: ("--include", "KEY,KEY…")
        case .countModels: ("--count", nil)
        case .skipUnreadable: ("--skip-unreadable", nil)
        case .skipBad: ("--skip-bad", nil)
        case .forStores: ("--store", nil)
        case .manual: ("--man", nil)
        case .help: ("--help", nil)
        case .version: ("--version", nil)
        }
    }

    /// The spelling of the option.
    var name: String { form.name }

    /// The name of the option's value in the help; nil for options without one.
    var value: String? { form.value }

    /// A second, shorter name.
    var shortName: String? {
        switch self {
        case .help: "-h"
        case .output, .folder: "-o"
        default: nil
        }
    }

    /// Whether the option may be given several times.
    var isRepeatable: Bool { self == .schemas || self == .condition }

    /// The option as the help shows it: `--model NAME`.
    var synopsis: String {
        let names = shortName.map { "\(name), \($0)" } ?? name
        return value.map { "\(names) \($0)" } ?? names
    }

    /// Whether an argument is the option. Bytes are compared: canonical equivalence, which `==` means, is slow on long
    /// text.
    func isCalled(_ argument: some StringProtocol) -> Bool {
        argument.utf8.elementsEqual(name.utf8) || shortName.map { argument.utf8.elementsEqual($0.utf8) } ?? false
    }
}
