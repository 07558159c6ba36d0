// swift-tools-version: 6.2
import PackageDescription

// `Pallium` only exports the other modules, so its own compiled module stays the same when they change. SwiftPM compiles
// a target again only if a module that it names has changed. So whatever uses the library names all of it; otherwise an
// incremental build could keep code that was inlined from an older version.
let library = [
    "PalliumJSON", "PalliumCore", "PalliumDocuments", "PalliumAdapter", "PalliumArchive", "PalliumMerging", "Pallium",
]
let pallium = library.map { Target.Dependency(stringLiteral: $0) }

// Products beside the library, which may import it. Of one another they import the generator alone: contracts and inference
// take from it which names classes can have.
let besides = ["PalliumContracts", "PalliumGeneration", "PalliumTrials", "PalliumStore", "PalliumRecords"]
let everything = pallium + besides.map { Target.Dependency(stringLiteral: $0) }

let package = Package(
    name: "Pallium",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Pallium", targets: library),
        .library(name: "PalliumContracts", targets: library + ["PalliumContracts"]),
        .library(name: "PalliumGeneration", targets: library + ["PalliumGeneration"]),
        .library(name: "PalliumTrials", targets: library + ["PalliumTrials"]),
        .library(name: "PalliumStore", targets: library + ["PalliumStore"]),
        .library(name: "PalliumRecords", targets: library + ["PalliumRecords"]),
        .executable(name: "pallium", targets: ["PalliumTool"]),
        // SwiftPM finds the tool of a plugin only if a product has the name of its target.
        .executable(name: "PalliumGenerator", targets: ["PalliumGenerator"]),
        .plugin(name: "GenerateModels", targets: ["GenerateModels"]),
    ],
    targets: [
        .target(name: "PalliumJSON"),
        .target(name: "PalliumMemory"),
        .target(name: "PalliumCore", dependencies: ["PalliumJSON", "PalliumMemory"]),
        .target(name: "PalliumDocuments", dependencies: ["PalliumCore", "PalliumJSON"]),
        .target(name: "PalliumAdapter", dependencies: ["PalliumCore", "PalliumJSON"]),
        .target(name: "PalliumArchive", dependencies: ["PalliumAdapter", "PalliumCore", "PalliumJSON"]),
        .target(name: "PalliumMerging", dependencies: ["PalliumAdapter", "PalliumCore", "PalliumJSON"]),
        .target(
            name: "Pallium",
            dependencies: [
                "PalliumAdapter", "PalliumArchive", "PalliumCore", "PalliumDocuments", "PalliumJSON", "PalliumMerging",
            ]),
        .target(name: "PalliumContracts", dependencies: pallium + ["PalliumGeneration"]),
        .target(name: "PalliumGeneration", dependencies: pallium),
        .target(name: "PalliumTrials", dependencies: pallium + ["PalliumGeneration"]),
        .target(name: "PalliumRecords", dependencies: pallium),
        // On Linux, the library is loaded when a store is opened.
        .target(
            name: "PalliumSQLite",
            linkerSettings: [
                .linkedLibrary("sqlite3", .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS]))
            ]),
        .target(name: "PalliumStore", dependencies: pallium + ["PalliumSQLite"]),
        .executableTarget(name: "PalliumTool", dependencies: everything + ["PalliumMemory"]),
        // What the plugins run: as little of the package as generates classes.
        .executableTarget(name: "PalliumGenerator", dependencies: pallium + ["PalliumGeneration"]),
        .plugin(
            name: "GenerateModels",
            capability: .command(
                intent: .custom(verb: "generate-models", description: "Write Swift classes for schema documents."),
                permissions: [.writeToPackageDirectory(reason: "It writes the classes into the folder that you name.")]),
            path: "Sources/Plugins/GenerateModels"),
        .executableTarget(name: "ReadmeExample", dependencies: pallium + ["PalliumStore"]),
        .target(name: "FuzzTargets", dependencies: everything, path: "Tests/Programs/FuzzTargets"),
        .target(name: "RunSupport", path: "Tests/RunSupport"),
        .target(
            name: "TestSupport", dependencies: ["PalliumCore", "PalliumJSON", "PalliumMerging", "RunSupport"],
            path: "Tests/TestSupport"),
        .target(name: "GitHubModels", dependencies: pallium, path: "Tests/GeneratedModels/GitHub"),
        .target(name: "OddModels", dependencies: pallium, path: "Tests/GeneratedModels/Odd"),
        .target(name: "TicketModels", dependencies: pallium, path: "Tests/GeneratedModels/Tickets"),
        // It exports TestSupport, which tests name all the same: see the first comment.
        .target(
            name: "ModelTestSupport", dependencies: pallium + ["GitHubModels", "TestSupport"],
            path: "Tests/ModelTestSupport"),
        .testTarget(name: "PalliumJSONTests", dependencies: ["PalliumJSON", "TestSupport"]),
        .testTarget(
            name: "PalliumCoreTests", dependencies: ["PalliumCore", "PalliumJSON", "PalliumMerging", "TestSupport"]),
        .testTarget(name: "PalliumAdapterTests", dependencies: everything + ["ModelTestSupport", "TestSupport"]),
        .testTarget(
            name: "PalliumArchiveTests", dependencies: pallium + ["ModelTestSupport", "TestSupport"],
            exclude: ["Archive/Fixtures"]),
        .testTarget(
            name: "PalliumMergingTests", dependencies: pallium + ["ModelTestSupport", "PalliumStore", "TestSupport"]),
        .testTarget(name: "PalliumDocumentsTests", dependencies: everything + ["ModelTestSupport", "TestSupport"]),
        .testTarget(name: "PalliumContractsTests", dependencies: everything + ["ModelTestSupport", "TestSupport"]),
        .testTarget(
            name: "PalliumGenerationTests",
            dependencies: everything + ["GitHubModels", "ModelTestSupport", "OddModels", "TestSupport", "TicketModels"]),
        .testTarget(name: "PalliumTrialsTests", dependencies: everything + ["ModelTestSupport", "TestSupport"]),
        .testTarget(
            name: "PalliumStoreTests", dependencies: pallium + ["ModelTestSupport", "PalliumStore", "TestSupport"]),
        .testTarget(
            name: "PalliumRecordsTests",
            dependencies: pallium + ["ModelTestSupport", "PalliumRecords", "PalliumStore", "TestSupport"]),
        .testTarget(
            name: "PalliumTests", dependencies: everything + ["ModelTestSupport", "TestSupport", "TicketModels"],
            exclude: ["Corpus/Schemas"]),
        .testTarget(name: "MainActorTests", dependencies: pallium + ["TestSupport"]),
        .testTarget(
            name: "PalliumToolTests", dependencies: everything + ["PalliumGenerator", "PalliumTool", "TestSupport"]),
        .testTarget(name: "FuzzTargetsTests", dependencies: everything + ["FuzzTargets"], exclude: ["Inputs"]),
    ],
    swiftLanguageModes: [.v6]
)

