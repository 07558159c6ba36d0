import PalliumCore
import PalliumDocuments
import PalliumJSON

// Makes objects: chooses a branch of the cluster and a choice for each property.
extension SampleMaker {
    /// About how many bytes a document has before everything optional is left out, and how many values it takes that
    /// are larger than what is left for their objects.
    private static let maximumBytes = 16_384
    private static let maximumLargeValues = 4
    private static let maximumDepth = 20
    /// How many times an object is put together, and for how many of these unused choices are preferred and then any are
    /// taken; after that the smallest ones and random ones alternate, since large objects rarely keep all rules.
    private static let maximumAttempts = 24
    private static let attemptsWithUnusedChoices = 6
    private static let attemptsWithWholeObjects = 12
    /// Of how many ways to what is missing one is not the nearest.
    private static let waysToTheNearest = 16
    /// After how many attempts the choices are given up that were just tried.
    private static let attemptsOfChoices = 4
    /// Of how many elements in a nullable list of models one is null.
    private static let elementsWithNull = 4
    private static let maximumAttemptsOfDocument = 4000
    private static let maximumFailures = 2

    /// Makes the next document of the first model; nil if no attempt succeeds.
    mutating func document() -> JSONObject? {
        begin()
        defer { incompleteModels = findIncompleteModels() }
        return object(of: 0, incomplete: incompleteModels)
    }

    /// Allows a document its objects and attempts.
    mutating func begin() {
        budget = Self.maximumBytes
        largeValues = Self.maximumLargeValues
        excess = nil
        attempts = Self.maximumAttemptsOfDocument
        surrounding = []
    }

    /// Makes a complete document for each branch of the first model.
    mutating func completeDocuments() -> [JSONObject] {
        var documents: [JSONObject] = []
        for branch in models[0].branches {
            for number in models.indices { models[number].count = 0 }
            begin()
            surrounding = [0]
            if let object = object(branch, of: 0, [:]) { documents.append(object) }
        }
        surrounding = []
        incompleteModels = findIncompleteModels()
        return documents
    }

    /// Makes an object of a declared model.
    ///
    /// Recursion is bounded: below a depth, and once a document is large, only what is required is made, and that has
    /// a finite height.
    private mutating func object(of declared: Int, incomplete: [Int: Int]) -> JSONObject? {
        // Rules about several properties can require models, too, which no height tells.
        guard models[declared].height != nil, surrounding.count <= Self.maximumDepth + Self.maximumHeight else {
            return nil
        }
        surrounding.append(declared)
        defer { surrounding.removeLast() }
        for branch in branches(of: declared, incomplete) {
            let isNew = models[declared].unusedBranches.contains(branch)
            let made = object(models[declared].branches[branch], of: declared, incomplete)
            // A branch is tried once. Some cannot be taken, for example if its conditions contradict a property.
            if isNew { models[declared].unusedBranches.remove(branch) }
            if let made { return made }
        }
        return nil
    }

    /// The branches to try, the best one first.
    private mutating func branches(of declared: Int, _ incomplete: [Int: Int]) -> [Int] {
        let model = models[declared]
        let (all, byHeight) = (model.finiteBranches, model.branchesByHeight)
        if isNarrow(declared) || all.isEmpty { return byHeight }
        let open = model.unusedBranches.isEmpty ? nil : all.first(where: model.unusedBranches.contains)
        let first: Int
        if let open {
            first = open
        } else {
            let unfinished = all.filter { incomplete[model.branches[$0].leaf] != nil }
            first = random.pick(unfinished.isEmpty ? all : unfinished)
        }
        return [first] + byHeight.filter { $0 != first }
    }

    /// Whether only what is required should be made inside of a model.
    private func isNarrow(_ model: Int) -> Bool {
        budget <= 0 || surrounding.count > Self.maximumDepth || surrounding.count(where: { $0 == model }) > 2
    }

