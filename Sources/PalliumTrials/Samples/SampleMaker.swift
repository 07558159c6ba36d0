import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Makes documents for a schema, from a table of all models that they can hold.
///
/// Each property has a few choices: absent, null, and some values. A document takes choices that no earlier one took, so
/// few documents cover them all; afterwards a random generator chooses. A document is used only if reading it back finds
/// no problem.
struct SampleMaker {
    /// The longest list of elements that no rule requires or that differ, and the most values of one property.
    private static let maximumElements = 1000
    private static let maximumRequiredElements = 100_000
    private static let maximumBytesOfElement = 40_000
    private static let maximumBytesOfShortElement = 100
    private static let maximumValues = 14
    /// How many identities stand in place of a model.
    private static let maximumIdentities = 2
    /// The longest lists that no rule makes longer: of models, of other elements, and of those that only make every
    /// element occur.
    private static let maximumModels = 3
    private static let maximumShortElements = 100
    private static let maximumFurtherElements = 4
    /// How many numbered values a property may refuse.
    private static let maximumRefusals = 20
    /// How many levels of objects a model may require.
    static let maximumHeight = 50

    let registry: SchemaRegistry
    let cluster: SampledCluster
    var models: [SampledModel] = []
    private var numbers: [ObjectIdentifier: Int] = [:]
    /// How many elements were taken of each collection.
    var cursors: [Int] = []
    var random: SampleGenerator
    /// The models whose objects surround the one that is being made.
    var surrounding: [Int] = []
    /// The models that hold a choice which no document has taken yet, directly or in models inside, with the number of
    /// levels to the nearest one.
    var incompleteModels: [Int: Int] = [:]
    /// Those that the document being made should hold.
    var goals: [Int: Int] = [:]
    /// How many more bytes the object being made may have before everything optional is left out.
    var budget = 0
    /// How many more values the document may take that are larger than what is left for their objects.
    var largeValues = 0
    /// How many attempts to make an object are left for the document.
    var attempts = 0
    /// How the property being read, or the document being made, exceeds a limit of samples.
    var excess: String?
    /// The properties that no sample has a value for, and models that no sample holds.
    private(set) var omissions: [SchemaError.Problem] = []

    /// Collects the models that documents of a schema can hold.
    init(_ layout: ModelLayout, registry: SchemaRegistry, seed: UInt64) {
        self.registry = registry
        cluster = SampledCluster(registry: registry)
        random = SampleGenerator(seed: seed)
        _ = number(of: layout)
        var next = 0
        while next < models.count {
            let layout = models[next].layout
            for route in cluster.routes(from: layout) {
                models[next].branches.append(SampledBranch(leaf: number(of: route.leaf), conditions: route.conditions))
            }
            let shape = DocumentShape(layout)
            let rules = layout.declaredRules
            for slot in layout.properties.indices {
                let own = rules[UTF8Key(layout.properties[slot].key)] ?? []
                if let property = property(slot, of: layout, shape.properties[slot], rules: own) {
                    models[next].properties.append(property)
                }
            }
            models[next].rules = layout.lineage.flatMap(\.schema.rules).compactMap { rule in
                var compiled = ModelRules()
                try? compiled.add(rule, transformers: registry.transformers) { key in
                    layout.index(of: key).map { ($0, layout.properties[$0].descriptor) }
                }
                return compiled.isEmpty ? nil : SampledRule(rule: rule, compiled: compiled)
            }
            models[next].held = models[next].properties.flatMap { $0.content?.models ?? [] }
            models[next].unusedBranches = Set(models[next].branches.indices)
            next += 1
        }
        measureHeights()
        incompleteModels = findIncompleteModels()
    }

    private mutating func number(of layout: ModelLayout) -> Int {
        if let number = numbers[ObjectIdentifier(layout)] { return number }
        numbers[ObjectIdentifier(layout)] = models.count
        models.append(SampledModel(layout: layout))
        return models.count - 1
    }

    /// Returns the number of a layout that documents can hold.
    func knownNumber(of layout: ModelLayout) -> Int? { numbers[ObjectIdentifier(layout)] }

    // MARK: Properties

