import Foundation
import Pallium
import PalliumContracts
import PalliumTrials
import TestSupport
import Testing

/// Documents full of marked values go through every outlet of the library, and no mark comes out.
@Suite struct TaintTests {
    private func expectClean(_ texts: [String], _ outlet: String, _ document: String = "") {
        for text in texts {
            if let leak = TaintedDocuments.leak(in: text) {
                Issue.record("\(outlet): \(leak) of \(document.prefix(200))")
                return
            }
        }
    }

    private func texts(of error: any Error) -> [String] {
        var dumped = ""
        dump(error, to: &dumped)
        var texts = ["\(error)", String(reflecting: error), error.localizedDescription, dumped]
        guard let error = error as? ModelError else { return texts }
        texts += error.problems.flatMap { problem in
            [problem.found, problem.expected, problem.pointer?.description ?? "", problem.suggestion ?? ""]
                + [problem.underlying.map { "\($0)" } ?? ""]
        }
        if let json = try? JSONEncoder().encode(error) { texts.append(String(decoding: json, as: UTF8.self)) }
        return texts
    }

    private func texts(of model: DynamicModel) -> [String] {
        var dumped = ""
        dump(model, to: &dumped)
        dump(model.frozen(), to: &dumped)
        return [
            model.description, model.debugDescription, "\([model])", String(reflecting: model), dumped,
            "\(model.frozen())", String(reflecting: model.frozen()),
        ]
    }

    private func errors(_ body: () throws -> Void) -> [String] {
        do {
            try body()
            return []
        } catch { return texts(of: error) }
    }

    @Test(.threat(.secretsInErrors)) func theGoodDocumentIsGoodAndShowsNothing() throws {
        let adapter = try TaintedDocuments.adapter().adapter
        let model = try adapter.model(from: TaintedDocuments.good)
        #expect(try TaintedDocuments.leak(in: adapter.jsonValue(from: model).text()) != nil)
        expectClean(texts(of: model), "descriptions")
    }

    @Test(.threat(.secretsInErrors)) func errorsOfReadingTellNoValue() throws {
        var strict = JSONAdapterOptions()
        strict.unknownMembers = .refuse
        strict.reading.duplicateMembers = .error
        var lenient = JSONAdapterOptions()
        lenient.elements = .skip
        var refused = 0
        for options in [JSONAdapterOptions(), strict, lenient] {
            let adapter = try TaintedDocuments.adapter(options).adapter
            for document in TaintedDocuments.bad {
                let found = errors { _ = try adapter.model(from: document) }
                refused += found.isEmpty ? 0 : 1
                expectClean(found, "model(from:)", document)
                expectClean(errors { _ = try adapter.models(from: "[\(document)]") }, "models(from:)", document)
                let report = adapter.report(from: document)
                expectClean(report.problems.flatMap(texts), "report", document)
                guard let tree = try? JSONValue(parsing: document) else { continue }
                expectClean(errors { _ = try adapter.model(from: tree) }, "trees", document)
                expectClean(
                    errors { _ = try adapter.model(from: Data(document.utf8), versionMember: "v") }, "versions",
                    document)
            }
        }
        #expect(refused > 600)
    }

    @Test(.threat(.secretsInErrors)) func linesTellNoValue() throws {
        let lines = TaintedDocuments.bad.map { $0.replacing("\n", with: " ") }.joined(separator: "\n")
        var found = 0
        let (adapter, registry) = try TaintedDocuments.adapter()
        var monitor = try DriftMonitor(schema: adapter.schema, registry: registry)
        for line in lines.split(separator: "\n") {
            let report = adapter.report(from: String(line))
            found += report.problems.count
            expectClean(report.problems.flatMap(texts), "lines", String(line))
            monitor.add(Data(line.utf8), problems: report.problems, source: "file")
        }
        #expect(found > 200)
        let report = monitor.report()
        expectClean([report.text, try report.json.text()], "drift")
        expectClean(report.findings.map { "\($0)" }, "findings")
    }

    @Test(.threat(.secretsInErrors)) func whatContradictsRulesAndTypesIsNotTold() throws {
        let (adapter, _) = try TaintedDocuments.adapter()
        let values: [any PropertyValue] = [
            "zqxvzqxvzqxvzqxv", 7_361_520, 736_152.5, ["zqxv": "zqxv"], ["zqxv", "zqxv"], ["zqxvkey": 7_361_599_999],
            [7_361_520], ["zqxvzqxvzqxvzqxvzqxv"],
        ]
        var refused = 0
        for key in adapter.schema.properties.map(\.key) where !["id", "plain", "next", "others"].contains(key) {
            for value in values {
                let model = try adapter.model(from: TaintedDocuments.good)
                let found = errors {
                    try model.setValue(value, forKey: key)
                    try model.validate()
                }
                refused += found.isEmpty ? 0 : 1
                expectClean(found, "setValue \(key)")
            }
        }
        #expect(refused > 100)
    }

