package import PalliumJSON

/// What only some models have beside their slots.
package final class ModelCompanion {
    /// JSON members that no property maps, kept to be written back; nested objects hold only what is left of them.
    package var preservedMembers: JSONObject?
    /// A plain model of the same layout that holds the slots as they were when changes began to be tracked.
    package var base: DynamicModel?
    /// Whether the model is the one instance of its identity in an identity map.
    package var isUnique = false
    /// Hears of accessors that do not fit, which otherwise end the program, while accessors are verified.
    var accessorProbe: AccessorProbe?
    /// Whether ``DynamicModel/validate()`` runs.
    var isValidating = false

    package init() {}

    /// What a copy of the model has as well: it is neither tracked nor unique.
    package func copy() -> ModelCompanion? {
        guard let preservedMembers else { return nil }
        let copy = ModelCompanion()
        copy.preservedMembers = preservedMembers
        return copy
    }
}

extension DynamicModel {
    /// Whether the model has more than slots. Asked here, in the module that knows that the access needs no check.
    package final var hasCompanion: Bool { companion != nil }

    /// JSON members that no property maps, kept by an adapter that preserves unknown members.
    package final var preservedMembers: JSONObject? {
        get { companion?.preservedMembers }
        set { if newValue != nil || companion != nil { madeCompanion.preservedMembers = newValue } }
    }

    /// The slots as they were when changes began to be tracked; nil when they are not.
    package final var trackedBase: DynamicModel? {
        get { companion?.base }
        set { if newValue != nil || companion != nil { madeCompanion.base = newValue } }
    }

    /// Whether the model is the one instance of its identity in an identity map.
    package final var isUnique: Bool { companion?.isUnique ?? false }

    /// Lets go of a companion that holds nothing, so that the model is again as cheap as one that never had any.
    final func dropUnusedCompanion() {
        guard let companion, companion.preservedMembers == nil, companion.base == nil, !companion.isUnique,
            companion.accessorProbe == nil
        else { return }
        self.companion = nil
    }

    /// The companion, made when there is none.
    package final var madeCompanion: ModelCompanion {
        if let companion = companion { return companion }
        let made = ModelCompanion()
        companion = made
        return made
    }
}
