/// A hash table from names to positions, for objects with many members.
///
///     table  [ 0 │ 3 │ 0 │ 1 │ 2 │ 0 │ … ]     position + 1, or 0 for an empty bucket; linear probing
///
/// Names are hashed by Swift's `Hasher`, which is seeded per process, so nobody can choose names that collide.
/// Invariant: the table has at least twice as many buckets as members, so every probe ends.
struct JSONObjectIndex: Sendable {
    private var table: [UInt32]

    /// Builds the table of members whose names are all different. O(n).
    init(_ members: [JSONObject.Member]) {
        self.init(capacity: members.count)
        for position in members.indices { _ = insert(position, members) }
    }

    /// Builds the table of members; also returns the position of the first repeated name, if there is one. O(n).
    static func findingDuplicates(_ members: [JSONObject.Member]) -> (index: JSONObjectIndex, duplicate: Int?) {
        var index = JSONObjectIndex(capacity: members.count)
        for position in members.indices where !index.insert(position, members) {
            return (index, position)
        }
        return (index, nil)
    }

    private init(capacity: Int) {
        var buckets = 64
        while buckets < capacity * 2 { buckets *= 2 }
        table = Array(repeating: 0, count: buckets)
    }

    /// Returns the position of the member with this name.
    func position(of key: String, in members: [JSONObject.Member]) -> Int? {
        var bucket = home(of: key)
        while table[bucket] != 0 {
            let position = Int(table[bucket]) - 1
            if UTF8Text.equal(members[position].key, key) { return position }
            bucket = (bucket + 1) & (table.count - 1)
        }
        return nil
    }

    /// Adds the last member, whose name is new. Amortised O(1).
    mutating func insertLast(of members: [JSONObject.Member]) {
        if members.count * 2 > table.count {
            // Four buckets for each member, so that the next growth is as far away as this one was.
            var grown = JSONObjectIndex(capacity: members.count * 2)
            for position in members.indices { _ = grown.insert(position, members) }
            self = grown
        } else {
            _ = insert(members.count - 1, members)
        }
    }

    /// Adds a member; returns false when a member of the same name exists.
    private mutating func insert(_ position: Int, _ members: [JSONObject.Member]) -> Bool {
        let key = members[position].key
        var bucket = home(of: key)
        while table[bucket] != 0 {
            if UTF8Text.equal(members[Int(table[bucket]) - 1].key, key) { return false }
            bucket = (bucket + 1) & (table.count - 1)
        }
        table[bucket] = UInt32(truncatingIfNeeded: position + 1)
        return true
    }

    private func home(of key: String) -> Int {
        var hasher = Hasher()
        UTF8Text.hash(key, into: &hasher)
        return hasher.finalize() & (table.count - 1)
    }
}
