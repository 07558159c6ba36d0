import PalliumCore
import PalliumMerging

/// The live objects of a session, one for each identity, and what it knows of their rows.
///
/// What an operation changes is noted, so that it can be taken back without a copy of everything.
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
        /// The state from which edits are told. Another one means that somebody else tracks the model.
        var base: DynamicModel?

        init(_ model: DynamicModel, _ row: Row) {
            self.model = model
            self.row = row
            isInserted = row == .new
            base = model.trackedBase
        }

        /// Whether the session knows that there is a row, or was one.
        var wasFetched: Bool { row != .unknown && row != .new }

        /// Whether the next save has something to do.
        var isPending: Bool { isDeleted || isInserted || model.isRowEdited }
    }

    /// The objects in the order in which the session got them; nil for those that have left it.
    private var all: [Object?] = []
    private var indices: [ModelIdentity: Int] = [:]
    /// The objects as they were before they were changed, the last change last; nil unless changes are noted.
    private var former: [(index: Int, object: Object?)]?

    /// The indices of the objects.
    var present: [Int] { all.indices.filter { all[$0] != nil } }

    /// Returns the index of the object of a model's identity.
    func index(of model: DynamicModel) -> Int? { ModelIdentity(model).flatMap { indices[$0] } }

    /// Returns the object of a model's identity.
    func object(of model: DynamicModel) -> Object? { index(of: model).flatMap { all[$0] } }

    /// The index must be that of an object.
    subscript(index: Int) -> Object {
        get { all[index]! }
        set {
            former?.append((index, all[index]))
            all[index] = newValue
            indices[ModelIdentity(of: newValue.model)] = index
        }
    }

    mutating func add(_ object: Object) {
        former?.append((all.count, nil))
        indices[ModelIdentity(of: object.model)] = all.count
        all.append(object)
    }

    mutating func remove(_ index: Int) {
        former?.append((index, all[index]))
        if let object = all[index] { indices[ModelIdentity(of: object.model)] = nil }
        all[index] = nil
    }

    // MARK: Taking back

    /// Begins to note changes.
    mutating func beginChange() { former = [] }

    /// Ends the change, and takes it back unless it has succeeded. Returns the models that came and those that went by it.
    mutating func endChange(isTakenBack: Bool) -> (came: [DynamicModel], went: [DynamicModel]) {
        defer { former = nil }
        guard isTakenBack, let former else { return ([], []) }
        var (came, went): ([DynamicModel], [DynamicModel]) = ([], [])
        self.former = nil
        for (index, object) in former.reversed() {
            if let model = all[index]?.model, model !== object?.model {
                came.append(model)
                indices[ModelIdentity(of: model)] = nil
            }
            if let object {
                if all[index]?.model !== object.model { went.append(object.model) }
                indices[ModelIdentity(of: object.model)] = index
            }
            all[index] = object
        }
        while case nil? = all.last { all.removeLast() }
        return (came, went)
    }
}
