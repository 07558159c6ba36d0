public import PalliumJSON

/// State that only some models have, beside their slots.
package final class ModelCompanion {
    /// JSON members that no property maps, kept for writing. Nested objects hold only their unmapped members.
    package var unknownMembers: JSONObject?
    // No access to the unchecked properties overlaps with another: each is a single load or store, and a store has
    // ended when it releases the former value.

    /// The base of tracked changes: a plain model of the same layout with the former content of the slots.
    @safe @exclusivity(unchecked) package var base: DynamicModel?
    /// The number of the identity map in which the model is the one instance of its identity; zero for none.
    @safe @exclusivity(unchecked) package var identityMap: UInt64 = 0
    /// The observers of the model, if its schema is observed.
    @safe @exclusivity(unchecked) var observers: ModelObservers?
    /// Whether the model is part of a frozen graph, which nothing may write to and nobody observes.
    @safe @exclusivity(unchecked) var isFrozen = false
    /// Receives accessors that do not fit while they are verified. Otherwise such accessors end the program.
    var accessorProbe: AccessorProbe?
    /// Whether ``DynamicModel/validate()`` is running.
    var isValidating = false

    package init() {}

    /// Returns the companion of a copy, which is neither tracked nor unique, and has no observers.
    package func copy() -> ModelCompanion? {
        guard let unknownMembers else { return nil }
        let copy = ModelCompanion()
        copy.unknownMembers = unknownMembers
        return copy
    }
}

extension DynamicModel {
    /// Whether the model has a companion.
    package final var hasCompanion: Bool { companion != nil }

    /// The members of the model's object that no property maps, if an adapter kept them; nil otherwise.
    public package(set) final var unknownMembers: JSONObject? {
        get { companion?.unknownMembers }
        set { if newValue != nil || companion != nil { ensureCompanion().unknownMembers = newValue } }
    }

    /// The base of tracked changes; nil when they are not tracked.
    package final var trackedBase: DynamicModel? {
        get { companion?.base }
        set { if newValue != nil || companion != nil { ensureCompanion().base = newValue } }
    }

    /// Whether the model is the one instance of its identity in an identity map.
    package final var isUnique: Bool { identityMap != 0 }

    /// The number of the identity map in which the model is the one instance of its identity; zero for none.
    package final var identityMap: UInt64 {
        get { companion?.identityMap ?? 0 }
        set { if newValue != 0 || companion != nil { ensureCompanion().identityMap = newValue } }
    }

    /// Removes an empty companion, so that the model is as cheap as one that never had any.
    final func dropUnusedCompanion() {
        guard let companion, companion.unknownMembers == nil, companion.base == nil, companion.identityMap == 0,
            companion.accessorProbe == nil, companion.observers == nil, !companion.isFrozen
        else { return }
        self.companion = nil
    }

    /// Returns the companion, and makes it if there is none.
    package final func ensureCompanion() -> ModelCompanion {
        if let companion { return companion }
        let companion = ModelCompanion()
        self.companion = companion
        return companion
    }
}
