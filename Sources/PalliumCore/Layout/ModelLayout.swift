import PalliumJSON

// Safety: the table lives as long as the layout, and the template until the registry ends or the layout is refused: then no
// model and no adapter leads to it any more. Whoever reads them got the layout after it was published.

/// A schema compiled for use: slots, kinds, the key table and the hooks, resolved once.
///
/// Layouts are made by a registry and never change once they are published. A model points at its layout without counting
/// references to it. Layouts of ``SchemaRegistry/shared`` live as long as the process, as the metadata of a class does,
/// which keeps the making, copying and releasing of models free of contention between threads. Those of any other registry
/// are freed with it: the program, adapters, reports of changes and every model hold the registry.
///
/// ```
///   program, adapters, changes ──▶ registry ──▶ layouts, which lead to each other
///   model  ── counted by init and deinit ──▶ ▲         ▲
///     └────── RawLayout, not counted ────────────────┘
/// ```
@safe
public final class ModelLayout: Sendable {
    /// The schema.
    public let schema: ModelSchema
    /// The layout of the schema this one extends.
    public let parent: ModelLayout?
    /// The class of the models: the schema's own, or that of the nearest ancestor with one.
    package let modelClass: DynamicModel.Type
    /// All stored properties, inherited ones first; the index is the slot.
    package let properties: [Property]
    package let keyTable: KeyTable
    package let validatedSlots: [Int]
    package let requiredSlots: [Int]
    package let identitySlots: [Int]
    package let defaultedSlots: [Int]
    /// How each slot merges, and whether any property has a policy.
    package let mergeRules: [MergeRule]
    package let hasMergePolicies: Bool
    /// The rules over whole models and the hooks after decoding, a parent's first.
    package let validators: [ModelHook]
    package let decodingHooks: [ModelHook]
    /// The registry's transformers, for whoever compiles programs from the layout.
    package let transformers: TransformerRegistry

    /// Safety of the three `nonisolated(unsafe)` below: written by the thread that compiles the layout, before the
    /// registry publishes it under its lock; read-only ever after.
    nonisolated(unsafe) package private(set) var table: UnsafePointer<RawLayout>
    nonisolated(unsafe) private var template: UnsafeMutableRawPointer?
    /// The properties with an inverse, and where in their models the link back stands.
    @safe nonisolated(unsafe) package private(set) var childSlots: [ChildSlot] = []

    /// The profiles of the schema, inherited ones included.
    package var profiles: [ProfileMapping] {
        var lineage = [schema]
        var current = parent
        while let layout = current {
            lineage.append(layout.schema)
            current = layout.parent
        }
        return ProfileMapping.all(of: lineage.reversed())
    }

    /// A stored property.
    package struct Property: Sendable {
        package let descriptor: ValueDescriptor
        /// How the schema that declares the property makes member names of keys.
        package let keys: KeyStrategy
        package var key: String { descriptor.key }
        package var schema: PropertySchema { descriptor.property }
        package var isPermanent: Bool { schema.storage == .permanent && !schema.isWeak }
    }

