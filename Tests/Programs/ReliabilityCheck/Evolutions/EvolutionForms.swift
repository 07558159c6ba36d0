import Foundation
import Pallium
import PalliumStore

/// One model in the three forms, as the program that writes leaves them.
struct EvolutionForms {
    static let names = ["archive", "document", "row"]
    private static let versionMember = "_versions"

    let archive: Data
    let document: Data
    /// The file of the store; nil if there is none for this model.
    let store: URL?

    init(_ model: EvolvedModel, of writer: EvolvedProgram, as entrance: Int, store: URL?) throws {
        var models = try EvolutionModels(writer)
        let root = try models.make(model)
        archive = try ModelArchiver().archive(root)
        let adapter = try JSONAdapter(schema: models.schema(entrance), registry: models.registry)
        document = try adapter.data(from: root, versionMember: Self.versionMember)
        self.store = store
        if let store { try ModelStore(at: store, registry: models.registry).save(root) }
    }

    /// The results of the forms in a program, in the order of the names.
    func read(_ models: EvolutionModels, as entrance: Int) throws -> [EvolutionOutcome] {
        let schema = try models.schema(entrance)
        let adapter = try JSONAdapter(schema: schema, registry: models.registry)
        var outcomes = [
            EvolutionOutcome(models) { () throws(ModelError) in
                try ModelUnarchiver(registry: models.registry).unarchive(schema, from: archive)
            },
            EvolutionOutcome(models) { () throws(ModelError) in
                try adapter.model(from: document, versionMember: Self.versionMember)
            },
        ]
        if let file = store {
            outcomes.append(
                EvolutionOutcome(models) { () throws(ModelError) in
                    let store = try ModelStore(at: file, registry: models.registry)
                    return try store.fetch(ModelQuery(schema: schema, including: .all)).first
                })
        }
        return outcomes
    }

    /// The model after the program that has read it wrote it and read it once more.
    static func again(_ model: DynamicModel, _ models: EvolutionModels, as entrance: Int) throws -> [EvolutionOutcome] {
        let schema = try models.schema(entrance)
        let adapter = try JSONAdapter(schema: schema, registry: models.registry)
        return [
            EvolutionOutcome(models) { () throws(ModelError) in
                try ModelUnarchiver(registry: models.registry)
                    .unarchive(schema, from: ModelArchiver().archive(model))
            },
            EvolutionOutcome(models) { () throws(ModelError) in
                try adapter.model(
                    from: adapter.data(from: model, versionMember: Self.versionMember),
                    versionMember: Self.versionMember)
            },
        ]
    }
}

/// The result of one form.
struct EvolutionOutcome: CustomStringConvertible {
    let model: DynamicModel?
    let values: EvolvedModel?
    let error: ModelError?

    init(_ models: EvolutionModels, _ read: () throws(ModelError) -> DynamicModel?) {
        do throws(ModelError) {
            model = try read()
            values = try? model.map { try models.values(of: $0) }
            error = nil
        } catch {
            (model, values) = (nil, nil)
            self.error = error
        }
    }

    /// The values, or the error.
    var description: String {
        error.map { "\($0.code): \($0)" } ?? values.map { "\($0)" } ?? "no model"
    }
}
