import Foundation
import ModelTestSupport
import Pallium
import Testing

/// The section *Null* of the article *Schemas*: whether a property may be absent, and whether it may be null.
@Suite struct PresenceTests {
    /// The state after an absent member or a null was read.
    enum Outcome: Sendable { case unset, null, value, error(ModelError.Code) }

    static let rows: [(PropertySchema, absent: Outcome, null: Outcome)] = [
        (.integer, .unset, .null),
        (.integer.notNull, .unset, .error(.nullNotAllowed)),
        (.integer.required, .error(.missingProperty), .error(.nullNotAllowed)),
        (.integer.required.nullable, .error(.missingProperty), .null),
        (.integer.default(7), .value, .value),
        (.integer.default(7).nullable, .value, .null),
        (.integer.default(7).notNull, .value, .error(.nullNotAllowed)),
    ]

    private func adapter(
        _ property: PropertySchema, _ options: JSONAdapterOptions = JSONAdapterOptions()
    ) throws -> JSONAdapter<DynamicModel> {
        let schema = ModelSchema("Model", ["id": .integer, "p": property])
        return try JSONAdapter(schema: schema, registry: .of(schema), options: options)
    }

    private func check(
        _ outcome: Outcome, _ text: String, _ read: () throws -> DynamicModel
    ) throws {
        let result = Result { try read() }
        switch outcome {
        case .error(let code):
            let error = #expect(throws: ModelError.self) { try result.get() }
            #expect(error?.code == code, "\(text)")
            #expect(error?.property == "p", "\(text)")
        case .unset: #expect(try result.get().state(of: "p") == .unset, "\(text)")
        case .null: #expect(try result.get().state(of: "p") == .null, "\(text)")
        case .value: #expect(try result.get()["p", as: Int.self] == 7, "\(text)")
        }
    }

