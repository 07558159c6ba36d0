import PalliumCore
import PalliumJSON

/// A document, and which of its arrays stand for sets.
struct DocumentWithSets {
    let value: JSONValue
    let sets: SetPlaces

    init(_ value: JSONValue, sets: SetPlaces = SetPlaces()) {
        self.value = value
        self.sets = sets
    }
}

/// Where arrays of a document stand for sets: the names and positions that lead there, as a tree. It holds when objects
/// get other members meanwhile, which offsets in a text or numbers of arrays would not.
struct SetPlaces {
    private struct Place {
        var isSet = false
        var children: [UTF8Key: Int] = [:]
    }

    static let root = 0

    private var all = [Place()]

    /// Whether no array stands for a set.
    var isEmpty: Bool { all.count == 1 }

    func isSet(_ place: Int) -> Bool { all[place].isSet }

    /// The names and positions that lead further.
    func children(of place: Int) -> some Sequence<(token: String, place: Int)> {
        all[place].children.lazy.map { ($0.key.text, $0.value) }
    }

    /// The place behind some tokens, which is made unless it is there.
    mutating func place(of tokens: [String], below place: Int) -> Int {
        var place = place
        for token in tokens {
            if let known = all[place].children[UTF8Key(token)] {
                place = known
            } else {
                all[place].children[UTF8Key(token)] = all.count
                all.append(Place())
                place = all.count - 1
            }
        }
        return place
    }

    /// Says that an array stands for a set.
    mutating func mark(_ place: Int) { all[place].isSet = true }

    /// Adds what is known of a member of another document, which stands at a place of this one.
    mutating func add(_ other: SetPlaces, of member: String, at place: Int) {
        guard let first = other.all[Self.root].children[UTF8Key(member)] else { return }
        var pending = [(from: first, to: place)]
        while let (from, to) = pending.popLast() {
            if other.isSet(from) { mark(to) }
            for (token, child) in other.children(of: from) {
                pending.append((child, self.place(of: [token], below: to)))
            }
        }
    }
}
