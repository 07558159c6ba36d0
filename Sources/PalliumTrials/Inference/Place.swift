import PalliumJSON

/// Everything that is remembered of one place in the samples: counts, and sets of bounded size.
///
/// A place is a path: the root, a member of the objects of a place, the elements of its arrays, or the values of its
/// objects if these are dictionaries.
struct Place: Sendable {
    /// The hash of the member's name, for the hash of objects.
    let salt: Int
    var values = ValueEvidence()
    /// Whether the place has more below it than is remembered; it holds any JSON.
    var isFolded = false
    /// The place of the elements of arrays.
    var element: Int?
    /// The place of the values of objects, if these are dictionaries.
    var entry: Int?
    /// The members of objects that are models.
    var members = MemberPlaces()
    /// The members that may identify the objects, best first.
    var identities: [IdentityEvidence] = []
    /// The objects by the member that may tell their types; nil if there is none.
    var variants: VariantEvidence?

    init(salt: Int = 0) { self.salt = salt }

    /// Returns the place with other numbers for the places below it.
    func renumbered(_ number: (Int) -> Int) -> Place {
        var place = self
        place.element = element.map(number)
        place.entry = entry.map(number)
        place.members = members.renumbered(number)
        return place
    }

    /// The number of objects.
    var objects: Int { values.objects }

    /// The kinds of JSON values that were seen, null aside.
    var shapes: ValueEvidence.Shapes { values.shapes }

    /// Whether the values are objects that become models.
    var isModel: Bool { !isFolded && shapes == .object && entry == nil && !members.isEmpty }
}

/// The members of the objects of a place, in the order of their first occurrence.
struct MemberPlaces: Sendable, RandomAccessCollection {
    /// One member.
    struct Member: Sendable {
        let name: String
        fileprivate(set) var place: Int
        /// The number of objects that have the member. The place cannot tell: it may belong to several members.
        var count = 0
        /// The number of objects in which it is null.
        var nulls = 0
    }

    private var members: [Member] = []
    private var positions: [UTF8Key: Int] = [:]

    var startIndex: Int { 0 }
    var endIndex: Int { members.count }
    subscript(position: Int) -> Member { members[position] }

    /// Returns the position of a member; `hint` is where it probably is.
    func position(of name: String, near hint: Int = 0) -> Int? {
        if hint < members.count, UTF8Text.equal(members[hint].name, name) { return hint }
        return positions[UTF8Key(name)]
    }

    /// Adds a member that is not there yet.
    mutating func append(_ member: Member) {
        positions[UTF8Key(member.name)] = members.count
        members.append(member)
    }

    /// Returns the members with other numbers for their places.
    func renumbered(_ number: (Int) -> Int) -> MemberPlaces {
        var copy = self
        for position in members.indices { copy.members[position].place = number(members[position].place) }
        return copy
    }

    /// Counts occurrences of a member.
    mutating func add(_ count: Int, nulls: Int, at position: Int) {
        members[position].count += count
        members[position].nulls += nulls
    }
}
