import Foundation
import ModelTestSupport
import Pallium
import PalliumContracts
import PalliumTrials
import Testing

/// A discriminator that is null says as little as an absent one.
@Suite(.threat(.hostileDiscriminators))
struct NullDiscriminatorTests {
    /// A cluster of which `Rest` is the default. `Base` chooses by `path`, and `Inner` in turn.
    private static func schemas(
        path: String = "kind", default fallback: String? = "Rest", property: PropertySchema? = nil,
        inner: String = "form"
    ) -> [ModelSchema] {
        var base = ModelSchema(
            "Base", ["id": .integer],
            cluster: .discriminator(
                path, ["a": "A", 7: "A", "inner": "Inner", "rest": "Listed"], default: fallback.map { .named($0) }))
        if let property { base.properties.append(.init("kind", property.json(path))) }
        return [
            base, ModelSchema("A", [:], extends: "Base"), ModelSchema("Rest", [:], extends: "Base"),
            ModelSchema("Listed", [:], extends: "Base"),
            ModelSchema(
                "Inner", [:], extends: "Base", cluster: .discriminator(inner, ["deep": "Deep"], default: "Inner")),
            ModelSchema("Deep", [:], extends: "Inner"),
        ]
    }

    private static let filler = String(repeating: "x", count: 600)

