import Pallium
import PalliumStore

/// The arguments of the commands `store query` and `store delete`.
struct QueryArguments {
    /// What is written.
    enum Result { case models, count, plan }

    let source: StoreArguments
    let conditions: [WrittenCondition]
    let order: [WrittenKey]
    let limit: Int?
    let offset: Int
    let links: ModelQuery<DynamicModel>.Links
    let result: Result
    /// The keys to write; nil for all.
    let only: [String]?
    let isPretty: Bool

    /// Reads the arguments of the command.
    ///
    /// - Throws: ``UsageError`` if an argument is missing, a value is not allowed, or two options contradict each other.
    init(_ parsed: ParsedArguments) throws(UsageError) {
        source = try StoreArguments(parsed, needsModel: true)
        conditions = try (parsed.lists[.condition] ?? []).map { text throws(UsageError) in try WrittenCondition(text) }
        order = try parsed.keys(.order) ?? []
        limit = try parsed.number(.limit, from: 0)
        offset = try parsed.number(.offset, from: 0) ?? 0
        let keys = (try parsed.keys(.include) ?? []).map(\.path)
        links = keys == ["all"] ? .all : .keys(keys)
        only = try parsed.keys(.only)?.map(\.path)
        isPretty = parsed.has(.pretty)
        result = parsed.has(.countModels) ? .count : parsed.has(.explain) ? .plan : .models
        for option in [Option.countModels, .explain] where parsed.has(option) {
            let others = [Option.countModels, .include, .only, .skipUnreadable, .redact, .pretty]
            guard let other = others.first(where: { $0 != option && parsed.has($0) }) else { continue }
            throw parsed.error("\(option.name) and \(other.name) exclude each other: no models are written")
        }
    }

    /// The properties to order by.
    var orders: [Order] {
        order.map { $0.isDescending ? .descending(Key($0.path)) : .ascending(Key($0.path)) }
    }

    /// Describes all models that the arguments ask for.
    func query(_ schema: ModelSchema, rows: ModelQuery<DynamicModel>.Rows = .fail) -> ModelQuery<DynamicModel> {
        let condition = conditions.map(\.condition).reduce(nil as Condition?) { all, next in
            all.map { $0 && next } ?? next
        }
        return ModelQuery(
            schema: schema, where: condition, order: orders, limit: limit, offset: offset, including: links, rows: rows)
    }

    /// Each option that names keys, as a message names it, with the part of the query that it asks for.
    func parts(_ schema: ModelSchema) -> [(name: String, query: ModelQuery<DynamicModel>)] {
        [("--model", ModelQuery(schema: schema))]
            + conditions.map {
                ("--where \(ModelError.quote($0.text))", ModelQuery(schema: schema, where: $0.condition))
            } + [
                ("--order", ModelQuery(schema: schema, order: orders)),
                ("--include", ModelQuery(schema: schema, including: links)),
                // All conditions together may be too many.
                ("--where", query(schema)),
            ]
    }
}
