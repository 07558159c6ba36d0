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
    /// How many times an object is put together.
    private static let maximumAttempts = 24
    /// After how many attempts the choices are given up that were just tried.
    private static let attemptsOfChoices = 4
    /// Of how many elements in a nullable list of models one is null.
    private static let elementsWithNull = 4
    private static let maximumAttemptsOfDocument = 4000
    private static let maximumFailures = 2
    /// How often an optional model is inside of itself.
    private static let maximumRecursions = 2
    /// How many times as many elements are made as a list with different ones needs.
    private static let drawsOfDifferentElement = 3

    /// Makes the next document of the first model; nil if no attempt succeeds.
    mutating func document() -> JSONObject? {
        begin(reaching: incompleteModels)
        defer { incompleteModels = findIncompleteModels() }
        return object(of: 0)
    }

    /// Allows a document its bytes and attempts.
    ///
    /// - Parameter models: The models with missing choices that the document should hold.
    mutating func begin(reaching models: [Int: Int] = [:]) {
        goals = models
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
            if let object = object(branch, of: 0) { documents.append(object) }
        }
        surrounding = []
        incompleteModels = findIncompleteModels()
        return documents
    }

    /// Makes an object of a declared model.
    ///
    /// Recursion is bounded: below a depth, and once a document is large, only what is required is made, and that has
    /// a finite height.
    private mutating func object(of declared: Int) -> JSONObject? {
        // Rules about several properties can require models, too, which no height tells.
        guard models[declared].height != nil, surrounding.count <= Self.maximumDepth + Self.maximumHeight else {
            return nil
        }
        surrounding.append(declared)
        defer { surrounding.removeLast() }
        for branch in branches(of: declared) {
            let isNew = models[declared].unusedBranches.contains(branch)
            let made = object(models[declared].branches[branch], of: declared)
            // A branch is tried once. Some cannot be taken, for example if its conditions contradict a property.
            if isNew { models[declared].unusedBranches.remove(branch) }
            if let made { return made }
        }
        return nil
    }

    /// The branches to try, the best one first.
    private mutating func branches(of declared: Int) -> [Int] {
        let model = models[declared]
        let all = model.finiteBranches
        if isNarrow(declared) || all.isEmpty { return all }
        let distances = all.map { goals[model.branches[$0].leaf] ?? .max }
        // The nearest may be closed.
        let least = random.below(Self.waysToTheNearest) > 0 ? distances.min() : nil
        let nearest = zip(all, distances).filter { least == nil || $1 == least }.map(\.0)
        let first = all.filter(model.unusedBranches.contains).min() ?? random.pick(nearest)
        return [first] + all.filter { $0 != first }
    }

    /// Whether only what is required should be made inside of a model.
    private func isNarrow(_ model: Int) -> Bool {
        budget <= 0 || surrounding.count > Self.maximumDepth
            || surrounding.count(where: { $0 == model }) > Self.maximumRecursions
    }

    private mutating func object(_ branch: SampledBranch, of declared: Int) -> JSONObject? {
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
            guard var choices = choices(for: leaf, attempt: attempt) else { return nil }
            let wanted = choices
            require(branch.conditions, in: leaf, &choices)
            var values: [JSONValue?] = []
            var holders = zip(models[leaf].properties, choices).count { $0.0.holdsModels($0.1) }
            for (property, choice) in zip(models[leaf].properties, choices) {
                values.append(sharing(max(holders, 1)) { $0.value(property, choice) })
                if property.holdsModels(choice) { holders -= 1 }
            }
            if !models[leaf].rules.isEmpty { repair(leaf, &choices, &values) }
            let object = assemble(leaf, choices, values, branch.conditions)
            if cluster.reads(object, of: layouts.declared, as: layouts.leaf), reads(object, leaf, values) {
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

    /// Makes one of several parts that are left, with its share of the budget.
    private mutating func sharing<Part>(_ parts: Int, _ make: (inout SampleMaker) -> Part) -> Part {
        let (whole, share) = (budget, max(budget / parts, 1))
        budget = share
        let part = make(&self)
        budget += whole - share
        return part
    }

    // MARK: Values

    /// Makes the value of a choice: nil for an absent one.
    mutating func value(_ property: SampledProperty, _ choice: SampledProperty.Choice) -> JSONValue? {
        switch choice {
        case .absent: nil
        case .null: .null
        case .value(let number, _): property.content.flatMap { value($0, number) }
        }
    }

    /// Recursion is bounded by the nesting of kinds, and by that of objects.
    private mutating func value(_ content: SampledContent, _ choice: Int) -> JSONValue? {
        switch content {
        case .pool(let values): return values[choice % values.count]
        case .model(let model, let identities):
            return choice == 0 ? object(of: model).map { .object($0) } : identities[choice - 1]
        case .list(let list): return .array(elements(list, choice))
        case .dictionary(let list):
            let keys = ["key", "Ключ 🔑", "a.b/c~\"\n", ""]
            return .object(
                JSONObject(
                    elements(list, choice).enumerated().map { number, element in
                        (key: number < keys.count ? keys[number] : "key \(number)", value: element)
                    }))
        }
    }

    private mutating func elements(_ list: SampledList, _ choice: Int) -> [JSONValue] {
        let count = list.counts[choice % list.counts.count]
        var elements: [JSONValue] = []
        for _ in 0..<(list.isUnique ? count * Self.drawsOfDifferentElement : count) where elements.count < count {
            let cursor = cursors[list.cursor]
            cursors[list.cursor] += 1
            let isNull = list.hasNulls && cursor % Self.elementsWithNull == Self.elementsWithNull - 1
            let element: JSONValue? =
                isNull
                ? .null
                : sharing(count - elements.count) { $0.value(list.element, cursor % max(list.element.choices, 1)) }
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
