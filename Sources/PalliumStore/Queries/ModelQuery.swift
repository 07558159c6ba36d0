public import PalliumCore

/// The models that a store shall find.
///
///     let open = ModelQuery<Issue>(
///         where: Key("state") == "open", order: [.descending("updatedAt")], limit: 50, including: .keys(["assignee"]))
///     let issues = try store.fetch(open)
///
/// A query is a value, which is checked against the schema when it runs.
public struct ModelQuery<Model: DynamicModel>: Sendable {
    /// The models of other rows that come with those that are found.
    public struct Links: Sendable {
        enum Content: Sendable {
            case depth(Int)
            case keys([String])
        }

        let content: Content

        /// None but those without which a model would not be complete.
        public static var stubs: Links { Links(content: .depth(0)) }

        /// All, and all that these lead to.
        public static var all: Links { Links(content: .depth(.max)) }

        /// Those of these properties, such as `"assignee"` or `"assignee.team"`, which brings the assignee, too.
        public static func keys(_ keys: [String]) -> Links { Links(content: .keys(keys)) }

        /// All that are at most so many steps away.
        public static func depth(_ steps: Int) -> Links { Links(content: .depth(max(steps, 0))) }
    }

    /// A policy for rows that cannot be read: damaged ones, those of later versions, and those that refer to a row that
    /// does not exist although the schema allows no stubs.
    public struct Rows: Sendable {
        let report: (@Sendable (ModelError) -> Void)?

        /// The whole call fails.
        public static var fail: Rows { Rows(report: nil) }

        /// The row is left out.
        public static var skip: Rows { skip { _ in } }

        /// The row is left out, and a function gets the error, whose pointer begins with the identity, such as `Issue 7`.
        ///
        ///     let query = ModelQuery(schema: issue, rows: .skip { print($0) })
        public static func skip(_ report: @escaping @Sendable (ModelError) -> Void) -> Rows { Rows(report: report) }
    }

    /// The schema of the models; nil for that of the class.
    let schema: ModelSchema?
    let condition: Condition?
    let order: [Order]
    let limit: Int?
    let offset: Int
    /// The model behind which the result begins, or what is wrong with it; nil for the beginning.
    let start: Result<PageStart, ModelError>?
    let links: Links
    let rows: Rows

    /// Describes models of a class.
    ///
    /// - Parameter last: The last model of the page before. The result begins behind it, whatever was stored or deleted
    ///   meanwhile. If the order leads through references, the query must include their models. The query throws when it
    ///   runs: the code `typeMismatch` if the model is of another table, `missingProperty` if the order leads to a stub.
    public init(
        _ modelClass: Model.Type = Model.self, where condition: Condition? = nil, order: [Order] = [],
        limit: Int? = nil, offset: Int = 0, after last: Model? = nil, including links: Links = .stubs,
        rows: Rows = .fail
    ) {
        self.init(nil, condition, order, limit, offset, last, links, rows)
    }

    private init(
        _ schema: ModelSchema?, _ condition: Condition?, _ order: [Order], _ limit: Int?, _ offset: Int,
        _ last: Model?, _ links: Links, _ rows: Rows
    ) {
        self.schema = schema
        self.condition = condition
        self.order = order
        self.limit = limit
        self.offset = offset
        start = last.map { last in Result { () throws(ModelError) in try PageStart(last, order, links) } }
        self.links = links
        self.rows = rows
    }
}

extension ModelQuery where Model == DynamicModel {
    /// Describes models of a schema, which may be known at run time only.
    ///
    /// - Parameter last: The last model of the page before, as for a class, with the same errors when the query runs.
    public init(
        schema: ModelSchema, where condition: Condition? = nil, order: [Order] = [], limit: Int? = nil,
        offset: Int = 0, after last: DynamicModel? = nil, including links: Links = .stubs, rows: Rows = .fail
    ) {
        self.init(schema, condition, order, limit, offset, last, links, rows)
    }
}