    init(
        schema: ModelSchema, parent: ModelLayout?, transformers: TransformerRegistry, mergers: MergerRegistry,
        registry: SchemaRegistry, isShared: Bool
    ) {
        self.schema = schema
        self.parent = parent
        self.transformers = transformers
        modelClass = schema.modelClass ?? parent?.modelClass ?? DynamicModel.self
        var properties = parent?.properties ?? []
        var positions = [UTF8Key: Int](minimumCapacity: properties.count + schema.properties.count)
        for (index, property) in properties.enumerated() { positions[UTF8Key(property.key)] = index }
        for property in schema.properties where property.schema.storage != .notStored {
            let compiled = Property(
                descriptor: ValueDescriptor(
                    schema: schema.name, key: property.key, path: "\(schema.name).\(property.key)",
                    property: property.schema, isElement: false), keys: schema.keys)
            if let index = positions[UTF8Key(property.key)] {
                // A child tightens an inherited property: the slot stays where it is.
                properties[index] = compiled
            } else {
                positions[UTF8Key(property.key)] = properties.count
                properties.append(compiled)
            }
        }
        self.properties = properties
        keyTable = KeyTable(properties.map(\.key))
        validatedSlots = properties.indices.filter { !properties[$0].schema.validators.isEmpty }
        requiredSlots = properties.indices.filter { properties[$0].schema.isRequired }
        let table = keyTable
        identitySlots =
            schema.identity.isEmpty ? parent?.identitySlots ?? [] : schema.identity.compactMap { table.find($0) }
        mergeRules = MergeRule.compile(properties, keys: table, mergers: mergers)
        hasMergePolicies = properties.contains { $0.schema.merge != nil }
        defaultedSlots = properties.indices.filter { properties[$0].schema.defaultValue != nil }
        validators = (parent?.validators ?? []) + schema.content.validators
        decodingHooks = (parent?.decodingHooks ?? []) + schema.content.decodingHooks
        let count = properties.count
        let kinds = UnsafeMutablePointer<SlotKind>.allocate(capacity: max(count, 1))
        let flags = UnsafeMutablePointer<SlotFlags>.allocate(capacity: max(count, 1))
        let descriptors = UnsafeMutablePointer<Unmanaged<ValueDescriptor>>.allocate(capacity: max(count, 1))
        let managed = UnsafeMutablePointer<UInt16>.allocate(capacity: max(count, 1))
        let compared = UnsafeMutablePointer<ComparedSlot>.allocate(capacity: max(count, 1))
        var comparedCount = 0
        var managedCount = 0
        for (index, property) in properties.enumerated() {
            let kind = property.descriptor.kind
            unsafe (kinds + index).initialize(to: kind)
            unsafe (flags + index).initialize(to: property.isPermanent ? .permanent : [])
            unsafe (descriptors + index).initialize(to: property.descriptor.reference)
            if property.isPermanent {
                unsafe (compared + comparedCount).initialize(to: ComparedSlot(index: UInt16(index), kind: kind))
                comparedCount += 1
            }
            if kind.ownsMemory {
                unsafe (managed + managedCount).initialize(to: UInt16(index))
                managedCount += 1
            }
        }
        let place = UnsafeMutablePointer<RawLayout>.allocate(capacity: 1)
        unsafe self.table = UnsafePointer(place)
        unsafe place.initialize(
            to: RawLayout(
                slotCount: count, registry: isShared ? nil : Unmanaged.passUnretained(registry), kinds: kinds,
                flags: flags,
                descriptors: descriptors, managed: managed,
                managedCount: managedCount, layout: Unmanaged.passUnretained(self), compared: UnsafePointer(compared),
                comparedCount: comparedCount,
                hasChildren: properties.contains { $0.schema.inverse != nil },
                accessors: AccessorTable(propertyCount: count), keys: Unmanaged.passUnretained(keyTable)))
    }

    /// Reached after ``discard(_:)``: nothing points at the memory.
    deinit {
        unsafe table.pointee.kinds.deallocate()
        unsafe table.pointee.flags.deallocate()
        unsafe table.pointee.descriptors.deallocate()
        unsafe table.pointee.managed.deallocate()
        unsafe table.pointee.compared.deallocate()
        unsafe table.pointee.accessors.deallocate()
        unsafe table.deallocate()
    }

    /// Lets go of layouts that were made together and refused, or whose registry ends: of their defaults first, whose lists need
    /// the layouts, then of what makes layouts hold each other.
    static func discard(_ layouts: [ModelLayout]) {
        for layout in layouts {
            guard let template = unsafe layout.template else { continue }
            for index in layout.properties.indices { layout.defaultSlot(index).clear() }
            unsafe layout.template = nil
            unsafe SlotMemory.deallocate(template)
        }
        for layout in layouts { layout.link { _ in nil } }
    }

    /// The registry of the schema. Whoever holds a layout longer than a model or an adapter that leads to it holds this, too.
    package var registry: SchemaRegistry { unsafe table.pointee.registry?.takeUnretainedValue() ?? .shared }

    /// Whether validators or rules over whole models must run.
    package var hasRules: Bool { !validatedSlots.isEmpty || !validators.isEmpty }

