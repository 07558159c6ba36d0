import PalliumCore
import PalliumJSON

/// The format of the documents and the options that change plans. Layouts are compiled once for each value.
struct JSONPlanOptions: Hashable, Sendable {
    let format: DocumentFormat
    let mode: PropertySchema.Direction?
    let leniency: JSONAdapterOptions.Leniency
    let transformersByKind: [UTF8Key: TransformerName]

    init(format: DocumentFormat, _ options: JSONAdapterOptions) {
        self.format = format
        mode = format == .stored ? nil : options.mode
        leniency = options.leniency.intersection([.numbersAsText, .boolsAsNumbers])
        transformersByKind = Dictionary(
            uniqueKeysWithValues: options.transformersByKind.map { (UTF8Key($0.key), $0.value) })
    }

    /// Whether an adapter has these options if nobody chooses any.
    var areDefault: Bool { format.profile == nil && mode == nil && leniency.isEmpty && transformersByKind.isEmpty }
}

/// The plans of a registry's schemas for one set of options. Each is compiled when an adapter first needs it.
///
/// ```
///   SchemaRegistry ─▶ CompiledSchemas ┬▶ JSONPlanTable, default options: Issue, User, Label, …
///                                     └─ JSONPlanTable, a profile:       Issue, User
///                                              ▲
///   JSONAdapter(Issue, profile) ──▶ JSONPlanSet┤
///   JSONAdapter(User, profile) ───▶ JSONPlanSet┘
/// ```
/// All adapters and threads share the table, so a plan is compiled once however many roots reach it. Coders make an
/// adapter for each value, so a table for default options is kept until schemas are registered. Other tables end with the
/// last adapter that uses them.
///
/// To avoid a cycle the table does not hold the registry; adapters do.
final class JSONPlanTable: Sendable {
    struct Plans: Sendable {
        /// The plans for whole models.
        var whole: [ObjectIdentifier: JSONPlan] = [:]
        /// The plans of models that the stored format refers to by their identity.
        var references: [ObjectIdentifier: JSONPlan] = [:]
    }

    private struct Content: Sendable {
        var plans = Plans()
        /// Layouts that have the profile, or refer to one that has it.
        var profiled: Set<ObjectIdentifier> = []
        /// The paths of the values with labels, and the number of plans when they were found.
        var labelled: (paths: LabelledPaths, count: Int)?
    }

    private let options: JSONPlanOptions
    private let content = Lock(Content())

    private init(_ options: JSONPlanOptions) { self.options = options }

    /// Returns the plan of a layout in the registry's table, compiled with all that it refers to at the first request.
    ///
    /// - Throws: ``ModelError`` if the profile does not exist, or if an option names a transformer or kind that does
    ///   not exist or does not fit.
    static func plan(
        for layout: ModelLayout, in registry: SchemaRegistry, _ options: JSONPlanOptions
    ) throws(ModelError) -> (root: JSONPlan, table: JSONPlanTable) {
        while true {
            let compiled = registry.compiled
            let table = compiled.product(for: options, isKept: options.areDefault) { JSONPlanTable(options) }
            let root = try table.plan(for: layout, in: registry)
            // Plans that were compiled while schemas were registered may lack some of them.
            if registry.compiled === compiled { return (root, table) }
        }
    }

    private func plan(for layout: ModelLayout, in registry: SchemaRegistry) throws(ModelError) -> JSONPlan {
        // Compiling does not call your code, so other threads wait for a plan instead of compiling it, too.
        try content.withLock { content throws(ModelError) in
            var root = content.plans.whole[ObjectIdentifier(layout)]
            if root == nil {
                let made = try Self.compile(layout, registry, options, existing: content.plans)
                root = made.whole[ObjectIdentifier(layout)]
                content.plans.whole.merge(made.whole) { old, _ in old }
                content.plans.references.merge(made.references) { old, _ in old }
            }
            // Of the plans that were made, the first is that of the layout.
            let plan = root!
            if let profile = options.format.profile, !content.profiled.contains(ObjectIdentifier(layout)) {
                try Self.check(profile, plan, content.profiled)
                content.profiled.insert(ObjectIdentifier(layout))
            }
            return plan
        }
    }

    /// Compiles a layout and what it refers to. The builder's copy of the existing plans ends here, so the table adds
    /// the new ones in place.
    private static func compile(
        _ layout: ModelLayout, _ registry: SchemaRegistry, _ options: JSONPlanOptions, existing: Plans
    ) throws(ModelError) -> Plans {
        var builder = JSONPlanBuilder(registry: registry, options: options, existing: existing)
        return try builder.build(layout)
    }

    /// Throws unless the schema, or one that it refers to, has the profile.
    private static func check(
        _ profile: String, _ root: JSONPlan, _ profiled: Set<ObjectIdentifier>
    ) throws(ModelError) {
        var names: [String] = []
        let found = root.firstReached { plan in
            names += plan.layout.profiles.map(\.name)
            return profiled.contains(ObjectIdentifier(plan.layout))
                || plan.layout.profiles.contains { UTF8Text.equal($0.name, profile) }
        }
        if found != nil { return }
        throw ModelError(
            .unknownProfile, expected: "the name of a profile of the schema or of one that it refers to",
            found: ModelError.quote(profile)
        ).suggesting(ModelError.nearest(to: profile, among: names.sorted(by: UTF8Text.precedes)))
    }

    /// Returns the plan of a layout for whole models; nil if no adapter has needed it.
    func existingPlan(for layout: ModelLayout) -> JSONPlan? {
        content.withLock { $0.plans.whole[ObjectIdentifier(layout)] }
    }

    /// Where documents of a schema have values with labels; nil if no property that it reaches has one.
    ///
    /// - Complexity: O(*n*) in the number of properties, once until other plans are compiled.
    func labelledPaths(of root: JSONPlan) -> LabelledPaths? {
        content.withLock { content in
            let plans = content.plans.whole.values
            if let labelled = content.labelled, labelled.count == plans.count {
                return labelled.paths.below(root.layout)
            }
            let paths = LabelledPaths(Array(plans))
            content.labelled = (paths, plans.count)
            return paths.below(root.layout)
        }
    }
}
