import Pallium
import TestSupport
import Testing

@testable import PalliumStore

/// Two programs save, import and delete in one file; after each step, all is as in a dictionary.
struct RandomStoreTests {
    private struct Enough: Error {}

    /// Where a step is done: in a store, or inside of a transaction.
    private struct Place {
        let registry: SchemaRegistry
        let save: ([DynamicModel]) throws(ModelError) -> StoreChanges
        let importing: (String, JSONAdapter<DynamicModel>) throws(ModelError) -> StoreChanges
        let delete: (ModelQuery<DynamicModel>) throws(ModelError) -> StoreChanges
        let fetch: (ModelQuery<DynamicModel>) throws(ModelError) -> [DynamicModel]

        init(_ store: ModelStore) {
            registry = store.registry
            save = { models throws(ModelError) in try store.save(models) }
            importing = { text, adapter throws(ModelError) in try store.import(text, using: adapter) }
            delete = { query throws(ModelError) in try store.delete(query) }
            fetch = { query throws(ModelError) in try store.fetch(query) }
        }

        init(_ store: StoreTransaction, _ registry: SchemaRegistry) {
            self.registry = registry
            save = { models throws(ModelError) in try store.save(models) }
            importing = { text, adapter throws(ModelError) in try store.import(text, using: adapter) }
            delete = { query throws(ModelError) in try store.delete(query) }
            fetch = { query throws(ModelError) in try store.fetch(query) }
        }
    }

    /// A file that two programs have opened, and the dictionary.
    private final class Trial {
        let world: StoreWorld
        var stores: [ModelStore]
        var reference = StoreReference()

        init() throws {
            world = try StoreWorld(schemas: StoreReference.schemas)
            stores = [world.store, try world.reopened(StoreReference.schemas).store]
        }

        /// How the store differs from the dictionary; nil if they agree.
        func difference(_ program: Int, _ step: StoreStep) throws -> String? {
            let store = stores[program]
            switch step {
            case .reopen: stores[program] = try world.reopened(StoreReference.schemas).store
            case .upgrade: if try !store.upgrade().isEmpty { return "an upgrade has written rows" }
            case .transaction(let steps, let fails):
                let before = reference
                var found: String?
                do {
                    try store.transaction { transaction in
                        let place = Place(transaction, store.registry)
                        for step in steps where found == nil {
                            found = try apply(step, in: place) ?? contents(of: place)
                            // Others see the state before.
                            let now = reference
                            reference = before
                            found = try found ?? contents(of: Place(stores[1 - program])).map { "outside: \($0)" }
                            reference = now
                        }
                        if fails { throw Enough() }
                    }
                } catch is Enough { reference = before }
                if let found { return found }
            default: if let found = try apply(step, in: Place(store)) { return found }
            }
            for (program, store) in stores.enumerated() {
                if let found = try contents(of: Place(store)) { return "\(program): \(found)" }
            }
            return nil
        }

        private func apply(_ step: StoreStep, in place: Place) throws -> String? {
            switch step {
            case .save(let models, let roots, let isLinked):
                let expected = Result { try reference.save(models, roots: roots, isLinked: isLinked) }
                let made = try graph(models, isLinked: isLinked, place.registry)
                defer {
                    for model in made { for key in ["others", "peers", "lead", "boss"] { try? model.unset(key) } }
                }
                return compare(expected) { try place.save(Array(made.prefix(roots))) }
            case .importing(let documents):
                let expected = Result { try reference.importing(documents) }
                let schema = try place.registry.schema(named: documents[0].schema)
                let adapter = try JSONAdapter(schema: schema, registry: place.registry)
                let text = "[" + documents.map(\.json).joined(separator: ",") + "]"
                return compare(expected) { try place.importing(text, adapter) }
            case .delete(let query):
                let expected = Result { try reference.delete(query) }
                return compare(expected) { try place.delete(query.query(place.registry)) }
            case .transaction, .reopen, .upgrade: return nil
            }
        }

