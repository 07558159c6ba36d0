import Observation
import PalliumJSON

/// A schema compiled for use: slots, kinds, the key table and the hooks.
///
/// A registry makes layouts and publishes them; after that they never change, except that their tables of accessors are
/// filled. A model points at its layout without counting references to it. Layouts of ``SchemaRegistry/shared`` live as
/// long as the process, like the metadata of a class, so making, copying and releasing models causes no contention
/// between threads. Layouts of any other registry are freed with it. The registry is held by your code, by adapters and
/// reports of changes, and by every model.
///
/// ```
///   your code, adapters, changes ──▶ registry ──▶ layouts, which refer to each other
///   model  ── counted by init and deinit ──▶ ▲         ▲
///     └────── RawLayout, not counted ────────────────┘
/// ```
@safe
@usableFromInline package final class ModelLayout: Sendable {
    /// The schema.
    package let schema: ModelSchema
    /// The layout of the schema this one extends.
    package let parent: ModelLayout?
    /// The class of the models: the schema's own, or that of the nearest ancestor that has one.
    package let modelClass: DynamicModel.Type
    /// All stored properties, inherited ones first; the index is the slot.
    package let properties: [Property]
    package let keyTable: KeyTable
    /// The slots with validators or rules.
    package let validatedSlots: [Int]
    /// The rules of each property; nil where there are none.
    private let valueRules: [ValueRules?]
    /// The tests of all rules of properties, with their slots.
    package let ruleTests: [(slot: Int, test: RuleTest)]
    /// The rules about several properties, a parent's first.
    package let modelRules: ModelRules
    package let requiredSlots: [Int]
    /// The slots with validators or rules, and the required ones, in order.
    package let checkedSlots: [Int]
    package let identitySlots: [Int]
    /// Whether models may have nothing but their identity, although other properties are required.
    package let allowsStubs: Bool
    /// Whether documents may have identities in place of models that a property holds.
    package let holdsIdentities: Bool
    package let defaultedSlots: [Int]
    /// The merge rule of each slot, and whether any property has a policy.
    package let mergeRules: [MergeRule]
    package let hasMergePolicies: Bool
    /// Whether the rule of a property can depend on other properties.
    package let decidesByOtherProperties: Bool
    /// Whether the models tell of their changes.
    package let isObserved: Bool
    /// The names of the slots for code that the Observation framework tracks; none unless the models are observed.
    let observedPaths: [ObservedProperty.Path]
    /// The rules in Swift for whole models and the hooks after decoding, a parent's first.
    package let validators: [ModelHook]
    package let decodingHooks: [ModelHook]
    /// The members that are deliberately not mapped, a parent's first.
    package let ignoredPaths: [JSONKeyPath]
    /// The registry's transformers, for compiling plans from the layout.
    package let transformers: TransformerRegistry

    /// Safety of the three `nonisolated(unsafe)` below: the thread that compiles the layout writes them before the
    /// registry publishes it under its lock; nobody writes them later. The raw layout lives as long as the layout. The
    /// template lives until the registry ends or the layout is refused, when no model and no adapter refers to it.
    /// Dynamic checks for overlapping access could never fail either, so they are off.
    @exclusivity(unchecked) nonisolated(unsafe) package private(set) var rawLayout: UnsafePointer<RawLayout>
    nonisolated(unsafe) private var template: UnsafeMutableRawPointer?
    /// The properties with an inverse, and the slots of the parent references in their models.
    @safe @exclusivity(unchecked) nonisolated(unsafe) package private(set) var childSlots: [ChildSlot] = []

    /// The layout, its parent and so on.
    package var lineage: some Sequence<ModelLayout> { sequence(first: self) { $0.parent } }

    /// The profiles of the schema, inherited ones included.
    package var profiles: [ProfileMapping] {
        ProfileMapping.all(of: lineage.map(\.schema).reversed())
    }

    /// A stored property.
    package struct Property: Sendable {
        package let descriptor: ValueDescriptor
        /// The key strategy of the schema that declares the property.
        package let keys: ModelSchema.KeyStrategy
        package var key: String { descriptor.key }
        package var schema: PropertySchema { descriptor.property }
        package var isPermanent: Bool { schema.storage == .permanent && !schema.isWeak }
    }

    init(
        schema: ModelSchema, parent: ModelLayout?, transformers: TransformerRegistry, mergers: MergerRegistry,
        formats: FormatRegistry, registry: SchemaRegistry, isShared: Bool
    ) {
        self.schema = schema
        self.parent = parent
        self.transformers = transformers
        modelClass = schema.modelClass ?? parent?.modelClass ?? DynamicModel.self
        allowsStubs = schema.allowsStubs || parent?.allowsStubs == true
        let identity = Set((schema.identity.isEmpty ? parent?.identityKeys ?? [] : schema.identity).map { UTF8Key($0) })
        var properties = parent?.properties ?? []
        var valueRules = parent?.valueRules ?? []
        var positions = [UTF8Key: Int](minimumCapacity: properties.count + schema.properties.count)
        for (index, property) in properties.enumerated() { positions[UTF8Key(property.key)] = index }
        for property in schema.properties where property.schema.storage != .notStored {
            let compiled = Property(
                descriptor: ValueDescriptor(
                    schema: schema.name, key: property.key, path: "\(schema.name).\(property.key)",
                    property: property.schema, isElement: false,
                    isLackedByStubs: allowsStubs && !identity.contains(UTF8Key(property.key))), keys: schema.keys)
            if let index = positions[UTF8Key(property.key)] {
                // A child tightens an inherited property, which keeps its slot.
                properties[index] = compiled
                valueRules[index] = ValueRules(property.schema, formats: formats, inherited: valueRules[index])
            } else {
                positions[UTF8Key(property.key)] = properties.count
                properties.append(compiled)
                valueRules.append(ValueRules(property.schema, formats: formats))
            }
        }
        self.properties = properties
        holdsIdentities = properties.contains { $0.descriptor.holdsIdentities }
        keyTable = KeyTable(properties.map(\.key))
        let rules = valueRules
        self.valueRules = rules
        ruleTests = rules.enumerated().flatMap { slot, rules in rules?.tests.map { (slot, $0) } ?? [] }
        validatedSlots = properties.indices.filter { !properties[$0].schema.validators.isEmpty || rules[$0] != nil }
        requiredSlots = properties.indices.filter { properties[$0].schema.isRequired }
        checkedSlots = Set(validatedSlots).union(requiredSlots).sorted()
        let keys = keyTable
        identitySlots =
            schema.identity.isEmpty ? parent?.identitySlots ?? [] : schema.identity.compactMap { keys.find($0) }
        mergeRules = MergeRule.compile(properties, keys: keys, mergers: mergers)
        hasMergePolicies = properties.contains { $0.schema.merge != nil }
        decidesByOtherProperties = mergeRules.contains(where: \.readsOtherProperties)
        defaultedSlots = properties.indices.filter { properties[$0].schema.defaultValue != nil }
        var modelRules = parent?.modelRules ?? ModelRules()
        // The registry reports rules that mean nothing, and refuses the schema.
        for rule in schema.rules {
            try? modelRules.add(rule, message: schema.messages[rule], transformers: transformers) { key in
                keys.find(key).map { ($0, properties[$0].descriptor) }
            }
        }
        self.modelRules = modelRules
        // The registry reports malformed paths, and refuses the schema.
        ignoredPaths = (parent?.ignoredPaths ?? []) + schema.ignored.compactMap { try? JSONKeyPath($0) }
        isObserved = schema.isObserved || parent?.isObserved == true || modelClass is any Observable.Type
        observedPaths = isObserved ? ObservedProperty.paths(slotCount: properties.count) : []
        validators = (parent?.validators ?? []) + schema.validators
        hasValidators = !validators.isEmpty || properties.contains { !$0.schema.validators.isEmpty }
        isRuled = !ruleTests.isEmpty || !modelRules.isEmpty
        decodingHooks = (parent?.decodingHooks ?? []) + schema.decodingHooks
        let memory = UnsafeMutablePointer<RawLayout>.allocate(capacity: 1)
        unsafe rawLayout = UnsafePointer(memory)
        unsafe RawLayout.initialize(
            memory, modelClass: modelClass, registry: isShared ? nil : registry, layout: self,
            slots: properties.map { ($0.descriptor, $0.isPermanent) },
            hasChildren: properties.contains { $0.schema.inverse != nil }, isObserved: isObserved, keys: keyTable)
        assert(unsafe MemoryCheck.runOnce(rawLayout))
    }

    /// Runs after ``discard(_:)``: nothing points at the memory.
    deinit { unsafe RawLayout.deallocate(rawLayout) }

    /// Clears layouts that were refused, or whose registry ends.
    ///
    /// First it releases their default values, whose lists need the layouts, then the references between layouts.
    static func discard(_ layouts: [ModelLayout]) {
        for layout in layouts {
            guard let template = unsafe layout.template else { continue }
            for index in layout.properties.indices { layout.defaultSlot(index).clear() }
            unsafe layout.template = nil
            unsafe ModelStorage.deallocate(template, layout.rawLayout)
        }
        for layout in layouts { layout.link { _ in nil } }
    }

    /// The registry of the schema. Code that holds a layout longer than a model or an adapter of it must hold the
    /// registry, too.
    var ownRegistry: SchemaRegistry? { unsafe rawLayout.pointee.registry?.takeUnretainedValue() }

    /// The layout without reference counting, for somebody who keeps its registry.
    package var unowned: Unowned<ModelLayout> { unsafe Unowned(self) }

    package var layoutIdentifier: LayoutIdentifier { unsafe LayoutIdentifier(rawLayout) }

    package var registry: SchemaRegistry { unsafe rawLayout.pointee.registry?.takeUnretainedValue() ?? .shared }

    /// Whether validators or rules must run.
    package var hasRules: Bool { hasValidators || isRuled }

    private var identityKeys: [String] { identitySlots.map { properties[$0].key } }

    /// Whether a model with nothing but its identity is complete.
    package var hasStubs: Bool {
        !identitySlots.isEmpty && (allowsStubs || requiredSlots.allSatisfy { identitySlots.contains($0) })
    }

    /// The layout that declares the identity: the model's own, or that of an ancestor.
    package var identityRoot: ModelLayout {
        var root = self
        while let parent = root.parent, parent.identitySlots == root.identitySlots { root = parent }
        return root
    }

    /// Whether validators of properties, or rules in Swift for the whole model, must run.
    package let hasValidators: Bool

    /// Whether there are rules that are data.
    package let isRuled: Bool

    /// Returns the rules of a property; nil if there are none.
    package func rules(at slot: Int) -> ValueRules? { valueRules[slot] }

    /// Whether the class may refuse models by a rule of its own.
    package var classMayRefuse: Bool { ClassMetadata(modelClass).overridesValidateModel }

    /// Whether your code may see whole models, or the models that their properties hold. It may keep them then.
    ///
    /// An initialiser of the class sees an empty model, and could keep that.
    var showsModels: Bool {
        hasValidators || !decodingHooks.isEmpty || hasMergePolicies
            || properties.contains { $0.schema.holdsModels && !$0.schema.transformers.isEmpty }
            || classMayRefuse || ClassMetadata(modelClass).overridesDidDecode
    }

    /// Connects the descriptors of models with their layouts.
    func link(_ layoutOf: (ModelReference) -> ModelLayout?) {
        // Inherited descriptors belong to the parent, which may be in use already.
        for property in properties where property.descriptor.schema == schema.name {
            property.descriptor.link(layoutOf)
        }
    }

    /// Finds the parent references that belong to properties with an inverse. Every descriptor must be linked before.
    func findChildSlots() {
        childSlots = properties.indices.compactMap { index in
            guard let key = properties[index].schema.inverse else { return nil }
            let child = properties[index].descriptor.innermost.model
            return child?.index(of: key).map { ChildSlot(slot: index, inverse: $0) }
        }
    }

    /// Makes the default values of new models; returns the problems with them.
    func makeTemplate() -> [(property: String, error: ModelError)] {
        // Bare slots instead of a `ModelStorage`: the layout must not keep its own registry.
        let memory = unsafe ModelStorage.emptySlots(rawLayout)
        var problems: [(String, ModelError)] = []
        for (index, property) in properties.enumerated() {
            guard let value = property.schema.defaultValue else { continue }
            let slot = unsafe Self.slot(index, in: memory, rawLayout)
            do throws(ModelError) {
                switch value {
                case .value(let value):
                    guard property.descriptor.accepts(type(of: value)) else {
                        throw ModelError(
                            .typeMismatch, property.descriptor, expected: property.descriptor.expectation,
                            found: "\(type(of: value))")
                    }
                    try value._store(slot)
                case .json(let value): try slot.store(json: value, transformers: transformers)
                }
                // All threads would share the model, and it would keep the registry that the default belongs to.
                if slot.holdsModels {
                    throw ModelError(
                        .invalidValue, property.descriptor, expected: "a default without models", found: "a model")
                }
                if let rules = valueRules[index], !rules.areKept(by: slot) {
                    throw ModelError(rules.problems(with: slot))
                }
                // Models of several threads share the default value.
                slot.prepare()
            } catch { problems.append((property.key, error)) }
        }
        unsafe template = memory
        return problems
    }

    /// Returns the slot at an index of a model's slots.
    @inlinable @inline(__always)
    package static func slot(
        _ index: Int, in slots: UnsafeMutableRawPointer, _ rawLayout: UnsafePointer<RawLayout>
    ) -> PropertySlot {
        unsafe PropertySlot(index, in: slots, rawLayout)
    }

    /// Returns the slot with the default value of a property, unset when there is none.
    package func defaultSlot(_ index: Int) -> PropertySlot {
        // An invariant: layouts are published after their template is made. Checked for every default.
        guard let template = unsafe template else { preconditionFailure("\(schema.name) is not registered") }
        return unsafe Self.slot(index, in: template, rawLayout)
    }

    /// Returns the index of the property with a key.
    package func index(of key: String) -> Int? { keyTable.find(key) }

    /// Whether models of this layout are accepted where models of `other` are required.
    package func isDescendant(of other: ModelLayout) -> Bool {
        var layout: ModelLayout? = self
        while let current = layout {
            if current.isEqual(to: other) { return true }
            layout = current.parent
        }
        return false
    }

    /// Whether both schemas have the same root, including versions of it in different registries.
    package func sharesAncestor(with other: ModelLayout) -> Bool {
        // Schemas with a common ancestor have the same root.
        UTF8Text.equal(root.schema.name, other.root.schema.name)
    }

    /// The root: the first ancestor, or the layout itself if it extends nothing.
    private var root: ModelLayout {
        var layout = self
        while let parent = layout.parent { layout = parent }
        return layout
    }

    /// Whether both layouts were compiled from equal schemas, in the same or different registries.
    package func isEqual(to other: ModelLayout) -> Bool {
        if self === other { return true }
        guard modelClass == other.modelClass, schema == other.schema else { return false }
        // Equal schemas extend the same schema, or none.
        guard let parent, let otherParent = other.parent else { return true }
        return parent.isEqual(to: otherParent)
    }

    /// Makes a new model with every slot unset.
    package func makeEmptyModel() -> DynamicModel { makeEmptyModel(of: modelClass) }

    /// Makes a new model of a class with every slot unset.
    @inline(__always)
    func makeEmptyModel(of modelClass: DynamicModel.Type) -> DynamicModel {
        unsafe DynamicModel.make(rawLayout, modelClass)
    }

    /// Makes empty slots for a new model. The caller holds the registry.
    @inline(__always)
    func makeStorage() -> ModelStorage { unsafe ModelStorage(rawLayout) }

    /// Returns the existing key that an unknown one probably means.
    package func nearestKey(to key: String) -> String? { ModelError.nearest(to: key, among: properties.map(\.key)) }

    package func unknownKeyError(_ key: String) -> ModelError {
        ModelError(
            .unknownKey, expected: "a key of \(schema.name)", found: ModelError.quote(key), schema: schema.name
        ).suggesting(nearestKey(to: key))
    }

    /// Returns the error for steps of a key path, of which the first is no key. The suggestion is a key path.
    package func unknownKeyError(inPath steps: ArraySlice<JSONKeyPath.Step>) -> ModelError {
        let path = JSONKeyPath(steps: Array(steps))
        // A key with dots or brackets may have been passed as it is.
        let error = unknownKeyError(index(of: path.description) == nil ? path.tokens[0] : path.description)
        return error.suggesting(error.suggestion.map(JSONKeyPath.escape))
    }
}

extension DynamicModel {
    /// The compiled schema, which lives as long as the model.
    @inlinable package final var layout: ModelLayout { unsafe rawLayout.pointee.layout.takeUnretainedValue() }
}

extension RawLayout {
    /// The layout, which holds these bytes.
    @inlinable package var layout: Unmanaged<ModelLayout> { unsafe Unmanaged.fromOpaque(layoutAddress) }
}
