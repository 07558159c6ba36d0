/// The objects of a text by the offsets of their first bytes.
package struct LocatedObjects: Sendable {
    /// In ascending order, because an object begins before those in it.
    private var offsets: [Int] = []
    private var objects: [JSONObject] = []

    package init() {}

    /// Notes the beginning of an object, and returns its number.
    mutating func begin(at offset: Int) -> Int {
        offsets.append(offset)
        objects.append(JSONObject())
        return offsets.count - 1
    }

    mutating func end(_ number: Int, with object: JSONObject) { objects[number] = object }

    /// The object that begins at an offset; nil if none does. O(log *n*) in the number of objects.
    package subscript(offset: Int) -> JSONObject? {
        var range = offsets.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if offsets[middle] == offset { return objects[middle] }
            range = offsets[middle] < offset ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }
}