// Programs that check the library and that no user needs.
let programs = ["Benchmarks", "Declarations", "Mutants", "ReliabilityCheck"]
package.targets += programs.map {
    .executableTarget(
        name: $0, dependencies: everything + ["PalliumSQLite", "RunSupport"], path: "Tests/Programs/\($0)")
}

// SwiftPM builds the program of a build plugin, and all that it depends on, apart from the same targets of the package. That
// takes twice the time, so contributors leave the build plugin out: see `.ci/run`.
if Context.environment["PALLIUM_WITHOUT_BUILD_PLUGIN"] == nil {
    package.products.append(.plugin(name: "GenerateModelsInBuild", targets: ["GenerateModelsInBuild"]))
    package.targets.append(
        .plugin(
            name: "GenerateModelsInBuild", capability: .buildTool(), dependencies: ["PalliumGenerator"],
            path: "Sources/Plugins/GenerateModelsInBuild"))
}

// Fuzzing builds everything with libFuzzer, which brings its own main function: see `.ci/fuzz`.
if Context.environment["PALLIUM_FUZZ"] != nil {
    package.products = []
    package.targets.removeAll { [.executable, .test, .plugin].contains($0.type) }
    package.targets.append(
        .executableTarget(name: "Fuzz", dependencies: everything + ["FuzzTargets"], path: "Tests/Programs/Fuzz"))
}

// A run that needs the tests of some modules builds only these and the library: see `.ci/sanitize`.
if let tests = Context.environment["PALLIUM_TESTS"]?.split(separator: " ").map(String.init) {
    var needed: Set<String> = []
    func need(_ name: String) {
        guard needed.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else {
            return
        }
        for case .byNameItem(let name, _) in target.dependencies { need(name) }
    }
    for name in tests { need(name) }
    package.products = []
    package.targets.removeAll { !needed.contains($0.name) }
}

let inC = ["PalliumMemory", "PalliumSQLite"]
for target in package.targets where !inC.contains(target.name) && target.type != .plugin {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ]
}

// Every unsafe expression of the library is marked as one.
for target in package.targets where (library + besides).contains(target.name) {
    target.swiftSettings?.append(.strictMemorySafety())
}

// What applications are whose modules belong to the main actor unless they say otherwise.
for target in package.targets where target.name == "MainActorTests" {
    target.swiftSettings?.append(.defaultIsolation(MainActor.self))
}
