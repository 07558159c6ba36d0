import PalliumAdapter
import PalliumCore

/// The models that a partial document is merged into, and what the decoder noted about them.
final class DocumentTargets: MergeTargets {
    let root: DynamicModel?
    let identityMap: UInt64
    let sharesValues: Bool
    let areKnown: Bool
    /// The instances that root objects were compared with, by the number of the object in the document's array, in
    /// ascending order.
    private(set) var counterparts: [(root: Int, instance: DynamicModel)] = []
    var unchanged: [DynamicModel] = []
    private let find: (ModelIdentity) -> DynamicModel?
    /// The elements of lists, once one was asked for.
    private var lists: [ObjectIdentifier: IdentifiedElements] = [:]

    /// The target of a document that is about one model.
    ///
    /// - Parameter sharesValues: Whether the merge may share values with the model. A rebase may not, because the base may
    ///   hold them too.
    init(root: DynamicModel, sharesValues: Bool) {
        self.root = root
        self.sharesValues = sharesValues
        identityMap = 0
        areKnown = true
        find = { _ in nil }
    }

    /// The targets of a document that is imported: the instances of an identity map.
    init(
        map: UInt64, sharesValues: Bool, areKnown: Bool = true, find: @escaping (ModelIdentity) -> DynamicModel?
    ) {
        root = nil
        self.areKnown = areKnown
        self.sharesValues = sharesValues
        identityMap = map
        self.find = find
    }

    /// Whether models of the document share values with instances, or leave values out.
    var isReused: Bool { !counterparts.isEmpty || !unchanged.isEmpty }

    func instance(_ identity: ModelIdentity) -> DynamicModel? { find(identity) }

    func element(of list: SlotList, like model: DynamicModel, slots: [Int]) -> DynamicModel? {
        guard let identifier = ModelIdentifier(model, slots: slots) else { return nil }
        var elements = lists[ObjectIdentifier(list)]
        if elements == nil {
            elements = IdentifiedElements(list, slots)
            _ = elements?.enter(0..<list.count, allowsRepetition: true)
            lists[ObjectIdentifier(list)] = elements
        }
        return elements?.position(of: identifier).map { list.slot(at: $0).model }
    }

    func leaveOut(_ instance: DynamicModel, root: Int) { counterparts.append((root, instance)) }

    func startOver() {
        counterparts = []
        unchanged = []
    }
}
