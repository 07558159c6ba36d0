import Foundation
import ModelTestSupport
import Pallium
import PalliumTrials
import RunSupport
import Testing

/// Projected adapters read what adapters of smaller schemas read, with the same problems, and write what `only:` writes.
struct ProjectionDifferenceTests {
    private static let documents = """
        [
          {"name": "Ticket", "properties": {
            "number": {"kind": "integer", "required": true, "minimum": 1},
            "title": {"kind": "string", "required": true, "maxLength": 40},
            "state": {"kind": "enumeration", "cases": ["open", "closed"], "default": "open"},
            "login": {"kind": "string", "json": "user.login", "required": true},
            "email": {"kind": "string", "json": "user.email"},
            "latitude": {"kind": "double", "json": "point[0]", "readOnly": true},
            "longitude": {"kind": "double", "json": "point[1]", "readOnly": true},
            "alias": {"kind": "string", "json": {"firstOf": ["alias", "nick.name"]}},
            "place": {"kind": "dictionary", "of": {"kind": "double"}, "json": {"allOf": ["lat", "at.lon"]}},
            "address": {"kind": "url"},
            "starts": {"kind": "date"},
            "ends": {"kind": "date"},
            "author": {"kind": "model", "model": "Person", "json": "meta.author", "required": true},
            "labels": {"kind": "array", "of": {"kind": "model", "model": "Label"}},
            "people": {"kind": "dictionary", "of": {"kind": "array", "of": {"kind": "model", "model": "Person"}}},
            "parent": {"kind": "model", "model": "Ticket"},
            "shape": {"kind": "model", "model": "Shape"},
            "extra": {"kind": "json"}
          }, "ignored": ["legacy", "meta.version"], "rules": [{"before": ["starts", "ends"]}]},
          {"name": "Person", "properties": {
            "login": {"kind": "string", "required": true}, "email": {"kind": "string"},
            "boss": {"kind": "model", "model": "Person"}, "admin": {"kind": "bool", "default": false}
          }},
          {"name": "Base", "properties": {"color": {"kind": "string"}}},
          {"name": "Label", "extends": "Base", "properties": {"name": {"kind": "string", "required": true}}},
          {"name": "Shape", "properties": {"id": {"kind": "integer", "required": true}},
            "cluster": {"discriminator": "kind", "models": {"circle": "Circle", "square": "Square"}}},
          {"name": "Circle", "extends": "Shape", "properties": {"radius": {"kind": "double", "required": true}}},
          {"name": "Square", "extends": "Shape", "properties": {
            "side": {"kind": "double"}, "owner": {"kind": "model", "model": "Person"}
          }}
        ]
        """
    private static let keys = [
        "number", "title", "state", "login", "email", "latitude", "longitude", "alias", "place", "address", "starts",
        "ends", "author", "labels", "people", "parent", "shape", "extra", "author.login", "author.email",
        "author.admin",
        "author.boss", "author.boss.login", "labels.name", "labels.color", "people.email", "people.boss.admin",
        "parent.title", "parent.author.login", "parent.shape.side", "parent.starts", "parent.ends", "shape.id",
        "shape.radius", "shape.owner", "shape.owner.login",
    ]

    /// Some keys, in any number.
    private static func selection(_ generator: inout SeededGenerator) -> [String] {
        (0..<generator.below(6)).map { _ in generator.pick(keys) }
    }

    private let schemas: [JSONObject]
    private let registry = SchemaRegistry()
    private let ticket: ModelSchema

    init() throws {
        schemas = try JSONValue(parsing: Self.documents).arrayValue?.compactMap(\.objectValue) ?? []
        try registry.load(Data(Self.documents.utf8))
        ticket = try registry.schema(named: "Ticket")
    }

