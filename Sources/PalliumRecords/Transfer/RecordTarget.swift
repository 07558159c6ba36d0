import PalliumCore

/// A model and the record to which it is written or refers.
///
/// Targets that are linked may form cycles, so whoever made them takes their links away.
final class RecordTarget {
    /// A model of a relationship, and the path to it.
    typealias Link = (target: RecordTarget, path: Int)

    /// The model of the caller, or what its record had with it merged in.
    var model: DynamicModel
    /// The path to the model of the caller.
    let path: Int
    /// Nil until it is found or made.
    var record: (any ModelRecord)?
    /// Whether the model has nothing but its identity.
    var isStub = false
    /// Whether the model has what its record had, which defaults do not replace.
    var isMerged = false
    /// The attributes to set, and the properties that they come from.
    var values: [(key: String, value: RecordValue?, property: ModelLayout.Property)] = []
    /// The relationships to set.
    var links: [(relationship: RecordPlan.Relationship, related: [Link])] = []

    init(_ model: DynamicModel, _ path: Int) {
        self.model = model
        self.path = path
    }

    /// Whether the record exists and stays as it is.
    var isReference: Bool { isStub && record != nil }
}