    /// A path, and documents of which each says nothing at it.
    private static let documents: [(path: String, texts: [String])] = [
        ("kind", ["{}", #"{"kind":null}"#, #"{"id":1,"kind":null}"#, #"{"x":"\#(filler)","kind":null,"id":1}"#]),
        ("meta.kind", ["{}", #"{"meta":null}"#, #"{"meta":{}}"#, #"{"meta":{"kind":null}}"#]),
        ("tags[0]", ["{}", #"{"tags":[]}"#, #"{"tags":[null,"a"]}"#]),
    ]

    @Test(arguments: documents, [nil, PropertySchema.string, .integer, .jsonValue])
    func theDefaultIsChosen(document: (path: String, texts: [String]), property: PropertySchema?) throws {
        // A property cannot be written into a list.
        let property = document.path.contains("[") ? property?.readOnly : property
        for (fallback, expected) in [("Rest", "Rest"), ("Listed", "Listed"), ("Base", "Base"), ("Inner", "Inner")] {
            let adapter = try Plain.adapter(
                Self.schemas(path: document.path, default: fallback, property: property))
            for text in document.texts {
                #expect(try adapter.model(from: text).schema.name == expected, "\(text)")
                #expect(try adapter.models(from: "[\(text)]").map(\.schema.name) == [expected], "\(text)")
            }
        }
    }

    @Test(arguments: documents) func withoutADefaultTheErrorIsThatOfAnAbsentOne(
        document: (path: String, texts: [String])
    ) throws {
        let adapter = try Plain.adapter(Self.schemas(path: document.path, default: nil))
        let expected = try #require(adapter.problem(of: "{}"))
        #expect(expected.code == .unknownModel && expected.found == "none")
        for text in document.texts {
            #expect(adapter.sentence(of: text) == expected.description)
            #expect(adapter.report(from: "[\(text)]").problems.map(\.found) == ["none"])
        }
    }

    @Test func eachClusterOnTheWayIsAskedAnew() throws {
        let adapter = try Plain.adapter(Self.schemas(default: "Inner"))
        for (text, name) in [
            (#"{"kind":"inner","form":null}"#, "Inner"), (#"{"kind":null,"form":null}"#, "Inner"),
            (#"{"kind":null,"form":"deep"}"#, "Deep"),
        ] {
            #expect(try adapter.model(from: text).schema.name == name)
        }
        // One member tells both.
        let same = try Plain.adapter(Self.schemas(default: "Inner", property: .string, inner: "kind"))
        #expect(try same.roundTrip(#"{"kind":null}"#) == #"{"kind":null}"#)
        #expect(try same.model(from: #"{"kind":null}"#).schema.name == "Inner")
    }

    @Test(arguments: ["A", "Rest", "Listed", "Deep"]) func aLeafThatIsAskedForDoesNotMind(name: String) throws {
        for property in [nil, PropertySchema.string] {
            let schemas = Self.schemas(property: property)
            let registry = try SchemaRegistry.of(schemas)
            let adapter = Entrances(try JSONAdapter(schema: registry.schema(named: name), registry: registry))
            #expect(try adapter.model(from: #"{"kind":null,"form":null}"#).schema.name == name)
        }
    }

    @Test func ofRepeatedOnesTheFirstChoosesAndATextMustNotContradictIt() throws {
        for fallback in [nil, "Rest"] {
            let adapter = try Plain.adapter(Self.schemas(default: fallback)).bytesOnly
            #expect(adapter.problem(of: #"{"kind":null,"kind":"a"}"#)?.code == .unknownModel)
        }
        let adapter = try Plain.adapter(Self.schemas()).bytesOnly
        #expect(try adapter.model(from: #"{"kind":"a","kind":null}"#).schema.name == "A")
        let first = try Plain.adapter(Self.schemas(), options: .with { $0.reading.duplicateMembers = .firstWins })
        #expect(try first.withoutFoundation.model(from: #"{"kind":null,"kind":"a"}"#).schema.name == "Rest")
    }

    // MARK: Writing

    @Test(
        arguments: ["kind", "meta.kind"],
        [PropertySchema.string, .integer, .jsonValue, .string.transformer("EmptyTextAsNull")])
    func aPropertyWritesItsNull(path: String, property: PropertySchema) throws {
        let text = path == "kind" ? #"{"kind":null}"# : #"{"meta":{"kind":null}}"#
        for fallback in ["Rest", "Listed", "Base"] {
            let adapter = try Plain.adapter(Self.schemas(path: path, default: fallback, property: property))
            let written = try adapter.roundTrip(text)
            #expect(written == text)
            #expect(try adapter.model(from: written).schema.name == fallback)
        }
    }

    @Test(arguments: [PropertySchema.NilPolicy.asParsed, .omit, .write], ["A", "Rest", "Listed"])
    func whateverTheNilPolicyTheClassComesBack(policy: PropertySchema.NilPolicy, name: String) throws {
        for fallback in ["Rest", "Listed"] where name == "A" || fallback == name {
            let schemas = Self.schemas(default: fallback, property: .string)
            let registry = try SchemaRegistry.of(schemas)
            let adapter = try JSONAdapter(
                schema: schemas[0], registry: registry, options: .with { $0.nilPolicy = policy })
            let model = DynamicModel(schema: try registry.schema(named: name), registry: registry)
            for isNull in [false, true] {
                if isNull { try model.setValue(nil as String?, forKey: "kind") }
                #expect(try adapter.model(from: adapter.data(from: model)).schema.name == name)
            }
        }
    }

    /// What led to the default is kept, and written back if it leads there again.
    @Test(arguments: [
        #"{"kind":null}"#, #"{"id":1,"kind":null}"#, #"{"kind":"other"}"#, #"{"kind":8}"#, #"{"x":1,"kind":null}"#,
        "{}",
    ]) func whatChoseTheDefaultIsKept(text: String) throws {
        for path in ["kind", "meta.kind"] {
            let text = path == "kind" ? text : #"{"meta":\#(text),"id":2}"#
            for fallback in ["Rest", "Base"] {
                let adapter = try Plain.adapter(
                    Self.schemas(path: path, default: fallback), options: .with { $0.unknownMembers = .keep })
                let written = try adapter.roundTrip(text)
                #expect(try JSONValue(parsing: written) == JSONValue(parsing: text))
                #expect(
                    try adapter.model(from: adapter.text(of: adapter.model(from: text).copy()))
                        == adapter.model(from: text))
            }
            // The default has a text, too, which is written where nothing was kept.
            let listed = try Plain.adapter(
                Self.schemas(path: path, default: "Listed"), options: .with { $0.unknownMembers = .keep })
            let written = try JSONValue(parsing: listed.roundTrip(text))
            if text.contains("kind") { #expect(try written == JSONValue(parsing: text)) }
            #expect(try listed.model(from: written.text()).schema.name == "Listed")
        }
    }

    @Test func whatOtherClassesKeptIsNotWritten() throws {
        let schemas = Self.schemas(path: "meta.kind")
        let registry = try SchemaRegistry.of(schemas)
        let options = JSONAdapterOptions.with { $0.unknownMembers = .keep }
        let leaf = try JSONAdapter(schema: registry.schema(named: "A"), registry: registry, options: options)
        let base = try JSONAdapter(schema: schemas[0], registry: registry, options: options)
        for text in [#"{"meta":{"kind":null}}"#, #"{"meta":null}"#, #"{"meta":{"kind":7}}"#] {
            let written = try base.data(from: leaf.model(from: text))
            #expect(String(decoding: written, as: UTF8.self) == #"{"meta":{"kind":"a"}}"#)
        }
        // The text became known after the document was read.
        let open = SchemaRegistry()
        var first = ModelSchema("Shape", [:], cluster: .discriminator("kind", ["dot": "Dot"], default: "Shape"))
        first.isOpen = true
        try open.register(first)
        let model = try JSONAdapter(schema: first, registry: open, options: options).model(from: #"{"kind":"dot"}"#)
        try open.register(ModelSchema("Dot", [:], extends: "Shape"))
        let later = try JSONAdapter(schema: first, registry: open, options: options)
        #expect(try String(decoding: later.data(from: model), as: UTF8.self) == "{}")
    }

    @Test func itIsNoUnknownMember() throws {
        let adapter = try Plain.adapter(Self.schemas(), options: .with { $0.unknownMembers = .refuse })
        #expect(try adapter.model(from: #"{"kind":null}"#).schema.name == "Rest")
        #expect(try Plain.adapter(Self.schemas()).roundTrip(#"{"kind":null}"#) == "{}")
    }

    @Test func whatIsReadAsAWholeIsKeptToo() throws {
        var schemas = Self.schemas(path: "meta.kind")
        schemas[0].properties.append(.init("first", .jsonValue.json("meta.list[0]").readOnly))
        let adapter = try Plain.adapter(schemas, options: .with { $0.unknownMembers = .keep })
        for text in [#"{"meta":{"kind":null,"list":[1]}}"#, #"{"meta":{"kind":"other"}}"#, #"{"meta":null}"#] {
            #expect(try adapter.roundTrip(text) == text)
        }
    }

    // MARK: Elsewhere

    @Test func patchesAndEditedTextsKeepTheClass() throws {
        let adapter = try Plain.adapter(Self.schemas(property: .string)).adapter
        let model = try adapter.model(from: #"{"kind":"other","id":1}"#)
        try adapter.apply(JSONPatch([.replace(["kind"], .null)]), to: model)
        #expect(model.schema.name == "Rest" && model["kind", as: String.self] == nil)
        model["id"] = 2
        let text = Data(#"{ "kind": null, "id": 1 }"#.utf8)
        let edited = try adapter.data(from: model, editing: text)
        #expect(String(decoding: edited, as: UTF8.self) == #"{ "kind": null, "id": 2 }"#)
    }

    @Test func partialDocumentsAreMergedIntoEachClass() throws {
        let schemas = Self.schemas(property: .string)
        let registry = try SchemaRegistry.of(schemas)
        let adapter = try JSONAdapter(schema: schemas[0], registry: registry)
        for text in [#"{"kind":"a"}"#, #"{"kind":"other"}"#] {
            let model = try adapter.model(from: text)
            try adapter.merge(#"{"kind":null,"id":5}"#, into: model)
            #expect(model["id", as: Int.self] == 5 && model["kind", as: String.self] == nil)
        }
    }

    @Test func archivesAndTheirFormerSchemasKeepTheClass() throws {
        let schemas = Self.schemas(property: .string)
        let registry = try SchemaRegistry.of(schemas)
        let adapter = try JSONAdapter(schema: schemas[0], registry: registry)
        let model = try adapter.model(from: #"{"kind":null}"#)
        let bytes = try ModelArchiver().archive(model)
        let copy = try ModelUnarchiver(registry: registry).unarchive(schemas[0], from: bytes)
        #expect(copy.schema.name == "Rest")
        #expect(try String(decoding: adapter.data(from: copy), as: UTF8.self) == #"{"kind":null}"#)
    }

    @Test(arguments: ["kind", "meta.kind"], [nil, "Rest", "Listed", "Base"])
    func contractsAgree(path: String, fallback: String?) throws {
        for property in [nil, PropertySchema.string, .integer, .string.required] {
            let schemas = Self.schemas(
                path: path, default: fallback, property: property)
            let registry = try SchemaRegistry.of(schemas)
            for name in ["Base", "A", "Rest", "Listed", "Inner"] {
                let schema = try registry.schema(named: name)
                let validator = try JSONSchemaValidator(registry.jsonSchema(of: schema))
                let adapter = try JSONAdapter(schema: schema, registry: registry)
                for value in ["null", "7", "8", #""a""#, #""rest""#, #""other""#] {
                    let text = path == "kind" ? #"{"kind":\#(value)}"# : #"{"meta":{"kind":\#(value)}}"#
                    let isRead = adapter.report(from: text).problems.isEmpty
                    #expect(try validator.accepts(JSONValue(parsing: text)) == isRead, "\(name) \(text)")
                }
            }
        }
    }

    @Test func samplesTryIt() throws {
        let schemas = Self.schemas(property: .string)
        let registry = try SchemaRegistry.of(schemas)
        var samples = try SampleDocuments(of: schemas[0], registry: registry)
        var kinds: Set<JSONValue?> = []
        while !samples.isComplete { kinds.insert(samples.next()["kind"]) }
        #expect(kinds.isSuperset(of: [nil, .null, "a", "unlisted"]))
        let strict = Self.schemas(default: nil, property: .string)
        let invalid = try SampleDocuments(of: strict[0], registry: .of(strict)).invalid()
        #expect(invalid.contains { $0.mistake.hasPrefix("null as the discriminator") })
    }
}