    /// Connects the descriptions of models with their layouts.
    func link(_ layoutOf: (ModelReference) -> ModelLayout?) {
        // Inherited descriptions belong to the parent, which may be in use already.
        for property in properties where property.descriptor.schema == schema.name {
            property.descriptor.link(layoutOf)
        }
    }

    /// Finds the links that the properties with an inverse keep; every description is linked by now.
    func findChildSlots() {
        childSlots = properties.indices.compactMap { index in
            guard let key = properties[index].schema.inverse else { return nil }
            var descriptor: ValueDescriptor? = properties[index].descriptor
            while let element = descriptor?.element { descriptor = element }
            return descriptor?.model?.index(of: key).map { ChildSlot(slot: index, inverse: $0) }
        }
    }

    /// Makes the slots that new models start from; fails with what is wrong with a default.
    func makeTemplate() -> [(property: String, error: ModelError)] {
        // No storage of a model: the layout must not keep its own registry.
        let memory = unsafe ModelStorage.emptySlots(table)
        var problems: [(String, ModelError)] = []
        for (index, property) in properties.enumerated() {
            guard let value = property.schema.defaultValue else { continue }
            let slot = unsafe Self.slot(index, in: memory, table: table)
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
                // It would be shared by the models of all threads, and keep the registry that the default is part of.
                if slot.holdsModels {
                    throw ModelError(
                        .invalidValue, property.descriptor, expected: "a default without models", found: "a model")
                }
                // The models of several threads share what stands in a default.
                slot.prepare()
            } catch { problems.append((property.key, error)) }
        }
        unsafe template = memory
        return problems
    }

    /// The slot at an index of some slots.
    @inline(__always)
    package static func slot(
        _ index: Int, in slots: UnsafeMutableRawPointer, table: UnsafePointer<RawLayout>
    ) -> PropertySlot {
        unsafe PropertySlot(
            pointer: slots + index &* 16,
            state: (slots + (table.pointee.stateOffset &+ index)).assumingMemoryBound(to: UInt8.self),
            descriptor: table.pointee.descriptors[index])
    }

    /// The slot of the default value of a property, unset where there is none.
    package func defaultSlot(_ index: Int) -> PropertySlot {
        // An invariant: nobody gets a layout before its template is made. Checked for every default.
        guard let template = unsafe template else { preconditionFailure("\(schema.name) is not registered") }
        return unsafe Self.slot(index, in: template, table: table)
    }

    /// The number of the property with a key.
    package func index(of key: String) -> Int? { keyTable.find(key) }

    /// Whether models of this layout may stand where models of `other` are asked for.
    package func isDescendant(of other: ModelLayout) -> Bool {
        var layout: ModelLayout? = self
        while let current = layout {
            if current.isEqual(to: other) { return true }
            layout = current.parent
        }
        return false
    }

    /// Whether the two schemas are one or descend from one, as two versions of it in different registries do as well.
    package func sharesAncestor(with other: ModelLayout) -> Bool {
        // What has a common ancestor has the first one in common.
        UTF8Text.equal(root.schema.name, other.root.schema.name)
    }

    /// The first ancestor: the layout itself where it extends nothing.
    private var root: ModelLayout {
        var layout = self
        while let parent = layout.parent { layout = parent }
        return layout
    }

    /// Whether two layouts were compiled from equal schemas, in one registry or two.
    package func isEqual(to other: ModelLayout) -> Bool {
        if self === other { return true }
        guard modelClass == other.modelClass, schema == other.schema else { return false }
        // Equal schemas extend the same, or nothing.
        guard let parent, let otherParent = other.parent else { return true }
        return parent.isEqual(to: otherParent)
    }

    /// A new model with every slot unset.
    package func makeEmptyModel() -> DynamicModel { unsafe modelClass.init(storage: ModelStorage(table)) }

    /// The known key an unknown one was probably meant to be.
    package func nearestKey(to key: String) -> String? { ModelError.nearest(to: key, among: properties.map(\.key)) }

    package func unknownKeyError(_ key: String) -> ModelError {
        ModelError(
            .unknownKey, expected: "a key of \(schema.name)", found: ModelError.quote(key), schema: schema.name
        ).suggesting(nearestKey(to: key))
    }
}
