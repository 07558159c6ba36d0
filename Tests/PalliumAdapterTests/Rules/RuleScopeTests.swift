import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Rules together with other features of schemas, and what checks no rules.
struct RuleScopeTests {
    @Test func writingAndCopyingCheckNothing() throws {
        let schema = ModelSchema("Plain", ["n": .integer.rules(.minimum(1)), "m": .integer]).rules(.before("n", "m"))
        let registry = try SchemaRegistry.of(schema)
        let model = DynamicModel(schema: schema, registry: registry)
        (model["n"], model["m"]) = (0, 0)
        let adapter = try JSONAdapter(schema: schema, registry: registry)
        #expect(try String(decoding: adapter.data(from: model), as: UTF8.self) == #"{"n":0,"m":0}"#)
        #expect(model.copy() == model && model.deepCopy() == model)
        model.trackChanges()
        model["n"] = -1
        #expect(try adapter.mergePatch(for: model).jsonValue == ["n": -1])
        model.revert()
        #expect(model["n", as: Int.self] == 0)
    }

    @Test func theModelsOfAClusterHaveTheirRules() throws {
        let shapes = [
            ModelSchema(
                "Shape", ["n": .integer.rules(.minimum(1)), "a": .integer, "b": .integer],
                cluster: .discriminator("kind", ["circle": "Circle", "line": "Line"], default: "Shape")
            ).rules(.notAfter("a", "b")),
            ModelSchema("Circle", ["radius": .double.rules(.exclusiveMinimum(0))], extends: "Shape")
                .rules(.required(["radius"], when: ["n": 5])),
            ModelSchema("Line", [:], extends: "Shape"),
        ]
        let adapter = try Plain.adapter(shapes)
        for text in [#"{"kind":"circle","radius":1,"n":5}"#, #"{"kind":"line","n":5}"#, #"{"n":5,"a":1,"b":1}"#] {
            #expect(throws: Never.self, "\(text)") { try adapter.model(from: text) }
        }
        for (text, pointer) in [
            (#"{"kind":"circle","radius":0}"#, "/radius"), (#"{"kind":"circle","n":0}"#, "/n"),
            (#"{"kind":"circle","n":5}"#, "/radius"), (#"{"kind":"line","a":2,"b":1}"#, "/a"), (#"{"n":0}"#, "/n"),
        ] {
            #expect(places(adapter.problem(of: text)) == ["ruleBroken at \(pointer)"], "\(text)")
        }
    }

    @Test func severalThreadsCheckTheSame() throws {
        let adapter = try Plain.adapter([
            "id": .integer.rules(.minimum(0)), "tags": .array(of: .string.rules(.pattern("^[a-z]+$"))).rules(.unique),
        ])
        let elements = (0..<300).map { #"{"id":\#($0),"tags":["a","b\#($0 == 211 ? "1" : "")"]}"# }
        let text = "[\(elements.joined(separator: ","))]"
        for count in [1, 2, 4] {
            let error = problem { () throws(ModelError) in
                try adapter.adapter.models(fromLines: elements.joined(separator: "\n"), concurrently: count)
            }
            #expect(places(error) == ["ruleBroken at /tags/1"])
        }
        #expect(adapter.sentence(ofMany: text)?.contains("at /211/tags/1 (1:") == true)
    }

    @Test func rulesSeeWhatAnUpgradeMade() throws {
        let old = ModelSchema("Plain", ["size": .integer])
        let bytes = try archived(old, ["size": 5])
        func upgraded(_ rule: PropertySchema.Rule) -> ModelSchema {
            var schema = ModelSchema("Plain", ["length": .integer.rules(rule)], version: 2)
            schema.upgrades = [SchemaUpgrade(from: 1, renamed: ["size": "length"])]
            return schema
        }
        #expect(try reopen(bytes, as: upgraded(.minimum(5)))["length", as: Int.self] == 5)
        let error = #expect(throws: ModelError.self) { try reopen(bytes, as: upgraded(.minimum(6))) }
        #expect(error?.code == .ruleBroken)
    }

    @Test func aDefaultKeepsTheRulesOrIsRefused() throws {
        // A default counts as a value, so one that breaks a rule would break every model without the member.
        let schema = ModelSchema("Plain", ["n": .integer.default(0).rules(.minimum(1))])
        if Plain.problems([schema]).isEmpty {
            #expect(try Plain.adapter([schema]).problem(of: "{}")?.code == .ruleBroken)
        }
        let right = try Plain.adapter(["n": .integer.default(5).rules(.minimum(1))])
        #expect(try right.model(from: "{}")["n", as: Int.self] == 5)
        #expect(right.problem(of: #"{"n":0}"#)?.code == .ruleBroken)
    }

    @Test(.threat(.secretsInErrors)) func secretConditionsAreNotTold() throws {
        let schema = ModelSchema("Plain", ["c": .string.secret, "d": .string])
            .rules(.required(["d"], when: ["c": "open sesame"]))
        let error = try #require(try Plain.adapter([schema]).problem(of: #"{"c": "open sesame"}"#))
        #expect(!error.description.contains("sesame"))
        let unfit = ModelSchema("Plain", ["c": .integer.secret, "d": .string])
            .rules(.required(["d"], when: ["c": "open sesame"]))
        #expect(Plain.problems([unfit]).count == 1)
    }

    @Test func aStreamGoesOnBehindABrokenElementWhereThePolicySaysSo() throws {
        let adapter = try Plain.adapter(["n": .integer.rules(.minimum(1))], options: .with { $0.elements = .skip })
            .adapter
        let models = try adapter.models(fromLines: "{\"n\":1}\n{\"n\":0}\n{\"n\":2}\n")
        #expect(models.map { $0["n", as: Int.self] } == [1, 2])
    }
}