        private func compare(_ expected: Result<StoreChanges, any Error>, _ call: () throws -> StoreChanges) -> String?
        {
            switch (expected, Result { try call() }) {
            case (.success(let changes), .success(let found)):
                changes == found ? nil : "\(found), not \(changes)"
            case (.failure(let refused as StoreReference.Refused), .failure(let error)):
                refused.code == nil || (error as? ModelError)?.code == refused.code ? nil : "\(error), not \(refused)"
            case (let expected, let found): "\(found), not \(expected)"
            }
        }

        /// Models whose references lead to one another, or to stubs.
        private func graph(
            _ models: [PlainModel], isLinked: Bool, _ registry: SchemaRegistry
        ) throws -> [DynamicModel] {
            let plain = StoreReference.plain
            let made = try models.map { try $0.model(plain, registry) }
            guard isLinked else { return made }
            let byIdentity = Dictionary(zip(models.map { plain.identity(of: $0) }, made)) { first, _ in first }
            for (model, made) in zip(models, made) {
                for (key, value) in model.values {
                    switch value {
                    case .reference(let identity):
                        if let other = byIdentity[identity] { try made.setValue(other, forKey: key) }
                    case .list(let values):
                        guard case .list(.reference) = plain.kind(key, of: model.schema) else { continue }
                        let stubs = made[key, as: [DynamicModel].self] ?? []
                        let linked = zip(values, stubs).map { value, stub in
                            if case .reference(let identity) = value { byIdentity[identity] ?? stub } else { stub }
                        }
                        try made.setValue(linked, forKey: key)
                    default: break
                    }
                }
            }
            return made
        }

        /// How all rows differ from the dictionary.
        private func contents(of place: Place) throws -> String? {
            let plain = StoreReference.plain
            var found: [String] = []
            for table in ["Item", "Team"] {
                let query = ModelQuery<DynamicModel>(schema: try place.registry.schema(named: table))
                found += try place.fetch(query).map { try PlainModel($0, plain).picture }
            }
            let expected = reference.rows.values.map(\.picture)
            let (more, less) = (Set(found).subtracting(expected), Set(expected).subtracting(found))
            let isSame = more.isEmpty && less.isEmpty && found.count == expected.count
            return isSame ? nil : "found \(more.sorted()), not \(less.sorted())"
        }
    }

    /// The first difference that steps show.
    private static func difference(_ steps: [(program: Int, step: StoreStep)]) -> String? {
        do {
            let trial = try Trial()
            for (program, step) in steps {
                if let found = try trial.difference(program, step) { return found }
            }
            return try trial.stores[0].integrityCheck().first.map { "\($0)" }
        } catch { return "\(error)" }
    }

    /// The fewest and smallest steps that show a difference.
    private static func shrunk(_ all: [(program: Int, step: StoreStep)]) -> String {
        var (steps, isSmaller) = (all, true)
        while isSmaller {
            isSmaller = false
            for index in steps.indices.reversed() {
                var fewer = steps
                fewer.remove(at: index)
                if difference(fewer) != nil { (steps, isSmaller) = (fewer, true) }
            }
            search: for index in steps.indices {
                for part in steps[index].step.parts {
                    var smaller = steps
                    smaller[index].step = part
                    if difference(smaller) != nil {
                        (steps, isSmaller) = (smaller, true)
                        break search
                    }
                }
            }
        }
        return steps.map { "\($0.program) \($0.step.description)" }.joined(separator: "\n") + "\n"
            + (difference(steps) ?? "?")
    }

    @Test(.trials) func rowsAreAsInADictionary() throws {
        for seed in Trials(1) {
            var random = RandomSteps(seed: seed)
            let steps = (0..<40).map { _ in random.next() }
            if Self.difference(steps) != nil { Issue.record("\(Self.shrunk(steps))") }
        }
    }
}
