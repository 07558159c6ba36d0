package import PalliumCore

/// A layout compiled for one set of adapter options: its decoding plan and its encoding plan.
///
/// Safety: the plan holds the layout, and with it the table.
@safe
package final class JSONPlan {
    package let layout: ModelLayout
    /// The layout's bytes, which identify a model's plan quickly.
    let table: UnsafePointer<RawLayout>
    /// The members to read from a model's own object.
    let input: DecodingNode
    /// The members to write into a model's own object.
    let output: EncodingNode
    /// The mapping of each slot.
    private let mappings: [ResolvedMapping]
    /// The value plan of each slot.
    let values: [ValuePlan]
    /// The properties whose value is assembled from captured members when the object has ended.
    let deferred: [DeferredProperty]
    /// The slots that must have a value when the object has ended, with their JSON paths for messages.
    let required: [(slot: Int, member: String)]
    package let cluster: ClusterPlan?
    let modelClass: DynamicModel.Type
    /// The slots of `required`, as plain bytes.
    let requiredSlots: UnsafeMutableBufferPointer<Int>
    /// Whether only required slots, rules that are data and the overridable hooks must be checked when an object ends.
    let finishesSimply: Bool
    /// The checks that entries point at.
    private let checks: [DiscriminatorCheck]
    /// Whether each model is checked, by rules or by your hooks.
    let runsHooks: Bool
    /// Whether the schema has rules that are data.
    let isRuled: Bool
    /// Whether a document can be compared with models of this plan member by member, so that equal values are shared.
    /// Rules and hooks do not matter, because they only see changes.
    let comparesWithDocuments: Bool
    /// Whether texts can be packed: the model has URLs that are read from text.
    let packsTexts: Bool
    /// The slots with a default, which is used if the member is missing.
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
            defaulted.isEmpty && deferred.isEmpty && !layout.hasValidators && layout.decodingHooks.isEmpty
            && layout.childSlots.isEmpty
        packsTexts = values.contains { unsafe $0.table.pointee.operation == .url }
        comparesWithDocuments =
            deferred.isEmpty && cluster == nil && layout.mergeRules.allSatisfy(\.acceptsOwnContent)
        isRuled = layout.isRuled
        runsHooks = layout.modelClass != DynamicModel.self || layout.hasRules || !layout.decodingHooks.isEmpty
    }

    /// The path of a property in JSON, for messages.
    package func path(of slot: Int) -> [String] {
        mappings[slot].texts.first.flatMap { try? JSONKeyPath($0) }?.tokens ?? [layout.properties[slot].key]
    }

    /// Makes a model whose slots are all unset.
    @inline(__always)
    func makeModel() -> DynamicModel { unsafe DynamicModel.make(table, modelClass) }

    deinit { unsafe requiredSlots.deallocate() }
}

/// A property that needs more than the value of one member: several paths, a path through an array, or a member that
/// another property reads as well.
struct DeferredProperty {
    let slot: Int
    let combination: ResolvedMapping.Combination
    let paths: [JSONKeyPath]
}
