import PalliumJSON

/// Writes that take place together or not at all, and of which observers hear once, when all is in place.
///
/// Every write to an observed model belongs to a transaction: one that is open on the thread, or one of its own. An inner
/// transaction becomes part of the outer one when it ends.
///
/// ```
///   begin ─▶ writes, which keep shadows ─┬─ commit ──▶ outer transaction, or notices to observers
///                                        └─ rollBack ─▶ shadows are restored, nobody hears of it
/// ```
/// The code between `begin` and the end never suspends, so a thread is at work on one stack of transactions.
package enum WriteTransaction {
    /// Only the methods below read and write it, and none calls other code while it does.
    private final class ThreadState {
        /// The transactions that are open, outer ones first.
        @safe @exclusivity(unchecked) var open: [WriteRecord] = []
        /// The notices that wait, in order. An observer that writes causes new ones, which come after them.
        @safe @exclusivity(unchecked) var notices: [Notice] = []
        @safe @exclusivity(unchecked) var isDelivering = false
    }

    private enum Notice {
        case tracked(ModelObservers, ObservedProperty.Path)
        case observer(ObserverNotice)
    }

    private static let thread = ThreadLocal { ThreadState() }

    /// The innermost open transaction of the thread.
    package static var current: WriteRecord? { thread.withObject { $0.open.last } }

    /// Opens a transaction.
    package static func begin() -> WriteRecord {
        let record = WriteRecord()
        thread.withObject { $0.open.append(record) }
        return record
    }

    /// Ends a transaction. If no other one is open, observers hear of it before the call returns.
    package static func commit(_ record: WriteRecord) {
        if let outer = end(record) { outer.take(record) } else { send(record) }
    }

    /// Ends a transaction and takes its writes back.
    package static func rollBack(_ record: WriteRecord) {
        record.restore()
        _ = end(record)
    }

    /// Runs `body` as a transaction, which an error takes back.
    package static func run<Result, Failure: Error>(
        _ body: (WriteRecord) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let record = begin()
        do throws(Failure) {
            let result = try body(record)
            commit(record)
            return result
        } catch {
            rollBack(record)
            throw error
        }
    }

    /// Closes a transaction and returns the one around it.
    private static func end(_ record: WriteRecord) -> WriteRecord? {
        thread.withObject { thread in
            // An invariant of the library, checked for every transaction: each is ended by the code that began it.
            precondition(thread.open.popLast() === record, "a transaction ended before one inside it")
            return thread.open.last
        }
    }

    // MARK: Notices

    /// Tells everybody who looks at something that a transaction changed.
    private static func send(_ record: WriteRecord) {
        guard record.holdsObserved else { return }
        var concerned: [any ModelObserver] = []
        for entry in record.entries {
            guard let observers = entry.model.observers else { continue }
            let changed = entry.changedSlots
            if changed.isEmpty { continue }
            let paths = entry.model.layout.observedPaths
            for slot in changed where observers.isTracked(slot) { queue(.tracked(observers, paths[slot])) }
            // Observers change their links while they note, so the links are a copy.
            for link in observers.links where link.slots.map({ !$0.isDisjoint(with: changed) }) ?? true {
                link.observer.note(changed, of: entry.model, in: record)
                if link.observer.isConcerned { continue }
                link.observer.isConcerned = true
                concerned.append(link.observer)
            }
        }
        // What each is told is found before the first one is told and writes.
        var notices: [ObserverNotice] = []
        for observer in concerned {
            observer.isConcerned = false
            observer.addNotices(to: &notices)
        }
        if concerned.count > 1 { notices.sort { $0.number < $1.number } }
        for notice in notices { queue(.observer(notice)) }
        if enterDelivery() { deliverAll() }
    }

    /// Tells tracked code that one property of a model has changed.
    static func send(_ path: ObservedProperty.Path, to observers: ModelObservers) {
        if enterDelivery() {
            observers.tellTracked(path)
            deliverAll()
        } else {
            queue(.tracked(observers, path))
        }
    }

    private static func queue(_ notice: Notice) { thread.withObject { $0.notices.append(notice) } }

    /// Returns whether no notice is being delivered on the thread, and so this code has to deliver all.
    private static func enterDelivery() -> Bool {
        thread.withObject { thread in
            defer { thread.isDelivering = true }
            return !thread.isDelivering
        }
    }

    /// Delivers what waits, and what comes meanwhile.
    private static func deliverAll() {
        while true {
            // Notices are released with the batch, outside of the queue, because their closures may hold anything.
            let batch = thread.withObject { thread in
                let batch = thread.notices
                thread.notices = []
                thread.isDelivering = !batch.isEmpty
                return batch
            }
            if batch.isEmpty { return }
            for notice in batch {
                switch notice {
                case .tracked(let observers, let path): observers.tellTracked(path)
                case .observer(let notice): notice.send()
                }
            }
        }
    }
}
