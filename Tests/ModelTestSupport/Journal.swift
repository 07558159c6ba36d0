import PalliumCore

/// The notes of code that a test hands to the library, or to another thread: that it ran, or what went wrong.
package final class Journal: Sendable {
    package init() {}

    private let texts = Lock<[String]>([])

    package func add(_ text: String) { texts.withLock { $0.append(text) } }

    package func clear() { texts.withLock { $0 = [] } }

    package var all: [String] { texts.withLock { $0 } }
}
