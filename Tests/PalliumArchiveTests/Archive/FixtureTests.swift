import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Archives that were written once and must open for ever, one for each part of the format: every kind of value, graphs,
/// states. Schemas of several versions are the matter of `UpgradeTests`.
///
/// They are never written again. Set PALLIUM_WRITE_FIXTURES to write one that is missing.
@Suite(.threat(.archiveVersions)) struct FixtureTests {
    enum Fixture: String, CaseIterable, Sendable {
        case kinds, graph, states

        var file: URL { Self.file(rawValue) }

        /// The same models in the present format. Before, dates had no spelling.
        var present: URL { self == .kinds ? Self.file("kinds-20") : file }

        private static func file(_ name: String) -> URL {
            SharedData.repository.appendingPathComponent("Tests/PalliumArchiveTests/Archive/Fixtures/\(name).pallium")
        }
    }

    /// What a fixture holds, and all models that must be taken apart in the end.
    private struct Content {
        let registry: SchemaRegistry
        let schema: ModelSchema
        let roots: [DynamicModel]

        init(_ fixture: Fixture) throws {
            switch fixture {
            case .kinds:
                (registry, schema) = (try Everything.registry(), Everything.schema)
                let model = DynamicModel(schema: schema, registry: registry)
                for (key, value) in try Self.values() { try model.setValue(value, forKey: key) }
                roots = [model]
            case .graph:
                (registry, schema) = (SchemaRegistry(), Branch.schema)
                try registry.register(schema)
                let (root, left, right) = (
                    Branch(registry: registry), Branch(registry: registry), Branch(registry: registry)
                )
                for (branch, name) in [(root, "root"), (left, "left"), (right, "right")] { branch.name = name }
                root.children = [left, right, left]
                (left.parent, right.parent) = (root, root)
                // Conditional, in the archive anyway, and closing a cycle.
                (left.favourite, right.favourite) = (right, left)
                // Conditional, and not in the archive otherwise.
                root.favourite = Branch(registry: registry)
                roots = [root, left]
            case .states:
                registry = SchemaRegistry()
                let base = ModelSchema("Base", ["null": .integer, "size": .integer.default(7)])
                schema = ModelSchema(
                    "State", ["missing": .string, "child": .model("State"), "code": .string.secret], extends: "Base",
                    version: 1)
                try registry.register(base, schema)
                let adapter = try JSONAdapter(
                    schema: schema, registry: registry, options: .with { $0.unknownMembers = .keep })
                roots = [
                    try adapter.model(
                        from: #"{"null":null,"child":{"size":7,"code":"1234"},"kept":{"a":[1,null,1.50]},"é":"x"}"#)
                ]
            }
        }

        private static func values() throws -> [(key: String, value: any PropertyValue)] {
            [
                ("bool", true), ("integer", Int.min), ("small", Int8.min), ("unsigned", UInt.max), ("double", -0.1),
                ("float", Float(0.1)), ("decimal", try #require(Decimal(string: "-12345678901234567890.5"))),
                ("string", "é\u{1F600}\0"), ("date", Date(timeIntervalSince1970: 1_443_164_400.25)),
                ("url", try #require(URL(string: "https://example.org/a?b#c"))),
                ("uuid", UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255))),
                ("data", Data([0, 127, 128, 255])), ("color", "blue"), ("level", -1),
                ("json", ["a": [1, 1.5, .null, "x"]] as JSONValue), ("place", Point(x: -1, y: 2)),
                ("texts", ["", "sixteen bytes..."]), ("gaps", [1, nil] as [Int?]),
                ("table", ["": [], "a": [try #require(URL(string: "x:y?q"))]] as [String: [URL]]),
                ("tags", ["b", "a"]), ("flags", [["a": true, "b": nil]] as [[String: Bool?]]),
                ("places", [Point(x: 3, y: 4)]), ("password", "hunter2"),
            ]
        }

        func open(_ bytes: Data) throws -> [DynamicModel] {
            try ModelUnarchiver(registry: registry).unarchive(arrayOf: schema, from: bytes)
        }
    }

    /// Breaks the cycles.
    private func release(_ models: [DynamicModel]) {
        for case let branch as Branch in models {
            for child in branch.children ?? [] { child.favourite = nil }
        }
    }

    @Test(arguments: Fixture.allCases) func archivesOfFormerTimesOpen(fixture: Fixture) throws {
        let content = try Content(fixture)
        defer { release(content.roots) }
        if ProcessInfo.processInfo.environment["PALLIUM_WRITE_FIXTURES"] != nil,
            !FileManager.default.fileExists(atPath: fixture.present.path)
        {
            try ModelArchiver().archive(content.roots).write(to: fixture.present)
        }
        let bytes = try Data(contentsOf: fixture.file)
        let models = try content.open(bytes)
        defer { release(models) }
        if let root = content.roots[0] as? Branch { root.favourite = nil }
        #expect(models == content.roots)
        // Nothing is lost: not what a comparison does not see, either.
        #expect(try ModelArchiver().archive(models) == Data(contentsOf: fixture.present))
        #expect(bytes.count < 800)
    }

    @Test(arguments: Fixture.allCases) func theBytesOfTheFormatAreTheSameAsEver(fixture: Fixture) throws {
        let content = try Content(fixture)
        defer { release(content.roots) }
        #expect(try ModelArchiver().archive(content.roots) == Data(contentsOf: fixture.present))
    }

    @Test func statesAndWhatWasKeptComeBack() throws {
        let content = try Content(.states)
        let state = try #require(try content.open(Data(contentsOf: Fixture.states.file)).first)
        #expect(try state.state(of: "null") == .null)
        #expect(try state.state(of: "missing") == .unset)
        #expect(try state.state(of: "size") == .defaulted)
        #expect(state.unknownMembers == ["kept": ["a": [1, nil, 1.5]], "é": "x"])
        let child = try #require(state["child", as: DynamicModel.self])
        #expect(try child.state(of: "size") == .value)
        #expect(child["code", as: String.self] == "1234")
    }
}