    private mutating func object(
        _ branch: SampledBranch, of declared: Int, _ incomplete: [Int: Int]
    ) -> JSONObject? {
        let leaf = branch.leaf
        let layouts = (declared: models[declared].layout, leaf: models[leaf].layout)
        // What was tried in vain would be tried in vain in each attempt of each object around it.
        if models[leaf].count == 0, models[leaf].failures >= Self.maximumFailures { return nil }
        let share = budget
        for attempt in 0..<Self.maximumAttempts {
            budget = share
            guard attempts > 0 else {
                excess = "a document needs more than the \(Self.maximumAttemptsOfDocument) attempts to make objects"
                return nil
            }
            attempts -= 1
            guard var choices = choices(for: leaf, attempt: attempt, incomplete) else { return nil }
            let wanted = choices
            require(branch.conditions, in: leaf, &choices)
            var values: [JSONValue?] = []
            var holders = choices.indices.count { holdsModels(models[leaf].properties[$0], choices[$0]) }
            for (position, choice) in choices.enumerated() {
                let property = models[leaf].properties[position]
                if holdsModels(property, choice) {
                    values.append(sharing(holders) { $0.value(property, choice, incomplete) })
                    holders -= 1
                } else {
                    values.append(value(property, choice, incomplete))
                }
            }
            if !models[leaf].rules.isEmpty { repair(leaf, &choices, &values, incomplete) }
            let object = assemble(leaf, choices, values, branch.conditions)
            let isRead =
                cluster.reads(object, of: layouts.declared, as: layouts.leaf)
                && problems(with: object, leaf, values).isEmpty
            if isRead {
                models[leaf].count += 1
                for (position, choice) in choices.enumerated() {
                    models[leaf].properties[position].take(choice, wanting: wanted[position])
                }
                return object
            }
            // A choice that was tried often cannot be taken.
            if attempt > 0, attempt % Self.attemptsOfChoices == 0 {
                for (position, choice) in wanted.enumerated() { models[leaf].properties[position].giveUp(choice) }
            }
        }
        models[leaf].failures += 1
        return nil
    }

    /// Whether a property should have no value, because its models cannot be finite or the document is large enough.
    func isLeftOut(_ property: SampledProperty) -> Bool {
        (property.content?.models ?? []).contains { models[$0].height == nil || isNarrow($0) }
    }

    // MARK: Choices

    /// Chooses for each property; nil if a required property has no values.
    ///
    /// What no document has taken yet comes first. What is left of the budget is for models inside.
    private mutating func choices(
        for leaf: Int, attempt: Int, _ incomplete: [Int: Int]
    ) -> [SampledProperty.Choice]? {
        let properties = models[leaf].properties
        guard !properties.contains(where: { $0.least == nil || $0.choices.isEmpty }) else { return nil }
        var choices = properties.map { $0.least ?? .absent }
        var room = budget
        // How many properties are taken for what is missing inside of them.
        var followed = 0
        // What is missing comes first, the nearest before others.
        let distances = properties.map { property in
            property.unused.isEmpty ? property.content?.models.compactMap { incomplete[$0] }.min() ?? .max : -1
        }
        let first = properties.isEmpty ? 0 : random.below(properties.count)
        let order = Array(first..<properties.count) + (0..<first)
        for position in order.sorted(by: { distances[$0] < distances[$1] }) {
            let property = properties[position]
            if !isLeftOut(property) {
                let choice = choice(property, of: leaf, attempt: attempt, incomplete, room, &followed)
                let bytes = property.bytes(of: choice)
                let isUnused = property.unused.contains(choice)
                let isSmall = bytes <= SampledContent.bytesOfObject && !holdsModels(property, choice)
                if bytes <= room || isUnused && isSmall && room > 0 {
                    choices[position] = choice
                } else if isUnused, largeValues > 0 {
                    largeValues -= 1
                    choices[position] = choice
                }
            }
            let bytes = property.bytes(of: choices[position])
            room -= bytes
            if !holdsModels(property, choices[position]) { budget -= bytes }
        }
        return choices
    }

    /// Chooses for a property that need not be left out.
    private mutating func choice(
        _ property: SampledProperty, of leaf: Int, attempt: Int, _ incomplete: [Int: Int], _ room: Int,
        _ followed: inout Int
    ) -> SampledProperty.Choice {
        let least = property.least ?? .absent
        let held = property.content?.models ?? []
        // The first object is complete and the second one small, so that people can read them.
        switch (models[leaf].count, attempt) {
        case (0, 0): return property.choices.first(where: \.isValue) ?? least
        case (1, 0): return least.isValue && held.isEmpty ? property.unused.first ?? least : least
        case (_, Self.attemptsWithWholeObjects...):
            return attempt % 2 == 0 ? least : random.pick(property.choices)
        default: break
        }
        if !property.unused.isEmpty, attempt < Self.attemptsWithUnusedChoices { return random.pick(property.unused) }
        // Objects on the way to what is missing are small.
        let isOnTheWay = incomplete[leaf].map { $0 > 0 } ?? !incomplete.isEmpty
        if held.isEmpty || incomplete.isEmpty {
            return isOnTheWay ? least : random.pick(property.smallChoices)
        }
        guard let distance = held.compactMap({ incomplete[$0] }).min(),
            let value = property.smallChoices.last(where: \.isValue) ?? property.choices.first(where: \.isValue)
        else { return least }
        // Models that lack something are all made. Of the ways to others the nearest is mostly taken, and each further one
        // half as often: the nearest may be closed.
        if distance > 0 {
            guard random.below(Self.waysToTheNearest << min(followed, 16)) < Self.waysToTheNearest - 1 else {
                return least
            }
            followed += 1
        }
        return value
    }

