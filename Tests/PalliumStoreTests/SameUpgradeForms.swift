import Foundation
import Pallium
import PalliumStore
import TestSupport

/// One model of a former program in the three forms, and what a later program reads.
struct SameUpgrade: Sendable {
    let former: [ModelSchema]
    let present: [ModelSchema]

    /// Schemas of two programs. The first one is that of the root.
    init(_ former: [ModelSchema], _ present: [ModelSchema]) {
        self.former = former
        self.present = present
    }

    enum Form: String, CaseIterable, Sendable {
        case archive, document, row
    }

    static let member = "versions"

    /// The forms in which a later program reads a document of the former one.
    func read(_ document: String) throws -> [(form: Form, result: Result<DynamicModel, ModelError>)] {
        try read(document, Self.registry(present))
    }

    private func read(
        _ document: String, _ new: SchemaRegistry
    ) throws -> [(form: Form, result: Result<DynamicModel, ModelError>)] {
        let (folder, old) = (try TemporaryFolder(), try Self.registry(former))
        let file = folder.url.appendingPathComponent("a.store")
        let writer = try JSONAdapter(schema: former[0], registry: old)
        let model = try writer.model(from: document)
        let archive = try ModelArchiver().archive(model)
        let text = try writer.data(from: model, versionMember: Self.member)
        try ModelStore(at: file, registry: old, options: .patient).save(model)
        let reader = try JSONAdapter(schema: present[0], registry: new)
        return Form.allCases.map { form in
            (
                form,
                Result { () throws(ModelError) -> DynamicModel in
                    switch form {
                    case .archive: return try ModelUnarchiver(registry: new).unarchive(present[0], from: archive)
                    case .document: return try reader.model(from: text, versionMember: Self.member)
                    case .row:
                        let store = try ModelStore(at: file, registry: new, options: .patient)
                        let found = try store.fetch(ModelQuery(schema: present[0], including: .all))
                        guard found.count == 1 else {
                            throw ModelError(.missingTarget, expected: "one root", found: "\(found.count)")
                        }
                        return found[0]
                    }
                }
            )
        }
    }

    /// The result of each form: the JSON text of the later program, or the code of the error.
    func texts(_ document: String) throws -> [String] {
        let registry = try Self.registry(present)
        let adapter = try JSONAdapter(schema: present[0], registry: registry)
        return try read(document, registry).map { form, result in
            switch result {
            case .success(let model): "\(form): \(String(decoding: try adapter.data(from: model), as: UTF8.self))"
            case .failure(let error): "\(form): \(error)"
            }
        }
    }

    /// The expected result of every form.
    static func everywhere(_ text: String) -> [String] { Form.allCases.map { "\($0): \(text)" } }

    private static func registry(_ schemas: [ModelSchema]) throws -> SchemaRegistry {
        let registry = SchemaRegistry()
        let transformers: [TransformerName: Transformer] = [
            "Upper": Transformer(from: String.self, to: String.self) { text, _ in text.uppercased() },
            "Year": Transformer(from: Date.self, to: Int.self) { date, _ in
                2001 + Int(date.timeIntervalSinceReferenceDate / 31_556_952)
            },
            "IdentifierText": Transformer(from: UUID.self, to: String.self) { identifier, _ in identifier.uuidString },
            "Address": Transformer(from: URL.self, to: String.self) { url, _ in url.absoluteString },
            "Amount": Transformer(from: Decimal.self, to: String.self) { amount, _ in "\(amount)" },
            "Count": Transformer(from: Data.self, to: Int.self) { data, _ in data.count },
            "YesNo": Transformer(from: Bool.self, to: String.self) { value, _ in value ? "yes" : "no" },
            "Joined": Transformer(from: [String].self, to: String.self) { tags, _ in tags.joined(separator: "+") },
            "Digits": Transformer(from: Int.self, to: String.self) { number, _ in "\(number)" },
        ]
        for (name, transformer) in transformers { try registry.transformers.register(transformer, as: name) }
        try registry.register(schemas)
        return registry
    }
}

extension ModelSchema {
    /// The schema of a later version, with the steps to it.
    func later(_ steps: SchemaUpgrade...) -> ModelSchema {
        var schema = self
        schema.version = steps.count + 1
        schema.upgrades = steps
        return schema
    }
}

extension Result where Failure == ModelError {
    /// The error; nil for a success.
    var failure: ModelError? { if case .failure(let error) = self { error } else { nil } }

    fileprivate init(_ body: () throws(ModelError) -> Success) {
        do throws(ModelError) { self = .success(try body()) } catch { self = .failure(error) }
    }
}
