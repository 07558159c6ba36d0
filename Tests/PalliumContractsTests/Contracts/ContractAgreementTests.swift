import Foundation
import ModelTestSupport
import Pallium
import PalliumContracts
import RunSupport
import Testing

/// The decoder and the exported JSON Schema give the same verdict on damaged documents.
@Suite struct ContractAgreementTests {
    private static let values: [JSONValue] = [
        .null, true, 0, -1, 1.5, 255, 9_223_372_036_854_775_807, "", "x", "7", "2020-02-29T00:00:00Z",
        "2021-02-29T00:00:00Z", "2020-01-01T00:00:00+0130", "2020-01-01", "2020-01-01T24:00:00Z", "https://h/a%20b",
        "http://a b", "//x", "a:b", "1:b", "%zz", "é", [], [:], [1], ["a"], ["a": 1], "open", "PushEvent", "WatchEvent",
        "aGk=", "aGl=", "PT1H", "P1Y", ["kind": "one"], ["kind": 2], ["g": 1], ["g": .null], ["two": 1], ["a", "a"],
    ]

    /// Returns a document with one or two members replaced or removed, anywhere in it.
    private func damaged(_ document: JSONValue, _ generator: inout SeededGenerator) -> JSONValue {
        var result = document
        for _ in 0..<Int.random(in: 1...2, using: &generator) { damage(&result, &generator) }
        return result
    }

    private func damage(_ value: inout JSONValue, _ generator: inout SeededGenerator) {
        // Steps down at random; where it stops, the value is replaced.
        let goesOn = Int.random(in: 0..<4, using: &generator) > 0
        switch value {
        case .object(var members) where !members.isEmpty:
            let key = members[Int.random(in: 0..<members.count, using: &generator)].key
            if goesOn, var member = members[key] {
                damage(&member, &generator)
                members[key] = member
            } else {
                members[key] = nil
            }
            value = .object(members)
        case .array(var elements) where !elements.isEmpty && goesOn:
            let index = Int.random(in: 0..<elements.count, using: &generator)
            damage(&elements[index], &generator)
            value = .array(elements)
        default: value = Self.values.randomElement(using: &generator) ?? .null
        }
    }

    private func disagreements(
        _ schema: ModelSchema, _ registry: SchemaRegistry, _ documents: [JSONValue], _ trials: Trials
    ) throws -> (refusedByContract: [String], refusedByDecoder: [String], accepted: Int) {
        let validator = try JSONSchemaValidator(registry.jsonSchema(of: schema))
        let adapter = try JSONAdapter(schema: schema, registry: registry)
        var refusedByContract: [String] = []
        var refusedByDecoder: [String] = []
        var accepted = 0
        for seed in trials {
            var generator = SeededGenerator(seed: seed)
            let document = damaged(documents[seed % documents.count], &generator)
            let problems = adapter.report(from: document).problems
            if problems.isEmpty { accepted += 1 }
            switch (problems.isEmpty, try validator.accepts(document)) {
            case (true, false): refusedByContract.append(try document.text())
            case (false, true): refusedByDecoder.append(problems[0].description)
            default: break
            }
        }
        return (refusedByContract, refusedByDecoder, accepted)
    }

    @Test(.trials, arguments: [("Event", "events"), ("Issue", "issues")])
    func damagedExamplesAreRefusedByBoth(model: String, sample: String) throws {
        let registry = try GitHub.registry()
        let documents = try #require(JSONValue(parsing: [UInt8](GitHub.sample(sample))).arrayValue)
        let trials = Trials(60)
        let result = try disagreements(registry.schema(named: model), registry, documents, trials)
        #expect(result.refusedByContract == [])
        #expect(result.refusedByDecoder == [])
        #expect((trials.count / 20 - 2..<trials.count * 9 / 10).contains(result.accepted))
    }

    @Test(.trials) func everyWayToMapAPropertyAgrees() throws {
        let registry = try loaded(
            """
            [{"name": "Base", "cluster": {"discriminator": "meta.kind",
                "models": {"one": "One", "2": "Two", "base": "Base"}, "default": "Other"},
              "properties": {"id": {"kind": "int8", "required": true}}},
             {"name": "One", "extends": "Base", "properties": {"a": {"kind": "string", "required": true}}},
             {"name": "Two", "extends": "Base", "properties": {"k": {"kind": "string", "json": "meta.kind"}}},
             {"name": "Other", "extends": "Base"},
             {"name": "All", "properties": {
               "login": {"kind": "string", "json": "user.login", "required": true},
               "age": {"kind": "uint8", "json": "user.age"},
               "tag": {"kind": "bool", "json": "tags[1].on", "readOnly": true},
               "first": {"kind": "integer", "json": {"firstOf": ["f1", "f.g", "f3"]}},
               "needed": {"kind": "int16", "json": {"firstOf": ["n1", "n.g"]}, "required": true},
               "parts": {"kind": "json", "json": {"allOf": ["p1", "p.q"]}, "required": true},
               "state": {"kind": "enumeration", "cases": {"open": ["open", "OPEN"], "closed": ["closed"]},
                 "default": "open"},
               "fall": {"kind": "enumeration", "cases": ["a", "b"], "unknown": {"fallback": "a"}},
               "closedAt": {"kind": "date"}, "x1": {"kind": "string"}, "x2": {"kind": "bool", "json": "x.two"},
               "data": {"kind": "data"}, "length": {"kind": "duration"},
               "number": {"kind": "integer", "transformer": "NumberOrText"},
               "page": {"kind": "url", "transformer": ["EmptyTextAsNull", "URL"]},
               "list": {"kind": "array", "of": {"kind": "json"}, "minCount": 1, "unique": true},
               "any": {"kind": "json", "required": true}, "written": {"kind": "bool", "writeOnly": true},
               "bases": {"kind": "array", "of": {"kind": "model", "model": "Base"}}, "one": {"kind": "model", "model": "One"}},
              "rules": [{"required": ["closedAt"], "when": {"state": "closed"}}, {"exactlyOneOf": ["x1", "x2"]},
                {"required": ["first"], "when": {"fall": "a"}}]}]
            """)
        let document = try json(
            """
            {"user": {"login": "a", "age": 1}, "tags": [1, {"on": true}], "f1": 1, "f": {"g": 2}, "f3": 3, "n": {"g": 4},
             "p": {"q": 1}, "state": "OPEN", "fall": "zzz", "x1": "s", "data": "aGk=", "length": "PT1H", "number": "7",
             "page": "", "list": [1, "a"], "any": 1, "written": 5,
             "bases": [{"id": 1, "meta": {"kind": "one"}, "a": "x"}, {"id": 2, "meta": {"kind": "2"}}, {"id": 3}],
             "one": {"id": 4, "a": "y"}}
            """)
        let trials = Trials(40)
        let result = try disagreements(registry.schema(named: "All"), registry, [document], trials)
        #expect(result.refusedByContract == [])
        #expect(result.refusedByDecoder == [])
        #expect((trials.count / 10..<trials.count * 9 / 10).contains(result.accepted))
    }
}
