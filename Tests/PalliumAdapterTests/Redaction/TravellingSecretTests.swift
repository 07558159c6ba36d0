import Foundation
import Pallium
import RunSupport
import TestSupport
import Testing

/// Values with labels that are wrong on their way from one place to another: no error tells them.
///
/// *Sensitive values*: "A value that was read from a property with a label, or that would become the value of one, is in no
/// error of an upgrade, whatever renames, transforms or copies it."
@Suite struct TravellingSecretTests {
    private static let secret = "zqxv-S3CR3T"

    private func text(_ body: () throws -> Void) -> String {
        do {
            try body()
            return ""
        } catch {
            var dumped = "\(error) \(error.localizedDescription)"
            dump(error, to: &dumped)
            if let error = error as? ModelError, let json = try? JSONEncoder().encode(error) {
                dumped += String(decoding: json, as: UTF8.self)
            }
            return dumped
        }
    }

    /// Two versions of a schema with some steps between them.
    private struct Versions {
        var former: ModelSchema
        var present: ModelSchema
        /// Whether the value has a label in the present version, at the end of its way.
        var isLabelledAtTheEnd: Bool

        init(_ random: inout SeededGenerator) {
            var keys = ["a", "b", "c"]
            let isLabelledBefore = Bool.random(using: &random)
            isLabelledAtTheEnd = !isLabelledBefore || Bool.random(using: &random)
            former = ModelSchema(
                "R",
                [
                    "a": isLabelledBefore ? PropertySchema.string.secret : .string, "b": .string, "c": .string,
                ])
            var steps: [SchemaUpgrade] = []
            var secretKeys = [0]
            for from in 1...Int.random(in: 1...3, using: &random) {
                let number = Int.random(in: 0..<3, using: &random)
                let key = keys[number]
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    keys[number] = "\(key)\(from)"
                    steps.append(SchemaUpgrade(from: from, renamed: [key: keys[number]]))
                case 1: steps.append(SchemaUpgrade(from: from, transformed: [key: [DateOnlyTransformerName]]))
                case 2:
                    keys[number] = "\(key)\(from)"
                    steps.append(
                        SchemaUpgrade(
                            from: from, renamed: [key: keys[number]],
                            transformed: [keys[number]: [IntegerTextTransformerName]]))
                default:
                    let source = keys[secretKeys[0]]
                    steps.append(SchemaUpgrade(from: from) { $0[key] = $0[source] })
                    secretKeys.append(number)
                }
            }
            present = ModelSchema("R", [:], version: steps.count + 1)
            present.upgrades = steps
            for (number, key) in keys.enumerated() {
                var property: PropertySchema =
                    [.string, .integer, .date, .url].randomElement(using: &random) ?? .string
                if number == 0, isLabelledAtTheEnd { property = property.secret }
                present.properties.append(ModelSchema.Property(key, property))
            }
        }
    }

    @Test(.trials, .threat(.secretsInErrors)) func stepsTellNoLabelledValue() throws {
        let trials = Trials(12)
        var refused = 0
        for seed in trials {
            var random = SeededGenerator(seed: seed)
            let versions = Versions(&random)
            let (former, present) = (SchemaRegistry(), SchemaRegistry())
            try former.register(versions.former)
            try present.register(versions.present)
            let model = try DynamicModel(
                schema: versions.former, values: ["a": Self.secret, "b": "plain", "c": "other"], registry: former)
            let archive = try ModelArchiver().archive(model)
            var texts = [text { _ = try ModelUnarchiver(registry: present).unarchive(versions.present, from: archive) }]
            if versions.isLabelledAtTheEnd {
                let adapter = try JSONAdapter(schema: versions.present, registry: present)
                let document = #"{"v":1,"a":"\#(Self.secret)","b":"plain","c":"other"}"#
                texts.append(text { _ = try adapter.model(from: document, versionMember: "v") })
            }
            refused += texts.contains("") ? 0 : 1
            for text in texts where text.contains("S3CR3T") {
                Issue.record("\(versions.former) to \(versions.present): \(text)")
                return
            }
        }
        #expect(refused > trials.count / 6)
    }

    @Test(.threat(.secretsInErrors), arguments: ["owner", "all", "wrong"])
    func valuesThatAreStoredLastOrLeftOutAreNotTold(key: String) throws {
        let (former, present) = (SchemaRegistry(), SchemaRegistry())
        let friend = ModelSchema("Friend", ["name": .string])
        try former.register(
            friend,
            ModelSchema(
                "R",
                [
                    "token": .string.secret, "tokens": .array(of: .string).secret, "owner": .model("Friend"),
                    "all": .array(of: .string),
                ]))
        var schema = ModelSchema(
            "R",
            [
                "owner": .model("Friend").archive(.conditional), "all": .array(of: .integer), "wrong": .integer,
            ], version: 2)
        schema.upgrades = [
            SchemaUpgrade(from: 1) { stored in
                let (token, tokens) = (stored["token"], stored["tokens"])
                stored["token"] = nil
                stored["tokens"] = nil
                stored[key] = key == "all" ? tokens : token
            }
        ]
        try present.register(friend, schema)
        let model = try DynamicModel(
            schema: former.schema(named: "R"), values: ["token": Self.secret, "tokens": ["1", Self.secret]],
            registry: former)
        let archive = try ModelArchiver().archive(model)
        for elements in [JSONAdapterOptions.ElementPolicy.fail, .skip] {
            var options = ModelUnarchiverOptions()
            options.elements = elements
            let report = ModelUnarchiver(registry: present, options: options).report(schema, from: archive)
            #expect(!report.problems.isEmpty && !"\(report.problems)".contains("S3CR3T"), "\(report.problems)")
        }
    }

    @Test(
        .threat(.secretsInErrors),
        arguments: [
            #"{"kind":"\#(TravellingSecretTests.secret)"}"#, #"{"kind":"\#(TravellingSecretTests.secret)","n":"x"}"#,
        ])
    func anUnknownDiscriminatorWithALabelIsNotTold(document: String) throws {
        let registry = SchemaRegistry()
        try registry.load(
            Data(
                #"""
                [{"name": "S", "properties": {"kind": {"kind": "string", "labels": ["secret"]}},
                  "cluster": {"discriminator": "kind", "models": {"c": "C"}}},
                 {"name": "C", "extends": "S", "properties": {"n": {"kind": "integer"}}}]
                """#.utf8))
        for name in ["S", "C"] {
            let adapter = try JSONAdapter(schema: registry.schema(named: name), registry: registry)
            let error = text { _ = try adapter.model(from: document) }
            #expect(error.contains("a masked value") && !error.contains("S3CR3T"), "\(error)")
            let report = adapter.report(from: document)
            #expect(!report.problems.isEmpty && !"\(report.problems)".contains("S3CR3T"))
        }
    }

    @Test(
        .threat(.secretsInErrors),
        arguments: [
            #"[{"op":"copy","from":"/token","path":"/count"}]"#, #"[{"op":"move","from":"/token","path":"/count"}]"#,
            #"[{"op":"copy","from":"/token","path":"/note"},{"op":"test","path":"/note","value":"x"}]"#,
            #"[{"op":"copy","from":"/home","path":"/place"},{"op":"copy","from":"/place/street","path":"/count"}]"#,
        ])
    func patchesThatCopyALabelledValueTellNothing(patch: String) throws {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema(
                "P",
                [
                    "token": .string.secret, "count": .integer, "note": .string, "home": .model("H"),
                    "place": .jsonValue,
                ]), ModelSchema("H", ["street": .string.secret]))
        let adapter = try JSONAdapter(schema: registry.schema(named: "P"), registry: registry)
        let model = try adapter.model(
            from: #"{"token":"\#(Self.secret)","home":{"street":"\#(Self.secret)"}}"#)
        let error = text { try adapter.apply(JSONPatch(parsing: patch), to: model) }
        #expect(!error.isEmpty && !error.contains("S3CR3T"), "\(error)")
    }
}
