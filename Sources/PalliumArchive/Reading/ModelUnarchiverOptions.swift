public import PalliumAdapter
import PalliumCore

/// Options for opening archives of old or invalid models.
///
///     var options = ModelUnarchiverOptions()
///     options.validation = .none
///     let old = try ModelUnarchiver(options: options).unarchive(Issue.self, from: bytes)
public struct ModelUnarchiverOptions: Sendable {
    /// A policy for models that lack a required value, that validators or rules refuse, or whose `didDecode`
    /// throws.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Validation: String, Sendable, Hashable, CaseIterable {
        /// They are errors.
        case enforce
        /// They are opened unchanged, and ``ModelUnarchiver/report(_:from:)-(Model.Type,_)`` reports their
        /// problems.
        case report
        /// They are opened unchanged. No validator and no rule runs; `didDecode` runs, but its errors are ignored.
        case none
    }

    /// The policy for invalid models. Unless it is `enforce`, a required property may have no value: check its
    /// state before you read it with a non-optional accessor.
    public var validation = Validation.enforce
    /// The policy for lists and roots when one of their models cannot be opened.
    public var elements = JSONAdapterOptions.ElementPolicy.fail
    /// How many problems a report lists; the remaining models are read all the same.
    public var maximumProblems = 1000

    /// The defaults: one invalid model makes opening the archive throw.
    public init() {}
}
