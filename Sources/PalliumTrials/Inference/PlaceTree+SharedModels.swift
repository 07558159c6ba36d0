import PalliumCore
import PalliumJSON

/// Finds objects at several places that are models of one schema.
extension PlaceTree {
    /// How many models with the same names, or the same identity, a model is compared with.
    private static let maximumComparisons = 16
    /// How deep the members of two models are compared.
    private static let comparedDepth = 4
    /// How many members of two models are compared, all levels together. Models with more are not shared.
    private static let comparedMembers = 2000

    /// Joins the places of models with the same members, or with the same identity and a part of the members.
    mutating func shareModels() {
        // Joining two models joins the models below them, which may then equal others.
        for _ in 0..<8 {
            let before = unused.count
            shareEqualModels()
            shareIdentifiedModels()
            shortenJoins()
            if unused.count == before { return }
        }
    }

    private mutating func shareEqualModels() {
        var models: [Set<UTF8Key>: [Int]] = [:]
        for place in modelPlaces() {
            let place = current(place)
            guard places[place].isModel else { continue }
            let names = Set(places[place].members.map { UTF8Key($0.name) })
            // An earlier model may have been joined with others since.
            share(place, with: &models[names, default: []]) { tree, other in
                tree.places[other].members.count == names.count && tree.hasAll(of: place, in: other)
            }
        }
    }

    private mutating func shareIdentifiedModels() {
        var models: [[String]: [Int]] = [:]
        for place in modelPlaces() {
            let place = current(place)
            guard places[place].isModel, let identity = identity(of: place) else { continue }
            share(place, with: &models[[identity.name, identity.kind], default: []]) { tree, other in
                tree.isPart(place, of: other) || tree.isPart(other, of: place)
            }
        }
    }

    /// Joins a model with the first earlier one that fits, or adds it to them.
    private mutating func share(
        _ place: Int, with earlier: inout [Int], where fits: (PlaceTree, Int) -> Bool
    ) {
        for other in earlier {
            let other = current(other)
            if other == current(place) { return }
            var steps = Self.comparedMembers
            guard places[other].isModel else { continue }
            if fits(self, other), canShare(place, other, depth: 0, &steps) { return join(other, place) }
        }
        if earlier.count < Self.maximumComparisons { earlier.append(place) }
    }

    /// Whether a model has at least three members, and all of them are members of another.
    private func isPart(_ part: Int, of whole: Int) -> Bool {
        places[part].members.count >= 3 && hasAll(of: part, in: whole)
    }

    private func hasAll(of part: Int, in whole: Int) -> Bool {
        places[part].members.allSatisfy { places[whole].members.position(of: $0.name) != nil }
    }

    /// Whether the common members of two models hold values of the same kinds.
    private func canShare(_ left: Int, _ right: Int, depth: Int, _ steps: inout Int) -> Bool {
        for member in places[left].members {
            guard let position = places[right].members.position(of: member.name) else { continue }
            steps -= 1
            guard steps > 0,
                areAlike(member.place, places[right].members[position].place, depth: depth + 1, &steps)
            else { return false }
        }
        return true
    }

    private func areAlike(_ first: Int, _ second: Int, depth: Int, _ steps: inout Int) -> Bool {
        let left = current(first)
        let right = current(second)
        let shapes = places[left].shapes
        if left == right || shapes.isEmpty || places[right].shapes.isEmpty || depth > Self.comparedDepth { return true }
        guard shapes == places[right].shapes, places[left].isFolded == places[right].isFolded else { return false }
        if shapes.areMixed { return true }
        if let leftElement = places[left].element, let rightElement = places[right].element {
            return areAlike(leftElement, rightElement, depth: depth + 1, &steps)
        }
        if let leftEntry = places[left].entry, let rightEntry = places[right].entry {
            return areAlike(leftEntry, rightEntry, depth: depth + 1, &steps)
        }
        guard shapes == .object, places[left].isModel, places[right].isModel else {
            // An empty object may be anything.
            return shapes != .object || places[left].entry == nil && places[right].entry == nil
        }
        let common = places[left].members.count { places[right].members.position(of: $0.name) != nil }
        let fewer = min(places[left].members.count, places[right].members.count)
        return common * 2 >= fewer && canShare(left, right, depth: depth, &steps)
    }

    /// Returns the places of models that properties reach, the root first, level by level.
    func modelPlaces() -> [Int] {
        var reached = [0]
        var visited: Set<Int> = [0]
        var position = 0
        while position < reached.count {
            let place = reached[position]
            position += 1
            // Mixed values and folded ones are any JSON.
            if place != 0, places[place].isFolded || places[place].shapes.areMixed { continue }
            for child in children(of: place).map({ current($0) }) where visited.insert(child).inserted {
                reached.append(child)
            }
        }
        return reached.filter { $0 == 0 || places[$0].isModel }
    }

    /// Returns the member that identifies the models of a place.
    ///
    /// It is in every object, never null, and an integer, a text, a UUID or a URL.
    func identity(of place: Int) -> (name: String, kind: String, evidence: IdentityEvidence)? {
        for evidence in places[place].identities where evidence.isIdentity {
            let name = IdentityEvidence.names[evidence.rank]
            guard let position = places[place].members.position(of: name) else { continue }
            let member = places[place].members[position]
            guard member.nulls == 0, member.count == places[place].objects else { continue }
            let property = places[current(member.place)].values.scalar(of: name, isSingle: false)
            if let kind = property?.kind.name, ["integer", "string", "uuid", "url"].contains(kind) {
                return (name, kind, evidence)
            }
        }
        return nil
    }
}
