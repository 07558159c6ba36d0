public import PalliumJSON

extension JSONPatch {
    /// The patch that makes a new document of an old one; empty when they are equal.
    ///
    /// It goes as deep as the documents have containers in the same places. Elements of arrays that stay are found by
    /// their values, so an insertion is one operation; what is found is shortest for small arrays and good for large ones.
    /// A value that moved is removed and added; no `move`, `copy` or `test` is written.
    ///
    /// - Complexity: O(*n* log *n*) in the size of both documents, and the length of the patch.
    public init(from old: JSONValue, to new: JSONValue) {
        self.init(from: DocumentWithSets(old), to: DocumentWithSets(new))
    }

    /// The patch between documents of models: sets that hold the same in another order are no difference.
    init(from old: DocumentWithSets, to new: DocumentWithSets) {
        var difference = DocumentDifference(old, new)
        difference.findOperations()
        operations = difference.operations
    }
}

/// Finds what differs between two documents. Pairs wait in a list, so depth costs no stack.
private struct DocumentDifference {
    private struct Pair {
        let old: Int
        let new: Int
        let place: Int
    }

    /// A token and the place it is behind: a pointer is made only where an operation needs it.
    private struct Place {
        let parent: Int
        let token: String
    }

    private static let root = -1

    private(set) var operations: [JSONPatch.Operation] = []
    private var values = NumberedValues()
    private var places: [Place] = []
    private var pending: [Pair]
    private var budget = SequenceAlignment.budget

    init(_ old: DocumentWithSets, _ new: DocumentWithSets) {
        let oldRoot = values.add(old)
        pending = [Pair(old: oldRoot, new: values.add(new), place: Self.root)]
    }

    mutating func findOperations() {
        while let pair = pending.popLast() {
            if values.areEqual(pair.old, pair.new) { continue }
            let waiting = pending.count
            switch (values[pair.old].value, values[pair.new].value) {
            case (.object(let old), .object(let new)): compare(old, new, pair)
            case (.array, .array):
                if values[pair.old].isSet, values[pair.new].isSet { compareSets(pair) } else { compareArrays(pair) }
            default: operations.append(.replace(pointer(pair.place), values[pair.new].value))
            }
            // In the order of the documents.
            pending[waiting...].reverse()
        }
    }

    private mutating func compare(_ old: JSONObject, _ new: JSONObject, _ pair: Pair) {
        for (offset, member) in old.enumerated() {
            if let other = values.member(member.key, of: pair.new) {
                put(off: values[pair.old].first + offset, other, member.key, pair.place)
            } else {
                operations.append(.remove(pointer(pair.place, member.key)))
            }
        }
        for member in new where old.position(of: member.key) == nil {
            operations.append(.add(pointer(pair.place, member.key), member.value))
        }
    }

    /// Everything in front of `position` is as in the new array, everything behind it as in the old one. What differs inside
    /// elements comes later, when all stand where they belong.
    private mutating func compareArrays(_ pair: Pair) {
        let old = values.numbersOfElements(of: pair.old)
        let new = values.numbersOfElements(of: pair.new)
        let alignment = SequenceAlignment(old, new, budget: &budget)
        let (oldFirst, newFirst) = (values[pair.old].first, values[pair.new].first)
        var (gone, position) = (0, 0)
        for match in alignment.matches + [(old.count, new.count)] {
            while gone < match.old, position < match.new {
                put(off: oldFirst + gone, newFirst + position, "\(position)", pair.place)
                gone += 1
                position += 1
            }
            while gone < match.old {
                operations.append(.remove(pointer(pair.place, "\(position)")))
                gone += 1
            }
            while position < match.new {
                operations.append(.add(pointer(pair.place, "\(position)"), values[newFirst + position].value))
                position += 1
            }
            gone += 1
            position += 1
        }
    }

    /// What goes is removed from the back, so that positions stay right; what comes is added behind what stays.
    private mutating func compareSets(_ pair: Pair) {
        let old = values.numbersOfElements(of: pair.old)
        let new = values.numbersOfElements(of: pair.new)
        // Different elements may be equal in JSON, two instants of one day for example, so they are counted.
        var surplus = old.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        for number in new { surplus[number, default: 0] -= 1 }
        for position in old.indices.reversed() where surplus[old[position], default: 0] > 0 {
            surplus[old[position], default: 0] -= 1
            operations.append(.remove(pointer(pair.place, "\(position)")))
        }
        for position in new.indices where surplus[new[position], default: 0] < 0 {
            surplus[new[position], default: 0] += 1
            operations.append(.add(pointer(pair.place, "-"), values[values[pair.new].first + position].value))
        }
    }

    private mutating func put(off old: Int, _ new: Int, _ token: String, _ parent: Int) {
        if values.areEqual(old, new) { return }
        places.append(Place(parent: parent, token: token))
        pending.append(Pair(old: old, new: new, place: places.count - 1))
    }

    private func pointer(_ place: Int, _ token: String? = nil) -> JSONPointer {
        var tokens = token.map { [$0] } ?? []
        var place = place
        while place != Self.root {
            tokens.append(places[place].token)
            place = places[place].parent
        }
        return JSONPointer(tokens: tokens.reversed())
    }
}
