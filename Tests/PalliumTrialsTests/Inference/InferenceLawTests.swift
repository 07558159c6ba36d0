import Foundation
import ModelTestSupport
import Pallium
import PalliumTrials
import Testing

/// Inferred schemas decode their samples strictly and write them back equal.
struct InferenceLawTests {
    static let documents = [
        #"{"a": 1}"#,
        #"[{"a": null}, {}, {"a": null, "b": {}}]"#,
        #"[{"a": null}, {"a": 1}, {}]"#,
        #"[{"a": [1, null]}, {"a": []}, {"a": null}]"#,
        #"[{"a": {"b": 1}}, {"a": {}}, {"a": null}]"#,
        #"[{"a": 1}, {"a": "x"}, {"a": {"b": 1}}, {"a": [1]}, {"a": true}, {"a": null}]"#,
        #"[{"a": 1.5}, {"a": 9007199254740993}]"#,
        #"[{"a": 18446744073709551615}, {"a": 0.1}]"#,
        #"[{"a": 1e400}, {"a": -0.0}]"#,
        #"[{"a": 1.0}, {"a": 1e2}]"#,
        ##"{"a.b": 1, "[c": 2, "d\\": 3, "$.e": 4, "$[f": 5, "/g": 6, "#/h": 7, "é": 8, "e\u0301": 9, " ": 10}"##,
        #"{"a_b": 1, "aB": 2, "a b": 3, "a-b": 4, "a.b": 5}"#,
        #"{"a": {"": 1, "b": 2}}"#,
        #"{"a": {"": 1, "b": "x"}}"#,
        #"{"a": {"1": {"id": 1}, "2": {"id": 2, "x": null}, "3": null}}"#,
        #"{"id": 1, "name": "a", "child": {"id": 2, "name": "b", "child": {"id": 3, "name": "c"}}}"#,
        #"{"a": {"type": "x", "value": 1}, "b": {"type": "y", "value": "text"}}"#,
        #"[{"type":"a","x":1},{"type":"b","y":2},{"type":"a","x":1},{"type":"b","y":null},{"type":"c"},{"type":"c"}]"#,
        #"{"a": [[["2012-01-31T10:20:30Z"]], [[null, "2012-01-31T10:20:30Z"]], []]}"#,
        #"{"url": "https://example.org/ä b", "b": "https://example.org/a%20b", "c": "HTTP://example.org"}"#,
        #"{"a": "4a275fbd-8217-4397-964b-403f4c2b8545", "b": "4A275FBD-8217-4397-964B-403F4C2B8545"}"#,
        #"{"a": "4a275fbd-8217-4397-964b-403f4c2b854A"}"#,
        #"{"started_at": 1443164400, "ended_at": 1443164400250, "at": 1443164400}"#,
        #"{"started_at": 1443164400, "labels": [{"started_at": 1443164400.5}, {"started_at": 1443164400}]}"#,
        #"{"a": "2012-01-31T10:20:30.123456789Z", "b": "2012-01-31", "c": "2012-01-31T10:20:30"}"#,
    ]

    @Test(arguments: documents) func documentsComeBack(document: String) throws { try expectTheLaw(document) }

    @Test(arguments: ["events", "issues"]) func samplesComeBack(name: String) throws {
        try expectTheLaw([[UInt8](try GitHub.sample(name))])
    }

    @Test(
        .needs(shared: "twitter.json"), .needs(shared: "citm_catalog.json"), .needs(shared: "github_events.json"),
        arguments: ["twitter.json", "citm_catalog.json", "github_events.json"])
    func realDocumentsComeBack(name: String) throws { try expectTheLaw([try SharedData.bytes(name)]) }

    @Test func severalDocumentsComeBack() throws {
        let documents = [#"{"a": 1, "b": "2012-01-31"}"#, #"[{"a": 1.5}, {"b": null}]"#, #"{"b": "x", "c": []}"#]
        try expectTheLaw(documents.map { Array($0.utf8) })
    }

    @Test(.trials) func documentsThatLookRandomComeBack() throws {
        for seed in Trials(6) {
            var generator = SampleGenerator(seed: seed)
            try expectTheLaw([try generator.document().bytes()])
        }
    }

    @Test(.trials) func theSameSamplesGiveTheSameSchemas() throws {
        for seed in Trials(1) {
            var generator = SampleGenerator(seed: seed)
            let document = try generator.document().bytes()
            #expect(try inferred([document]) == inferred([document]))
        }
    }

    @Test func samplesCanBeAddedAfterwards() throws {
        var inference = SchemaInference(name: "Root")
        try inference.add(Array(#"{"a": {"1": 1, "2": 2}}"#.utf8))
        let first = try inference.schemas()
        #expect(try inference.schemas() == first)
        try inference.add(Array(#"{"a": {"3": 3.5}}"#.utf8))
        #expect(try inference.schemas() == inferred(#"[{"a": {"1": 1, "2": 2}}, {"a": {"3": 3.5}}]"#))
        #expect(inference.sampleCount == 2)
    }
}
