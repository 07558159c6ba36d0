import Dispatch
import Synchronization

/// Does something with every element in order, so many at a time, but no more than there are cores.
func concurrently<Element: Sendable>(_ elements: [Element], jobs: Int, _ body: @Sendable (Element) -> Void) {
    let waiting = Mutex(elements[...])
    DispatchQueue.concurrentPerform(iterations: jobs) { _ in
        while let element = waiting.withLock({ $0.popFirst() }) { body(element) }
    }
}