    @Test(arguments: rows) func documentsAreReadAsTheTableSays(
        property: PropertySchema, absent: Outcome, null: Outcome
    ) throws {
        let adapter = try adapter(property)
        try check(absent, "absent") { try adapter.model(from: #"{"id":1}"#) }
        try check(null, "null") { try adapter.model(from: #"{"id":1,"p":null}"#) }
        try check(null, "null first") { try adapter.model(from: #"{"p":null,"id":1}"#) }
        try check(.value, "value") { try adapter.model(from: #"{"p":7}"#) }
        let report = adapter.report(from: Data(#"[{"p":7},{"p":null},{}]"#.utf8))
        let failures = [absent, null].filter { if case .error = $0 { true } else { false } }
        #expect(report.problems.count == failures.count)
    }

    @Test(arguments: rows, [PropertySchema.NilPolicy.asParsed, .omit, .write])
    func whatIsWrittenIsReadAgain(
        row: (PropertySchema, absent: Outcome, null: Outcome), policy: PropertySchema.NilPolicy
    ) throws {
        let adapter = try adapter(row.0, .with { $0.nilPolicy = policy })
        for text in [#"{"id":1}"#, #"{"id":1,"p":null}"#, #"{"id":1,"p":7}"#] {
            guard let model = try? adapter.model(from: text) else { continue }
            let written = try adapter.data(from: model)
            let again = try adapter.model(from: written)
            // The policy leaves out a null that need not be there, and the default comes back.
            if policy == .omit, case .value = row.absent, try model.state(of: "p") == .null { continue }
            #expect(again["p", as: Int.self] == model["p", as: Int.self], "\(text)")
        }
    }

    @Test func aNullThatIsRequiredIsWrittenWhateverThePolicy() throws {
        for policy in [PropertySchema.NilPolicy.asParsed, .omit, .write] {
            let adapter = try adapter(.integer.required.nullable, .with { $0.nilPolicy = policy })
            let model = try adapter.model(from: #"{"p":null}"#)
            let text = String(decoding: try adapter.data(from: model), as: UTF8.self)
            #expect(text.contains(#""p":null"#))
            let refusing = try self.adapter(.integer.notNull, .with { $0.nilPolicy = policy })
            let empty = try refusing.model(from: #"{"id":1}"#)
            #expect(String(decoding: try refusing.data(from: empty), as: UTF8.self) == #"{"id":1}"#)
        }
    }

    @Test func settingNilUnsetsWhatIsNeverNull() throws {
        let model = try adapter(.integer.notNull).model(from: #"{"p":7}"#)
        try model.setValue(nil, forKey: "p")
        #expect(try model.state(of: "p") == .unset)
        try model.setValue(7, forKey: "p")
        try model.setValue(Int?.none, forKey: "p")
        #expect(try model.state(of: "p") == .unset)
        try model.validate()
        let required = try adapter(.integer.required.nullable).model(from: #"{"p":7}"#)
        try required.setValue(nil, forKey: "p")
        #expect(try required.state(of: "p") == .null)
        try required.validate()
        let values = try DynamicModel(schema: required.schema, values: ["p": nil], registry: .of(required.schema))
        #expect(try values.state(of: "p") == .null)
        #expect(throws: ModelError.self) {
            try DynamicModel(schema: required.schema, values: [:], registry: .of(required.schema))
        }
    }

    @Test(arguments: rows) func archivesAndCopiesKeepTheState(
        property: PropertySchema, absent: Outcome, null: Outcome
    ) throws {
        let adapter = try adapter(property)
        let unarchiver = ModelUnarchiver(registry: try .of(adapter.schema), allowing: ["Model"])
        for text in [#"{"id":1}"#, #"{"id":1,"p":null}"#, #"{"id":1,"p":7}"#] {
            guard let model = try? adapter.model(from: text) else { continue }
            let opened = try unarchiver.unarchive(adapter.schema, from: ModelArchiver().archive(model))
            #expect(try opened.state(of: "p") == model.state(of: "p"), "\(text)")
            #expect(opened == model && model.copy() == model && model.deepCopy() == model)
            try opened.validate()
        }
    }

    @Test func anArchivedNullMeansNoValueWhereNullIsRefused() throws {
        let old = ModelSchema("Model", ["p": .integer])
        let model = try JSONAdapter(schema: old, registry: .of(old)).model(from: #"{"p":null}"#)
        let archive = try ModelArchiver().archive(model)
        let new = ModelSchema("Model", ["p": .integer.notNull])
        let opened = try ModelUnarchiver(registry: .of(new), allowing: ["Model"]).unarchive(new, from: archive)
        #expect(try opened.state(of: "p") == .unset)
        let required = ModelSchema("Model", ["p": .integer.required.nullable])
        let null = try ModelUnarchiver(registry: .of(required), allowing: ["Model"]).unarchive(required, from: archive)
        #expect(try null.state(of: "p") == .null)
        let empty = try JSONAdapter(schema: old, registry: .of(old)).model(from: "{}")
        let unset = try ModelArchiver().archive(empty)
        let error = #expect(throws: ModelError.self) {
            try ModelUnarchiver(registry: .of(required), allowing: ["Model"]).unarchive(required, from: unset)
        }
        #expect(error?.code == .missingProperty)
    }

    @Test func mergesKeepWhatTheSchemaSays() throws {
        let refusing = try adapter(.integer.notNull)
        let model = try refusing.model(from: #"{"p":7}"#)
        let error = #expect(throws: ModelError.self) { try refusing.merge(Data(#"{"p":null}"#.utf8), into: model) }
        #expect(error?.code == .nullNotAllowed)
        #expect(model["p", as: Int.self] == 7)
        let required = try adapter(.integer.required.nullable)
        let other = try required.model(from: #"{"p":7}"#)
        try required.merge(Data(#"{"id":2}"#.utf8), into: other)
        #expect(other["p", as: Int.self] == 7)
        try required.merge(Data(#"{"p":null}"#.utf8), into: other)
        #expect(try other.state(of: "p") == .null)
        let target = try refusing.model(from: #"{"p":7}"#)
        try target.merge(from: refusing.model(from: #"{"id":3}"#))
        #expect(target["p", as: Int.self] == 7)
    }
}
