import PalliumJSON

/// The members that a frame expects: the entries of a node, and the order that documents were seen to have.
///
/// Safety: only a node makes one, of its memory. Whoever has the list holds the node.
@safe
struct EntryList {
    private let start: UnsafePointer<DecodingNode.Entry>
    let count: Int

    @unsafe @_transparent
    init(_ start: UnsafePointer<DecodingNode.Entry>, count: Int) {
        unsafe self.start = start
        self.count = count
    }

    /// The list of frames without members.
    static var none: EntryList {
        // Never read, because the count is zero; the address only has to be aligned and not nil.
        unsafe EntryList(UnsafePointer(bitPattern: MemoryLayout<DecodingNode.Entry>.alignment)!, count: 0)
    }

    subscript(number: Int) -> DecodingNode.Entry {
        @_transparent get {
            precondition(contains(number))
            return unsafe start[number]
        }
    }

    @_transparent
    func contains(_ number: Int) -> Bool { UInt(bitPattern: number) < UInt(bitPattern: count) }

    /// Reads the next name if it is that of an entry, and returns the entry; nil with nothing read.
    @_transparent
    func entry(_ number: Int, matching source: inout JSONReader) throws(JSONSyntaxError) -> DecodingNode.Entry? {
        try matches(number, &source) ? unsafe start[number] : nil
    }

    /// Reads the next name if it is that of an entry.
    @_transparent
    func matches(_ number: Int, _ source: inout JSONReader) throws(JSONSyntaxError) -> Bool {
        precondition(contains(number))
        return try unsafe source.matchName(start[number].name)
    }

    /// The number of the entry that is expected at a position, or one that is too high: 0 is the beginning of the object, and
    /// the position behind an entry is one more than its number.
    @_transparent
    func expected(at position: Int) -> Int {
        assert(position >= 0 && position <= count)
        return unsafe MemberOrder(behind: start, count: count).entry(at: position)
    }

    /// Learns which entry came at a position; see `MemberOrder`.
    func learn(_ entry: Int, at position: Int, chance: Int) {
        precondition(contains(entry) && position >= 0 && position <= count)
        unsafe MemberOrder(behind: start, count: count).learn(entry, at: position, chance: chance)
    }
}
