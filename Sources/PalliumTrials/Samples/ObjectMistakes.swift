import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Makes one mistake after another in the object of a model.
struct ObjectMistakes {
    /// How many values are drawn to break a rule about several properties and no other.
    private static let maximumDraws = 300

    var maker: SampleMaker
    private let object: JSONObject
    private let leaf: Int
    private let declared: Int
    private let layout: ModelLayout
    /// The values of the properties in the valid object.
    private let values: [JSONValue?]
    /// Returns a sample with a changed object; nil if the problem that it causes is another one, or not the only one.
    private let judge: (JSONObject, ModelError.Code, String) -> InvalidSample?
    private var mistakes: [InvalidSample] = []

    init(
        _ object: JSONObject, leaf: Int, declared: Int, maker: SampleMaker,
        judge: @escaping (JSONObject, ModelError.Code, String) -> InvalidSample?
    ) {
        self.object = object
        self.leaf = leaf
        self.declared = declared
        self.maker = maker
        self.judge = judge
        layout = maker.models[leaf].layout
        values = maker.models[leaf].properties.map { $0.place.value(in: object) }
    }

    /// Makes all mistakes.
    mutating func all() -> [InvalidSample] {
        let clusterPaths = maker.cluster.paths(of: layout)
        for (position, property) in maker.models[leaf].properties.enumerated() {
            let isChosenBy = clusterPaths.contains { cluster in
                property.paths.contains {
                    $0.tokens.starts(with: cluster.tokens) || cluster.tokens.starts(with: $0.tokens)
                }
            }
            if !isChosenBy { change(property, values[position]) }
        }
        addUnknownMember()
        breakDiscriminator()
        for rule in maker.models[leaf].rules { breakRule(rule) }
        return mistakes
    }

    /// Adds a mistake if the changed object has just one problem with a code.
    @discardableResult
    private mutating func add(_ changed: JSONObject, _ code: ModelError.Code, _ text: String) -> Bool {
        guard let sample = judge(changed, code, text) else { return false }
        mistakes.append(sample)
        return true
    }

    /// Adds a mistake with another value at a path.
    private mutating func add(_ value: JSONValue?, at path: JSONKeyPath, _ code: ModelError.Code, _ text: String) {
        var changed = object
        changed.place(value, at: path)
        add(changed, code, text)
    }

    // MARK: Properties

    private mutating func change(_ property: SampledProperty, _ value: JSONValue?) {
        let name = "\(layout.schema.name).\(ModelError.shorten(property.key, to: 64))"
        if property.isRequired {
            var changed = object
            property.place.remove(from: &changed)
            add(changed, .missingProperty, "no \(name)")
        }
        guard property.place.combination != .allOf, let value, !value.isNull else { return }
        let path = property.paths[0]
        if !property.acceptsNull { add(.null, at: path, .nullNotAllowed, "null for \(name)") }
        let descriptor = layout.properties[property.slot].descriptor
        let faults =
            property.trial.map { trial in
                ValueFaults(
                    descriptor: descriptor, rules: property.rules, trial: trial, value: value,
                    formats: maker.registry.formats
                ).all()
            } ?? ValueFaults.faults(ofModels: value, descriptor)
        for fault in faults { add(fault.value, at: path, fault.code, "\(fault.text) for \(name)") }
    }

    private mutating func addUnknownMember() {
        var name = "unknownMember"
        let known = DocumentShape(layout).members
        while object[name] != nil || known.contains(UTF8Key(name)) { name += "_" }
        var changed = object
        changed.updateValue(true, forKey: name)
        add(changed, .unknownMember, "an unknown member for \(layout.schema.name)")
    }

    // MARK: Clusters

    /// Changes the discriminator of the declared model into one that no model has.
    private mutating func breakDiscriminator() {
        let owner = maker.models[declared].layout
        guard let discriminator = maker.cluster.discriminator(of: owner), discriminator.path.members != nil else {
            return
        }
        let changes: [(JSONValue?, ModelError.Code, String)] = [
            (discriminator.unlisted, .unknownModel, "an unlisted discriminator"),
            (nil, .unknownModel, "no discriminator"),
            (.null, .unknownModel, "null as the discriminator"),
            ([], .typeMismatch, "a list as the discriminator"),
        ]
        for (value, code, text) in changes {
            add(value, at: discriminator.path, code, "\(text) for \(owner.schema.name)")
        }
    }

    // MARK: Rules about several properties

    /// Looks for values that break one rule and no other.
    private mutating func breakRule(_ rule: SampledRule) {
        let positions = maker.positions(of: rule.rule.keys, in: leaf)
        guard !positions.isEmpty else { return }
        for _ in 0..<Self.maximumDraws {
            maker.begin()
            var changed = object
            var placed = values
            for position in positions {
                let property = maker.models[leaf].properties[position]
                guard property.place.combination != .allOf, !property.choices.isEmpty else { return }
                let choice = maker.random.pick(property.choices)
                let value = maker.value(property, choice)
                property.place.remove(from: &changed)
                if let value { property.place.place(value, in: &changed) }
                placed[position] = value
            }
            let broken = maker.brokenRules(of: leaf, placed)
            guard broken.count == 1, broken[0].rule == rule.rule else { continue }
            if add(changed, .ruleBroken, "the rule \(rule.rule.name) of \(layout.schema.name) broken") { return }
        }
    }
}
