import PalliumJSON

/// The places of all samples, each with its number; the root is number 0.
///
/// The samples themselves are not held. Memory is bounded by the limits below, whatever the samples hold.
struct PlaceTree: Sendable {
    /// The largest number of places, those of the root's members aside. An object with a new member beyond it is any
    /// JSON from then on.
    static let maximumPlaces = 20_000
    /// The largest number of names of the objects of one place. Objects with more are dictionaries.
    static let maximumMembers = 1024
    /// The largest number of members of the root, which must be a model.
    static let maximumRootMembers = 10_000
    /// How deep the places reach; what is deeper is any JSON.
    static let maximumDepth = 32
    /// The largest number of identifiers that are compared, for all places together.
    static let maximumIdentifiers = 300_000
    /// The largest number of members that are counted for types of objects, for all places together.
    static let maximumVariantMembers = 100_000
    /// The largest number of bytes of a member's name. Longer names are data.
    static let maximumNameBytes = 120

    var places = [Place()]
    /// For each place, the place it was joined with, or itself.
    var joined = [0]
    /// The numbers of places that were joined with others while samples were read.
    var unused: [Int] = []
    /// The first property of the samples that no schema can describe.
    var problem: RootProblem?
    private let maximumPlaces: Int
    private var identifierRoom: Int
    private var variantRoom: Int
    private var arrayCount = 0
    /// The number of the array that holds the samples.
    private var rootArray = 0

    /// The reasons why the root cannot be a model.
    enum RootProblem: Sendable {
        case tooManyMembers
        /// The name of a member is empty or too long.
        case name(String)
    }

    /// - Parameter maximumPlaces: The largest number of places, those of the root's members aside.
    init(maximumPlaces: Int = Self.maximumPlaces) {
        self.maximumPlaces = maximumPlaces
        identifierRoom = Self.maximumIdentifiers * maximumPlaces / Self.maximumPlaces
        variantRoom = Self.maximumVariantMembers * maximumPlaces / Self.maximumPlaces
    }

    /// Counts the objects of an array, or a single one, as samples.
    ///
    /// - Parameter isContinued: Whether they belong to the same array as those before.
    mutating func record(samples: [JSONObject], isContinued: Bool) {
        if !isContinued {
            arrayCount += 1
            rootArray = arrayCount
        }
        for sample in samples { _ = record(.object(sample), at: 0, depth: 0, array: rootArray) }
    }

    /// Counts a value and returns its hash. Recursion ends at the maximum depth.
    private mutating func record(_ value: JSONValue, at place: Int, depth: Int, array: Int?) -> Int {
        places[place].values.record(value)
        return switch value {
        case .null: 1
        case .bool(let bool): bool ? 2 : 3
        case .number(let number): number.hashValue
        case .string(let text): UTF8Key(text).hashValue
        case .array(let elements): recordArray(elements, at: place, depth: depth)
        case .object(let object): recordObject(object, at: place, depth: depth, array: array)
        }
    }

    private mutating func recordArray(_ elements: [JSONValue], at place: Int, depth: Int) -> Int {
        if places[place].isFolded || elements.isEmpty { return JSONValue.array(elements).hashValue }
        guard depth < Self.maximumDepth, let element = places[place].element ?? makePlace(salt: 0) else {
            fold(place)
            return JSONValue.array(elements).hashValue
        }
        places[place].element = element
        arrayCount += 1
        let array = arrayCount
        var hash = 5
        for value in elements {
            let next = record(value, at: element, depth: depth + 1, array: array)
            hash = hash &* 31 &+ next
        }
        return hash
    }

    private mutating func recordObject(_ object: JSONObject, at place: Int, depth: Int, array: Int?) -> Int {
        var hash = 7
        var identifiers: [(rank: Int, value: Int)] = []
        for (position, member) in object.enumerated() {
            guard !places[place].isFolded, depth < Self.maximumDepth,
                let child = self.place(of: member, at: place, near: position)
            else {
                fold(place)
                return JSONValue.object(object).hashValue
            }
            let value = record(member.value, at: child, depth: depth + 1, array: nil)
            // The order of members does not count.
            let salt = places[place].entry == nil ? places[child].salt : UTF8Key(member.key).hashValue
            hash = hash &+ (value ^ salt) &* 0x9E37_79B9
            if let rank = Self.identityRank(member.key, member.value) { identifiers.append((rank, value)) }
        }
        if places[place].isFolded || places[place].entry != nil { return hash }
        for identifier in identifiers {
            recordIdentifier(identifier.value, identifier.rank, of: place, content: hash, array: array)
        }
        recordVariant(object, at: place)
        return hash
    }

