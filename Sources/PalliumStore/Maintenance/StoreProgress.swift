/// How far a long call of a store is.
public struct StoreProgress: Sendable, Hashable {
    /// The number of rows that are done.
    public let completed: Int
    /// The number of rows when the call began.
    public let total: Int
}
