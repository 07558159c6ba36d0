import Pallium
import PalliumStore

/// The arguments of the commands `store query` and `store delete`.
struct QueryArguments {
    /// What is written.
    enum Result { case models, count, plan, groups([Column]) }

    /// A column of groups, and the option that asks for it.
    typealias Column = (option: Option, column: QueryColumn)

    let source: StoreArguments
    let conditions: [WrittenCondition]
    /// Conditions on the model before the first one to write.
    let last: [WrittenCondition]
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
        last = try (parsed.lists[.after] ?? []).map { text throws(UsageError) in
            try WrittenCondition(text, of: .after)
        }
        order = try parsed.keys(.order) ?? []
        limit = try parsed.number(.limit, from: 0)
        offset = try parsed.number(.offset, from: 0) ?? 0
        let keys = (try parsed.keys(.include) ?? []).map(\.path)
        links = keys == ["all"] ? .all : .keys(keys)
        only = try parsed.keys(.only)?.map(\.path)
        isPretty = parsed.has(.pretty)
        func columns(_ option: Option, _ column: (Key) -> QueryColumn) throws(UsageError) -> [Column] {
            (try parsed.keys(option) ?? []).map { (option, column(Key($0.path))) }
        }
        let values = try columns(.countBy, QueryColumn.value)
        let measures =
            try columns(.sum, QueryColumn.sum) + columns(.minimum, QueryColumn.min)
            + columns(.maximum, QueryColumn.max)
        result =
            values.isEmpty && measures.isEmpty
            ? parsed.has(.countModels) ? .count : parsed.has(.explain) ? .plan : .models
            : .groups(values + [(.countBy, .count)] + measures)
        let aggregates = [Option.countBy, .sum, .minimum, .maximum].filter(parsed.has)
        for option in [Option.countModels, .explain].filter(parsed.has) + aggregates {
            let others = [.countModels] + (aggregates.contains(option) ? [] : aggregates)
            let models = [Option.include, .only, .skipUnreadable, .redact, .pretty]
            guard let other = (others + models).first(where: { $0 != option && parsed.has($0) }) else { continue }
            throw parsed.error("\(option.name) and \(other.name) exclude each other: no models are written")
        }
        if let option = aggregates.first, parsed.has(.after) {
            throw parsed.error("\(option.name) and --after exclude each other: groups are not behind a model")
        }
    }

    /// The properties to order by.
    var orders: [Order] {
        order.map { $0.isDescending ? .descending(Key($0.path)) : .ascending(Key($0.path)) }
    }

    /// Describes all models that the arguments ask for.
    ///
    /// - Parameter start: The model before the first one.
    func query(
        _ schema: ModelSchema, rows: ModelQuery<DynamicModel>.Rows = .fail, after start: DynamicModel? = nil
    ) -> ModelQuery<DynamicModel> {
        ModelQuery(
            schema: schema, where: conditions.all, order: orders, limit: limit, offset: offset, after: start,
            including: links, rows: rows)
    }

    /// Returns the model before the first one to write; nil for the beginning.
    func start(_ schema: ModelSchema, in store: ModelStore) throws(ModelError) -> DynamicModel? {
        if last.isEmpty { return nil }
        let found = try store.fetch(ModelQuery(schema: schema, where: last.all, limit: 2, including: links))
        guard found.count == 1 else {
            throw ModelError(
                .conflict, expected: "one model for --after", found: found.isEmpty ? "none" : "several",
                schema: schema.name)
        }
        return found[0]
    }

    /// Each option that names keys, as a message names it, with the part of the query that it asks for.
    func parts(_ schema: ModelSchema) -> [(name: String, query: ModelQuery<DynamicModel>)] {
        [("--model", ModelQuery(schema: schema))]
            + (conditions.map { ("--where", $0) } + last.map { ("--after", $0) }).map { name, condition in
                ("\(name) \(ModelError.quote(condition.text))", ModelQuery(schema: schema, where: condition.condition))
            } + [
                ("--order", ModelQuery(schema: schema, order: orders)),
                ("--include", ModelQuery(schema: schema, including: links)),
                // All conditions together may be too many.
                ("--where", query(schema)),
            ]
    }
}

extension [WrittenCondition] {
    /// The condition that all hold; nil if there are none.
    fileprivate var all: Condition? { map(\.condition).reduce(nil) { all, next in all.map { $0 && next } ?? next } }
}
