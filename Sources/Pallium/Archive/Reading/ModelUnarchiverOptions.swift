/// How an unarchiver treats models that are not as the schemas of today want them.
///
///     var options = ModelUnarchiverOptions()
///     options.validation = .none
///     let old = try ModelUnarchiver(options: options).unarchive(Issue.self, from: bytes)
public struct ModelUnarchiverOptions: Sendable {
    /// What happens to models that lack a required value, that validators or rules refuse, or whose `didDecode` throws.
    public enum Validation: String, Sendable, Hashable, CaseIterable {
        /// They are errors.
        case enforce
        /// They are opened as they are, and ``ModelUnarchiver/report(_:from:)-(Model.Type,_)`` tells what is wrong with
        /// them.
        case report
        /// They are opened as they are. No validator and no rule is asked.
        case none
    }

    /// What happens to models that are not valid. Unless it is `enforce`, a required property may be without a value: ask
    /// for its state before an accessor that is not optional reads it.
    public var validation = Validation.enforce
    /// What happens to a list, and to the roots, when one of the models cannot be opened.
    public var elements = JSONAdapterOptions.ElementPolicy.fail
    /// How many problems a report lists; the models are read all the same.
    public var maximumProblems = 1000

    /// The defaults: every model must be valid, and one that is not refuses the archive.
    public init() {}
}
