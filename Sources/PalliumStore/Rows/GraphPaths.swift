import PalliumCore

/// The paths to the models of a graph, as the steps that lead from one to the next. An error names a path; until then
/// nothing is made of it.
final class GraphPaths {
    /// A step into a model, an array or a dictionary.
    enum Step {
        case position(Int)
        case key(String)
    }

    /// The path without steps.
    static let none = -1

    private var steps: [(step: Step, from: Int)] = []

    /// Returns the number of the path that goes on from another one.
    func path(_ step: Step, from: Int = none) -> Int {
        steps.append((step, from))
        return steps.count - 1
    }

    /// The parts of a path as they stand in a JSON Pointer.
    ///
    /// - Parameter start: The path behind which they begin.
    func tokens(_ path: Int, after start: Int = none) -> [String] {
        var tokens: [String] = []
        var current = path
        while current > start {
            switch steps[current].step {
            case .position(let position): tokens.append(String(position))
            case .key(let key): tokens.append(key)
            }
            current = steps[current].from
        }
        return tokens.reversed()
    }

    /// Calls a function with the slots of a model that may hold one other model: properties, and elements of collections.
    ///
    /// - Parameters:
    ///   - path: The path to the model.
    ///   - body: Called with the property, the slot and the path to it. An element may have no value.
    func forEachHolder<Failure>(
        in model: DynamicModel, at path: Int,
        _ body: (ModelLayout.Property, PropertySlot, Int) throws(Failure) -> Void
    ) throws(Failure) {
        for index in model.holderIndices {
            let slot = model.slot(at: index)
            guard slot.hasValue, slot.description.holdsModels else { continue }
            let property = model.layout.properties[index]
            try forEachHolder(in: slot, at: self.path(.key(property.key), from: path)) { slot, path throws(Failure) in
                try body(property, slot, path)
            }
        }
    }

    /// Calls a function with a slot for models, or with the elements of a collection of models.
    ///
    /// Recursion is as deep as the nesting of kinds.
    func forEachHolder<Failure>(
        in slot: PropertySlot, at path: Int, _ body: (PropertySlot, Int) throws(Failure) -> Void
    ) throws(Failure) {
        guard slot.hasValue, slot.description.kind != .model else { return try body(slot, path) }
        let list = slot.list
        let keys = slot.description.kind == .dictionary ? slot.dictionary.keys : nil
        for index in 0..<list.count {
            let step = if let keys { Step.key(keys[index]) } else { Step.position(index) }
            try forEachHolder(in: list.slot(at: index), at: self.path(step, from: path), body)
        }
    }
}
