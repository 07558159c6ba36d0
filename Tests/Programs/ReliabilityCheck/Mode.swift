/// What the program can check.
enum Mode: String, CaseIterable {
    case suite, documents, mutated
    case numbers, printing, integers
    case utf8, escapes, dates
    case hostile
    case depth, chain
    case archives, kills
    case stores, flips, rows
    case evolutions
    case registries, schemas
    case patches, differential
    case traps

    /// What follows an option.
    enum Option {
        case flag, number
    }

    /// The options that the mode knows.
    var options: [String: Option] {
        switch self {
        case .suite: ["--all-paths": .flag]
        case .numbers: ["--random": .number, "--seed": .number]
        case .utf8: ["--exhaustive": .number]
        case .dates: ["--generated": .flag, "--seed": .number]
        case .hostile: Growth.options.merging(["--scaling": .flag, "--rss": .flag]) { $1 }
        case .depth: ["--stack": .number]
        case .chain: ["--stack": .number]
        case .patches: ["--seed": .number]
        case .differential: ["--seed": .number, "--from": .number, "--only": .number, "--names": .flag]
        case .archives: ["--forged": .flag, "--seed": .number]
        case .flips, .evolutions: ["--seed": .number]
        case .schemas: Growth.options.merging(["--times": .flag]) { $1 }
        case .documents, .mutated, .printing, .integers, .escapes, .registries, .traps: [:]
        case .kills, .stores, .rows: [:]
        }
    }

    /// Runs the mode and counts what passed.
    func run(_ arguments: Arguments, _ tally: inout Tally) throws {
        switch self {
        case .suite: try SuiteCheck.run(arguments, &tally)
        case .documents, .mutated: try DocumentCheck.run(arguments, &tally)
        case .numbers: try NumberCheck.run(arguments, &tally)
        case .printing: try PrintingCheck.run(arguments, &tally)
        case .integers: try IntegerCheck.run(arguments, &tally)
        case .utf8: try UTF8Check.run(arguments, &tally)
        case .escapes: try EscapeCheck.run(arguments, &tally)
        case .dates: try DateCheck.run(arguments, &tally)
        case .hostile: try HostileCheck.run(arguments, &tally)
        case .depth: try DepthCheck.run(arguments, &tally)
        case .chain: try ChainCheck.run(arguments, &tally)
        case .archives: try ArchiveCheck.run(arguments, &tally)
        case .kills: try KillCheck.run(arguments, &tally)
        case .stores: try StoreKillCheck.run(arguments, &tally)
        case .flips: try StoreDamageCheck.run(arguments, &tally)
        case .rows: try StoreSizeCheck.run(arguments, &tally)
        case .evolutions: try EvolutionCheck.run(arguments, &tally)
        case .registries: try RegistryCheck.run(arguments, &tally)
        case .schemas: try SchemaGrowthCheck.run(arguments, &tally)
        case .patches: try PatchCheck.run(arguments, &tally)
        case .differential: try DifferentialCheck.run(arguments, &tally)
        case .traps: try TrapCheck.run(arguments, &tally)
        }
    }
}
