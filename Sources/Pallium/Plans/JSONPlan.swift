import PalliumCore

/// How models of one layout are read and written: a layout compiled for one set of adapter options.
///
/// Safety: the plan holds the layout, and with it the table.
@safe
final class JSONPlan {
    let layout: ModelLayout
    /// The layout's bytes, by which a model's plan is told quickly.
    let table: UnsafePointer<RawLayout>
    /// The members of a model's own object, for reading.
    let input: DecodingNode
    /// The members of a model's own object, for writing.
    let output: EncodingNode
    /// Where each slot stands in JSON.
    private let mappings: [ResolvedMapping]
    /// One for every slot.
    let values: [ValuePlan]
    /// Properties whose value is put together from captured members once the object has ended.
    let deferred: [DeferredProperty]
    /// Slots that must hold a value when the object has ended, and what stands for them in JSON.
    let required: [(slot: Int, member: String)]
    let cluster: ClusterPlan?
    private let modelClass: DynamicModel.Type
    /// The slots of `required`, as plain bytes.
    let requiredSlots: UnsafeMutableBufferPointer<Int>
    /// Nothing but required slots has to be looked at when an object ends, and the overridable hooks.
    let finishesSimply: Bool
    /// What the entries of discriminators point at.
    private let checks: [DiscriminatorCheck]
    /// Whether your hooks run on each model.
    let runsHooks: Bool
    /// Whether the models are of a class of yours, which may override hooks.
    let hasClass: Bool
    /// Whether documents can be compared with models of the plan member by member, and what is the same be shared.
    /// Rules and hooks do not matter: they see what changes, and what is the same does not.
    let comparesWithDocuments: Bool
    /// The slots that have a default, which is taken when no member came.
    let defaulted: [Int]

    init(
        layout: ModelLayout, mappings: [ResolvedMapping], input: DecodingNode, output: EncodingNode,
        values: [ValuePlan],
        deferred: [DeferredProperty], required: [(slot: Int, member: String)], cluster: ClusterPlan?,
        checks: [DiscriminatorCheck]
    ) {
        self.layout = layout
        self.mappings = mappings
        unsafe table = layout.table
        self.input = input
        self.output = output
        self.values = values
        self.deferred = deferred
        self.required = required
        self.cluster = cluster
        self.checks = checks
        defaulted = layout.defaultedSlots
        modelClass = layout.modelClass
        unsafe requiredSlots = .allocate(capacity: required.count)
        _ = unsafe requiredSlots.initialize(from: required.map(\.slot))
        finishesSimply =
            defaulted.isEmpty && deferred.isEmpty && !layout.hasRules && layout.decodingHooks.isEmpty
            && layout.childSlots.isEmpty
        hasClass = layout.modelClass != DynamicModel.self
        comparesWithDocuments =
            deferred.isEmpty && cluster == nil && layout.mergeRules.allSatisfy(\.acceptsOwnContent)
        runsHooks =
            layout.modelClass != DynamicModel.self || !layout.validators.isEmpty || !layout.decodingHooks.isEmpty
            || !layout.validatedSlots.isEmpty
    }

    /// Where a property stands in JSON, for messages.
    func path(of slot: Int) -> [String] {
        mappings[slot].texts.first.flatMap { try? JSONKeyPath($0) }?.tokens ?? [layout.properties[slot].key]
    }

    /// A model with every slot unset.
    @inline(__always)
    func makeModel() -> DynamicModel { unsafe modelClass.init(storage: ModelStorage(table)) }

    deinit { unsafe requiredSlots.deallocate() }
}

/// A property that needs more than the value of one member: several paths, or a path through an array, or a member that
/// another property reads as well.
struct DeferredProperty {
    let slot: Int
    let combination: ResolvedMapping.Combination
    let paths: [JSONKeyPath]
}
