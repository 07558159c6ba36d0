import PalliumCore
import PalliumJSON

/// Everything that a monitor has counted.
struct DriftCounts: Sendable {
    var documents = 0
    /// The number of objects by the numbers of their plans.
    var objects: [Int]
    /// The figures by their numbers.
    var figures: [ValueFigures]
    var evidences = DriftEvidences()

    init(_ plans: DriftPlans) {
        objects = Array(repeating: 0, count: plans.plans.count)
        figures = Array(repeating: ValueFigures(), count: plans.values.count)
    }

    /// Adds other counts by the same plans.
    mutating func merge(_ other: DriftCounts) {
        documents += other.documents
        for (number, count) in other.objects.enumerated() { objects[number] += count }
        for (number, figures) in other.figures.enumerated() where figures.present + figures.nulls > 0 {
            self.figures[number].merge(figures)
        }
        evidences.merge(other.evidences)
    }
}

// Counts models by their slots.
//
// Models wait in a list, so that deep documents need no deep recursion.
extension DriftCounts {
    /// Counts a model and those in it.
    ///
    /// - Returns: Whether the document may have a case or a tag that no schema lists, which slots do not tell.
    mutating func count(_ model: DynamicModel, _ plans: DriftPlans) -> Bool {
        var isDoubtful = false
        var pending = [model]
        while let model = pending.popLast() {
            guard let plan = plans.plan(of: model.layout) else { continue }
            objects[plan.number] += 1
            if plans.areFallbacks[plan.number] { isDoubtful = true }
            for (number, figure) in plan.slots {
                let slot = model.slot(at: number)
                let state = slot.slotState
                // The document has no value for a default.
                if state.isUnset || state.isDefaulted { continue }
                count(slot, figure, plans, &pending, &isDoubtful)
            }
        }
        return isDoubtful
    }

    /// Counts a value and the elements in it. The nesting of kinds bounds the recursion.
    mutating func count(
        _ slot: PropertySlot, _ number: Int, _ plans: DriftPlans, _ pending: inout [DynamicModel],
        _ isDoubtful: inout Bool
    ) {
        let state = slot.slotState
        if state.isNull { return figures[number].recordNull() }
        guard state.hasValue else { return }
        let kind = slot.kind
        let (isSensitive, isResult, element) = (
            plans.values[number].isSensitive, plans.values[number].isResult, plans.values[number].element
        )
        if isSensitive { return figures[number].recordKind(Self.kind(of: slot)) }
        if isResult { return figures[number].recordResult(Self.number(in: slot)) }
        switch kind {
        case .bool: figures[number].record(slot.load(UInt64.self) != 0)
        case .integer: figures[number].record(slot.load(Int64.self))
        case .string: slot.load(String.self).withBorrowedBytes { figures[number].record($0) }
        case .url where state.isPacked: figures[number].record(slot.packedText)
        case .url: slot.urlText.withBorrowedBytes { figures[number].record($0) }
        case .enumeration where !state.isBoxed:
            switch plans.values[number].cases[slot.load(Int.self)] {
            case .text(let hash, let length): figures[number].record(text: hash, length: length)
            case .number(let value): figures[number].record(value)
            }
            if case .fallback? = plans.values[number].descriptor.enumeration?.schema.unknown,
                plans.values[number].descriptor.enumeration?.fallbackNumber == slot.load(Int.self)
            {
                isDoubtful = true
            }
        case .words: figures[number].record(words: slot.load((UInt64, UInt64).self))
        case .data: figures[number].recordKind(.string)
        case .model:
            figures[number].recordKind(.object)
            pending.append(slot.model)
        case .array, .set:
            let list = slot.list
            figures[number].recordArray(count: list.count)
            if let element { countElements(of: list, element, plans, &pending, &isDoubtful) }
        case .dictionary:
            let list = slot.list
            figures[number].recordDictionary(count: list.count)
            if let element { countElements(of: list, element, plans, &pending, &isDoubtful) }
        case .custom, .weakModel: figures[number].recordResult()
        case .date, .unsigned, .double, .decimal:
            if let value = Self.number(in: slot) {
                figures[number].record(value)
            } else {
                figures[number].recordResult()
            }
        case .json: figures[number].record(slot.json)
        case .enumeration:
            isDoubtful = true
            if let value = slot.description.traits.write(slot) { figures[number].record(value) }
        }
    }

    private mutating func countElements(
        of list: SlotList, _ number: Int, _ plans: DriftPlans, _ pending: inout [DynamicModel],
        _ isDoubtful: inout Bool
    ) {
        for index in 0..<list.count { count(list.slot(at: index), number, plans, &pending, &isDoubtful) }
    }

    /// The number in a slot that holds one, or a date as seconds since 1970; nil for other values.
    private static func number(in slot: PropertySlot) -> JSONNumber? {
        switch slot.kind {
        case .integer: JSONNumber(slot.load(Int64.self))
        case .unsigned: JSONNumber(slot.load(UInt64.self))
        case .double: JSONNumber(slot.load(Double.self))
        case .date: JSONNumber(slot.load(Double.self) + 978_307_200)
        case .decimal:
            slot.description.traits.write(slot).flatMap { if case .number(let number) = $0 { number } else { nil } }
        default: nil
        }
    }

    /// The kind of JSON that a value is of.
    private static func kind(of slot: PropertySlot) -> ModelCluster.JSONKind {
        switch slot.kind {
        case .bool: .bool
        case .integer, .unsigned, .double, .decimal: .number
        case .string, .url, .date, .words, .data, .enumeration: .string
        case .array, .set: .array
        case .json: slot.json.kind
        case .custom, .dictionary, .model, .weakModel: .object
        }
    }
}
