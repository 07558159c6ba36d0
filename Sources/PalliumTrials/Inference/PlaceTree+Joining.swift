import PalliumJSON

/// Joins places whose values belong to one property or one model.
extension PlaceTree {
    /// Returns the place that a place was joined with, or itself.
    func current(_ place: Int) -> Int {
        var place = place
        while joined[place] != place { place = joined[place] }
        return place
    }

    /// Returns the place that a place was joined with, and halves the way to it, so that long ways are not gone often.
    private mutating func shortened(_ place: Int) -> Int {
        var place = place
        while joined[place] != place {
            joined[place] = joined[joined[place]]
            place = joined[place]
        }
        return place
    }

    /// Makes the way from each place to the one that it was joined with a single step.
    mutating func shortenJoins() {
        for place in joined.indices { joined[place] = current(place) }
    }

    /// Makes one place of two, and of the places below them that correspond.
    ///
    /// The first place and the places below it keep their numbers, and so does the root. Every step removes a place, so it
    /// ends although places may refer to one another in cycles.
    mutating func join(_ first: Int, _ second: Int) {
        var pairs = [(first, second)]
        while let (left, right) = pairs.popLast() {
            var target = shortened(left)
            var source = shortened(right)
            if target == source { continue }
            if source == 0 { swap(&target, &source) }
            let other = places[source]
            places[source] = Place()
            joined[source] = target
            unused.append(source)
            places[target].add(other)
            pairs += linkChildren(of: other, to: target)
        }
    }

    /// Adds the places of another tree beside the own ones; returns the number of its root.
    mutating func add(_ other: PlaceTree) -> Int {
        var numbers = other.places.indices.map { _ in -1 }
        let unusedPlaces = Set(other.unused)
        for place in other.places.indices where !unusedPlaces.contains(place) {
            if let number = unused.popLast() {
                numbers[place] = number
            } else {
                numbers[place] = places.count
                places.append(Place())
                joined.append(numbers[place])
            }
        }
        for (place, number) in numbers.enumerated() where number >= 0 {
            places[number] = other.places[place].renumbered { numbers[other.current($0)] }
            joined[number] = number
        }
        return numbers[0]
    }

    /// Gives a place the places below another; returns the pairs that are to be joined.
    private mutating func linkChildren(of other: Place, to target: Int) -> [(Int, Int)] {
        var pairs: [(Int, Int)] = []
        if let element = other.element {
            if let own = places[target].element {
                pairs.append((own, element))
            } else {
                places[target].element = element
            }
        }
        if places[target].entry == nil, other.entry != nil {
            pairs += places[target].members.compactMap { member in other.entry.map { ($0, member.place) } }
            places[target].members = MemberPlaces()
            places[target].entry = other.entry
        } else if let entry = places[target].entry {
            if let otherEntry = other.entry { pairs.append((entry, otherEntry)) }
            pairs += other.members.map { (entry, $0.place) }
        } else {
            for member in other.members {
                if let position = places[target].members.position(of: member.name) {
                    places[target].members.add(member.count, nulls: member.nulls, at: position)
                    pairs.append((places[target].members[position].place, member.place))
                } else {
                    places[target].members.append(member)
                }
            }
        }
        return pairs
    }

    /// Makes dictionaries of the objects of a place, and returns the place of their values; nil without room for one.
    mutating func makeDictionary(_ place: Int) -> Int? {
        let members = places[place].members.map(\.place)
        guard let entry = members.first ?? makePlace(salt: 0) else { return nil }
        places[place].members = MemberPlaces()
        places[place].identities = []
        places[place].variants = nil
        places[place].entry = entry
        for member in members.dropFirst() { join(entry, member) }
        places[place].entry = current(entry)
        return places[place].entry
    }
}

extension Place {
    /// Adds the values of another place, without the places below it.
    fileprivate mutating func add(_ other: Place) {
        if objects > 0, other.objects > 0 {
            let isKept = other.variants.flatMap { variants?.join($0) }
            if isKept != true { variants = nil }
        } else if objects == 0 {
            variants = other.variants
        }
        values.join(other.values)
        isFolded = isFolded || other.isFolded
        for evidence in other.identities {
            if let position = identities.firstIndex(where: { $0.rank == evidence.rank }) {
                identities[position].join(evidence)
            } else {
                let position = identities.firstIndex { $0.rank > evidence.rank } ?? identities.count
                identities.insert(evidence, at: position)
            }
        }
    }
}
