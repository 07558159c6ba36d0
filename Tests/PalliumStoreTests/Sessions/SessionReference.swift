/// Two sessions as plain dictionaries: slow, and written from the article alone.
struct SessionReference {
    /// The values of a row or an object by key; nil stands for null.
    typealias Row = [String: Int?]

    /// An object of a session.
    struct Object: Equatable {
        /// What the row was when the session saw it last; nil if the object was inserted.
        var base: Row?
        var now: Row
        var isDeleted = false
        /// Whether the session was asked to insert it.
        var isInserted = false
        /// Whether a refresh has told that others have deleted the row.
        var isGone = false

        var isEdited: Bool { base.map { $0 != now } ?? true }
        var isPending: Bool { isDeleted || isInserted || isEdited }
    }

    /// A call that the article says throws the code `conflict`.
    struct Conflict: Error {}

    /// How many rows a save writes.
    struct Written: Equatable {
        var (inserted, updated, deleted) = (0, 0, 0)
    }

    static let keys = ["plain", "replaced", "largest", "rank"]

    var rows: [Int: Row] = [:]
    var sessions: [[Int: Object]] = [[:], [:]]

    /// Whether two rows have one value of the property that is unique.
    static func collide(_ rows: [Int: Row]) -> Bool {
        let ranks = rows.values.compactMap { $0["rank"] ?? nil }
        return Set(ranks).count < ranks.count
    }

    /// A rebase by the policies of the keys: none, `replace` and `max`.
    private static func merge(_ object: inout Object, _ row: Row) -> Bool {
        let before = object.now
        for key in keys {
            let (base, mine, theirs) = (object.base?[key] ?? nil, object.now[key] ?? nil, row[key] ?? nil)
            if mine == base {
                object.now[key] = .some(theirs)
            } else if theirs != base, theirs != mine {
                switch key {
                case "replaced": object.now[key] = .some(theirs)
                case "largest": object.now[key] = .some([mine, theirs].compactMap { $0 }.max())
                default: break
                }
            }
        }
        object.base = row
        object.isGone = false
        return object.now != before
    }

    /// Returns the identities that a fetch of all rows gives.
    mutating func fetch(_ session: Int) -> Set<Int> {
        for (id, row) in rows {
            if var object = sessions[session][id] {
                if object.base != nil { _ = Self.merge(&object, row) }
                sessions[session][id] = object
            } else {
                sessions[session][id] = Object(base: row, now: row)
            }
        }
        return Set(rows.keys.filter { sessions[session][$0]?.isDeleted == false })
    }

    /// Returns the identities of the objects that changed, and of those whose rows are gone.
    mutating func refresh(_ session: Int) -> (updated: Set<Int>, deleted: Set<Int>) {
        var result: (updated: Set<Int>, deleted: Set<Int>) = ([], [])
        for (id, var object) in sessions[session] where object.base != nil {
            guard let row = rows[id] else {
                // It is told once.
                if !object.isGone { result.deleted.insert(id) }
                sessions[session][id]?.isGone = true
                continue
            }
            // An object that waits to be deleted is brought up to date, too.
            if Self.merge(&object, row), !object.isDeleted { result.updated.insert(id) }
            sessions[session][id] = object
        }
        return result
    }

    mutating func insert(_ session: Int, _ id: Int, _ row: Row) throws(Conflict) {
        if sessions[session][id] != nil { throw Conflict() }
        sessions[session][id] = Object(base: nil, now: row, isInserted: true)
    }

    /// Inserts an object again whose row others have deleted.
    mutating func insertAgain(_ session: Int, _ id: Int) { sessions[session][id]?.isInserted = true }

    mutating func delete(_ session: Int, _ id: Int) {
        if sessions[session][id]?.isInserted == true {
            sessions[session][id] = nil
        } else {
            sessions[session][id]?.isDeleted = true
        }
    }

    mutating func revert(_ session: Int) {
        for (id, var object) in sessions[session] {
            object.isDeleted = false
            if let base = object.base { object.now = base }
            sessions[session][id] = object.isInserted ? nil : object
        }
    }

    func hasChanges(_ session: Int) -> Bool { sessions[session].values.contains { $0.isPending } }

    mutating func save(_ session: Int) throws(Conflict) -> Written {
        var (rows, objects, written) = (rows, sessions[session], Written())
        for (id, var object) in objects {
            if object.isDeleted {
                if rows.removeValue(forKey: id) != nil { written.deleted += 1 }
                objects[id] = nil
                continue
            }
            guard object.isPending else { continue }
            if object.isInserted {
                if rows[id] != nil { throw Conflict() }
                written.inserted += 1
            } else {
                guard let row = rows[id] else { throw Conflict() }
                _ = Self.merge(&object, row)
                if object.now != row { written.updated += 1 }
            }
            rows[id] = object.now
            object.base = object.now
            (object.isInserted, object.isGone) = (false, false)
            objects[id] = object
        }
        if Self.collide(rows) { throw Conflict() }
        (self.rows, sessions[session]) = (rows, objects)
        return written
    }
}
