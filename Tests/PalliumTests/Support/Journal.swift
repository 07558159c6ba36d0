import PalliumCore

/// What code that a test hands to the library, or to another thread, has to tell it: that it ran, or what went wrong.
final class Journal: Sendable {
    private let texts = Lock<[String]>([])

    func add(_ text: String) { texts.withLock { $0.append(text) } }

    func clear() { texts.withLock { $0 = [] } }

    var all: [String] { texts.withLock { $0 } }
}
