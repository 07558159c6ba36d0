public import PalliumJSON

/// A problem with a model or a document, and its position.
///
/// Every error says what was expected, what was found, and where: *expected an integer but found "7" at /number
/// (1:12)*. It can be logged: text from input is cut to 64 characters with control characters escaped, and values of
/// secret properties are masked.
public struct ModelError: Error, Sendable {
    /// The kind of problem.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Code: String, Sendable, Hashable, CaseIterable {
        // The bytes are malformed or cannot be read.
        case malformedJSON, malformedArchive, malformedStore, limitExceeded, unreadableFile
        // The system refused to store something, or somebody else is storing something now.
        case unwritableFile, busy
        // The data has a version that this program cannot read: newer than it knows, or older than its upgrades.
        case newerVersion, olderVersion
        // The document is valid JSON, but does not fit the schema.
        case typeMismatch, numberOutOfRange, invalidValue, nullNotAllowed, missingProperty, unknownMember
        case duplicateMember, unknownCase, unknownModel, elementCount
        // The value fits its kind, but not a rule of the schema.
        case ruleBroken
        // A patch does not fit its target, or two sides changed the same.
        case missingTarget, testFailed, conflict
        // A transformer, validator, hook or upgrade of yours threw an error.
        case transformerFailed, validationFailed, hookFailed, upgradeFailed
        // The caller named something that does not exist.
        case unknownKey, unknownSchema, unknownProfile, unknownTransformer, notReversible, notConvertible
        // The caller wants to observe models of a schema that is not observed.
        case notObserved
        // The models form something that a tree cannot show.
        case cycle, depthLimit
        // Several errors at once, in ``ModelError/problems``.
        case several
    }

    /// The reactions that an error calls for.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Category: String, Sendable, Hashable {
        /// The input is broken: fetch it again or report it to its sender.
        case malformedInput
        /// The input is valid JSON that does not fit the schema, its target, or concurrent changes.
        case unexpectedData
        /// Your code refused a value.
        case refusedByProgram
        /// The caller named something that does not exist.
        case misuse
        /// The system refused: a full disk, a read-only folder, a lock that another writer holds. The data is fine.
        case systemFailure
    }

    struct Content: Sendable {
        var code: Code
        var schema: String?
        var property: String?
        /// The tokens of the pointer, innermost first, because each outer level appends its token.
        var path: [String] = []
        var hasPath = false
        /// How many tokens lead to the outermost masked value, below which nothing is told; nil if there is none.
        var shownCount: Int?
        /// Whether the path begins at the root of the document.
        var isLocated = false
        var location: JSONLocation?
        var expected: String
        var found: String
        var suggestion: String?
        var underlying: (any Error)?
        var detail: Detail?
        /// The text of the schema for the rule.
        var ruleMessage: String?
        var problems: [ModelError] = []
    }

    private final class Storage: Sendable {
        let content: Content
        init(_ content: Content) { self.content = content }
    }

    private let storage: Storage

    var content: Content { storage.content }

    init(content: Content) { storage = Storage(content) }

    /// Describes a problem.
    public init(
        _ code: Code, expected: String, found: String, schema: String? = nil, property: String? = nil,
        underlying: (any Error)? = nil
    ) {
        storage = Storage(
            Content(
                code: code, schema: schema, property: property, expected: expected, found: found, underlying: underlying
            ))
    }
}

extension ModelError {
    /// The kind of problem.
    public var code: Code { content.code }
    /// The schema of the model, if the problem concerns one.
    public var schema: String? { content.schema }
    /// The key of the property, if the problem concerns one.
    public var property: String? { content.property }
    /// The path in the document or model as a JSON Pointer (RFC 6901); nil when the problem has none.
    ///
    /// It ends at a property with a label: what is below is a value.
    public var pointer: JSONPointer? {
        guard let count = content.shownCount else { return wholePointer }
        return JSONPointer(tokens: content.path.suffix(count).reversed())
    }
    /// The path to the problem, also below a masked value. Nobody may see it.
    package var wholePointer: JSONPointer? {
        content.hasPath ? JSONPointer(tokens: content.path.reversed()) : nil
    }
    /// The line, column and byte, if bytes were read.
    public var location: JSONLocation? { content.location }
    /// A description of the expected value.
    public var expected: String { content.expected }
    /// A description of the value found.
    public var found: String { content.found }
    /// An existing key that is spelled almost like the unknown one.
    public var suggestion: String? { content.suggestion }
    /// The error thrown by a transformer, validator or hook, or by the system.
    public var underlying: (any Error)? { content.underlying }
    /// The single problems of an error that collects several; otherwise the error itself.
    public var problems: [ModelError] { content.problems.isEmpty ? [self] : content.problems }

    /// The reaction the error calls for.
    public var category: Category {
        switch code {
        case .malformedJSON, .malformedArchive, .malformedStore, .limitExceeded, .unreadableFile: .malformedInput
        case .unwritableFile, .busy: .systemFailure
        case .typeMismatch, .numberOutOfRange, .invalidValue, .nullNotAllowed, .missingProperty, .unknownMember,
            .duplicateMember, .unknownCase, .unknownModel, .elementCount, .ruleBroken, .newerVersion, .olderVersion,
            .missingTarget, .testFailed, .conflict:
            .unexpectedData
        case .transformerFailed, .validationFailed, .hookFailed, .upgradeFailed: .refusedByProgram
        case .unknownKey, .unknownSchema, .unknownProfile, .unknownTransformer, .notReversible, .notConvertible,
            .notObserved, .cycle, .depthLimit:
            .misuse
        case .several: content.problems.first?.category ?? .unexpectedData
        }
    }
}

extension ModelError: CustomReflectable {
    /// What `description` says, so that `dump` does not tell more.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension ModelError: Equatable {
    /// Whether both report the same problem at the same path. Underlying errors are compared by description.
    public static func == (left: ModelError, right: ModelError) -> Bool {
        left.code == right.code && left.schema == right.schema && left.property == right.property
            && left.content.path == right.content.path && left.location == right.location
            && left.description == right.description
    }
}
