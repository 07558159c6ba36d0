package import PalliumJSON

/// What only some models have beside their slots.
package final class ModelCompanion {
    /// JSON members that no property maps, kept to be written back; nested objects hold only what is left of them.
    package var preservedMembers = JSONObject()

    package init() {}

    package func copy() -> ModelCompanion {
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
        set {
            guard let newValue else {
                companion = nil
                return
            }
            let companion = companion ?? ModelCompanion()
            companion.preservedMembers = newValue
            self.companion = companion
        }
    }
}
