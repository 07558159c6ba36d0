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
        .target(name: "PalliumCore", dependencies: ["PalliumJSON"]),
        .target(name: "Pallium", dependencies: ["PalliumCore", "PalliumJSON"]),
        .target(name: "GitHubModels", dependencies: ["Pallium"]),
        .executableTarget(name: "PalliumTool", dependencies: ["Pallium"]),
        .executableTarget(name: "ReadmeExample", dependencies: ["Pallium"]),
        .executableTarget(name: "Benchmarks", dependencies: ["Pallium"]),
        .executableTarget(name: "ReliabilityCheck", dependencies: ["Pallium"]),
        .testTarget(name: "PalliumJSONTests", dependencies: ["PalliumJSON"]),
        .testTarget(name: "PalliumCoreTests", dependencies: ["PalliumCore", "PalliumJSON"]),
        .testTarget(
            name: "PalliumTests", dependencies: ["Pallium", "GitHubModels"], exclude: ["Corpus/Schemas"]),
        .testTarget(name: "PalliumToolTests", dependencies: ["PalliumTool"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ]
}