    /// Whether a choice is a value with models inside, which is made with a share of the budget.
    private func holdsModels(_ property: SampledProperty, _ choice: SampledProperty.Choice) -> Bool {
        choice.isValue && property.content?.models.isEmpty == false
    }

    /// Makes one of several parts that are left, with its share of the budget.
    private mutating func sharing<Part>(_ parts: Int, _ make: (inout SampleMaker) -> Part) -> Part {
        let (whole, share) = (budget, max(budget / parts, 1))
        budget = share
        let part = make(&self)
        budget += whole - share
        return part
    }

    /// Lets properties that a cluster chooses by have values.
    private func require(
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

    // MARK: Values

    /// Makes the value of a choice: nil for an absent one.
    mutating func value(
        _ property: SampledProperty, _ choice: SampledProperty.Choice, _ incomplete: [Int: Int]
    ) -> JSONValue? {
        switch choice {
        case .absent: nil
        case .null: .null
        case .value(let number, _): property.content.flatMap { value($0, number, incomplete) }
        }
    }

    /// Recursion is bounded by the nesting of kinds, and by that of objects.
    private mutating func value(_ content: SampledContent, _ choice: Int, _ incomplete: [Int: Int]) -> JSONValue? {
        switch content {
        case .pool(let values): return values[choice % values.count]
        case .model(let model): return object(of: model, incomplete: incomplete).map { .object($0) }
        case .list(let list): return .array(elements(list, choice, incomplete))
        case .dictionary(let list):
            let keys = ["key", "Ключ 🔑", "a.b/c~\"\n", ""]
            return .object(
                JSONObject(
                    elements(list, choice, incomplete).enumerated().map { number, element in
                        (key: number < keys.count ? keys[number] : "key \(number)", value: element)
                    }))
        }
    }

    private mutating func elements(_ list: SampledList, _ choice: Int, _ incomplete: [Int: Int]) -> [JSONValue] {
        let count = list.counts[choice % list.counts.count]
        var elements: [JSONValue] = []
        for _ in 0..<(list.isUnique ? count * 3 : count) where elements.count < count {
            let cursor = cursors[list.cursor]
            cursors[list.cursor] += 1
            var isPool = false
            if case .pool = list.element { isPool = true }
            let element: JSONValue? =
                !isPool && list.elementIsNullable && cursor % Self.elementsWithNull == Self.elementsWithNull - 1
                ? .null
                : sharing(count - elements.count) {
                    $0.value(list.element, cursor % max(list.element.choices, 1), incomplete)
                }
            guard let element, !list.isUnique || !elements.contains(element) else { continue }
            elements.append(element)
        }
        return elements
    }

    // MARK: Objects

    /// Puts an object together.
    func assemble(
        _ leaf: Int, _ choices: [SampledProperty.Choice], _ values: [JSONValue?],
        _ conditions: [SampledBranch.Condition]
    ) -> JSONObject {
        var object = JSONObject()
        for condition in conditions {
            if let value = condition.value { object.place(value, at: condition.path) }
        }
        for (position, property) in models[leaf].properties.enumerated() {
            guard let value = values[position] else { continue }
            var path = 0
            if case .value(_, let chosen) = choices[position] { path = chosen }
            let isSet = conditions.contains {
                !$0.isAny && $0.value != nil && $0.path.steps == property.paths[path].steps
            }
            if !isSet { property.place.place(value, at: path, in: &object) }
        }
        // What must be absent for a cluster is absent, whatever a property chose.
        for condition in conditions where condition.value == nil {
            let isOwned = models[leaf].properties.contains { $0.paths[0].steps == condition.path.steps }
            if isOwned { object.place(nil, at: condition.path) }
        }
        return object
    }
}