    private mutating func property(
        _ slot: Int, of layout: ModelLayout, _ place: DocumentShape.Property, rules: [PropertySchema.Rule]
    ) -> SampledProperty? {
        let descriptor = place.descriptor
        let schema = descriptor.property
        guard place.isRead else { return nil }
        if case .custom = schema.kind, schema.conversions.isEmpty { return nil }
        let trial =
            descriptor.holdsModels
            ? nil
            : ValueTrial(
                descriptor: descriptor, rules: layout.rules(at: slot), transformers: registry.transformers)
        excess = nil
        var content =
            place.combination == .allOf
            ? parts(descriptor, place.paths, trial) : self.content(descriptor, rules: rules, trial: trial)
        // The ends of the paths are not the whole model.
        if place.combination == .allOf, descriptor.holdsModels { content = nil }
        if case .pool(let values)? = content {
            // One long text of each length is enough. A list may need different ones.
            var lengths: Set<Int> = []
            content = .pool(
                values.filter { SampleTexts.lengthOfLong($0).map { lengths.insert($0).inserted } ?? true })
        } else if content == nil {
            omissions.append(
                SchemaError.Problem(
                    schema: layout.schema.name, property: descriptor.key,
                    message: "has no samples: \(excess ?? Self.obstacle(place))",
                    fix: schema.isRequired ? nil : "samples leave it out"))
        }
        let convertsNull = trial != nil && convertsNull(schema)
        let acceptsNull =
            convertsNull ? trial?.accepts(.null) ?? false : schema.readsNull
        return SampledProperty(
            slot: slot, place: place, trial: trial, rules: rules, acceptsNull: acceptsNull, content: content)
    }

    private func convertsNull(_ schema: PropertySchema) -> Bool {
        schema.conversions.first.flatMap { try? registry.transformers.transformer(named: $0) }?.handlesNull ?? false
    }

    /// The reason why a property has no samples.
    private static func obstacle(_ place: DocumentShape.Property) -> String {
        let schema = place.schema
        if schema.isOpaque { return "only an application knows its values" }
        if let name = schema.transformers.first { return "no value that the transformer \(name) accepts is known" }
        if place.combination == .allOf { return "no values of its paths are known that make one" }
        for rule in schema.rules {
            switch rule {
            case .pattern, .format: return "no value is known for \(rule)"
            default: break
            }
        }
        if schema.holdsModels { return "no list is known that its rules accept" }
        return "no value is known that its kind and its rules accept"
    }

    /// Returns some identities that may stand in place of a model; none if documents must have the model.
    private mutating func identities(_ descriptor: ValueDescriptor, _ model: ModelLayout) -> [JSONValue] {
        guard descriptor.property.isByIdentity else { return [] }
        let identity = model.properties[model.identitySlots[0]].descriptor
        let trial = ValueTrial(
            descriptor: identity, rules: model.rules(at: model.identitySlots[0]), transformers: registry.transformers)
        let rules = model.declaredRules[UTF8Key(identity.key)] ?? []
        guard case .pool(let values)? = content(identity, rules: rules, trial: trial) else { return [] }
        return Array(values.prefix(Self.maximumIdentities))
    }

    /// Returns the values of a property or an element; nil if none are known. Recursion is bounded by the nesting of
    /// kinds.
    private mutating func content(
        _ descriptor: ValueDescriptor, rules: [PropertySchema.Rule], trial: ValueTrial?
    ) -> SampledContent? {
        let schema = descriptor.property
        if schema.isOpaque { return nil }
        if schema.transformers.isEmpty {
            if case .model = schema.kind {
                return descriptor.model.map { .model(number(of: $0), identities: identities(descriptor, $0)) }
            }
            if let element = descriptor.element {
                return collection(descriptor, element, rules: rules)
            }
        }
        // Transformers that make models need values that only the application knows.
        guard let trial else { return nil }
        var values: [JSONValue] = []
        var seen: Set<JSONValue> = []
        var proposals = SampleValues(transformers: registry.transformers).candidates(schema, rules: rules)
        if schema.transformers.isEmpty, case .json(let value)? = schema.defaultValue { proposals.append(value) }
        // Every case occurs, but only some of the numbers and texts that could.
        var limit = Self.maximumValues
        if case .enumeration = schema.kind { limit = .max }
        for value in proposals where values.count < limit && !value.isNull {
            if seen.insert(value).inserted, trial.accepts(value) { values.append(value) }
        }
        // People read the first values.
        values =
            values.filter { SampleTexts.lengthOfLong($0) == nil }
            + values.filter { SampleTexts.lengthOfLong($0) != nil }
        if values.isEmpty { excess = rules.lazy.compactMap(SampleTexts.limit(of:)).first }
        return values.isEmpty ? nil : .pool(values)
    }