    @Test(.threat(.secretsInErrors)) func mergesDifferencesAndPatchesTellNoValue() throws {
        let (adapter, _) = try TaintedDocuments.adapter()
        for document in TaintedDocuments.bad {
            let model = try adapter.model(from: TaintedDocuments.good)
            expectClean(errors { try adapter.merge(document, into: model) }, "merge", document)
            let map = IdentityMap()
            expectClean(errors { _ = try map.import(document, using: adapter) }, "identity map", document)
        }
        let model = try adapter.model(from: TaintedDocuments.good)
        let other = try adapter.model(from: TaintedDocuments.changed)
        expectClean([model.difference(to: other).description, "\(Array(model.difference(to: other)))"], "difference")
        #expect(model.difference(to: other).count > 8)
        model.trackChanges()
        try model.setValue("zqxvmine", forKey: "text")
        try model.setValue(["zqxvmine": 7_361_521], forKey: "table")
        try (model["card"] as? DynamicModel)?.setValue("zqxvmine", forKey: "number")
        let changes = try adapter.rebase(model, onto: TaintedDocuments.changed)
        expectClean([changes.description, changes.conflicts.map(\.description).joined()], "rebase")
        #expect(!changes.conflicts.isEmpty)
        for path in ["/table/zqxvkey", "/card/zqxvname/x", "/card/number", "/list/7", "/any/zqxvname/9"] {
            for operation in [
                #""op":"test","value":"zqxv""#, #""op":"remove""#, #""op":"replace","value":"zqxvzqxvzqxvzqxv""#,
            ] {
                let patch = #"[{\#(operation),"path":"\#(path)"}]"#
                expectClean(errors { try adapter.apply(JSONPatch(parsing: patch), to: model) }, "patch", patch)
            }
        }
    }

    @Test(.threat(.secretsInErrors)) func archivesTellNoValue() throws {
        let (adapter, registry) = try TaintedDocuments.adapter()
        let bytes = try ModelArchiver().archive(adapter.model(from: TaintedDocuments.good))
        // A reader whose properties have other kinds and the same labels.
        var text = TaintedDocuments.schema
        for (kind, other) in [("string", "integer"), ("double", "uuid"), ("date", "url"), ("data", "bool")] {
            text = text.replacing("\"kind\": \"\(kind)\", \"labels\"", with: "\"kind\": \"\(other)\", \"labels\"")
        }
        text = text.replacing(#/, "(maxLength|maximum|pattern|default|format|multipleOf)": ("[^"]*"|\d+)/#, with: "")
        // Elements that do not fit are below the names that the dictionaries have.
        text = text.replacing("\"of\": {\"kind\": \"integer\"", with: "\"of\": {\"kind\": \"uuid\"")
        let changed = SchemaRegistry()
        try changed.load(Array(text.utf8))
        for registry in [registry, changed] {
            let unarchiver = ModelUnarchiver(registry: registry, allowing: [.named("Subject"), .named("Card")])
            expectClean(
                errors { _ = try unarchiver.unarchive(arrayOf: DynamicModel.self, from: bytes) }, "unarchive")
            expectClean(
                unarchiver.report(DynamicModel.self, from: bytes).problems.flatMap(texts), "report of an archive")
            for count in stride(from: 0, to: bytes.count, by: 7) {
                expectClean(
                    errors { _ = try unarchiver.unarchive(arrayOf: DynamicModel.self, from: bytes.prefix(count)) },
                    "a cut archive")
            }
        }
    }

    @Test(.threat(.secretsInErrors)) func whatIsSaidOfSchemasHidesDefaults() throws {
        let (adapter, registry) = try TaintedDocuments.adapter()
        expectClean(adapter.explain().flatMap { [$0.description, $0.presence] }, "explain")
        let pages = try [SchemaPageFormat.markdown, .html].map { try registry.page($0) }
        expectClean(pages, "pages")
    }

    @Test(.threat(.secretsInErrors), arguments: Redaction.Rule.allCases)
    func redactedDocumentsHaveNoValue(rule: Redaction.Rule) throws {
        let adapter = try TaintedDocuments.adapter().adapter
        let nested = "{\"id\": 2, \"next\": \(TaintedDocuments.good), \"others\": [\(TaintedDocuments.good)]}"
        for document in [TaintedDocuments.good, nested] {
            let model = try adapter.model(from: document)
            // A hash with a random key may have a mark in it.
            let redaction = Redaction(["pii": rule], key: Data("key".utf8))
            let texts = [
                String(decoding: try adapter.data(from: model, redacting: redaction), as: UTF8.self),
                try adapter.jsonValue(from: model, redacting: redaction).text(),
                "\(try adapter.jsonObject(from: model, redacting: redaction))",
            ]
            expectClean(texts, "redacted by \(rule)")
        }
    }
}
