import Observation
package import PalliumJSON

/// Something that is told of changes of models.
package protocol ModelObserver: AnyObject {
    /// The position among the observers of a model.
    var number: UInt64 { get }
    /// Whether nobody holds the observation any more.
    var isAbandoned: Bool { get }
    /// Whether a transaction that is being sent changed something that the observer looks at.
    var isConcerned: Bool { get set }

    /// Notes that a transaction changed a model, in some slots.
    func note(_ changed: [Int], of model: DynamicModel, in record: WriteRecord)

    /// Adds the calls that tell of everything that was noted since the last time.
    func addNotices(to notices: inout [ObserverNotice])

    /// Ends the observation.
    func end()

    /// Notes that a model, whose observers these were, no longer exists.
    func modelEnded(_ observers: ModelObservers)
}

/// A call that tells of a transaction.
package struct ObserverNotice {
    /// Notices of a transaction are sent in ascending order.
    let number: UInt64
    let send: () -> Void

    package init(number: UInt64, send: @escaping () -> Void) {
        self.number = number
        self.send = send
    }
}

/// The observers of one model.
package final class ModelObservers {
    /// An observer and the slots it looks at.
    struct Link {
        let observer: any ModelObserver
        /// The slots whose changes it wants to know; nil for all.
        let slots: Set<Int>?
    }

    /// Tells code that the Observation framework tracks.
    let registrar = ObservationRegistrar()
    /// The slots that tracked code has read, as bits. Slots that are 64 apart share one: what nobody tracks may be told.
    private var readSlots: UInt64 = 0
    /// Whether tracked code has read the model as a whole.
    private var isReadAsWhole = false
    /// By the numbers of the observers.
    private(set) var links: [Link] = []
    /// Observers that serve all who look at the same key paths.
    package var shared: [[UTF8Key]: any ModelObserver] = [:]

    /// The number of links at which abandoned observers are looked for: twice as many as were in use the last time.
    private var limit = 16

    package init() {}

    deinit { for link in links { link.observer.modelEnded(self) } }

    // MARK: Observers

    /// Adds an observer, or changes what it looks at.
    package func link(_ observer: any ModelObserver, slots: Set<Int>?) {
        if links.count >= limit {
            for link in links where link.observer.isAbandoned { link.observer.end() }
            limit = max(16, links.count * 2)
        }
        let index = index(of: observer)
        if index < links.count, links[index].observer === observer { links.remove(at: index) }
        links.insert(Link(observer: observer, slots: slots), at: index)
    }

    package func unlink(_ observer: any ModelObserver) {
        let index = index(of: observer)
        if index < links.count, links[index].observer === observer { links.remove(at: index) }
    }

    /// Where an observer stands, or belongs.
    private func index(of observer: any ModelObserver) -> Int {
        var (lower, upper) = (0, links.count)
        while lower < upper {
            let middle = (lower + upper) / 2
            if links[middle].observer.number < observer.number { lower = middle + 1 } else { upper = middle }
        }
        return lower
    }

    // MARK: Tracked code

    /// Tells the Observation framework that a property is read.
    func noteRead(_ slot: Int, _ path: ObservedProperty.Path) {
        readSlots |= 1 &<< UInt64(slot)
        registrar.access(ObservedProperty(), keyPath: path)
    }

    func noteReadAsWhole() {
        isReadAsWhole = true
        registrar.access(ObservedProperty(), keyPath: ObservedProperty.whole)
    }

    /// Whether tracked code may look at a slot.
    func isTracked(_ slot: Int) -> Bool { isReadAsWhole || readSlots & (1 &<< UInt64(slot)) != 0 }

    /// Tells the code that read a property.
    func tellTracked(_ path: ObservedProperty.Path) {
        registrar.withMutation(of: ObservedProperty(), keyPath: path) {}
        if isReadAsWhole { registrar.withMutation(of: ObservedProperty(), keyPath: ObservedProperty.whole) {} }
    }
}
