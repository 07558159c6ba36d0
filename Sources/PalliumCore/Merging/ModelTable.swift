/// Numbers by models, as objects.
///
/// Open addressing with a multiplicative hash: keys are addresses, which no input chooses, so neither seeded hashing nor
/// a long search is needed. Whoever uses the table keeps its models alive.
struct ModelTable {
    private struct Entry {
        /// The address of the model; 0 where there is none.
        var key: UInt64 = 0
        var number = 0
    }

    private var entries: [Entry] = []
    private var count = 0

    init() {}

    private static func key(_ model: DynamicModel) -> UInt64 { UInt64(UInt(bitPattern: ObjectIdentifier(model))) }

    /// Where a key is, or would be; the table has room.
    private func place(of key: UInt64) -> Int {
        // The upper bits of the product depend on all bits of the address.
        let shift = UInt64(truncatingIfNeeded: 64 &- entries.count.trailingZeroBitCount)
        var place = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) &>> shift)
        while entries[place].key != 0, entries[place].key != key { place = (place &+ 1) & (entries.count &- 1) }
        return place
    }

    subscript(model: DynamicModel) -> Int? {
        if entries.isEmpty { return nil }
        let place = place(of: Self.key(model))
        return entries[place].key == 0 ? nil : entries[place].number
    }

    /// Adds a number for a new model; of a model that is there already, answers the number, which stays.
    mutating func insert(_ number: Int, for model: DynamicModel) -> Int? {
        if count &* 4 >= entries.count &* 3 { grow(to: max(8, entries.count &* 2)) }
        let key = Self.key(model)
        let place = place(of: key)
        if entries[place].key != 0 { return entries[place].number }
        entries[place] = Entry(key: key, number: number)
        count &+= 1
        return nil
    }

    /// Makes room for so many more models.
    mutating func reserve(_ more: Int) {
        var size = max(8, entries.count)
        while (count &+ more) &* 4 >= size &* 3 { size &*= 2 }
        if size > entries.count { grow(to: size) }
    }

    private mutating func grow(to size: Int) {
        let former = entries
        entries = Array(repeating: Entry(), count: size)
        for entry in former where entry.key != 0 { entries[place(of: entry.key)] = entry }
    }
}
