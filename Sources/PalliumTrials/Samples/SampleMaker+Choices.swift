import PalliumCore
import PalliumJSON

// Chooses a state or a value for each property of an object.
extension SampleMaker {
    /// For how many attempts unused choices are preferred, and then any are taken; after that the smallest ones and random
    /// ones alternate, since large objects rarely keep all rules.
    private static let attemptsWithUnusedChoices = 6
    private static let attemptsWithWholeObjects = 12
    /// Of how many ways to what is missing one is not the nearest, and how many an object takes.
    static let waysToTheNearest = 16
    private static let maximumWays = 16

    /// Chooses for each property; nil if a required property has no values.
    ///
    /// Choices that no document has taken yet come first. The rest of the budget is for models inside.
    mutating func choices(for leaf: Int, attempt: Int) -> [SampledProperty.Choice]? {
        let properties = models[leaf].properties
        guard !properties.contains(where: { $0.least == nil || $0.choices.isEmpty }) else { return nil }
        var choices = properties.map { $0.least ?? .absent }
        var room = budget
        // How many properties are taken for what is missing inside of them.
        var followed = 0
        // What is missing comes first, the nearest before others.
        let distances = properties.map { property in
            property.unused.isEmpty ? property.content?.models.compactMap { goals[$0] }.min() ?? .max : -1
        }
        let first = properties.isEmpty ? 0 : random.below(properties.count)
        let order = Array(first..<properties.count) + (0..<first)
        for position in order.sorted(by: { distances[$0] < distances[$1] }) {
            let property = properties[position]
            if !isLeftOut(property) {
                let choice = choice(property, of: leaf, attempt: attempt, &followed)
                let bytes = property.bytes(of: choice)
                let isUnused = property.unused.contains(choice)
                let isSmall = bytes <= SampledContent.bytesOfObject && !property.holdsModels(choice)
                if bytes <= room || isUnused && isSmall && room > 0 {
                    choices[position] = choice
                } else if isUnused, largeValues > 0 {
                    largeValues -= 1
                    choices[position] = choice
                }
            }
            let bytes = property.bytes(of: choices[position])
            room -= bytes
            if !property.holdsModels(choices[position]) { budget -= bytes }
        }
        return choices
    }

    /// Chooses for a property that need not be left out.
    private mutating func choice(
        _ property: SampledProperty, of leaf: Int, attempt: Int, _ followed: inout Int
    ) -> SampledProperty.Choice {
        let least = property.least ?? .absent
        let held = property.content?.models ?? []
        // The first object is complete and the second one small, so that people can read them.
        switch (models[leaf].count, attempt) {
        case (0, 0): return property.choices.first(where: \.isValue) ?? least
        case (1, 0): return least.isValue && held.isEmpty ? property.unused.first ?? least : least
        case (_, Self.attemptsWithWholeObjects...):
            return attempt.isMultiple(of: 2) ? least : random.pick(property.choices)
        default: break
        }
        if !property.unused.isEmpty, attempt < Self.attemptsWithUnusedChoices { return random.pick(property.unused) }
        // Objects on the way to what is missing are small.
        let isOnTheWay = goals[leaf].map { $0 > 0 } ?? !goals.isEmpty
        if held.isEmpty || goals.isEmpty {
            return isOnTheWay ? least : random.pick(property.smallChoices)
        }
        guard let distance = held.compactMap({ goals[$0] }).min(),
            let value = property.smallestHolder
        else { return least }
        // Models that lack something are all made. Of the ways to others the nearest is mostly taken, and each further one
        // half as often: the nearest may be closed.
        if distance > 0 {
            guard random.below(Self.waysToTheNearest << followed) < Self.waysToTheNearest - 1 else { return least }
            followed = min(followed + 1, Self.maximumWays)
        }
        return value
    }

    /// Lets properties that a cluster chooses by have values.
    func require(
        _ conditions: [SampledBranch.Condition], in leaf: Int, _ choices: inout [SampledProperty.Choice]
    ) {
        for condition in conditions where condition.isAny {
            for (position, property) in models[leaf].properties.enumerated()
            where property.paths[0].steps == condition.path.steps {
                if condition.value == .null {
                    if property.acceptsNull { choices[position] = .null }
                } else if case .absent = choices[position], let value = property.choices.first(where: \.isValue) {
                    choices[position] = value
                }
            }
        }
    }
}
