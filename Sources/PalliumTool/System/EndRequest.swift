import Foundation
import Pallium
import Synchronization

/// The signals by which a user, a supervisor or the system asks the tool to end.
///
/// ```
///   SIGINT, SIGTERM of a run that watches for them   noted: the run ends with a whole line, and then the process
///   a second one, all others                         files that are not complete are removed, and the process ends
/// ```
/// A thread waits for the signals, because a handler could not remove files. Those that the parent ignores stay ignored.
enum EndRequest {
    private static let received = Atomic<Int32>(0)
    private static let isWatching = Atomic(false)

    /// The signals whose default is to end the process, except those of faults and of limits that make calls fail.
    private static let numbers: [Int32] = {
        let common = [
            SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF,
        ]
        #if os(Linux)
            // Behind the two that the C library uses.
            return common + [SIGIO, SIGPWR, SIGSTKFLT] + (34...64)
        #else
            return common
        #endif
    }()

    /// The signal that was noted; nil if there was none.
    static var signal: Int32? {
        let number = received.load(ordering: .relaxed)
        return number == 0 ? nil : number
    }

    /// Starts the thread. There must be no other one yet, which would get the signals.
    static func waitForSignals() {
        let signals = set(numbers.filter { !isIgnored($0) })
        change(signals, SIG_BLOCK)
        Thread.detachNewThread {
            var signals = signals
            while true {
                var number: Int32 = 0
                guard sigwait(&signals, &number) == 0 else { continue }
                let mayWait = isWatching.load(ordering: .relaxed) && [SIGINT, SIGTERM].contains(number)
                if mayWait, received.exchange(number, ordering: .relaxed) == 0 { continue }
                end(by: number)
            }
        }
    }

    /// Lets the run that begins end by itself.
    static func watch() { isWatching.store(true, ordering: .relaxed) }

    /// Ends the process as a signal does.
    static func end(by number: Int32) {
        UnfinishedFiles.removeAll()
        Foundation.signal(number, SIG_DFL)
        change(set([number]), SIG_UNBLOCK)
        raise(number)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        let former = Foundation.signal(number, SIG_DFL)
        guard isSame(former, SIG_IGN) else { return false }
        Foundation.signal(number, SIG_IGN)
        return true
    }

    private static func isSame<Handler>(_ left: Handler, _ right: Handler) -> Bool {
        withUnsafeBytes(of: left) { left in withUnsafeBytes(of: right) { left.elementsEqual($0) } }
    }

    private static func set(_ numbers: [Int32]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        return set
    }

    /// Changes the signals that this thread, and all that it starts, do not get.
    private static func change(_ signals: sigset_t, _ how: Int32) {
        var signals = signals
        pthread_sigmask(how, &signals, nil)
    }
}
