import PalliumCore

/// Asks a file whether others than the connection that asks have committed.
final class ForeignCommits: Sendable {
    private struct State {
        var connection: StoreConnections.Transferred?
        var version: Int64?
    }

    private let file: OpenedFile
    private let busyTimeout: Duration
    private let state = Lock(State())

    init(_ file: OpenedFile, busyTimeout: Duration) {
        self.file = file
        self.busyTimeout = busyTimeout
    }

    /// Whether somebody has committed since the last call, or the file cannot be asked.
    func haveCome() -> Bool {
        state.withLock { state in
            do throws(ModelError) {
                try file.checkPath()
                if state.connection == nil {
                    state.connection = StoreConnections.Transferred(
                        try SQLiteConnection(file.path, .readOnly, busyTimeout: busyTimeout))
                }
                let version = try state.connection?.connection.integer("PRAGMA data_version")
                defer { state.version = version }
                return version != state.version
            } catch { return true }
        }
    }
}
