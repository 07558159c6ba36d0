import Foundation
import Pallium

@testable import PalliumStore

/// A store, the reference for it, and where they differ.
struct QueryTrial {
    let registry = SchemaRegistry()
    let store: ModelStore
    let reference: QueryReference

    init(_ models: [PlainModel], isIndexed: Bool) throws {
        let schemas = RandomRows.schemas(isIndexed: isIndexed)
        let plain = PlainSchemas(schemas)
        try registry.register(schemas)
        store = try ModelStore(at: nil, registry: registry)
        reference = QueryReference(plain, models)
        try store.save(models.map { [registry] in try $0.model(plain, registry) })
    }

    /// How the store differs from the reference; nil if they agree.
    func difference(_ plain: PlainQuery) -> String? {
        let (fetched, counted) = (outcome { try found(plain) }, outcome { try store.count(plain.query(registry)) })
        do {
            let expected = try reference.fetch(plain)
            let isSame =
                try fetched.value.map { value throws(QueryReference.Mistake) in
                    try reference.agree(value, expected, plain)
                } == true && counted.value == expected.count
            return isSame ? nil : "found \(fetched), counted \(counted), not \(expected)"
        } catch {
            let (code, other) = (fetched.code, counted.code)
            let isSame = code.map { error.codes.contains($0) } == true && (code == other || plain.condition == nil)
            return isSame ? nil : "found \(fetched), counted \(counted), not \(error.codes)"
        }
    }

    /// Returns nil for a mistake that the reference finds.
    func withoutMistakes<Result>(_ body: () throws -> Result?) throws -> Result? {
        do { return try body() } catch is QueryReference.Mistake { return nil }
    }

    /// How the pages of a result differ from the whole; nil if they do not.
    func differenceOfPages(_ plain: PlainQuery) throws -> String? {
        var all = plain
        (all.limit, all.offset) = (nil, 0)
        // The order of equal rows is fixed where there is any order.
        if all.order.isEmpty { all.limit = .max }
        let expected = try found(all)
        all.limit = max(plain.limit ?? 3, 1)
        var (pages, last): ([PlainIdentity], DynamicModel?) = ([], nil)
        repeat {
            let query =
                try last == nil
                ? ModelQuery(
                    schema: registry.schema(named: all.schema), where: all.condition?.condition,
                    order: all.query(registry).order, limit: all.limit, including: .depth(16))
                : all.query(registry, after: last)
            let page = try store.fetch(query)
            pages += try page.map { try PlainIdentity($0, reference.schemas) }
            last = page.last
        } while last != nil && pages.count <= expected.count
        return pages == expected ? nil : "pages of \(all.limit ?? 0) have \(pages), not \(expected)"
    }

    private func found(_ plain: PlainQuery) throws -> [PlainIdentity] {
        try store.fetch(plain.query(registry)).map { try PlainIdentity($0, reference.schemas) }
    }

    private func outcome<Value>(_ body: () throws -> Value) -> Outcome<Value> {
        do { return .success(try body()) } catch { return .failure(error) }
    }
}

/// What a call returned or threw.
private enum Outcome<Value> {
    case success(Value), failure(any Error)

    var value: Value? { if case .success(let value) = self { value } else { nil } }
    var code: ModelError.Code? { if case .failure(let error as ModelError) = self { error.code } else { nil } }
}
