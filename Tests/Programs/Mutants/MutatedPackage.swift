import Foundation

/// A copy of the package in which all mutants are compiled at once, each asleep until the environment names it.
struct MutatedPackage {
    /// The modules that are mutated, lowest first. The first one gets the switch.
    static let modules = [
        "PalliumJSON", "PalliumCore", "PalliumAdapter", "PalliumArchive", "PalliumMerging", "Pallium",
    ]

    private let directory: URL
    private let sources: [String: SourceText]
    private var mutations: [Int: Mutation]
    /// How many were dropped because they change what is returned where nothing is.
    private(set) var voidCount = 0
    /// Has the operators of dropped mutants, too: were it to change, everything would be compiled again.
    private let mutantSwitch: MutantSwitch

    private var buildDirectory: URL { directory.appending(path: "build") }
    private var packageDirectory: URL { directory.appending(path: "package") }
    var testProgram: String { buildDirectory.appending(path: "debug/PalliumPackageTests.xctest").path }

    /// Reads the sources of a copy that `.ci/mutants` made.
    static func sources(in directory: URL) throws -> [String: SourceText] {
        var sources: [String: SourceText] = [:]
        for module in modules {
            let folder = directory.appending(path: "package/Sources/\(module)")
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where name.hasSuffix(".swift")
            {
                let path = "Sources/\(module)/\(name)"
                let data = try Data(contentsOf: directory.appending(path: "package/\(path)"))
                sources[path] = SourceText(path: path, bytes: [UInt8](data))
            }
        }
        return sources
    }

    init(directory: URL, sources: [String: SourceText], mutations: [Int: Mutation]) {
        self.directory = directory
        self.sources = sources
        self.mutations = mutations
        mutantSwitch = MutantSwitch(mutations)
    }

    /// Builds, drops what does not compile, and builds again, until everything compiles. Answers the numbers left.
    mutating func build(log: (String) -> Void) throws -> [Int] {
        for step in Self.modules.map({ ["--target", $0] }) + [["--build-tests"]] {
            while true {
                let files = try write()
                let (isBuilt, output) = try swiftBuild(step)
                var dropped: Set<Int> = []
                var void: Set<Int> = []
                for objection in Self.objections(in: output) {
                    guard let file = files.first(where: { objection.path.hasSuffix($0.key) }) else { continue }
                    let suspects = file.value.suspects(line: objection.line, column: objection.column)
                    dropped.formUnion(suspects)
                    if objection.isVoid { void.formUnion(suspects) }
                }
                dropped.formIntersection(mutations.keys)
                voidCount += void.intersection(dropped).count
                if isBuilt, dropped.isEmpty { break }
                log("\(step.joined(separator: " ")): \(dropped.count) of \(mutations.count) do not compile")
                guard !dropped.isEmpty else { throw Failure(description: "the build fails:\n\(output.suffix(4000))") }
                for id in dropped { mutations[id] = nil }
            }
        }
        return mutations.keys.sorted()
    }

    /// What stopped the run.
    struct Failure: Error, CustomStringConvertible { let description: String }

    private func write() throws -> [String: MutatedSource] {
        var files: [String: MutatedSource] = [:]
        let byPath = Dictionary(grouping: mutations, by: \.value.path)
        for (path, source) in sources {
            let own = Dictionary(uniqueKeysWithValues: (byPath[path] ?? []).map { ($0.key, $0.value) })
            let isLowest = path.hasPrefix("Sources/\(Self.modules[0])/")
            let header = own.isEmpty || isLowest ? "" : "public import \(Self.modules[0]); "
            let file = MutatedSource(source, own, header: header)
            files[path] = file
            try replace(packageDirectory.appending(path: path), file.bytes)
        }
        try replace(
            packageDirectory.appending(path: "Sources/\(Self.modules[0])/MutantSwitch.swift"),
            Array(mutantSwitch.source.utf8))
        return files
    }

    /// Leaves alone what is the same, for the sake of the next build.
    private func replace(_ file: URL, _ bytes: [UInt8]) throws {
        let data = Data(bytes)
        if let old = try? Data(contentsOf: file), old == data { return }
        try data.write(to: file)
    }

    private func swiftBuild(_ arguments: [String]) throws -> (isBuilt: Bool, output: String) {
        let log = directory.appending(path: "build.log")
        try Data().write(to: log)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            [
                "swift", "build", "--package-path", packageDirectory.path, "--scratch-path", buildDirectory.path,
            ] + arguments
        let output = try FileHandle(forWritingTo: log)
        process.standardOutput = output
        process.standardError = output
        try process.run()
        process.waitUntilExit()
        return (process.terminationStatus == 0, String(decoding: try Data(contentsOf: log), as: UTF8.self))
    }

    /// The places of errors, and of results that nobody uses or that are none, which cannot be other ones.
    private static func objections(in output: String) -> [(path: String, line: Int, column: Int, isVoid: Bool)] {
        output.split(separator: "\n").compactMap { line in
            let pattern = /(\/.*\.swift):(\d+):(\d+): (error: .*|warning: (result of call to )?'mutantResult' is .*)/
            guard let match = line.wholeMatch(of: pattern) else { return nil }
            return (
                String(match.1), Int(match.2) ?? 0, Int(match.3) ?? 0, match.4.contains(MutantSwitch.returnsNothing)
            )
        }
    }
}
