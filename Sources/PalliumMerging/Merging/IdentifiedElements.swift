import PalliumCore

/// The models of a list, found by their identifiers.
///
/// Safety: elements are of the schema of the list's elements or a descendant, which keeps its slots, so the slots that
/// identify are slots of every element.
struct IdentifiedElements {
    private(set) var list: SlotList
    /// The properties that identify an element.
    let slots: [Int]
    /// A hash table with linear probing: the position of an element + 1, or 0 for a free bucket.
    private var buckets: [UInt32] = []
    /// The hash of each element, so that only likely ones are looked at.
    private var hashes: [UInt32] = []
    /// Whether the identifiers are integers that ascend, as servers like to send them: they are then searched, and no table
    /// is made.
    private var isAscending = false
    /// The positions of the elements without an identifier, once the others were entered.
    private var unidentified: [Int] = []
    /// The positions of these elements by their values, and the values of the list that was asked about, once a set is
    /// merged.
    private var values: [SlotElementKey: Int]?
    private var sought: (list: SlotList, keys: [SlotElementKey])?

    /// Whether elements count as they were when tracking began.
    private let isBase: Bool

    /// The elements of a list. None can be found before `prepare`.
    init(_ list: SlotList?, _ slots: [Int], isBase: Bool = false) {
        self.isBase = isBase
        self.list = list ?? SlotList.make(elements: Self.noElement.unowned, capacity: 0)
        self.slots = slots
    }

    /// Makes the elements of a model to be found.
    ///
    /// - Throws: ``ModelError`` when two elements have the same identifier, unless that is allowed.
    mutating func prepare(allowsRepetition: Bool = false) throws(ModelError) {
        isAscending = slots.count == 1 && Self.ascends(list, slots[0])
        if !isAscending { try enterAll(allowsRepetition: allowsRepetition) }
    }

    /// Enters the elements of a model into the table.
    mutating func enterAll(allowsRepetition: Bool = false) throws(ModelError) {
        guard let (identifier, _, _) = enter(0..<list.count, allowsRepetition: allowsRepetition) else { return }
        // Their numbers mean nothing in the source.
        throw ModelError(
            .invalidValue, list.elementDescription, expected: "elements of different identity",
            found: "\(identifier.description) twice in the model")
    }

    /// Enters the elements at some positions into the table; the first that has the identifier of one before.
    mutating func enter(
        _ positions: some Collection<Int>, allowsRepetition: Bool = false
    ) -> (identifier: ModelIdentifier, index: Int, other: Int)? {
        if positions.isEmpty { return nil }
        // At most half of the buckets are used.
        var size = 4
        while size < positions.count &* 2 { size &*= 2 }
        buckets = Array(repeating: 0, count: size)
        hashes = Array(repeating: 0, count: list.count)
        unidentified = []
        for index in positions {
            guard let identifier = identifier(at: index) else {
                unidentified.append(index)
                continue
            }
            let hash = Self.hash(identifier)
            hashes[index] = hash
            if let other = insert(index, identifier, hash), !allowsRepetition { return (identifier, index, other) }
        }
        return nil
    }

    /// Enters the last element, which has a new identifier, after all others. Amortised O(1).
    mutating func enterLast() {
        let index = list.count - 1
        if list.count &* 2 > buckets.count {
            _ = enter(0..<list.count)
        } else {
            let identifier = identifier(at: index)
            hashes.append(identifier.map(Self.hash) ?? 0)
            if let identifier { _ = insert(index, identifier, hashes[index]) } else { unidentified.append(index) }
        }
    }

    /// Goes on with a copy of the list.
    mutating func moveToCopy() { list = list.copyOfElements(adding: 1) }

    /// How many elements at the beginning of two lists have the same identifiers, integers that ascend; calls back with
    /// each of their pairs.
    func commonBeginning(_ other: SlotList, _ body: (Int, DynamicModel, DynamicModel) -> Void) -> Int {
        guard slots.count == 1 else { return 0 }
        var last: Int64?
        for index in 0..<min(list.count, other.count) {
            let (target, source) = (list.slot(at: index), other.slot(at: index))
            guard let integer = Self.integer(target, slots[0]), integer == Self.integer(source, slots[0]),
                last.map({ $0 < integer }) ?? true
            else { return index }
            last = integer
            body(index, target.model, source.model)
        }
        return min(list.count, other.count)
    }

    private static func ascends(_ list: SlotList, _ slot: Int) -> Bool {
        var last: Int64?
        for index in 0..<list.count {
            guard let integer = integer(list.slot(at: index), slot) else { return false }
            if let last, integer <= last { return false }
            last = integer
        }
        return true
    }

