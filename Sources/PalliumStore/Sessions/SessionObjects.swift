import PalliumCore
import PalliumMerging

/// The live objects of a session, one for each identity, and what it knows of their rows.
///
/// A value: a copy brings back what the session knew before an operation that failed.
struct SessionObjects {
    /// What the session knows of a row.
    enum Row: Equatable {
        /// It was not fetched. The object has nothing but its identity, or edits besides.
        case unknown
        /// It is as it was when it had this checksum.
        case stored(Int64)
        /// There never was one.
        case new
        /// There is none any more.
        case gone
    }

    struct Object {
        let model: DynamicModel
        var row: Row
        /// Whether the next save inserts the row.
        var isInserted = false
        /// Whether the next save deletes the row.
        var isDeleted = false

        /// Whether the session knows that there is a row, or was one.
        var wasFetched: Bool { row != .unknown && row != .new }

        /// Whether the next save has something to do.
        var isPending: Bool { isDeleted || isInserted || model.isRowEdited }
    }

    /// The objects in the order in which the session got them.
    private(set) var all: [Object] = []
    private var numbers: [ModelIdentity: Int] = [:]

    /// Returns the number of the object of a model's identity.
    func number(of model: DynamicModel) -> Int? { ModelIdentity(model).flatMap { numbers[$0] } }

    /// Returns the object of a model's identity.
    func object(of model: DynamicModel) -> Object? { number(of: model).map { all[$0] } }

    /// The number must be that of an object.
    subscript(number: Int) -> Object {
        get { all[number] }
        set { all[number] = newValue }
    }

    mutating func add(_ object: Object) {
        numbers[ModelIdentity(of: object.model)] = all.count
        all.append(object)
    }

    /// Puts another object in the place of one with the same identity.
    mutating func replace(_ number: Int, with object: Object) {
        numbers[ModelIdentity(of: object.model)] = number
        all[number] = object
    }

    mutating func remove(where isRemoved: (Object) -> Bool) {
        let kept = all.filter { !isRemoved($0) }
        self = SessionObjects()
        for object in kept { add(object) }
    }
}
