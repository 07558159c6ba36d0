/// A table from names to positions, for objects with many members.
///
///     table  [ 0 │ 3 │ 0 │ 1 │ 2 │ 0 │ … ]     position + 1, or 0 for an empty place; linear probing
///
/// Hashing is Swift's `Hasher` with its seed of the process, so names cannot be chosen to collide. Invariant: the
/// table has at least twice as many places as members, so every probe ends.
struct JSONObjectIndex: Sendable {
    private var table: [UInt32]

    /// A table of these members, whose names are all different. O(n).
    init(_ members: [JSONObject.Member]) {
        self.init(capacity: members.count)
        for position in members.indices { _ = insert(position, members) }
    }

    /// A table of these members; nil, with the position of the second one, when a name occurs twice. O(n).
    static func findingDuplicates(_ members: [JSONObject.Member]) -> (index: JSONObjectIndex, duplicate: Int?) {
        var index = JSONObjectIndex(capacity: members.count)
        for position in members.indices where !index.insert(position, members) {
            return (index, position)
        }
        return (index, nil)
    }

    private init(capacity: Int) {
        var places = 64
        while places < capacity * 2 { places *= 2 }
        table = Array(repeating: 0, count: places)
    }

    /// The position of the member with this name.
    func position(of key: String, in members: [JSONObject.Member]) -> Int? {
        var place = home(of: key)
        while table[place] != 0 {
            let position = Int(table[place]) - 1
            if UTF8Text.equal(members[position].key, key) { return position }
            place = (place + 1) & (table.count - 1)
        }
        return nil
    }

    /// Adds the last member, whose name is new. Amortised O(1).
    mutating func insertLast(of members: [JSONObject.Member]) {
        if members.count * 2 > table.count {
            // Four places for each, so that the next growth is as far away as this one was.
            var grown = JSONObjectIndex(capacity: members.count * 2)
            for position in members.indices { _ = grown.insert(position, members) }
            self = grown
        } else {
            _ = insert(members.count - 1, members)
        }
    }

    /// False when a member of the same name is there already.
    private mutating func insert(_ position: Int, _ members: [JSONObject.Member]) -> Bool {
        let key = members[position].key
        var place = home(of: key)
        while table[place] != 0 {
            if UTF8Text.equal(members[Int(table[place]) - 1].key, key) { return false }
            place = (place + 1) & (table.count - 1)
        }
        table[place] = UInt32(truncatingIfNeeded: position + 1)
        return true
    }

    private func home(of key: String) -> Int {
        var hasher = Hasher()
        UTF8Text.hash(key, into: &hasher)
        return hasher.finalize() & (table.count - 1)
    }
}
