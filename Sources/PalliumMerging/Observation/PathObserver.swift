import PalliumCore
import Synchronization

/// Observes key paths of a model, and the models that stand on the paths now.
///
/// What a transaction changed is kept as the shadows of the models, the oldest one of each. The changes are computed from
/// them when somebody asks. So an observer that is asked late sees one change from the state it knows to the present one, and
/// needs memory for the models it observes, not for each write.
class PathObserver: ModelObserver {
    /// A model on a path.
    private struct Link {
        weak var observers: ModelObservers?
        /// The slots that are observed; nil for all.
        let slots: Set<Int>?
        /// The slots whose models are observed, too.
        let links: Set<Int>
        /// Whether the model was on a path when changes were asked for last, so that its former state counts.
        var isKnown: Bool
    }

    /// A model that was reached, with the slots to observe.
    private struct Reached {
        let model: DynamicModel
        var slots: Set<Int>?
        var links: Set<Int> = []
    }

    /// The number of observers, and of closures, that the process has made.
    private static let madeCount = Lock<UInt64>(0)

    final let number: UInt64
    final var isConcerned = false
    private(set) final weak var root: DynamicModel?
    private final let paths: ObservedPaths
    private final let rootObservers: ObjectIdentifier
    /// The models on the paths, by their observers.
    private final var links: [ObjectIdentifier: Link] = [:]
    /// The models that changed, as they were when changes were asked for last.
    private final var pending: WriteRecord?
    /// Whether `pending` is the record of a transaction, which other observers read, too.
    private final var sharesPending = false
    /// Whether the transaction that is being sent was noted.
    private final var isNoted = false
    private final let wasLeft = Atomic<Bool>(false)
    /// Whether other models may be on the paths now.
    private final var needsLinks = false
    /// Whether models came that changes were not asked for since.
    private final var holdsUnknownLinks = false

    init(_ root: DynamicModel, _ paths: ObservedPaths) {
        number = Self.nextNumber()
        self.root = root
        self.paths = paths
        rootObservers = ObjectIdentifier(root.ensureObservers())
        link(areKnown: true)
    }

    /// Returns a number above all former ones.
    static func nextNumber() -> UInt64 {
        madeCount.withLock {
            $0 += 1
            return $0
        }
    }

    var isAbandoned: Bool { wasLeft.load(ordering: .relaxed) }

    /// Notes that nobody holds the observation any more. Any thread may do this; the model's own one ends the observation.
    final func leave() { wasLeft.store(true, ordering: .relaxed) }

    func end() {
        for link in links.values { link.observers?.unlink(self) }
        links = [:]
        pending = nil
        root = nil
    }

    // MARK: Changes

    final func note(_ changed: [Int], of model: DynamicModel, in record: WriteRecord) {
        if let link = model.observers.flatMap({ links[ObjectIdentifier($0)] }), !link.links.isDisjoint(with: changed) {
            needsLinks = true
        }
        if isNoted { return }
        isNoted = true
        guard let former = pending else {
            pending = record
            sharesPending = true
            return
        }
        // Models that came and went again are dropped now and then.
        let own = former.entries.count > 64 + 2 * links.count ? linkedPart(of: former) : former
        own.add(record) { self.isLinked($0) }
        pending = own
    }

    private final func linkedPart(of record: WriteRecord) -> WriteRecord {
        let part = WriteRecord()
        part.add(record) { self.isLinked($0) }
        return part
    }

    private final func isLinked(_ model: DynamicModel) -> Bool {
        model.observers.map { links[ObjectIdentifier($0)] != nil } ?? false
    }

    func addNotices(to notices: inout [ObserverNotice]) {}

    /// Keeps what was noted until somebody asks, and links the models that came.
    final func keepChanges() {
        isNoted = false
        if needsLinks { link(areKnown: false) }
        guard sharesPending, let record = pending else { return }
        sharesPending = false
        pending = linkedPart(of: record)
    }

    /// Returns what changed since the last call; nil if that is nothing.
    final func takeChanges() -> ModelChanges? {
        isNoted = false
        guard let root, let record = pending else { return nil }
        let changes = PathDifference.changes(of: root, paths, since: record)
        pending = nil
        if needsLinks || holdsUnknownLinks { link(areKnown: true) }
        return changes.isEmpty ? nil : changes
    }

    final func modelEnded(_ observers: ModelObservers) {
        if ObjectIdentifier(observers) == rootObservers { end() } else { links[ObjectIdentifier(observers)] = nil }
    }

    // MARK: Links

    /// Observes the models that are on the paths now.
    ///
    /// - Parameter areKnown: Whether models that are no longer on a path are forgotten, because changes were asked for.
    private final func link(areKnown: Bool) {
        needsLinks = false
        holdsUnknownLinks = !areKnown
        guard let root else { return }
        var reached: [ObjectIdentifier: Reached] = [:]
        reach(from: root, &reached)
        for (key, link) in links where reached[key] == nil && (areKnown || !link.isKnown) {
            link.observers?.unlink(self)
            links[key] = nil
        }
        for (key, found) in reached {
            let isKnown = areKnown || links[key]?.isKnown == true
            // A model that is on several paths may have come to another one.
            if let link = links[key], link.slots == found.slots, link.links == found.links {
                links[key]?.isKnown = isKnown
                continue
            }
            let observers = found.model.ensureObservers()
            observers.link(self, slots: found.slots)
            links[key] = Link(
                observers: observers, slots: found.slots, links: found.links, isKnown: isKnown)
        }
    }

    /// Finds the models on the paths, each with all that is observed in it.
    private final func reach(from root: DynamicModel, _ reached: inout [ObjectIdentifier: Reached]) {
        var pending = [(model: root, node: 0)]
        // A model may be on several paths, and at many places of a list.
        var visited = paths.nodes.map { _ in AddressTable() }
        visited[0].insert(0, for: root)
        while let (model, number) = pending.popLast() {
            let node = paths.nodes[number]
            let key = ObjectIdentifier(model.ensureObservers())
            var found = reached[key] ?? Reached(model: model, slots: [])
            found.slots = node.slots.flatMap { found.slots?.union($0) }
            for (slot, next) in node.links {
                found.links.insert(slot)
                model.slot(at: slot).forEachObservedModel {
                    if visited[next].insert(0, for: $0) == nil { pending.append(($0, next)) }
                }
            }
            reached[key] = found
        }
    }
}

extension PropertySlot {
    /// Calls `body` with the models that a path through the slot leads to.
    func forEachObservedModel(_ body: (DynamicModel) -> Void) {
        if description.kind == .weakModel {
            if let model = weakModel { body(model) }
        } else {
            forEachModel(body)
        }
    }
}
