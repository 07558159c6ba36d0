import Foundation
import Pallium
import Testing

/// Each row of the table *Null* of the article *Schemas*, wherever null can come from.
struct NullTests {
    final class Sample: DynamicModel {
        var plain: Int? { value() }
        var notNull: Int? { value() }
        var required: Int { value() }
        var requiredNullable: Int? { value() }
        var defaulted: Int { value() }
        var defaultedNullable: Int? { value() }
        var defaultedNotNull: Int { value() }
    }

    private static let properties: [(key: String, property: PropertySchema)] = [
        ("plain", .integer), ("notNull", .integer.notNull), ("required", .integer.required),
        ("requiredNullable", .integer.required.nullable), ("defaulted", .integer.default(7)),
        ("defaultedNullable", .integer.default(7).nullable), ("defaultedNotNull", .integer.default(7).notNull),
    ]

    private let registry = SchemaRegistry()

    /// What a document without the member and one with null give: a state, or the code of an error.
    enum Outcome: Equatable {
        case state(PropertyState, Int?)
        case error(ModelError.Code)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let key: String
        let absent: Outcome
        let null: Outcome
        var testDescription: String { key }
    }

    static let rows = [
        Row(key: "plain", absent: .state(.unset, nil), null: .state(.null, nil)),
        Row(key: "notNull", absent: .state(.unset, nil), null: .error(.nullNotAllowed)),
        Row(key: "required", absent: .error(.missingProperty), null: .error(.nullNotAllowed)),
        Row(key: "requiredNullable", absent: .error(.missingProperty), null: .state(.null, nil)),
        Row(key: "defaulted", absent: .state(.defaulted, 7), null: .state(.defaulted, 7)),
        Row(key: "defaultedNullable", absent: .state(.defaulted, 7), null: .state(.null, nil)),
        Row(key: "defaultedNotNull", absent: .state(.defaulted, 7), null: .error(.nullNotAllowed)),
    ]

    private func adapter(_ key: String) throws -> JSONAdapter<DynamicModel> {
        let property = try #require(Self.properties.first { $0.key == key }).property
        let schema = ModelSchema("With\(key)", [key: property])
        try registry.register(schema)
        return try JSONAdapter(schema: schema, registry: registry)
    }

    private func outcome(_ key: String, _ body: () throws -> DynamicModel) throws -> Outcome {
        do {
            let model = try body()
            return .state(try model.state(of: key), model[key, as: Int.self])
        } catch let error as ModelError { return .error(error.code) }
    }

    // MARK: Decoding

    @Test(arguments: rows)
    func aDocumentSaysNullOrNothing(_ row: Row) throws {
        let adapter = try adapter(row.key)
        #expect(try outcome(row.key) { try adapter.model(from: "{}") } == row.absent)
        #expect(try outcome(row.key) { try adapter.model(from: "{\"\(row.key)\": null}") } == row.null)
        #expect(try outcome(row.key) { try adapter.model(from: "{\"\(row.key)\": 3}") } == .state(.value, 3))
    }

    /// A wrong property that may be absent is left unset or gets its default, and its model stays.
    @Test(arguments: rows)
    func aReportNamesNullAndKeepsTheModel(_ row: Row) throws {
        let report = try adapter(row.key).report(from: "{\"\(row.key)\": null}")
        guard case .error(let code) = row.null else {
            #expect(report.problems.isEmpty)
            return
        }
        #expect(report.problems.map(\.code) == [code])
        #expect(report.problems.first?.pointer?.description == "/\(row.key)")
        if case .state(let state, let value) = row.absent {
            let model = try #require(report.model)
            #expect(try model.state(of: row.key) == state && model[row.key, as: Int.self] == value)
        } else {
            #expect(report.model == nil)
        }
    }

    /// What was read is written as it was.
    @Test(arguments: rows, ["{}", "null", "3"])
    func aDocumentIsWrittenAsItWasRead(_ row: Row, value: String) throws {
        let adapter = try adapter(row.key)
        let document = value == "{}" ? "{}" : "{\"\(row.key)\":\(value)}"
        guard let model = try? adapter.model(from: document) else { return }
        let wasDefaulted = try model.state(of: row.key) == .defaulted
        let written = String(decoding: try adapter.data(from: model), as: UTF8.self)
        #expect(written == (wasDefaulted ? "{}" : document))
        for policy in [PropertySchema.NilPolicy.omit, .write] {
            // Null is left out, and a default takes its place.
            if policy == .omit, row.key == "defaultedNullable", value == "null" { continue }
            let written = try adapter.with { $0.nilPolicy = policy }.data(from: model)
            // A document that is written is one that can be read, and says the same.
            let again = try adapter.model(from: written)
            #expect(again[row.key, as: Int.self] == model[row.key, as: Int.self], "\(policy)")
        }
    }

    // MARK: Merging and setting

