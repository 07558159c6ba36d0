/// How a store is opened.
public struct ModelStoreOptions: Sendable {
    /// The failures that a saved model survives.
    public enum Durability: String, Sendable, Hashable, CaseIterable {
        /// The end of the process at any moment. After a loss of power the last saves may be gone, but never in parts.
        case process
        /// A loss of power, too. Each save waits for the disk.
        case power
    }

    /// Whether the file is only read. It must exist.
    public var isReadOnly = false
    /// The failures that a saved model survives.
    public var durability = Durability.process
    /// How long a call waits for another writer before it throws the code `busy`.
    public var busyTimeout = Duration.seconds(5)
    /// How often `changes(of:)` looks for commits of other programs.
    public var pollingInterval = Duration.milliseconds(100)
    /// How many connections for reading are kept when nobody reads. As many are opened as threads read at once.
    public var maximumIdleReaders = 4

    /// The defaults.
    public init() {}
}
