/// The options, with everything that parsing and help need.
enum Option: CaseIterable {
    case schemas, model, profile, opaqueTransformers, output, local, lines, only, unknown, format, exitCode, pretty
    case reportFormat, baseline
    case collect, validation, errors, explain, check, name, rows, folder, count, seed, invalid, direction
    case targetVersions, keepFormat
    case redact, redactionKey, unmasked
    case jobs, unordered, rejects, quiet, original, maximumProblems, maximumDepth, maximumBytes
    case jsonSchema, openAPI, strict, markdown, html, dot, mermaid, mode, array, nullAsAbsent, access
    case condition, order, limit, offset, include, countModels
    case manual, help, version

    /// The spelling of the option.
    var name: String {
        switch self {
        case .schemas: "--schemas"
        case .model: "--model"
        case .profile: "--profile"
        case .opaqueTransformers: "--opaque-transformers"
        case .output, .folder: "--output"
        case .local: "--local"
        case .lines: "--lines"
        case .only: "--only"
        case .unknown: "--unknown"
        case .format, .reportFormat: "--format"
        case .baseline: "--baseline"
        case .exitCode: "--exit-code"
        case .pretty: "--pretty"
        case .keepFormat: "--keep-format"
        case .collect: "--collect"
        case .validation: "--validation"
        case .name: "--name"
        case .rows: "--rows"
        case .errors: "--errors"
        case .explain: "--explain"
        case .jobs: "--jobs"
        case .unordered: "--unordered"
        case .rejects: "--rejects"
        case .unmasked: "--unmasked"
        case .redact: "--redact"
        case .redactionKey: "--redact-key"
        case .quiet: "--quiet"
        case .original: "--original"
        case .maximumProblems: "--max-problems"
        case .maximumDepth: "--max-depth"
        case .maximumBytes: "--max-bytes"
        case .check: "--check"
        case .count: "--count"
        case .seed: "--seed"
        case .invalid: "--invalid"
        case .direction: "--direction"
        case .jsonSchema: "--json-schema"
        case .openAPI: "--openapi"
        case .strict: "--strict"
        case .markdown: "--markdown"
        case .html: "--html"
        case .dot: "--dot"
        case .mermaid: "--mermaid"
        case .mode: "--mode"
        case .targetVersions: "--target-version"
        case .array: "--array"
        case .nullAsAbsent: "--null-as-absent"
        case .access: "--access"
        case .condition: "--where"
        case .order: "--order"
        case .limit: "--limit"
        case .offset: "--offset"
        case .include: "--include"
        case .countModels: "--count"
        case .manual: "--man"
        case .help: "--help"
        case .version: "--version"
        }
    }

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

    /// The name of the option's value in the help; nil for options without one.
    var value: String? {
        switch self {
        case .schemas: "DIR"
        case .folder: "FOLDER"
        case .model, .profile, .name: "NAME"
        case .condition: "CONDITION"
        case .order: "KEY,-KEY…"
        case .include: "KEY,KEY…"
        case .rows, .limit, .offset, .jobs, .maximumProblems, .maximumDepth, .maximumBytes: "N"
        case .output, .local, .rejects, .baseline, .redactionKey: "FILE"
        case .redact: "LABEL,LABEL…"
        case .only: "KEY,KEY…"
        case .unknown: "ignore|refuse|keep"
        case .format: "text|patch|merge-patch"
        case .reportFormat: "text|json|html"
        case .validation: "enforce|none"
        case .errors: "text|json"
        case .count, .seed: "NUMBER"
        case .mode: "input|output"
        case .direction: "backward|forward"
        case .targetVersions: "NAME=N,NAME=N…"
        case .access: "internal|package|public"
        case .opaqueTransformers, .lines, .unordered, .unmasked, .quiet, .original, .exitCode, .pretty, .keepFormat,
            .collect, .explain, .check, .invalid, .jsonSchema, .openAPI, .strict, .markdown, .html, .dot, .mermaid,
            .array, .nullAsAbsent, .countModels, .manual, .help, .version:
            nil
        }
    }

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