    private static func identityRank(_ name: String, _ value: JSONValue) -> Int? {
        switch value {
        case .number, .string:
            guard name.utf8.count <= 7 else { return nil }
            return IdentityEvidence.names.firstIndex { UTF8Text.equal($0, name) }
        default: return nil
        }
    }

    private mutating func recordIdentifier(_ value: Int, _ rank: Int, of place: Int, content: Int, array: Int?) {
        let position = places[place].identities.firstIndex { $0.rank >= rank } ?? places[place].identities.count
        if position == places[place].identities.count || places[place].identities[position].rank != rank {
            places[place].identities.insert(IdentityEvidence(rank: rank), at: position)
        }
        places[place].identities[position].record(value, content: content, array: array, room: &identifierRoom)
    }

    /// Counts an object by its type. The first object decides which member tells it: rather one with a text.
    private mutating func recordVariant(_ object: JSONObject, at place: Int) {
        if places[place].objects == 1 {
            let name =
                VariantEvidence.names.first { object[$0]?.stringValue != nil }
                ?? VariantEvidence.names.first { VariantEvidence.text(of: object[$0]) != nil }
            places[place].variants = name.map { VariantEvidence(name: $0) }
        }
        guard let name = places[place].variants?.name else { return }
        let isKept = VariantEvidence.text(of: object[name]).map {
            places[place].variants?.record($0, object, room: &variantRoom) ?? false
        }
        if isKept != true { places[place].variants = nil }
    }

    /// Counts the member of an object and returns its place; nil if there is no room for it.
    private mutating func place(of member: JSONObject.Element, at place: Int, near hint: Int) -> Int? {
        if let entry = places[place].entry { return entry }
        if let position = places[place].members.position(of: member.key, near: hint) {
            places[place].members.add(1, nulls: member.value.isNull ? 1 : 0, at: position)
            return places[place].members[position].place
        }
        let name = member.key
        let isUsable = Self.isUsable(name)
        let count = places[place].members.count
        if place == 0 {
            if isUsable, count < Self.maximumRootMembers, let child = add(member, to: place) { return child }
            problem = problem ?? (isUsable ? .tooManyMembers : .name(name))
            return nil
        }
        // Names that are data are found early, so that they do not use up all places.
        let isPowerOfTwo = count >= 64 && count & (count - 1) == 0
        if !isUsable || count >= Self.maximumMembers || isPowerOfTwo && areNamesData(of: place) {
            return makeDictionary(place)
        }
        return add(member, to: place)
    }

    private mutating func add(_ member: JSONObject.Element, to place: Int) -> Int? {
        let room = place == 0 ? Self.maximumRootMembers : 0
        guard let child = makePlace(salt: UTF8Key(member.key).hashValue, beyond: room) else { return nil }
        places[place].members.append(
            MemberPlaces.Member(name: member.key, place: child, count: 1, nulls: member.value.isNull ? 1 : 0))
        return child
    }

    /// Returns the number of a new place; nil if there are too many.
    ///
    /// - Parameter room: How many more places than the maximum there may be.
    mutating func makePlace(salt: Int, beyond room: Int = 0) -> Int? {
        if let number = unused.popLast() {
            places[number] = Place(salt: salt)
            joined[number] = number
            return number
        }
        guard places.count < maximumPlaces + room else { return nil }
        places.append(Place(salt: salt))
        joined.append(joined.count)
        return places.count - 1
    }

    /// Forgets what is below a place: it holds any JSON from now on.
    private mutating func fold(_ place: Int) {
        guard !places[place].isFolded else { return }
        var below = children(of: place)
        places[place].isFolded = true
        places[place].element = nil
        places[place].entry = nil
        places[place].members = MemberPlaces()
        places[place].identities = []
        places[place].variants = nil
        while let next = below.popLast() {
            below += children(of: next)
            places[next] = Place()
            unused.append(next)
        }
    }

    /// Whether the name of a member can be that of a property.
    static func isUsable(_ name: String) -> Bool { (1...maximumNameBytes).contains(name.utf8.count) }

    /// Adds the samples of another tree. A tree with too many places after that forgets what is below the root's members.
    mutating func merge(_ other: PlaceTree) {
        problem = problem ?? other.problem
        arrayCount = max(arrayCount, other.arrayCount)
        let new = PlaceTree(maximumPlaces: other.maximumPlaces)
        identifierRoom -= min(identifierRoom, new.identifierRoom - other.identifierRoom)
        variantRoom -= min(variantRoom, new.variantRoom - other.variantRoom)
        join(0, add(other))
        guard places.count - unused.count > maximumPlaces else { return }
        for child in children(of: 0) { fold(current(child)) }
    }

    /// Returns the places directly below a place.
    func children(of place: Int) -> [Int] {
        places[place].members.map(\.place) + [places[place].element, places[place].entry].compactMap(\.self)
    }
}
