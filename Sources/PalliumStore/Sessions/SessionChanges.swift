public import PalliumCore
public import PalliumMerging

/// What a session wrote, and what others had written since its objects were fetched.
public struct SessionChanges {
    /// An object that took what others had stored.
    public struct Update {
        /// The object.
        public let model: DynamicModel
        /// What changed in it, what it kept, and the conflicts.
        public let changes: ModelChanges
    }

    /// How many rows were written.
    public internal(set) var rows = StoreChanges()
    /// The objects that differ because of others, in the order in which the session got them.
    public internal(set) var updated: [Update] = []
    /// The objects whose rows others have deleted, or a delete rule has.
    public internal(set) var deleted: [DynamicModel] = []

    /// The conflicts: properties that were edited, and that others had changed as well.
    public var conflicts: [ModelChange] { updated.flatMap(\.changes.conflicts) }
}
