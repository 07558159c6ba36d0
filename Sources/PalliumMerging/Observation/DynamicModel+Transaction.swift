public import PalliumCore

extension DynamicModel {
    /// Runs a closure whose writes take place together: observers hear of them once, and an error takes them back.
    ///
    ///     try issue.transaction {
    ///         issue.title = title
    ///         issue.assignee = assignee
    ///         try issue.validate()
    ///     }
    ///
    /// An error takes back what was set or merged in the model, in the models it held at the beginning, and in all
    /// observed models; nobody hears of it. A transaction inside another becomes part of it when it ends.
    ///
    /// - Returns: What the closure returns.
    /// - Throws: The error of the closure.
    /// - Complexity: O(*n*) in the number of models that the model holds, and that of the closure.
    @discardableResult
    public final func transaction<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try WriteTransaction.run { transaction throws(Failure) in
            // Observed models add themselves when they are written to.
            forEachReachableModel { if !$0.layout.isObserved { transaction.add($0) } }
            return try body()
        }
    }
}
