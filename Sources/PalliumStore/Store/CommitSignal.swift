import PalliumCore

/// Tells whoever listens that something was committed, by this store or by another program.
///
/// ```
///   commit of this store ───────────────▶ send ─▶ the stream of each listener keeps one signal until it is taken
///   every `interval`, if anybody listens ─▶ ask the file ─▶ send
/// ```
final class CommitSignal: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var nextListener = 0
        var isAsking = false
    }

    private let state = Lock(State())
    private let interval: Duration
    /// Nil for a store that other programs cannot reach.
    private let foreign: ForeignCommits?

    init(interval: Duration, foreign: ForeignCommits?) {
        self.interval = interval
        self.foreign = foreign
    }

    /// Returns a stream with a signal after each commit. Signals that nobody takes are one.
    func listen() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (number, asks) = state.withLock { state in
            state.nextListener += 1
            state.listeners[state.nextListener] = continuation
            defer { state.isAsking = true }
            // What was committed before is no news.
            if !state.isAsking { _ = foreign?.haveCome() }
            return (state.nextListener, !state.isAsking)
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
        }
        if asks { askRegularly() }
        return stream
    }

    /// Tells everybody who listens that this store has committed.
    func send() {
        let listeners = state.withLock { state in
            // Whoever listens looks after this, and sees what others have committed as well.
            if !state.listeners.isEmpty { _ = foreign?.haveCome() }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield() }
    }

    private func askRegularly() {
        guard let foreign else { return }
        Task.detached { [weak self, interval] in
            while self?.goesOn() == true {
                try? await Task.sleep(for: interval)
                if foreign.haveCome() { self?.send() }
            }
        }
    }

    private func goesOn() -> Bool {
        state.withLock { state in
            state.isAsking = !state.listeners.isEmpty
            return state.isAsking
        }
    }
}
