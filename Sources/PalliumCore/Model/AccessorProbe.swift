import Foundation
import PalliumJSON

/// Verifies accessors: provides values for them to read, and records accessors that do not fit.
///
/// ```
///   \.title ──▶ model of the class, whose properties that cannot be null have made-up values
///                 └ title: String { value() } ── does not fit ──▶ probe ── records the mistake,
///                                                                       └▶ a slot of its own that holds a String
/// ```
/// Nothing traps, so that one call finds the mistakes of all accessors.
///
/// Safety: the probe keeps its temporary slots and their descriptors. The models that refer to the probe do not outlive
/// it, since `end()` removes their references. Every stored value has the type of its slot's kind.
final class AccessorProbe {
    private let registry: SchemaRegistry
    private let layout: ModelLayout
    private let samples: [any PropertyValue & Hashable & Sendable]
    private(set) var problems: [SchemaError.Problem] = []
    /// The slots for accessors that do not fit, and their descriptors, which must be released later.
    private var spares: [TemporarySlot] = []
    private var descriptors: [ValueDescriptor] = []
    /// One model of every layout that is needed.
    private var models: [ObjectIdentifier: DynamicModel] = [:]
    /// Models whose required properties are not filled yet.
    private var unfilled: [DynamicModel] = []

    init(_ layout: ModelLayout, registry: SchemaRegistry, samples: [any PropertyValue & Hashable & Sendable]) {
        self.layout = layout
        self.registry = registry
        self.samples = samples
    }

    /// Returns the model of the verified class.
    func makeModel() -> DynamicModel {
        let model = model(of: layout)
        fillModels()
        return model
    }

    /// Clears the references between the models, and from them to the probe.
    func end() {
        spares.removeAll()
        for model in models.values {
            model.clearModels()
            model.companion?.accessorProbe = nil
        }
    }

    func note(_ problem: SchemaError.Problem) { problems.append(problem) }

    /// Records the mistakes of an accessor, and returns a slot for it to read.
    func slot(for type: any PropertyValue.Type, insteadOf mistakes: [SchemaError.Problem]) -> PropertySlot {
        problems += mistakes
        let descriptor = describe(type)
        let spare = TemporarySlot(for: descriptor)
        spares.append(spare)
        descriptors.append(descriptor)
        // An optional reads nil from an empty slot.
        if !type._isOptional {
            fill(spare.slot)
            fillModels()
        }
        return spare.slot
    }

    /// Whether a value of a type cannot be made up: a type of your own without a sample.
    func lacksSample(of type: any PropertyValue.Type) -> Bool {
        guard type._naturalKind == nil, !type._isOptional, !(type is any CollectionShape.Type) else { return false }
        return sample(of: type) == nil
    }

    // MARK: Descriptions

    private func describe(_ type: any PropertyValue.Type) -> ValueDescriptor {
        let kind = Erased.type(type)._naturalKind ?? substituteKind(of: Erased.type(type))
        let property = PropertySchema(kind).required
        let path = "an accessor of the type \(type)"
        if case .model(.modelClass(let modelClass)) = kind {
            return ValueDescriptor(
                schema: layout.schema.name, key: "", path: path, property: property,
                models: registry.layout(for: modelClass) ?? layout)
        }
        return ValueDescriptor(schema: layout.schema.name, key: "", path: path, property: property, isElement: false)
    }

    /// Returns the kind of a slot from which a custom type can be read. Also for an empty collection of a custom type.
    private func substituteKind(of type: any PropertyValue.Type) -> PropertyKind {
        if let collection = type as? any CollectionShape.Type { return collection.kind(of: PropertySchema(.bool)) }
        guard let type = type as? any (PropertyValue & Hashable & Sendable).Type else { return .json }
        return .custom(PropertyKind.Custom(type, transformer: ""))
    }

    // MARK: Values

    private func fillModels() {
        while let model = unfilled.popLast() {
            for index in model.layout.requiredSlots { fill(model.slot(at: index)) }
        }
    }

    private func model(of layout: ModelLayout) -> DynamicModel {
        if let made = models[ObjectIdentifier(layout)] { return made }
        let model = layout.makeEmptyModel()
        models[ObjectIdentifier(layout)] = model
        model.takeDefaults()
        model.ensureCompanion().accessorProbe = self
        unfilled.append(model)
        return model
    }

    /// Returns a model that an accessor of the type can read, whether or not its class has a schema.
    private func model(for descriptor: ValueDescriptor) -> DynamicModel {
        let layout = descriptor.model ?? self.layout
        guard case .model(.modelClass(let modelClass)) = descriptor.property.kind, modelClass != layout.modelClass
        else {
            return model(of: layout)
        }
        let model = layout.makeEmptyModel(of: modelClass)
        model.ensureCompanion().accessorProbe = self
        models[ObjectIdentifier(model)] = model
        return model
    }

    /// Stores a value in an empty slot.
    private func fill(_ slot: PropertySlot) {
        let descriptor = slot.description
        switch descriptor.kind {
        case .bool, .integer, .unsigned: slot.replace(with: UInt64(0))
        case .double: slot.replace(with: 0.0)
        case .date: slot.replace(with: SpelledDate(seconds: 0))
        case .decimal: slot.replace(with: DecimalBox(0))
        case .string: slot.replace(with: "")
        case .url: slot.replace(with: "https://example.org")
        case .words: slot.replace(with: (UInt64(0), UInt64(0)))
        case .data: slot.replace(with: Data())
        case .enumeration: slot.replace(with: 0, state: .enumerationCase)
        case .model: slot.replace(with: model(for: descriptor))
        case .weakModel: slot.setNull()
        case .array, .set: slot.replace(with: SlotList.make(of: descriptor, capacity: 0))
        case .dictionary: slot.replace(with: SlotDictionary(of: descriptor) as SlotList)
        case .json: slot.replace(with: JSONBox(.object([:])))
        case .custom:
            guard case .custom(let kind) = descriptor.property.kind, let sample = sample(of: kind.type) else { return }
            slot.replace(with: CustomBox(sample))
        }
    }

    /// Returns a value of a custom type: a sample of the caller, or a default of the schema.
    private func sample(of type: any PropertyValue.Type) -> (any Hashable & Sendable)? {
        for sample in samples where Swift.type(of: sample) == type { return sample }
        for index in layout.defaultedSlots {
            let slot = layout.defaultSlot(index)
            guard slot.description.kind == .custom else { continue }
            let value = slot.custom
            if Swift.type(of: value) == type { return value }
        }
        return nil
    }
}