    @Test(arguments: rows)
    func aPartialDocumentSaysNullOrNothing(_ row: Row) throws {
        let adapter = try adapter(row.key)
        let model = try adapter.model(from: "{\"\(row.key)\": 3}")
        try adapter.merge("{}", into: model)
        #expect(model[row.key, as: Int.self] == 3)
        let merged = try outcome(row.key) {
            try adapter.merge("{\"\(row.key)\": null}", into: model)
            return model
        }
        #expect(merged == row.null)
        if case .error = row.null { #expect(model[row.key, as: Int.self] == 3) }
    }

    @Test func settingToNilUnsetsWhatIsNeverNull() throws {
        let model = try adapter("notNull").model(from: #"{"notNull": 3}"#)
        try model.setValue(nil, forKey: "notNull")
        #expect(try model.state(of: "notNull") == .unset)
        model["notNull"] = 4
        model["notNull"] = nil
        #expect(try model.state(of: "notNull") == .unset)
        try model.validate()
        let plain = try adapter("plain").model(from: #"{"plain": 3}"#)
        try plain.setValue(nil, forKey: "plain")
        #expect(try plain.state(of: "plain") == .null)
        let nullable = try adapter("requiredNullable").model(from: #"{"requiredNullable": 3}"#)
        try nullable.setValue(nil, forKey: "requiredNullable")
        #expect(try nullable.state(of: "requiredNullable") == .null)
        try nullable.validate()
    }

    @Test(arguments: rows)
    func archivesCopiesAndFrozenViewsKeepNullAndNothing(_ row: Row) throws {
        let adapter = try adapter(row.key)
        for document in ["{}", "{\"\(row.key)\": null}", "{\"\(row.key)\": 3}"] {
            guard let model = try? adapter.model(from: document) else { continue }
            let copy = model.copy()
            #expect(try copy.state(of: row.key) == model.state(of: row.key) && copy == model)
            let archive = try ModelArchiver().archive(model)
            let opened = try ModelUnarchiver(registry: registry).unarchive(adapter.schema, from: archive)
            #expect(try opened.state(of: row.key) == model.state(of: row.key) && opened == model)
            let frozen = model.frozen()
            #expect(try Frozen.state(of: row.key, in: frozen) == model.state(of: row.key))
        }
    }

    // MARK: Accessors

    @Test func accessorsHaveTheTypesOfTheTable() throws {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema(
                Sample.self,
                [
                    "plain": .integer, "notNull": .integer.notNull, "required": .integer.required,
                    "requiredNullable": .integer.required.nullable, "defaulted": .integer.default(7),
                    "defaultedNullable": .integer.default(7).nullable, "defaultedNotNull": .integer.default(7).notNull,
                ]))
        try registry.verifyAccessors(
            of: Sample.self, \.plain, \.notNull, \.required, \.requiredNullable, \.defaulted, \.defaultedNullable,
            \.defaultedNotNull)
        let adapter = JSONAdapter(Sample.self, registry: registry)
        let model = try adapter.model(
            from:
                #"{"plain": null, "required": 1, "requiredNullable": null, "defaulted": null, "defaultedNullable": null}"#
        )
        #expect(model.plain == nil && model.notNull == nil && model.required == 1 && model.requiredNullable == nil)
        #expect(model.defaulted == 7 && model.defaultedNullable == nil && model.defaultedNotNull == 7)
        #expect(
            String(decoding: try adapter.data(from: model), as: UTF8.self).contains(#""requiredNullable":null"#))
    }

    // MARK: Documents of schemas

    static let spellings: [(members: String, key: String)] = [
        (#""kind": "integer""#, "plain"), (#""kind": "integer", "nullable": false"#, "notNull"),
        (#""kind": "integer", "required": true"#, "required"),
        (#""kind": "integer", "required": true, "nullable": true"#, "requiredNullable"),
        (#""kind": "integer", "default": 7"#, "defaulted"),
        (#""kind": "integer", "default": 7, "nullable": true"#, "defaultedNullable"),
        (#""kind": "integer", "default": 7, "nullable": false"#, "defaultedNotNull"),
    ]

    @Test(arguments: spellings)
    func aSchemaDocumentSaysTheSame(members: String, key: String) throws {
        let registry = SchemaRegistry()
        try registry.load(Data("{\"name\": \"Only\", \"properties\": {\"\(key)\": {\(members)}}}".utf8))
        let schema = try registry.schema(named: "Only")
        let adapter = try JSONAdapter(schema: schema, registry: registry)
        let row = try #require(Self.rows.first { $0.key == key })
        #expect(try outcome(key) { try adapter.model(from: "{}") } == row.absent)
        #expect(try outcome(key) { try adapter.model(from: "{\"\(key)\": null}") } == row.null)
        let text = try registry.document(of: [schema]).text()
        let again = SchemaRegistry()
        try again.load(Data(text.utf8))
        #expect(try again.schema(named: "Only") == schema)
    }

    @Test func contradictionsAreRefused() {
        for property in [
            PropertySchema.integer.required.notNull, .integer.required.default(1), .integer.notNull.nilPolicy(.write),
            .integer.required.nullable.nilPolicy(.omit), .integer.required.nullable.local,
        ] {
            #expect(throws: SchemaError.self) {
                try SchemaRegistry().register(ModelSchema("Only", ["a": property]))
            }
        }
    }
}
