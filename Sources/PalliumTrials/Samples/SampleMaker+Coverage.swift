import PalliumCore

// Finds what documents can hold, and what they have not held yet.
extension SampleMaker {
    // MARK: Heights

    /// Finds how small the objects of each model can be. A model is as high as what it requires.
    mutating func measureHeights() {
        var isChanging = true
        while isChanging {
            isChanging = false
            // Models are numbered from the outside, so what is inside comes first.
            for number in models.indices.reversed() where models[number].height == nil {
                guard let height = height(of: number), height <= Self.maximumHeight else { continue }
                models[number].height = height
                isChanging = true
            }
        }
        let heights = models.map(\.height)
        for number in models.indices {
            let branches = models[number].branches
            models[number].finiteBranches = branches.indices.filter { heights[branches[$0].leaf] != nil }.sorted {
                (heights[branches[$0].leaf] ?? 0, $0) < (heights[branches[$1].leaf] ?? 0, $1)
            }
        }
    }

    /// The height of a declared model is that of the smallest model that its cluster chooses.
    private func height(of number: Int) -> Int? {
        models[number].branches.compactMap { ownHeight(of: $0.leaf) }.min()
    }

    private func ownHeight(of number: Int) -> Int? {
        var height = 1
        for property in models[number].properties where property.isRequired {
            guard let content = property.content else { return nil }
            for model in content.requiredModels {
                guard let below = models[model].height else { return nil }
                height = max(height, below + 1)
            }
        }
        return height
    }

    // MARK: Choices

    /// Whether documents have taken every choice that they can take.
    var isComplete: Bool { incompleteModels.isEmpty }

    /// The models that documents hold, as far as is known: those of properties, and those that clusters choose.
    ///
    /// A model that was tried in every way without success is not among them.
    private func reachableModels() -> (declared: Set<Int>, leaves: Set<Int>) {
        var declared: Set<Int> = []
        var leaves: Set<Int> = []
        var pending = [0]
        while let number = pending.popLast() {
            guard models[number].height != nil, declared.insert(number).inserted else { continue }
            for (position, branch) in models[number].branches.enumerated() where models[branch.leaf].height != nil {
                let isPossible = models[branch.leaf].count > 0 || models[number].unusedBranches.contains(position)
                guard isPossible, leaves.insert(branch.leaf).inserted else { continue }
                pending += models[branch.leaf].held
            }
        }
        return (declared, leaves)
    }

    /// The models that hold a choice which no document has taken yet, with the number of levels to the nearest one.
    func findIncompleteModels() -> [Int: Int] {
        let (declared, leaves) = reachableModels()
        var found: [Int: Int] = [:]
        for number in declared.union(leaves) {
            let isOpen =
                leaves.contains(number) && models[number].properties.contains { !$0.unused.isEmpty }
                || declared.contains(number) && !models[number].unusedBranches.isEmpty
            if isOpen { found[number] = 0 }
        }
        var level = 0
        var last = -1
        var rest = declared.union(leaves).filter { found[$0] == nil }
        while found.count != last {
            last = found.count
            level += 1
            let around = rest.filter { number in
                leaves.contains(number) && models[number].held.contains { found[$0] != nil }
                    || declared.contains(number) && models[number].branches.contains { found[$0.leaf] != nil }
            }
            for number in around { found[number] = level }
            rest.subtract(around)
        }
        return found
    }

    /// The models that clusters name, but of which no document could be made.
    var unmadeModels: [SchemaError.Problem] {
        let leaves = reachableModels().declared.flatMap { models[$0].branches }.map(\.leaf)
        let untried = Set(
            models.flatMap { model in model.unusedBranches.map { model.branches[$0].leaf } })
        return Set(leaves).subtracting(untried).filter { models[$0].count == 0 }.sorted().map { leaf in
            SchemaError.Problem(
                schema: models[leaf].layout.schema.name,
                message: "has no samples: no document was found that it accepts",
                fix: "samples leave it out")
        }
    }
}
