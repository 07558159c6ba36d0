/// Numbers by keys, of which there are few most of the time: a handful is found by looking at all of them.
struct SmallTable<Key: Hashable> {
    private static var few: Int { 8 }

    private var entries: [(key: Key, number: Int)] = []
    /// The places of all entries, once there are more than a few.
    private var places: [Key: Int] = [:]

    private func place(of key: Key) -> Int? {
        if entries.count > Self.few { return places[key] }
        return entries.firstIndex { $0.key == key }
    }

    private mutating func append(_ number: Int, forKey key: Key) {
        entries.append((key, number))
        if entries.count > Self.few + 1 {
            places[key] = entries.count - 1
        } else if entries.count == Self.few + 1 {
            for (place, entry) in entries.enumerated() { places[entry.key] = place }
        }
    }

    /// Adds a number for a new key; false when the key is there already, whose number then stays.
    mutating func insert(_ number: Int, forKey key: Key) -> Bool {
        if place(of: key) != nil { return false }
        append(number, forKey: key)
        return true
    }

    subscript(key: Key) -> Int? { place(of: key).map { entries[$0].number } }

    /// Gives a key a number, another one if it has one.
    mutating func set(_ number: Int, forKey key: Key) {
        if let place = place(of: key) { entries[place].number = number } else { append(number, forKey: key) }
    }
}
