import Foundation
import ModelTestSupport
import Pallium

@testable import PalliumStore

/// Where a step is done: in a store, or inside of a transaction.
protocol VersionPlace {
    func fetch(_ query: ModelQuery<DynamicModel>) throws(ModelError) -> [DynamicModel]
    func first(
        _ schema: ModelSchema, identity: any PropertyValue..., including links: ModelQuery<DynamicModel>.Links
    ) throws(ModelError) -> DynamicModel?
    func count(_ query: ModelQuery<DynamicModel>) throws(ModelError) -> Int
    func save(_ models: [DynamicModel]) throws(ModelError) -> StoreChanges
    func delete(_ query: ModelQuery<DynamicModel>) throws(ModelError) -> StoreChanges
    func `import`(_ input: String, using adapter: JSONAdapter<DynamicModel>) throws(ModelError) -> StoreChanges
}

extension ModelStore: VersionPlace {}
extension StoreTransaction: VersionPlace {}

/// A file that six processes of three programs have open, and the reference for it.
final class VersionTrial {
    private struct Enough: Error {}

    let family: VersionFamily
    private(set) var reference: VersionReference
    private let folder: TemporaryFolder
    private var stores: [Int: ModelStore] = [:]
    /// How often all rows were compared.
    var comparisonCount = 0

    init(_ family: VersionFamily) throws {
        (self.family, reference, folder) = (family, VersionReference(family), try TemporaryFolder())
    }

    var url: URL { folder.url.appendingPathComponent("a.store") }

    /// Opens the file as a process at its first step, so that indexes come before the rows and after them.
    func store(_ process: Int) throws -> ModelStore {
        if let store = stores[process] { return store }
        let registry = SchemaRegistry()
        try registry.register(family.processes[process].schemas)
        let store = try ModelStore(at: url, registry: registry, options: .patient)
        stores[process] = store
        return store
    }

    // MARK: Steps

    /// How the file differs from the reference after a step; nil if they agree.
    func difference(_ process: Int, _ step: VersionStep, then other: Int) throws -> String? {
        if let found = try run(step, process) { return found }
        if let found = try versionDifference() { return found }
        for process in Set([process, process ^ 1, other]).sorted() {
            if let found = try contents(store(process), process) { return "store \(process): \(found)" }
        }
        return nil
    }

    func run(_ step: VersionStep, _ process: Int) throws -> String? {
        let store = try store(process)
        switch step {
        case .transaction(let steps, let fails):
            let before = reference
            var found: String?
            do {
                try store.transaction { transaction in
                    for step in steps where found == nil { found = try run(step, process, in: transaction) }
                    if fails { throw Enough() }
                }
            } catch is Enough { reference = before }
            return found
        case .session(let objects, let other, let step, let end):
            return try VersionSession(self, process).difference(objects, other, step, end)
        case .upgrade:
            let upgraded = reference.upgrade(process / 2)
            let found = change(upgraded) { () throws(ModelError) in try store.upgrade() }
            // What its transactions have written before an error stays.
            let versions = try versions()
            for (identity, row) in upgraded.rows where versions[identity] == text(identity, row) {
                reference.rows[identity] = row
            }
            return found
        case .check:
            let found = try store.integrityCheck()
            let all = reference.rows.keys.map { reference.problems($0, process / 2) }
            let isExpected = found.isEmpty ? all.allSatisfy { $0.found.isEmpty } : !all.allSatisfy { $0 == ([], []) }
            return isExpected
                ? nil : "check: \(found.first?.description ?? "all is well")"
        case .fetch(let query, _):
            // Another set of indexes changes no answer.
            let first = try run(step, process, in: store)
            let second = try run(step, process ^ 1, in: self.store(process ^ 1))
            let counts = try [process, process ^ 1].map { process in
                let store = try self.store(process)
                let model = try query.query(store.registry)
                return Self.picture(Result { () throws(ModelError) in try store.count(model) })
            }
            let isSame = counts[0] == counts[1]
            return first ?? second ?? (isSame ? nil : "counted \(counts[0]), with other indexes \(counts[1])")
        default: return try run(step, process, in: store)
        }
    }

