/// The models of a list, found by their identifiers.
///
/// Safety: elements are of the schema of the list's elements or a descendant, which keeps its slots, so the slots that
/// identify are slots of every element.
struct IdentifiedElements {
    private(set) var list: SlotList
    /// The properties that identify an element.
    let slots: [Int]
    /// Where the element is found that hashes to a place or to one before: positions from 1 on, 0 where there is none.
    private var places: [UInt32] = []
    /// The hash of each element, so that only likely ones are looked at.
    private var hashes: [UInt32] = []
    /// Whether the identifiers are integers that ascend, as servers like to send them: they are then searched, and no table
    /// is made.
    private var isAscending = false

    /// The elements of a list, none of which can be found before ``prepare()``.
    init(_ list: SlotList?, _ slots: [Int]) {
        self.list = unsafe list ?? SlotList(element: Self.noElement.reference)
        self.slots = slots
    }

    /// Makes the elements of a model to be found.
    ///
    /// - Throws: ``ModelError`` when two elements have the same identifier.
    mutating func prepare() throws(ModelError) {
        isAscending = slots.count == 1 && Self.ascends(list, slots[0])
        if !isAscending { try enterAll() }
    }

    /// Enters the elements of a model into the table.
    mutating func enterAll() throws(ModelError) {
        guard let (identifier, _, _) = enter(0..<list.count) else { return }
        // Their numbers are no places of the incoming side.
        throw unsafe ModelError(
            .invalidValue, list.element.takeUnretainedValue(), expected: "elements of different identity",
            found: "\(identifier.description) twice in the model")
    }

    /// Enters the elements at some positions into the table; the first that has the identifier of one before.
    fileprivate mutating func enter(
        _ positions: some Collection<Int>
    ) -> (identifier: ModelIdentifier, index: Int, other: Int)? {
        if positions.isEmpty { return nil }
        // At most half of the places are taken.
        var size = 4
        while size < positions.count &* 2 { size &*= 2 }
        places = Array(repeating: 0, count: size)
        hashes = Array(repeating: 0, count: list.count)
        for index in positions {
            guard let identifier = identifier(at: index) else { continue }
            let hash = Self.hash(identifier)
            hashes[index] = hash
            if let other = insert(index, identifier, hash) { return (identifier, index, other) }
        }
        return nil
    }

    /// Enters the element that came last, with a new identifier, behind others that were entered. Amortised O(1).
    mutating func enterLast() {
        let index = list.count - 1
        if list.count &* 2 > places.count {
            _ = enter(0..<list.count)
        } else {
            let identifier = identifier(at: index)
            hashes.append(identifier.map(Self.hash) ?? 0)
            if let identifier { _ = insert(index, identifier, hashes[index]) }
        }
    }

    /// Goes on with a copy of the list.
    mutating func moveToCopy() { list = list.copyOfElements(adding: 1) }

    /// How many elements at the beginning of two lists have the same identifiers, integers that ascend; calls back with
    /// each of their pairs.
    fileprivate func commonBeginning(_ other: SlotList, _ body: (Int, DynamicModel, DynamicModel) -> Void) -> Int {
        guard slots.count == 1 else { return 0 }
        var last: Int64?
        for index in 0..<min(list.count, other.count) {
            let (own, incoming) = (list.slot(at: index), other.slot(at: index))
            guard let integer = Self.integer(own, slots[0]), integer == Self.integer(incoming, slots[0]),
                last.map({ $0 < integer }) ?? true
            else { return index }
            last = integer
            unsafe body(
                index, SlotOperations.box(DynamicModel.self, own.pointer),
                SlotOperations.box(DynamicModel.self, incoming.pointer))
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
        guard element.hasValue else { return nil }
        return unsafe Unmanaged<DynamicModel>.fromOpaque(element.pointer.load(as: UnsafeRawPointer.self))
            ._withUnsafeGuaranteedRef { model in
                guard unsafe model.table.pointee.kinds[slot] == .integer, unsafe model.stateBytes[slot] & 2 != 0 else {
                    return nil
                }
                return unsafe model.slots.load(fromByteOffset: slot &* 16, as: Int64.self)
            }
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
        let (place, known) = find(identifier, hash)
        // A list of more elements than fit has no memory to stand in.
        if known == nil { places[place] = UInt32(index &+ 1) }
        return known
    }

    /// The place where the search for an identifier ends, and the position of the element that has it.
    private func find(_ identifier: ModelIdentifier, _ hash: UInt32) -> (place: Int, position: Int?) {
        var place = Int(hash) & (places.count &- 1)
        while places[place] != 0 {
            let position = Int(places[place]) &- 1
            if hashes[position] == hash, self.identifier(at: position) == identifier { return (place, position) }
            place = (place &+ 1) & (places.count &- 1)
        }
        return (place, nil)
    }

    /// What identifies an element; nil for null and where a property has no value.
    func identifier(at index: Int) -> ModelIdentifier? {
        let slot = list.slot(at: index)
        return unsafe slot.hasValue
            ? ModelIdentifier(SlotOperations.box(DynamicModel.self, slot.pointer), slots: slots) : nil
    }

    /// What identifies an incoming element.
    ///
    /// - Throws: ``ModelError`` when there is nothing.
    static func identifier(
        of element: PropertySlot, _ slots: [Int], _ number: Int
    ) throws(ModelError) -> ModelIdentifier {
        guard element.hasValue,
            let identifier = unsafe ModelIdentifier(
                SlotOperations.box(DynamicModel.self, element.pointer), slots: slots)
        else {
            throw ModelError(
                .missingProperty, element.description, expected: "a value that identifies the element", found: "none"
            ).under(index: number)
        }
        return identifier
    }

    /// The position of the element with an identifier. An element at the hinted position is found without hashing.
    func position(of identifier: ModelIdentifier, hint: Int = -1) -> Int? {
        if places.isEmpty, !isAscending { return nil }
        if hint >= 0, hint < list.count, let known = self.identifier(at: hint), known == identifier { return hint }
        if isAscending { return identifier.integer.flatMap(search) }
        return find(identifier, Self.hash(identifier)).position
    }

    /// The position of the element that a model is a state of.
    func position(of model: DynamicModel) -> Int? {
        ModelIdentifier(model, slots: slots).flatMap { position(of: $0) }
    }

    /// Whether another list has elements of the same identifiers in the same order.
    func holdsSameElements(as other: SlotList) -> Bool {
        list.count == other.count
            && (0..<list.count).allSatisfy { index in
                unsafe position(of: SlotOperations.box(DynamicModel.self, other.slot(at: index).pointer)) == index
            }
    }

    /// The error for a second element of one identifier.
    func repetition(_ identifier: ModelIdentifier, _ index: Int, _ other: Int) -> ModelError {
        unsafe ModelError(
            .invalidValue, list.element.takeUnretainedValue(), expected: "elements of different identity",
            found: "\(identifier.description) as in element \(other)"
        ).under(index: index)
    }

    /// Describes the elements of a list that is not there.
    private static let noElement = ValueDescriptor(
        schema: "", key: "", path: "", property: PropertySchema.bool, isElement: true)
}

/// The incoming elements, each with the own element of its identifier.
struct MatchedElements {
    let list: SlotList
    /// By incoming element, the position of the own one, or -1.
    private(set) var matches: [Int]
    /// By own element, the number of the incoming one, or -1.
    private(set) var numbers: [Int]
    /// By incoming element, whether it says nothing that the own one does not hold.
    private(set) var areUnchanged: [Bool]