    /// Valid samples, samples with one mistake, and samples with a wrong byte.
    private func texts(_ generator: inout SeededGenerator) throws -> [String] {
        var samples = try SampleDocuments(of: ticket, registry: registry, seed: generator.next())
        var texts = try (0..<4).map { _ in try samples.next().text() }
        texts += try samples.invalid().map { try $0.document.text() }
        for _ in 0..<30 {
            var bytes = Array(texts[generator.below(4)].utf8)
            bytes[generator.below(bytes.count)] = UInt8(generator.pick(Array(#"x"\{}[],:0 "#.utf8)))
            texts.append(String(decoding: bytes, as: UTF8.self))
        }
        return texts
    }

    /// The lines of a picture that tell of values.
    private func values(_ models: [DynamicModel]) -> [String] {
        picture(of: models).filter { !$0.hasSuffix(": unset") }
            .map { $0.replacing(/( of [A-Za-z]+)_\d+$/) { $0.output.1 } }
    }

    private func problems(_ report: DecodingReport<DynamicModel>) -> [String] {
        report.problems.map { "\($0.code.rawValue) at \($0.pointer?.description ?? "")" }.sorted()
    }

    @Test(.trials) func theRestOfTheSchemaIsAsIfItWereNotThere() throws {
        for seed in Trials(1) {
            var generator = SeededGenerator(seed: seed)
            let keys = Self.selection(&generator)
            let options = JSONAdapterOptions.with {
                $0.unknownMembers = generator.pick([.ignore, .refuse])
                $0.reading.duplicateMembers = generator.pick([.lastWins, .firstWins, .error])
                $0.elements = generator.pick([.fail, .skip])
            }
            let reference = try ProjectedSchemas.adapter(
                schemas, "Ticket", keys: ProjectedSchemas.Keys(keys), registry: registry, options: options)
            let adapter = try JSONAdapter(schema: ticket, registry: registry, options: options)
                .projected(to: PropertySelection(keys))
            // A quarter of them, another one for the next seed.
            let texts = try texts(&generator).enumerated().filter { ($0.offset + seed) % 4 == 0 }.map(\.element)
            var refusedCount = 0
            for text in texts {
                let (expected, found) = (reference.report(from: text), adapter.report(from: text))
                #expect(values(found.models) == values(expected.models), "\(keys): \(text)")
                #expect(problems(found) == problems(expected), "\(keys): \(text)")
                if !found.problems.isEmpty { refusedCount += 1 }
                #expect(accepts(adapter, text) == accepts(reference, text), "\(keys): \(text)")
                for model in zip(found.models, expected.models) where found.problems.isEmpty {
                    #expect(
                        try adapter.jsonValue(from: model.0) == reference.jsonValue(from: model.1), "\(keys): \(text)")
                }
            }
            #expect(0 < refusedCount && refusedCount < texts.count)
        }
    }

    private func accepts(_ adapter: JSONAdapter<DynamicModel>, _ text: String) -> Bool {
        (try? adapter.model(from: text)) != nil
    }

    @Test(.trials) func callsWriteWhatProjectedAdaptersWrite() throws {
        for seed in Trials(1) {
            var generator = SeededGenerator(seed: seed)
            let (keys, others) = (Self.selection(&generator), Self.selection(&generator))
            let adapter = try JSONAdapter(
                schema: ticket, registry: registry,
                options: .with { $0.nilPolicy = generator.pick([.asParsed, .omit, .write]) })
            let projected = try adapter.projected(to: PropertySelection(keys))
            var samples = try SampleDocuments(of: ticket, registry: registry, seed: generator.next())
            for _ in 0..<5 {
                let text = try samples.next().text()
                let (whole, part) = (try adapter.model(from: text), try projected.model(from: text))
                let expected = try adapter.jsonValue(from: whole, only: PropertySelection(keys))
                #expect(try projected.jsonValue(from: part) == expected, "\(keys): \(text)")
                #expect(try projected.jsonValue(from: whole) == expected, "\(keys): \(text)")
                // Both selections together, in both orders.
                let both = try projected.jsonValue(from: whole, only: PropertySelection(others))
                let turned = try adapter.projected(to: PropertySelection(others)).projected(to: PropertySelection(keys))
                #expect(try turned.jsonValue(from: whole) == both, "\(keys), \(others): \(text)")
                #expect(try turned.jsonValue(from: turned.model(from: text)) == both, "\(keys), \(others): \(text)")
            }
        }
    }

    /// The keys of closures are chosen one by one, without a plan.
    @Test(.trials) func selectionsByKeysChooseLikeClosures() throws {
        for seed in Trials(1) {
            var generator = SeededGenerator(seed: seed)
            // Of models inside, a closure does not know in which property they are.
            let keys = Self.selection(&generator).filter { !$0.contains(".") }
            let adapter = try JSONAdapter(schema: ticket, registry: registry)
            var samples = try SampleDocuments(of: ticket, registry: registry, seed: generator.next())
            for _ in 0..<5 {
                let model = try adapter.model(from: samples.next())
                let only = PropertySelection.where { asked, key in asked !== model || keys.contains(key) }
                let except = PropertySelection.where { asked, key in asked === model && keys.contains(key) }
                #expect(
                    try adapter.data(from: model, only: PropertySelection(keys))
                        == adapter.data(from: model, only: only))
                #expect(
                    try adapter.data(from: model, except: PropertySelection(keys))
                        == adapter.data(from: model, except: except))
            }
        }
    }

    // MARK: Documents of GitHub

    @Test(arguments: [
        ["id"], ["type", "actor.login"], ["repository", "actor.id"], ["payload.action", "createdAt"],
        ["payload.issue.title", "payload.issue.labels.name"], ["payload.commits.author", "organization.login"],
        ["payload.comment.user.login", "isPublic", "id"], ["payload.pullRequest", "payload.release.assets.name"], [],
    ]) func eventsAreReadLikeBySmallerSchemas(keys: [String]) throws {
        let folder = SharedData.repository.appendingPathComponent("Schemas")
        let registry = SchemaRegistry()
        try registry.load(contentsOf: folder.appendingPathComponent("github"))
        let files = try FileManager.default.contentsOfDirectory(
            at: folder.appendingPathComponent("github"), includingPropertiesForKeys: nil)
        let schemas = try files.compactMap { try JSONValue(parsing: Data(contentsOf: $0)).objectValue }
        let events = try Data(contentsOf: folder.appendingPathComponent("samples/events.json"))
        let schema = try registry.schema(named: "Event")
        for policy in [JSONAdapterOptions.UnknownMembers.ignore, .refuse] {
            let options = JSONAdapterOptions.with { $0.unknownMembers = policy }
            let reference = try ProjectedSchemas.adapter(
                schemas, "Event", keys: ProjectedSchemas.Keys(keys), registry: registry, options: options)
            let adapter = try JSONAdapter(schema: schema, registry: registry, options: options)
            let projected = try adapter.projected(to: PropertySelection(keys))
            let (expected, found) = (reference.report(from: events), projected.report(from: events))
            #expect(values(found.models) == values(expected.models))
            #expect(problems(found) == problems(expected))
            if policy == .refuse { continue }
            let whole = try adapter.models(from: events)
            #expect(
                try projected.data(from: found.models) == adapter.data(from: whole, only: PropertySelection(keys)))
            #expect(found.models.count == whole.count && !whole.isEmpty)
        }
    }
}
