import PalliumCore
import PalliumJSON

/// A layout prepared for counting: where its properties are in documents and in slots, and how its cluster chooses.
final class DriftPlan: Sendable {
    /// A property that is read from documents.
    struct Property: Sendable {
        let shape: DocumentShape.Property
        let slot: Int
        /// The number of its figures.
        let figure: Int
    }

    let layout: ModelLayout
    /// The number among all plans.
    let number: Int
    let properties: [Property]
    /// The slots of the properties with the numbers of their figures, which are read without counting references.
    let slots: [(slot: Int, figure: Int)]
    /// The properties by the member in which one of their paths begins.
    private let propertiesByMember: [UTF8Key: [Property]]
    private let cluster: DocumentCluster?

    fileprivate init(_ layout: ModelLayout, _ number: Int, _ properties: [Property], _ cluster: DocumentCluster?) {
        self.layout = layout
        self.number = number
        self.properties = properties
        slots = properties.map { ($0.slot, $0.figure) }
        self.cluster = cluster
        var byMember: [UTF8Key: [Property]] = [:]
        for property in properties {
            let members = Set(property.shape.paths.compactMap { $0.tokens.first.map { UTF8Key($0) } })
            for member in members { byMember[member, default: []].append(property) }
        }
        propertiesByMember = byMember
    }

    /// The properties that may have a path which begins with a member.
    func properties(beginningWith member: String) -> [Property] { propertiesByMember[UTF8Key(member)] ?? [] }

    /// Returns the members of an object that neither the properties of the layout nor its cluster read.
    func membersOfDescendants(in object: JSONObject) -> JSONObject {
        let tag = cluster?.discriminator?.path.tokens.first
        return JSONObject(
            object.filter { member in
                properties(beginningWith: member.key).isEmpty && tag.map { !UTF8Text.equal($0, member.key) } ?? true
            })
    }

    var hasCluster: Bool { cluster != nil }

    /// Whether no report may tell the discriminator.
    var hidesTags: Bool { cluster?.hidesTags ?? false }

    /// The layout of objects with a tag that the cluster does not list.
    fileprivate var fallback: ModelLayout? { hidesTags ? nil : cluster?.discriminator?.fallback }

    /// Returns the tag by which the cluster would choose, if it does not list it and no label hides it.
    func unlistedTag(in object: JSONObject) -> JSONValue? {
        guard !hidesTags, let discriminator = cluster?.discriminator,
            let tag = discriminator.path.value(in: object), tag.isTag,
            discriminator.model(tag) == nil
        else { return nil }
        return tag
    }
}

extension DocumentShape.Property {
    /// Whether the values are those that the kind of the property describes.
    var isPlain: Bool { combination != .allOf && schema.transformers.isEmpty }
}

/// The values that have figures of their own: a property, or the elements of the collections in it.
struct CountedValue: Sendable {
    let descriptor: ValueDescriptor
    /// How many collections are entered.
    let level: Int
    /// Whether only presence and results count, because transformers make the value.
    let isResult: Bool
    /// Whether nothing but the kind may be counted.
    let isSensitive: Bool
    /// The number of the figures of the elements; nil for values without any.
    fileprivate(set) var element: Int?
    /// The texts of an enumeration's cases, or their numbers.
    let cases: [Case]

    enum Case: Sendable {
        case text(hash: UInt64, length: Int)
        case number(Int64)

        init(_ raw: EnumerationSchema.RawValue) {
            switch raw {
            case .text(let text):
                let (hash, length) = text.withBorrowedBytes { DistinctCount.hash($0) }
                self = .text(hash: hash, length: length)
            case .number(let number): self = .number(number)
            }
        }
    }
}

/// The layouts that documents of a model may be read with, prepared once.
final class DriftPlans: Sendable {
    /// A property, or the elements of the collections in it.
    private struct Key: Hashable {
        let schema: UTF8Key
        let key: UTF8Key
        let level: Int
    }

    let root: ModelLayout
    let registry: SchemaRegistry
    /// The plans by their numbers, that of the root first.
    let plans: [DriftPlan]
    /// The values with figures, by the numbers of their figures.
    let values: [CountedValue]
    /// Whether the models of a plan may have a tag that no cluster lists.
    let areFallbacks: [Bool]
    private let figures: [Key: Int]
    private let numbers: [ObjectIdentifier: Int]
    private let clusters: DocumentClusters

    init(root: ModelLayout, profile: String?, registry: SchemaRegistry) {
        self.root = root
        self.registry = registry
        clusters = DocumentClusters(registry, profile: profile)
        var plans: [DriftPlan] = []
        var values: [CountedValue] = []
        var figures: [Key: Int] = [:]
        func figure(_ descriptor: ValueDescriptor, level: Int, isResult: Bool) -> Int {
            let key = Key(schema: UTF8Key(descriptor.schema), key: UTF8Key(descriptor.key), level: level)
            if let number = figures[key] { return number }
            let number = values.count
            figures[key] = number
            values.append(
                CountedValue(
                    descriptor: descriptor, level: level, isResult: isResult, isSensitive: descriptor.isSensitive,
                    element: nil, cases: descriptor.enumeration?.schema.cases.map { .init($0.rawValue) } ?? []))
            if let element = descriptor.element, !isResult, !descriptor.isSensitive {
                values[number].element = figure(element, level: level + 1, isResult: false)
            }
            return number
        }
        for layout in registry.layouts(neededBy: [root]) {
            let properties = DocumentShape(layout, profile: profile).properties.enumerated().filter(\.element.isRead)
                .map { slot, shape in
                    DriftPlan.Property(
                        shape: shape, slot: slot, figure: figure(shape.descriptor, level: 0, isResult: !shape.isPlain))
                }
            plans.append(DriftPlan(layout, plans.count, properties, try? clusters.cluster(of: layout)))
        }
        let fallbacks = Set(plans.compactMap { $0.fallback.map { ObjectIdentifier($0) } })
        areFallbacks = plans.map { fallbacks.contains(ObjectIdentifier($0.layout)) }
        numbers = Dictionary(uniqueKeysWithValues: plans.map { (ObjectIdentifier($0.layout), $0.number) })
        (self.plans, self.values, self.figures) = (plans, values, figures)
    }

    /// Whether numbers mean the same in other plans: those of the same schemas.
    func hasNumbers(of other: DriftPlans) -> Bool {
        self === other || plans.map(\.layout.schema) == other.plans.map(\.layout.schema) && figures == other.figures
    }

    /// Returns the plan of a layout; nil for one that no document leads to.
    func plan(of layout: ModelLayout) -> DriftPlan? { numbers[ObjectIdentifier(layout)].map { plans[$0] } }

    /// Returns the plan of the layout that an object of a declared one is read with; nil if its cluster chooses none.
    func choice(for object: JSONObject, as declared: ModelLayout) -> DriftPlan? {
        (try? clusters.model(for: object, as: declared)).flatMap { plan(of: $0) }
    }

    /// Returns the number of the figures of a value; nil if no document is read for it.
    func figure(of descriptor: ValueDescriptor, level: Int) -> Int? {
        figures[Key(schema: UTF8Key(descriptor.schema), key: UTF8Key(descriptor.key), level: level)]
    }
}