    /// Finds the own element of each incoming one; asks about those that are found at once whether there is more to do.
    ///
    /// - Throws: ``ModelError`` when two elements have the same identifier, or one has none.
    init(
        _ list: SlotList, _ slots: [Int], among known: inout IdentifiedElements,
        isUnchanged: (_ incoming: DynamicModel, _ own: DynamicModel) -> Bool
    ) throws(ModelError) {
        self.list = list
        matches = Array(repeating: -1, count: list.count)
        numbers = Array(repeating: -1, count: known.list.count)
        areUnchanged = Array(repeating: false, count: list.count)
        // While both are at hand: in a long list a second look would find neither in the cache.
        var next = known.commonBeginning(list) { index, own, incoming in
            areUnchanged[index] = isUnchanged(incoming, own)
            matches[index] = index
            numbers[index] = index
        }
        if next == list.count, next == known.list.count { return }
        try known.prepare()
        var others: [Int] = []
        // Elements mostly come in the order of the own ones.
        for number in next..<list.count {
            let identifier = try IdentifiedElements.identifier(of: list.slot(at: number), slots, number)
            guard let position = known.position(of: identifier, hint: next) else {
                others.append(number)
                continue
            }
            next = position + 1
            if numbers[position] >= 0 { throw known.repetition(identifier, number, numbers[position]) }
            matches[number] = position
            numbers[position] = number
        }
        var new = IdentifiedElements(list, slots)
        if let (identifier, index, other) = new.enter(others) { throw new.repetition(identifier, index, other) }
    }
}

/// The elements of a list after a merge, which is the same list as long as they are the own ones in their order.
///
/// Safety: descriptions live as long as the models of the merge.
@safe
struct MergedElements {
    private let own: SlotList
    private let element: Unmanaged<ValueDescriptor>
    /// The elements, once they are not the first of the own ones.
    private var others: SlotList?
    private var ownCount = 0

    init(_ own: SlotList, element: Unmanaged<ValueDescriptor>) {
        self.own = own
        unsafe self.element = element
    }

    var count: Int { others?.count ?? ownCount }

    /// Whether they are just the own elements.
    var isSame: Bool { others == nil && ownCount == own.count }

    /// The elements as a list of their own.
    var list: SlotList {
        mutating get { separate() }
    }

    mutating func append(targetElement position: Int) {
        if others == nil, position == ownCount {
            ownCount &+= 1
        } else {
            separate().appendSlot().copyContent(of: own.slot(at: position))
        }
    }

    mutating func append(_ element: PropertySlot) { separate().appendSlot().copyContent(of: element) }

    private mutating func separate() -> SlotList {
        if let others { return others }
        let list = unsafe SlotList(element: element)
        list.reserve(own.count)
        for position in 0..<ownCount { list.appendSlot().copyContent(of: own.slot(at: position)) }
        others = list
        return list
    }
}
