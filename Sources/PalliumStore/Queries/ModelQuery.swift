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

    /// The schema of the models; nil for that of the class.
    let schema: ModelSchema?
    let condition: Condition?
    let order: [Order]
    let limit: Int?
    let offset: Int
    let links: Links

    /// Describes models of a class.
    public init(
        _ modelClass: Model.Type = Model.self, where condition: Condition? = nil, order: [Order] = [],
        limit: Int? = nil, offset: Int = 0, including links: Links = .stubs
    ) {
        self.init(nil, condition, order, limit, offset, links)
    }

    private init(
        _ schema: ModelSchema?, _ condition: Condition?, _ order: [Order], _ limit: Int?, _ offset: Int, _ links: Links
    ) {
        self.schema = schema
        self.condition = condition
        self.order = order
        self.limit = limit
        self.offset = offset
        self.links = links
    }
}

extension ModelQuery where Model == DynamicModel {
    /// Describes models of a schema, which may be known at run time only.
    public init(
        schema: ModelSchema, where condition: Condition? = nil, order: [Order] = [], limit: Int? = nil,
        offset: Int = 0, including links: Links = .stubs
    ) {
        self.init(schema, condition, order, limit, offset, links)
    }
}
