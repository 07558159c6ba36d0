import Foundation
import Synchronization

/// The signal by which a user or a supervisor asks the tool to end.
///
/// A run that watches for it ends with a whole line, and then as the signal ends a process. A second signal ends the
/// process at once.
enum EndRequest {
    private static let received = Atomic<Int32>(0)

    /// The signal that was received; nil if there was none.
    static var signal: Int32? {
        let number = received.load(ordering: .relaxed)
        return number == 0 ? nil : number
    }

    /// Starts to watch. Signals that the parent ignores stay ignored.
    static func watch() {
        // The value is made here, because a handler must not make it.
        _ = received.load(ordering: .relaxed)
        for number in [SIGINT, SIGTERM] {
            let former = Foundation.signal(number) { number in
                EndRequest.received.store(number, ordering: .relaxed)
                Foundation.signal(number, SIG_DFL)
            }
            if isSame(former, SIG_IGN) { Foundation.signal(number, SIG_IGN) }
        }
    }

    /// Ends the process as the signal that was received does.
    static func end() {
        guard let signal else { return }
        Foundation.signal(signal, SIG_DFL)
        raise(signal)
    }

    private static func isSame<Handler>(_ left: Handler, _ right: Handler) -> Bool {
        withUnsafeBytes(of: left) { left in withUnsafeBytes(of: right) { left.elementsEqual($0) } }
    }
}
