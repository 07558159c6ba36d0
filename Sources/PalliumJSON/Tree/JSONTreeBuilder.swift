/// Builds a tree of values from the leaves upwards.
struct JSONTreeBuilder: ~Copyable {
    struct Frame {
        let isObject: Bool
        let firstValue: Int
        let firstName: Int
        /// The number of the object among those that are recorded.
        let record: Int
        /// The number of members that triggers the next removal of repeated ones.
        var limit = JSONTreeBuilder.firstLimit
    }

    struct Name {
        let text: String
        let fingerprint: UInt64
        let offset: Int
    }

    private(set) var frames: [Frame] = []
    private var values = MovingStack<JSONValue>()
    private var names = MovingStack<Name>()
    private let duplicates: JSONReadingOptions.DuplicateMembers
    /// Every object of the tree, if they are recorded.
    private(set) var objects: LocatedObjects?

    init(duplicates: JSONReadingOptions.DuplicateMembers, recordingObjects: Bool = false) {
        self.duplicates = duplicates
        objects = recordingObjects ? LocatedObjects() : nil
    }

    @inline(__always)
    mutating func add(_ value: consuming JSONValue) { values.push(value) }

    /// The number of members an object may have before repeated ones are looked for.
    private static let firstLimit = 1024

    /// Adds the name of a member. In large objects it drops repeated members, or throws `duplicateMember`, as the options
    /// say.
    @inline(__always)
    mutating func addName(_ name: String, offset: Int) throws(JSONSyntaxError) {
        if names.count >= Self.firstLimit { try dropRepeatedMembers() }
        names.push(Name(text: name, fingerprint: name.fingerprint, offset: offset))
    }

    /// Drops repeated members of the innermost object.
    ///
    /// So a name that occurs a million times is stored once. Amortised O(1) for each member.
    @inline(never)
    private mutating func dropRepeatedMembers() throws(JSONSyntaxError) {
        guard let frame = frames.last, names.count - frame.firstName >= frame.limit else { return }
        guard JSONObjectIndex.findingDuplicates(members(of: frame)).duplicate != nil else {
            frames[frames.count - 1].limit = (names.count - frame.firstName) * 2
            return
        }
        let allNames = names.takeAll(from: frame.firstName)
        let allValues = values.takeAll(from: frame.firstValue)
        var object = JSONObject()
        for (name, value) in zip(allNames, allValues) {
            if object.position(of: name.text) == nil {
                names.push(name)
            } else {
                switch duplicates {
                case .lastWins: break
                case .firstWins: continue
                case .error: throw JSONSyntaxError(.duplicateMember, at: name.offset)
                }
            }
            object.updateValue(value, forKey: name.text)
        }
        for member in object.members { values.push(member.value) }
        frames[frames.count - 1].limit = max(Self.firstLimit, object.count * 2)
    }

    mutating func openArray() {
        frames.append(Frame(isObject: false, firstValue: values.count, firstName: names.count, record: 0))
    }

    /// Opens the object that begins at an offset.
    mutating func openObject(at offset: Int) {
        let record = objects?.begin(at: offset) ?? 0
        frames.append(Frame(isObject: true, firstValue: values.count, firstName: names.count, record: record))
    }

    mutating func closeArray() {
        guard let frame = frames.popLast() else { return }
        values.push(.array(values.takeAll(from: frame.firstValue)))
    }

    /// Throws `duplicateMember` at the second of two equal names when the options want that.
    mutating func closeObject() throws(JSONSyntaxError) {
        guard let frame = frames.popLast() else { return }
        let object = try takeObject(frame)
        objects?.end(frame.record, with: object)
        values.push(.object(object))
    }

    private func members(of frame: Frame) -> [JSONObject.Member] {
        (0..<names.count - frame.firstName).map { position in
            JSONObject.Member(
                key: names[frame.firstName + position].text, value: values[frame.firstValue + position])
        }
    }

    private mutating func takeObject(_ frame: Frame) throws(JSONSyntaxError) -> JSONObject {
        let firstName = frame.firstName
        let members = members(of: frame)
        let count = members.count
        values.removeAll(from: frame.firstValue)
        defer { names.removeAll(from: firstName) }
        let duplicate: Int?
        if count <= JSONObject.searchLimit {
            duplicate = firstDuplicate(firstName, count)
            if duplicate == nil { return JSONObject(members: members, index: nil) }
        } else {
            let (index, position) = JSONObjectIndex.findingDuplicates(members)
            duplicate = position
            if duplicate == nil { return JSONObject(members: members, index: index) }
        }
        if duplicates == .error, let duplicate {
            throw JSONSyntaxError(.duplicateMember, at: names[firstName + duplicate].offset)
        }
        var object = JSONObject()
        for member in members where duplicates == .lastWins || object.position(of: member.key) == nil {
            object.updateValue(member.value, forKey: member.key)
        }
        return object
    }

    /// Returns the position of the first repeated name, by comparing each with each; for few names.
    private func firstDuplicate(_ firstName: Int, _ count: Int) -> Int? {
        var position = 1
        while position < count {
            let fingerprint = names[firstName + position].fingerprint
            for earlier in 0..<position where names[firstName + earlier].fingerprint == fingerprint {
                if UTF8Text.equal(names[firstName + earlier].text, names[firstName + position].text) {
                    return position
                }
            }
            position += 1
        }
        return nil
    }

    /// Returns the one value that is left when all containers are closed.
    mutating func takeRoot() -> JSONValue { values.takeAll(from: 0).first ?? .null }
}
