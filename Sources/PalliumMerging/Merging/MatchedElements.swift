import PalliumCore

/// The elements of a source, each with the element of the target that has its identifier.
struct MatchedElements {
    let list: SlotList
    /// By element of the source, the position of the one of the target, or -1.
    private(set) var matches: [Int]
    /// By element of the target, the number of the one of the source, or -1.
    private(set) var numbers: [Int]
    /// By element of the source, whether the one of the target holds all that it says.
    private(set) var areUnchanged: [Bool]

    /// Finds the element of the target for each of the source; asks about those that are found at once whether they are
    /// unchanged.
    ///
    /// - Parameters:
    ///   - allowsRepetition: Whether elements may have the same identifier; one of them is then found.
    ///   - isSet: Whether the elements have no order, so that those without an identifier are found by their values alone.
    /// - Throws: ``ModelError`` when two elements have the same identifier, or one has none though all need one.
    init(
        _ list: SlotList, among present: inout IdentifiedElements, requiresIdentifiers: Bool = false,
        allowsRepetition: Bool = false, isSet: Bool = false,
        isUnchanged: (_ source: DynamicModel, _ target: DynamicModel) -> Bool = { _, _ in false }
    ) throws(ModelError) {
        self.list = list
        matches = Array(repeating: -1, count: list.count)
        numbers = Array(repeating: -1, count: present.list.count)
        areUnchanged = Array(repeating: false, count: list.count)
        // While both are at hand: in a long list a second look would find neither in the cache.
        var next = present.commonBeginning(list) { index, target, source in
            areUnchanged[index] = isUnchanged(source, target)
            matches[index] = index
            numbers[index] = index
        }
        if next == list.count, next == present.list.count { return }
        try present.prepare(allowsRepetition: allowsRepetition)
        var others: [Int] = []
        var unidentifiedCount = 0
        // Elements mostly have the order of those of the target.
        for number in next..<list.count {
            let element = list.slot(at: number)
            guard let identifier = try present.identifier(of: element, number, isRequired: requiresIdentifiers) else {
                let position =
                    isSet ? present.unidentified(equalTo: list, number) : present.unidentified(unidentifiedCount)
                if let position, present.holdsValues(of: element, at: position) {
                    match(number, with: position)
                    areUnchanged[number] = matches[number] == position
                }
                unidentifiedCount += 1
                continue
            }
            guard let position = present.position(of: identifier, hint: next) else {
                others.append(number)
                continue
            }
            next = position + 1
            if numbers[position] >= 0 {
                if allowsRepetition { continue }
                throw present.repetition(identifier, number, numbers[position])
            }
            match(number, with: position)
        }
        if allowsRepetition { return }
        var new = IdentifiedElements(list, present.slots)
        if let (identifier, index, other) = new.enter(others) { throw new.repetition(identifier, index, other) }
    }

    /// Notes that an element of the source is one of the target, unless another one is.
    mutating func match(_ number: Int, with position: Int) {
        if numbers[position] >= 0 || matches[number] >= 0 { return }
        matches[number] = position
        numbers[position] = number
    }
}

/// The elements of a list after a merge. It is the list of the target as long as they are its elements in their order.
///
/// Descriptions live as long as the models of the merge.
struct MergedElements {
    private let target: SlotList
    private let element: Unowned<ValueDescriptor>
    /// The elements, once they are not the first of the target.
    private var others: SlotList?
    private var targetCount = 0

    init(_ target: SlotList, element: Unowned<ValueDescriptor>) {
        self.target = target
        self.element = element
    }

    var count: Int { others?.count ?? targetCount }

    /// Whether they are just the elements of the target.
    var isSame: Bool { others == nil && targetCount == target.count }

    /// The elements as a new list.
    var list: SlotList {
        mutating get { separate() }
    }

    mutating func append(targetElement position: Int) {
        if others == nil, position == targetCount {
            targetCount &+= 1
        } else {
            separate().appendSlot().copyContent(of: target.slot(at: position))
        }
    }

    mutating func append(_ element: PropertySlot) { separate().appendSlot().copyContent(of: element) }

    private mutating func separate() -> SlotList {
        if let others { return others }
        let list = SlotList.make(elements: element, capacity: target.count)
        for position in 0..<targetCount { list.appendSlot().copyContent(of: target.slot(at: position)) }
        others = list
        return list
    }
}

/// The elements of two lists of models, matched by the identity of their schema.
struct ListMatching {
    private(set) var pairs: [(old: Int, new: Int)] = []
    private(set) var removed: [Int] = []
    private(set) var inserted: [Int] = []

    /// Nil when elements have no identity, or that of another schema, two have the same, or, where order counts, the
    /// common ones changed places.
    init?(_ left: SlotList, _ right: SlotList, isOrdered: Bool) {
        let (element, other) = (left.elementDescription.model, right.elementDescription.model)
        guard let element, let other, element.isEqual(to: other), !element.identitySlots.isEmpty else { return nil }
        var former = IdentifiedElements(left, element.identitySlots)
        guard (0..<left.count).allSatisfy({ former.identifier(at: $0) != nil }),
            let matched = try? MatchedElements(right, among: &former, requiresIdentifiers: true)
        else { return nil }
        var last = -1
        for (old, new) in matched.numbers.enumerated() {
            if new < 0 {
                removed.append(old)
                continue
            }
            if isOrdered, new < last { return nil }
            last = new
            pairs.append((old, new))
        }
        inserted = matched.matches.indices.filter { matched.matches[$0] < 0 }
    }
}
