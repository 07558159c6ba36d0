package import PalliumCore

/// The live models that a document may repeat. Equal values need not be decoded.
package enum ExistingModels {
    /// The model that the document updates.
    case root(DynamicModel)
    /// The instances of the identity map with a number. A root object updates the instance of its identity.
    case instances(of: UInt64, (ModelIdentity) -> DynamicModel?)
}

/// The instances whose values the models of a document share or leave out. They are kept alive.
package struct ReusedInstances {
    /// The instances that root objects were compared with, by the number of the object in the document's array, in
    /// ascending order.
    package internal(set) var counterparts: [(root: Int, instance: DynamicModel)] = []
    /// The instances inside that the document describes just as they are, more than once if it repeats them.
    package internal(set) var unchanged: [DynamicModel] = []

    package init() {}

    package var isEmpty: Bool { counterparts.isEmpty && unchanged.isEmpty }
}
