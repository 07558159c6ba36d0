import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Makes one mistake after another in the object of a model.
struct ObjectMistakes {
    /// A changed object, with the problem that the change causes.
    struct Mistake {
        let object: JSONObject
        /// The problem, with its path in the object.
        let problem: SampleProblem
        let text: String
    }

    private static let maximumTries = 300

    var maker: SampleMaker
    private let object: JSONObject
    private let leaf: Int
    private let declared: Int
    private let layout: ModelLayout
    /// The values of the properties in the valid object.
    private let values: [JSONValue?]
    private var mistakes: [Mistake] = []

    init(_ object: JSONObject, leaf: Int, declared: Int, maker: SampleMaker) {
        self.object = object
        self.leaf = leaf
        self.declared = declared
        self.maker = maker
        layout = maker.models[leaf].layout
        values = maker.models[leaf].properties.map { $0.place.value(in: object) }
    }

    /// Makes all mistakes.
    mutating func all() -> [Mistake] {
        let clusterPaths = maker.cluster.paths(of: layout)
        for (position, property) in maker.models[leaf].properties.enumerated() {
            let isChosenBy = clusterPaths.contains { cluster in
                property.paths.contains {
                    $0.tokens.starts(with: cluster.tokens) || cluster.tokens.starts(with: $0.tokens)
                }
            }
            if !isChosenBy { change(position, property) }
        }
        addUnknownMember()
        breakDiscriminator()
        for rule in maker.models[leaf].rules { breakRule(rule) }
        return mistakes
    }

    private func name(_ property: SampledProperty) -> String {
        "\(layout.schema.name).\(ModelError.shorten(property.key, to: 64))"
    }

    /// Adds a mistake if the changed object has just this problem and is read as the same model.
    ///
    /// - Parameters:
    ///   - replaced: The position and the new value of a property with models, about which the caller knows.
    ///   - isTrusted: Whether the problem is one that reading the properties cannot find.
    @discardableResult
    private mutating func add(
        _ changed: JSONObject, _ problem: SampleProblem, _ text: String, replaced: (Int, JSONValue?)? = nil,
        isTrusted: Bool = false
    ) -> Bool {
        var placed = values
        if let (position, value) = replaced { placed[position] = value }
        let found = maker.problems(with: changed, leaf, placed)
        let isExpected = replaced == nil && !isTrusted ? found == [problem] : found.isEmpty
        guard isExpected, maker.cluster.reads(changed, of: maker.models[declared].layout, as: layout) else {
            return false
        }
        mistakes.append(Mistake(object: changed, problem: problem, text: text))
        return true
    }

    // MARK: Properties

    private mutating func change(_ position: Int, _ property: SampledProperty) {
        if property.isRequired {
            var changed = object
            property.place.remove(from: &changed)
            add(changed, SampleProblem(code: .missingProperty, tokens: []), "no \(name(property))")
        }
        guard property.place.combination != .allOf, let value = values[position], !value.isNull else { return }
        let tokens = property.paths[0].tokens
        if !property.acceptsNull {
            var changed = object
            changed.place(.null, at: property.paths[0])
            add(changed, SampleProblem(code: .nullNotAllowed, tokens: tokens), "null for \(name(property))")
        }
        let descriptor = layout.properties[property.slot].descriptor
        if let trial = property.trial {
            let faults = ValueFaults(
                descriptor: descriptor, rules: property.rules, trial: trial, value: value,
                formats: maker.registry.formats)
            for fault in faults.all() {
                var changed = object
                changed.place(fault.value, at: property.paths[0])
                add(changed, fault.problem.under(tokens), "\(fault.text) for \(name(property))")
            }
        } else {
            for fault in ValueFaults.faults(ofModels: value, descriptor) {
                var changed = object
                changed.place(fault.value, at: property.paths[0])
                add(
                    changed, fault.problem.under(tokens), "\(fault.text) for \(name(property))",
                    replaced: (position, fault.value))
            }
        }
    }

    private mutating func addUnknownMember() {
        var name = "unknownMember"
        let known = DocumentShape(layout).members
        while object[name] != nil || known.contains(UTF8Key(name)) { name += "_" }
        var changed = object
        changed.updateValue(true, forKey: name)
        add(
            changed, SampleProblem(code: .unknownMember, tokens: [name]), "an unknown member for \(layout.schema.name)",
            isTrusted: true)
    }

    // MARK: Clusters

    /// Changes the discriminator of the declared model into one that no model has.
    private mutating func breakDiscriminator() {
        let owner = maker.models[declared].layout
        guard !owner.schema.isOpen, let discriminator = maker.cluster.discriminator(of: owner),
            discriminator.fallback == nil, discriminator.path.members != nil
        else { return }
        let changes: [(JSONValue?, ModelError.Code, String)] = [
            (discriminator.unlisted, .unknownModel, "an unlisted discriminator"),
            (nil, .unknownModel, "no discriminator"),
            (.null, .unknownModel, "null as the discriminator"),
            ([], .typeMismatch, "a list as the discriminator"),
        ]
        for (value, code, text) in changes {
            var changed = object
            changed.place(value, at: discriminator.path)
            // The cluster comes before all properties, so other problems with the member do not matter.
            mistakes.append(
                Mistake(
                    object: changed, problem: SampleProblem(code: code, tokens: []),
                    text: "\(text) for \(owner.schema.name)"))
        }
    }

    // MARK: Rules about several properties

    /// Looks for values that break one rule and no other.
    private mutating func breakRule(_ rule: SampledRule) {
        let positions = maker.positions(of: rule.rule.keys, in: leaf)
        guard !positions.isEmpty else { return }
        for _ in 0..<Self.maximumTries {
            maker.begin()
            var changed = object
            var placed = values
            for position in positions {
                let property = maker.models[leaf].properties[position]
                guard property.place.combination != .allOf, !property.choices.isEmpty else { return }
                let choice = maker.random.pick(property.choices)
                let value = maker.value(property, choice, [:])
                property.place.remove(from: &changed)
                if let value { property.place.place(value, in: &changed) }
                placed[position] = value
            }
            let broken = maker.brokenRules(of: leaf, placed)
            guard broken.count == 1, broken[0].rule == rule.rule else { continue }
            let found = maker.problems(with: changed, leaf, placed)
            guard found == [broken[0].problem],
                maker.cluster.reads(changed, of: maker.models[declared].layout, as: layout)
            else { continue }
            mistakes.append(
                Mistake(
                    object: changed, problem: broken[0].problem,
                    text: "the rule \(rule.rule.name) of \(layout.schema.name) broken"))
            return
        }
    }
}
