package import PalliumCore
import PalliumJSON

/// A layout compiled for one set of adapter options, and for whole models or a part of them: its decoding plan and its
/// encoding plan.
///
/// Plans refer to one another without counting references; the `JSONPlanTable` that compiled them holds them all.
///
/// Safety: the plan holds the layout, and with it the raw layout.
@safe
package final class JSONPlan: @unchecked Sendable {
    // @unchecked: written by the thread that compiles it, under the lock of the table; never written once the table has
    // returned it.
    package let layout: ModelLayout
    /// The layout's bytes, which identify a model's plan quickly.
    let rawLayout: UnsafePointer<RawLayout>
    /// The members to read from a model's own object.
    let input: DecodingNode
    /// The members to write into a model's own object.
    let output: EncodingNode
    /// The paths of each slot.
    private let paths: [[JSONKeyPath]]
    /// The value plan of each slot.
    let values: [ValuePlan]
    /// The properties whose value is assembled from captured members when the object has ended.
    let deferred: [DeferredProperty]
    /// Their paths, by the entry of the first member.
    let deferredPaths: [Int: [DeferredPath]]
    /// The slots that must have a value when the object has ended, with their JSON paths for messages.
    let required: [(slot: Int, member: String)]
    let cluster: ClusterPlan?
    let modelClass: DynamicModel.Type
    /// The slots of `required`, as plain bytes, and behind them the slots with a default.
    private let expectedSlots: UnsafeMutableBufferPointer<Int>
    /// Whether an object that has a value in each of the expected slots needs no more at its end than checks by rules
    /// that are data and by the overridable hooks.
    let finishesSimply: Bool
    /// The checks that entries point at.
    private let checks: [DiscriminatorCheck]
    /// The slots that are read and written; nil for all.
    let selection: SelectedSlots?
    /// Whether all slots are read, so that your code for whole models may see them.
    let isUnprojected: Bool
    /// Whether each model is checked, by rules or by your hooks.
    let runsHooks: Bool
    /// Whether the schema has rules that are data.
    let isRuled: Bool
    /// Whether documents may have no members that nothing maps, whatever the option says.
    let refusesUnknownMembers: Bool
    /// Whether a document can be compared with models of this plan member by member, so that equal values are shared.
    /// Rules and hooks do not matter, because they only see changes.
    let comparesWithDocuments: Bool
    /// Whether texts can be packed: the model has URLs that are read from text.
    let packsTexts: Bool
    /// The slots with a default, which is used if the member is missing.
    let defaulted: [Int]
    /// The plans of the layout and its descendants; empty if there is only this one.
    private var family: [ObjectIdentifier: Unowned<JSONPlan>] = [:]
    /// Whether an object may be of a descendant's class.
    private(set) var varies = false

    init(
        layout: ModelLayout, paths: [[JSONKeyPath]], input: DecodingNode, output: EncodingNode,
        values: [ValuePlan],
        deferred: [DeferredProperty], required: [(slot: Int, member: String)], cluster: ClusterPlan?,
        checks: [DiscriminatorCheck], refusesUnknownMembers: Bool, selection: SelectedSlots? = nil
    ) {
        func isSelected(_ slot: Int) -> Bool { selection?.contains(slot) ?? true }
        self.layout = layout
        self.paths = paths
        unsafe rawLayout = layout.rawLayout
        self.input = input
        assert(output.fits(layout), "a member of another layout")
        self.output = output
        self.values = values
        self.deferred = deferred
        deferredPaths = DeferredPath.paths(of: deferred, in: input)
        self.required = required
        self.cluster = cluster
        self.checks = checks
        self.refusesUnknownMembers = refusesUnknownMembers
        self.selection = selection
        isUnprojected = selection == nil
        defaulted = layout.defaultedSlots.filter(isSelected)
        modelClass = layout.modelClass
        let expected = required.map(\.slot) + defaulted
        unsafe expectedSlots = .allocate(capacity: expected.count)
        _ = unsafe expectedSlots.initialize(from: expected)
        let isSimple = deferred.isEmpty && !layout.childSlots.contains { isSelected($0.slot) }
        packsTexts = values.indices.contains { isSelected($0) && values[$0].operation == .url }
        comparesWithDocuments =
            deferred.isEmpty && cluster == nil && layout.mergeRules.allSatisfy(\.acceptsOwnContent)
        isRuled = layout.isRuled
        if selection == nil {
            finishesSimply = isSimple && !layout.hasValidators && layout.decodingHooks.isEmpty
            runsHooks = layout.modelClass != DynamicModel.self || layout.hasRules || !layout.decodingHooks.isEmpty
        } else {
            let hasValidators = layout.validatedSlots.contains {
                isSelected($0) && !layout.properties[$0].schema.validators.isEmpty
            }
            finishesSimply = isSimple && !hasValidators && layout.modelRules.isEmpty
            runsHooks = hasValidators || layout.isRuled
        }
    }

    /// Returns the plan that reads and writes only selected slots.
    ///
    /// - Parameter values: The value plan of each slot.
    func projected(to selection: SelectedSlots, _ values: [ValuePlan]) -> JSONPlan {
        let deferred = deferred.filter { selection.contains($0.slot) }
        let captured = deferred.flatMap(\.paths).compactMap(\.leadingMembers.first).map { UTF8Key($0) }
        return JSONPlan(
            layout: layout, paths: paths,
            input: input.projected(to: selection, values, capturing: Set(captured)),
            output: output.projected(to: selection, values), values: values, deferred: deferred,
            required: required.filter { selection.contains($0.slot) }, cluster: cluster.map { ClusterPlan($0) },
            checks: checks, refusesUnknownMembers: refusesUnknownMembers, selection: selection)
    }

    /// Connects the plan and its cluster with the plans of the layout's descendants.
    func link(_ descendants: [JSONPlan]) {
        varies = !descendants.isEmpty || cluster != nil
        guard varies else { return }
        for plan in [self] + descendants {
            family[ObjectIdentifier(plan.layout)] = unsafe Unowned(plan)
        }
        cluster?.link(family)
    }

    /// Returns the plan of the layout or of a descendant; nil for other layouts.
    package func plan(for layout: ModelLayout) -> JSONPlan? {
        layout === self.layout ? self : family[ObjectIdentifier(layout)]?.object
    }

    /// The plans of the layout's descendants.
    var descendants: [JSONPlan] {
        family.values.map(\.object).filter { $0 !== self }
    }

    /// Visits this plan and those of all models that its own models can hold, each once, and returns the first that fits.
    ///
    /// - Complexity: O(*n*) in the number of properties.
    func firstReached(where fits: (JSONPlan) -> Bool) -> JSONPlan? {
        var reached: Set = [ObjectIdentifier(self)]
        var pending = [self]
        while let plan = pending.popLast() {
            if fits(plan) { return plan }
            for next in plan.values.compactMap(\.model) + plan.descendants
            where next.isUnprojected && reached.insert(ObjectIdentifier(next)).inserted {
                pending.append(next)
            }
        }
        return nil
    }

    /// Whether each slot that must have a value when the object has ended has one, and each that has a default.
    @inline(__always)
    func hasExpected(in slots: SlotBlock) -> Bool {
        assert(slots.count == slotCount)
        return unsafe expectedSlots.allSatisfy { unsafe slots.state(of: $0).hasValue }
    }

    /// The path of a property in JSON, for messages.
    package func path(of slot: Int) -> [String] {
        paths(of: slot).first?.tokens ?? [layout.properties[slot].key]
    }

    /// The paths of a property in JSON.
    func paths(of slot: Int) -> [JSONKeyPath] { paths[slot] }

    /// The number of the layout's properties.
    var slotCount: Int { @inline(__always) get { unsafe rawLayout.pointee.slotCount } }

    /// The slots that `==` compares.
    var comparedSlots: some Sequence<Int> {
        unsafe (0..<rawLayout.pointee.comparedCount).lazy.map { unsafe Int(self.rawLayout.pointee.compared[$0].index) }
    }

    /// Whether a model is of the layout.
    func isLayout(of model: DynamicModel) -> Bool { unsafe model.rawLayout == rawLayout }

    /// Makes a model whose slots are all unset.
    @inline(__always)
    func makeModel() -> DynamicModel { unsafe DynamicModel.make(rawLayout, modelClass) }

    deinit { unsafe expectedSlots.deallocate() }
}

/// A property that needs more than the value of one member: several paths, a path through an array, or a member that
/// another property reads as well.
struct DeferredProperty {
    let slot: Int
    let combination: ResolvedMapping.Combination
    let paths: [JSONKeyPath]
}

/// A path of a deferred property.
struct DeferredPath {
    /// The number of the property among the deferred ones, and of the path among those of the property.
    let property: Int
    let number: Int
    let steps: [JSONKeyPath.Step]

    /// Returns the paths of properties by the entry of their first member.
    static func paths(of properties: [DeferredProperty], in node: DecodingNode) -> [Int: [DeferredPath]] {
        var result: [Int: [DeferredPath]] = [:]
        for (index, property) in properties.enumerated() {
            for (number, path) in property.paths.enumerated() {
                guard case .member(let name) = path.steps[0], let entry = node.table.find(name) else { continue }
                result[entry, default: []].append(DeferredPath(property: index, number: number, steps: path.steps))
            }
        }
        return result
    }
}
