package import PalliumCore

/// The models that a partial document is merged into. Merging implements it, and the decoder asks.
///
/// `ModelDecoder+Targets.swift` asks for the class of an object that does not say what it is, and
/// `ModelDecoder+KnownValues.swift` for values that need not be decoded.
package protocol MergeTargets: AnyObject {
    /// The model that the document is about; nil if its objects are merged into the instances of an identity map.
    var root: DynamicModel? { get }
    /// The number of the identity map; zero if there is none.
    var identityMap: UInt64 { get }
    /// Whether all targets are known. If not, objects that do not say their class tell only what identifies them.
    var areKnown: Bool { get }
    /// Whether the merge may share values with the targets, or need not be told what they have already.
    var sharesValues: Bool { get }
    /// The instances that the document describes just as they are, more than once if it repeats them. The decoder sets them
    /// at the end.
    var unchanged: [DynamicModel] { get set }

    /// Returns the instance of an identity.
    func instance(_ identity: ModelIdentity) -> DynamicModel?
    /// Returns the element of a list that has the same values in some slots as a model.
    func element(of list: SlotList, like model: DynamicModel, slots: [Int]) -> DynamicModel?
    /// Notes that a root object, by its number in the document's array, leaves out what an instance has already.
    func leaveOut(_ instance: DynamicModel, root: Int)
    /// Forgets what was noted, because the document is read once more.
    func startOver()
}