    func run(_ step: VersionStep, _ process: Int, in place: some VersionPlace) throws -> String? {
        let (registry, program) = (try store(process).registry, process / 2)
        let queries = VersionQueries(reference: reference, program: program)
        switch step {
        case .save(let models, let roots):
            let made = try graph(models, program, registry)
            return change(reference.save(models, roots: roots, program)) { () throws(ModelError) in
                try place.save(Array(made.prefix(roots)))
            }
        case .importing(let documents):
            let schema = try registry.schema(named: family.plain[program].table(documents[0].schema))
            let adapter = try JSONAdapter<DynamicModel>(schema: schema, registry: registry)
            let text = "[" + documents.map(\.json).joined(separator: ",") + "]"
            return change(reference.importing(documents, program)) { () throws(ModelError) in
                try place.import(text, using: adapter)
            }
        case .delete(let query):
            let found = try queries.found(query)
            // Nobody can say which rows go.
            if found.isOpen { return nil }
            let model = try query.query(registry)
            return change(reference.delete(found)) { () throws(ModelError) in try place.delete(model) }
        case .fetch(let query, let all):
            var model = try query.query(registry)
            // A query with `rows: .skip` will leave out the rows that cannot be read; what it finds belongs here.
            let counted = compare(
                try queries.counted(query), Result { () throws(ModelError) in try place.count(model) }, ==)
            if all {
                model = ModelQuery(
                    schema: try registry.schema(named: query.schema), where: query.condition?.condition,
                    order: query.order.map { $0.isDescending ? .descending(Key($0.key)) : .ascending(Key($0.key)) },
                    limit: query.limit, offset: query.offset, including: .all)
            }
            let fetched = compare(
                try queries.fetched(query, all: all), Result { () throws(ModelError) in try place.fetch(model) }
            ) { [self] models, expected in
                let found = try pictures(models, program)
                let pictures = expected.map(\.picture)
                return query.order.isEmpty ? found.sorted() == pictures.sorted() : found == pictures
            }
            return fetched ?? counted.map { "count: \($0)" }
        case .first(let identity):
            let schema = try registry.schema(named: identity.table)
            guard case .integer(let id) = identity.parts[0] else { return nil }
            return compare(
                queries.first(identity),
                Result { () throws(ModelError) in try place.first(schema, identity: id, including: .stubs) }
            ) { [self] model, expected in
                try pictures([model].compactMap(\.self), program) == expected.map(\.picture)
            }
        case .transaction, .session, .upgrade, .check: return nil
        }
    }

    /// Makes a change in the file and in the reference.
    func change(_ change: VersionReference.Change, _ call: () throws(ModelError) -> StoreChanges) -> String? {
        let result = Result(catching: call)
        if case .success = result { reference.rows = change.rows }
        return compare(change.expected, result, ==)
    }

    /// How the outcome of a call differs from what the articles allow; nil if it does not.
    func compare<Found, Value>(
        _ expected: Expected<Value>, _ result: Result<Found, ModelError>,
        _ isSame: (Found, Value) throws -> Bool
    ) -> String? {
        switch result {
        case .success(let found):
            guard let value = expected.value else {
                return "\(Self.picture(result)), not \(expected.codes.map(\.rawValue).sorted())"
            }
            do {
                if try expected.isOpen || isSame(found, value) { return nil }
            } catch { return "\(error)" }
            let picture = (value as? [PlainModel])?.map(\.picture).description ?? "\(value)"
            return "\(Self.picture(result)), not \(picture)"
        case .failure(let error):
            if expected.codes.contains(error.code) { return nil }
            let codes = expected.codes.map(\.rawValue).sorted()
            let picture = (expected.value as? [PlainModel])?.map(\.picture).description
            return "\(error), not \(picture ?? expected.value.map { "\($0)" } ?? "\(codes)")"
        }
    }

    private static func picture<Found>(_ result: Result<Found, ModelError>) -> String {
        switch result {
        case .success(let found): "\(found)"
        case .failure(let error): "\(error.code)"
        }
    }

    // MARK: Models

    func pictures(_ models: [DynamicModel], _ program: Int) throws -> [String] {
        try models.map { try PlainModel($0, family.plain[program]).picture }
    }

    /// Models whose references lead to one another, or to stubs.
    private func graph(
        _ models: [PlainModel], _ program: Int, _ registry: SchemaRegistry
    ) throws -> [DynamicModel] {
        let plain = family.plain[program]
        let made = try models.map { try $0.model(plain, registry) }
        let users = Dictionary(zip(models, made).filter { $0.0.schema == "User" }.map { (plain.identity(of: $0), $1) })
        {
            first, _ in first
        }
        for (model, made) in zip(models, made) {
            for (key, value) in model.values {
                switch value {
                case .reference(let identity):
                    if let user = users[identity] { try made.setValue(user, forKey: key) }
                case .list(let values):
                    let stubs = made[key, as: [DynamicModel].self] ?? []
                    let linked = zip(values, stubs).map { value, stub in
                        if case .reference(let identity) = value { users[identity] ?? stub } else { stub }
                    }
                    try made.setValue(linked, forKey: key)
                default: break
                }
            }
        }
        return made
    }
}
