import PalliumCore
import PalliumJSON

/// The values of a member that may identify the objects of one place.
struct IdentityEvidence: Sendable {
    /// The first object with an identifier.
    private struct Occurrence: Sendable {
        /// The content of the object, hashed.
        let content: Int
        /// The array that last had an object with the identifier; nil outside arrays.
        var array: Int?
    }

    /// The names of members that may be identifiers, best first.
    static let names = ["id", "uuid", "guid", "node_id", "nodeId", "nodeID", "_id", "key", "ID", "Id", "id_str"]

    /// The position of the member's name in ``names``.
    let rank: Int
    private var occurrences: [Int: Occurrence] = [:]
    /// The number of objects whose identifiers were compared.
    private(set) var objects = 0
    /// The number of objects that repeat an earlier identifier.
    private var repeats = 0
    /// The number of repeats with other content.
    private var conflicts = 0
    private var isTwiceInArray = false

    init(rank: Int) { self.rank = rank }

    /// The number of distinct identifiers.
    var distinct: Int { occurrences.count }

    /// Counts an object.
    ///
    /// - Parameter room: How many more identifiers may be held. Without room, objects are no longer compared.
    mutating func record(_ identifier: Int, content: Int, array: Int?, room: inout Int) {
        if let earlier = occurrences[identifier] {
            objects += 1
            repeats += 1
            if earlier.content != content { conflicts += 1 }
            if let array {
                if earlier.array == array { isTwiceInArray = true }
                occurrences[identifier]?.array = array
            }
        } else if room > 0 {
            room -= 1
            objects += 1
            occurrences[identifier] = Occurrence(content: content, array: array)
        }
    }

    /// Adds the objects of another place. Objects of different places are not compared, because one place may show a
    /// part of them only.
    mutating func join(_ other: IdentityEvidence) {
        objects += other.objects
        repeats += other.repeats
        conflicts += other.conflicts
        isTwiceInArray = isTwiceInArray || other.isTwiceInArray
        occurrences.merge(other.occurrences) { first, _ in first }
    }

    /// Whether the values identify the objects.
    ///
    /// No array has a value twice, there are at least two values, and at least three of four repeats have equal content.
    var isIdentity: Bool { !isTwiceInArray && distinct > 1 && conflicts * 4 <= repeats }
}