    private mutating func collection(
        _ descriptor: ValueDescriptor, _ element: ValueDescriptor, rules: [PropertySchema.Rule]
    ) -> SampledContent? {
        let elementTrial =
            element.holdsModels
            ? nil
            : ValueTrial(element, formats: registry.formats, transformers: registry.transformers)
        var content = content(element, rules: element.property.rules, trial: elementTrial)
        var (least, most) = (0, Int.max)
        var isUnique = descriptor.kind == .set
        for rule in rules {
            switch rule {
            case .minCount(let count): least = max(least, count)
            case .maxCount(let count): most = min(most, count)
            case .unique: isUnique = true
            default: break
            }
        }
        var isShort = false
        if case .pool(var values)? = content {
            // Neither a list of long texts nor one of lists may be long, and different elements are compared.
            let shortest = values.lazy.compactMap { $0.stringValue?.utf8.count }.min() ?? 0
            values.removeAll { $0.stringValue.map { $0.utf8.count > Self.maximumBytesOfElement } ?? false }
            if values.isEmpty {
                excess =
                    "texts of at least \(shortest.counted("byte")) are wanted, and texts in lists of samples have at most "
                    + "\(Self.maximumBytesOfElement)"
            }
            content = values.isEmpty ? nil : .pool(values)
            isShort =
                !isUnique && values.allSatisfy { ($0.stringValue?.utf8.count ?? 0) <= Self.maximumBytesOfShortElement }
        }
        let longest = isShort ? Self.maximumRequiredElements : Self.maximumElements
        guard least <= most, least <= longest else {
            if content != nil, least > longest {
                excess =
                    "\(PropertySchema.Rule.minCount(least)) is wanted, and such lists of samples have at most "
                    + longest.counted("element")
            }
            return nil
        }
        if case .pool(var values)? = content {
            if element.isNullable { values.append(.null) }
            if isUnique {
                values = distinct(values + more(least - values.count, like: values, elementTrial), descriptor)
                most = min(most, values.count)
            }
            content = .pool(values)
        }
        guard let content, least <= most else { return most >= 0 && least == 0 ? empty(descriptor) : nil }
        // Lists of models grow quickly, so only rules make them long.
        let edges = [min(max(2, least), most), 0, 1, least, least + 1, Self.maximumModels, most]
        let limit = max(least, descriptor.holdsModels ? Self.maximumModels : Self.maximumShortElements)
        var counts: [Int] = []
        for count in edges where count >= least && count <= min(most, limit) && !counts.contains(count) {
            counts.append(count)
        }
        // Further lists until every element has occurred.
        if case .pool(let values) = content, let largest = counts.filter({ $0 <= Self.maximumFurtherElements }).max(),
            largest > 0
        {
            var covered = counts.reduce(0, +)
            while covered < values.count, counts.count < Self.maximumElements {
                counts.append(largest)
                covered += largest
            }
        }
        cursors.append(0)
        let list = SampledList(
            element: content, elementIsNullable: element.isNullable, counts: counts, isUnique: isUnique,
            cursor: cursors.count - 1)
        return descriptor.kind == .dictionary ? .dictionary(list) : .list(list)
    }

    /// The content of a collection without known elements.
    private func empty(_ descriptor: ValueDescriptor) -> SampledContent {
        .pool([descriptor.kind == .dictionary ? [:] : []])
    }

    /// Leaves out values that are equal once they are read.
    private func distinct(_ values: [JSONValue], _ descriptor: ValueDescriptor) -> [JSONValue] {
        guard descriptor.kind != .dictionary, let element = descriptor.element, !element.holdsModels else {
            return values
        }
        let trial = ValueTrial(
            descriptor: descriptor,
            rules: ValueRules(
                PropertySchema(.array(element.property)).rules(.unique), formats: registry.formats),
            transformers: registry.transformers)
        // A set leaves out equal elements itself, so its rules cannot tell; texts of JSON must do.
        guard descriptor.kind == .array else {
            var seen: Set<JSONValue> = []
            return values.filter { seen.insert($0).inserted }
        }
        var kept: [JSONValue] = []
        for value in values
        where !trial.problems(with: .array(kept + [value])).contains(where: { $0.tokens.count == 1 }) {
            kept.append(value)
        }
        return kept
    }

    /// Makes more values of the kind of others, for lists of many different elements.
    private func more(_ count: Int, like values: [JSONValue], _ trial: ValueTrial?) -> [JSONValue] {
        guard count > 0, let trial else { return [] }
        var made: [JSONValue] = []
        for number in 0..<(count + Self.maximumRefusals) where made.count < count {
            if let value = SampleValues.numbered(number).first(where: {
                trial.accepts($0) && !values.contains($0) && !made.contains($0)
            }) {
                made.append(value)
            }
        }
        return made
    }

    /// Returns objects of the parts that several paths make together.
    private func parts(_ descriptor: ValueDescriptor, _ paths: [JSONKeyPath], _ trial: ValueTrial?) -> SampledContent? {
        guard let trial else { return nil }
        var values: [JSONValue] = []
        let proposals: [JSONValue] = [
            "text", 1, 2.5, true, "2026-01-31T12:00:00Z", "https://example.org/", "aGk=", "7",
            "4A275FBD-8217-4397-964B-403F4C2B8545",
        ]
        for part in proposals {
            let value = JSONValue.object(JSONObject(paths.map { (key: $0.description, value: part) }))
            if trial.accepts(value) { values.append(value) }
            let first = JSONValue.object(JSONObject([(key: paths[0].description, value: part)]))
            if paths.count > 1, trial.accepts(first) { values.append(first) }
        }
        return values.isEmpty ? nil : .pool(Array(values.prefix(Self.maximumValues)))
    }
}
