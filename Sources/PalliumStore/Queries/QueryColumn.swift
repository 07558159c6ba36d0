/// A column of the rows that ``StoreAccess/rows(of:only:)`` returns: the value of a property, or what a group of models has
/// in common.
///
///     let rows = try store.rows(of: ModelQuery(schema: issue), only: ["state", .count, .max("updatedAt")])
///
/// Models without a value count for nothing in `sum`, `min` and `max`, which are null if none has one.
public struct QueryColumn: Sendable, ExpressibleByStringLiteral {
    enum Content {
        case value(Key)
        case count
        case sum(Key)
        case min(Key)
        case max(Key)
    }

    let content: Content

    private init(_ content: Content) { self.content = content }

    /// The value of a property, as ``value(_:)``.
    public init(stringLiteral key: String) { self.init(.value(Key(key))) }

    /// The value of a property. Beside columns about groups, models with the same value are a group.
    public static func value(_ key: Key) -> QueryColumn { QueryColumn(.value(key)) }

    /// The number of models.
    public static var count: QueryColumn { QueryColumn(.count) }

    /// The sum of the values: of integers as an `Int64`, exactly, or of floating-point numbers as a `Double`.
    public static func sum(_ key: Key) -> QueryColumn { QueryColumn(.sum(key)) }

    /// The smallest value.
    public static func min(_ key: Key) -> QueryColumn { QueryColumn(.min(key)) }

    /// The greatest value.
    public static func max(_ key: Key) -> QueryColumn { QueryColumn(.max(key)) }
}
