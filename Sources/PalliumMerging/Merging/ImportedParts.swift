import PalliumAdapter
package import PalliumCore

/// The models of a document that is imported into an ``IdentityMap``, before they are merged into its instances.
package struct ImportedParts {
    var models: [DynamicModel]
    /// Where each of them stands in the array of the document; nil where that is one object.
    var positions: [Int]?
    /// The instances that the document was decoded for; nil if they were not known.
    var targets: DocumentTargets?
    /// How they are merged.
    let options: ModelMerge.Options
    /// Whether the class of an object depends on an instance.
    package var needsTargets = false

    /// The models with an identity, those inside of others too, with what the document says about them.
    ///
    /// - Complexity: O(*n*) in the number of models.
    package var mentioned: [DynamicModel] {
        var found: [DynamicModel] = []
        var pending = models
        while let model = pending.popLast() {
            if model.modelIdentifier != nil { found.append(model) }
            for index in model.holderIndices { model.slot(at: index).forEachModel { pending.append($0) } }
        }
        return found
    }
}
