import PalliumAdapter
import PalliumCore

/// The models of a document that is imported into an ``IdentityMap``, before they are merged into its instances.
struct ImportedParts {
    var models: [DynamicModel]
    /// Where each of them stands in the array of the document; nil where that is one object.
    var positions: [Int]?
    /// The instances whose values they share or leave out.
    var reused = ReusedInstances()
}
