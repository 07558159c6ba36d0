// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Pallium",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Pallium", targets: ["Pallium"]),
        .executable(name: "pallium", targets: ["PalliumTool"]),
    ],
    targets: [
        .target(name: "PalliumJSON"),
        .target(name: "PalliumMemory"),
        .target(name: "PalliumCore", dependencies: ["PalliumJSON", "PalliumMemory"]),
        .target(name: "PalliumAdapter", dependencies: ["PalliumCore", "PalliumJSON"]),
        .target(name: "PalliumArchive", dependencies: ["PalliumAdapter", "PalliumCore", "PalliumJSON"]),
        .target(name: "PalliumMerging", dependencies: ["PalliumAdapter", "PalliumCore", "PalliumJSON"]),
        .target(
            name: "Pallium",
            dependencies: ["PalliumAdapter", "PalliumArchive", "PalliumCore", "PalliumJSON", "PalliumMerging"]),
        .executableTarget(name: "PalliumTool", dependencies: ["Pallium"]),
        .executableTarget(name: "ReadmeExample", dependencies: ["Pallium"]),
        .target(name: "FuzzTargets", dependencies: ["Pallium"], path: "Tests/Programs/FuzzTargets"),
        .target(name: "RunSupport", path: "Tests/RunSupport"),
        .target(
            name: "TestSupport", dependencies: ["PalliumCore", "PalliumJSON", "PalliumMerging", "RunSupport"],
            path: "Tests/TestSupport"),
        .testTarget(name: "PalliumJSONTests", dependencies: ["PalliumJSON", "TestSupport"]),
        .testTarget(
            name: "PalliumCoreTests", dependencies: ["PalliumCore", "PalliumJSON", "PalliumMerging", "TestSupport"]),
        .testTarget(
            name: "PalliumTests", dependencies: ["Pallium", "TestSupport"],
            exclude: ["Archive/Fixtures", "Corpus/Schemas"]),
        .testTarget(name: "MainActorTests", dependencies: ["Pallium"]),
        .testTarget(name: "PalliumToolTests", dependencies: ["PalliumTool", "TestSupport"]),
        .testTarget(name: "FuzzTargetsTests", dependencies: ["FuzzTargets"], exclude: ["Inputs"]),
    ],
    swiftLanguageModes: [.v6]
)

// Programs that check the library and that no user needs.
let programs = ["Benchmarks", "Mutants", "ReliabilityCheck"]
package.targets += programs.map {
    .executableTarget(name: $0, dependencies: ["Pallium", "RunSupport"], path: "Tests/Programs/\($0)")
}

// Fuzzing builds everything with libFuzzer, which brings its own main function: see `.ci/fuzz`.
if Context.environment["PALLIUM_FUZZ"] != nil {
    package.products = []
    package.targets.removeAll { $0.type == .executable || $0.type == .test }
    package.targets.append(
        .executableTarget(name: "Fuzz", dependencies: ["FuzzTargets"], path: "Tests/Programs/Fuzz"))
}

for target in package.targets where target.name != "PalliumMemory" {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ]
}

// Every unsafe expression of the library is marked as one.
let library = ["PalliumJSON", "PalliumCore", "PalliumAdapter", "PalliumArchive", "PalliumMerging", "Pallium"]
for target in package.targets where library.contains(target.name) {
    target.swiftSettings?.append(.strictMemorySafety())
}

// What applications are whose modules belong to the main actor unless they say otherwise.
for target in package.targets where target.name == "MainActorTests" {
    target.swiftSettings?.append(.defaultIsolation(MainActor.self))
}
