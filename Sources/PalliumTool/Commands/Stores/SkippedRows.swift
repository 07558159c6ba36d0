import Pallium
import PalliumCore
import PalliumStore

/// The errors of rows that cannot be read and are left out.
final class SkippedRows: Sendable {
    private let errors = Lock<[ModelError]>([])
    private let isWanted: Bool

    init(_ arguments: StoreArguments) { isWanted = arguments.skipsUnreadable }

    /// The policy of a query for such rows.
    var policy: ModelQuery<DynamicModel>.Rows {
        isWanted ? .skip { [self] error in errors.withLock { $0.append(error) } } : .fail
    }

    /// Reports the rows, and returns the status of a run that left them out.
    func status(_ status: ExitStatus, of store: String, _ run: Run) -> ExitStatus {
        let errors = errors.withLock { $0 }
        run.report(errors, file: InputFile.displayName(of: store), location: nil)
        return errors.isEmpty || status != .success ? status : .problems
    }
}