    /// The integer that identifies an element; nil when there is none.
    private static func integer(_ element: PropertySlot, _ slot: Int) -> Int64? {
        guard let model = element.content?.model else { return nil }
        return model.with { $0.modelSlots.content(of: slot)?.integer }
    }

    /// The position of an integer among ascending ones. O(log *n*).
    private func search(_ wanted: Int64) -> Int? {
        var range = 0..<list.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            guard let integer = Self.integer(list.slot(at: middle), slots[0]) else { return nil }
            if integer == wanted { return middle }
            range = integer < wanted ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    private static func hash(_ identifier: ModelIdentifier) -> UInt32 {
        UInt32(truncatingIfNeeded: identifier.hashValue)
    }

    /// Enters an element; the position of one that has the same identifier.
    private mutating func insert(_ index: Int, _ identifier: ModelIdentifier, _ hash: UInt32) -> Int? {
        let (bucket, other) = find(identifier, hash)
        // A list of more elements than fit would not fit into memory.
        if other == nil { buckets[bucket] = UInt32(index &+ 1) }
        return other
    }

    /// The bucket where the search for an identifier ends, and the position of the element that has it.
    private func find(_ identifier: ModelIdentifier, _ hash: UInt32) -> (bucket: Int, position: Int?) {
        var bucket = Int(hash) & (buckets.count &- 1)
        while buckets[bucket] != 0 {
            let position = Int(buckets[bucket]) &- 1
            if hashes[position] == hash, self.identifier(at: position) == identifier { return (bucket, position) }
            bucket = (bucket &+ 1) & (buckets.count &- 1)
        }
        return (bucket, nil)
    }

    /// The identifier of an element; nil for null and where a property has no value.
    func identifier(at index: Int) -> ModelIdentifier? {
        let slot = list.slot(at: index)
        return slot.hasValue ? ModelIdentifier(slot.model, slots: slots) : nil
    }

    /// The identifier of an element of a source; nil when there is none.
    ///
    /// - Throws: ``ModelError`` when there is none though it is required.
    func identifier(
        of element: PropertySlot, _ number: Int, isRequired: Bool
    ) throws(ModelError) -> ModelIdentifier? {
        if element.hasValue, let identifier = ModelIdentifier(element.model, slots: slots) { return identifier }
        guard isRequired else { return nil }
        throw ModelError(
            .missingProperty, element.description, expected: "a value that identifies the element", found: "none"
        ).under(index: number)
    }

    /// The position of an element without an identifier that equals an element of another list. Amortised O(size of the
    /// element).
    mutating func unidentified(equalTo other: SlotList, _ number: Int) -> Int? {
        if values == nil {
            let keys = SlotElementKey.keys(of: list)
            values = Dictionary(unidentified.map { (keys[$0], $0) }, uniquingKeysWith: { first, _ in first })
        }
        if sought?.list !== other { sought = (other, SlotElementKey.keys(of: other)) }
        return sought.flatMap { values?[$0.keys[number]] }
    }

    /// The position of one of the elements without an identifier, which are numbered from zero.
    func unidentified(_ number: Int) -> Int? { number < unidentified.count ? unidentified[number] : nil }

    /// Whether an element has the values of one without an identifier. Defaults need not be mentioned.
    func holdsValues(of element: PropertySlot, at position: Int) -> Bool {
        let present = list.slot(at: position)
        guard present.hasValue, element.hasValue else { return present.hasValue == element.hasValue }
        let other = element.model
        if present.model === other { return true }
        let model = isBase ? present.model.trackedBase ?? present.model : present.model
        guard model.layoutIdentifier == other.layoutIdentifier else { return false }
        return other.comparedSlotIndices.allSatisfy { index in
            let (value, given) = (model.slot(at: index), other.slot(at: index))
            return given.slotState.isAbsent
                ? !value.hasValue || value.slotState.isDefaulted : ModelComparison.equal(value, given)
        }
    }

    /// The position of the element with an identifier. An element at the hinted position is found without hashing.
    func position(of identifier: ModelIdentifier, hint: Int = -1) -> Int? {
        if buckets.isEmpty, !isAscending { return nil }
        if hint >= 0, hint < list.count, self.identifier(at: hint) == identifier { return hint }
        if isAscending { return identifier.integer.flatMap(search) }
        return find(identifier, Self.hash(identifier)).position
    }

    /// The error for a second element of one identifier.
    func repetition(_ identifier: ModelIdentifier, _ index: Int, _ other: Int) -> ModelError {
        ModelError(
            .invalidValue, list.elementDescription, expected: "elements of different identity",
            found: "\(identifier.description) as in element \(other)"
        ).under(index: index)
    }

    /// Describes the elements of a list that is not there.
    private static let noElement = ValueDescriptor(
        schema: "", key: "", path: "", property: PropertySchema.bool, isElement: true)
}
