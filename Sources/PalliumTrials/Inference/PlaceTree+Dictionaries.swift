import PalliumCore
import PalliumJSON

/// Decides which objects are dictionaries: their names are data.
extension PlaceTree {
    /// The number of names up to which objects are models, unless the names themselves look like data.
    static let maximumNamesOfModel = 20

    /// Makes dictionaries of all objects below the root whose names are data.
    mutating func findDictionaries() {
        // Places are joined on the way, so the next ones are found afterwards.
        var next = children(of: 0)
        var visited: Set<Int> = [0]
        while let number = next.popLast() {
            let place = current(number)
            guard visited.insert(place).inserted else { continue }
            if places[place].isModel, areNamesData(of: place) { _ = makeDictionary(place) }
            next += children(of: place)
        }
        shortenJoins()
    }

    /// Whether the names of the objects of a place are data.
    ///
    /// All values must be of one kind. Then the names are data if each looks like it. If there are many names, they are
    /// also data if the values are objects that resemble one another, or lists of such objects, or no name is in nine of ten
    /// objects.
    func areNamesData(of place: Int) -> Bool {
        let members = places[place].members
        let values = members.map { current($0.place) }
        let shapes = shapes(of: values)
        if shapes.isEmpty || shapes.areMixed { return false }
        if members.allSatisfy({ InferredNames.isData($0.name) }) { return true }
        if members.count <= Self.maximumNamesOfModel { return false }
        if shapes == .object { return haveCommonMembers(values) }
        let elements = values.compactMap { places[$0].element }.map { current($0) }
        if shapes == .array, self.shapes(of: elements) == .object { return haveCommonMembers(elements) }
        let objects = places[place].objects
        return objects > 1 && members.allSatisfy { $0.count * 10 < objects * 9 }
    }

    /// Whether the samples are probably dictionaries of objects.
    var isMap: Bool {
        if case .tooManyMembers = problem { return true }
        return shapes(of: places[0].members.map { current($0.place) }) == .object && areNamesData(of: 0)
    }

    private func shapes(of places: [Int]) -> ValueEvidence.Shapes {
        places.reduce(into: []) { $0.formUnion(self.places[$1].shapes) }
    }

    /// Whether at least half of the members that an object has on average are in nine of ten objects.
    private func haveCommonMembers(_ places: [Int]) -> Bool {
        var objects = 0
        var counts: [UTF8Key: Int] = [:]
        for place in places {
            objects += self.places[place].objects
            for member in self.places[place].members {
                counts[UTF8Key(member.name), default: 0] += member.count
            }
        }
        let common = counts.values.filter { $0 * 10 >= objects * 9 }.count
        return common * 2 * objects >= counts.values.reduce(0, +)
    }
}
