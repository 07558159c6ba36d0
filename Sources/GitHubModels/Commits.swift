public import Foundation
public import Pallium

/// Who git says wrote or committed something: free text from the commit itself.
public final class CommitAuthor: DynamicModel {
    /// Name as configured.
    public var name: String { value() }
    /// Mail address as configured.
    public var email: String { value() }
    /// Account that the address belongs to, if any.
    public var username: String? { value() }
    /// When it was written or committed.
    public var date: Date? { value() }
}

/// A commit as a push lists it.
public final class PushCommit: DynamicModel {
    /// Identifier of the commit, 40 hexadecimal digits.
    public var sha: String { value() }
    /// Message of the commit.
    public var message: String { value() }
    /// Who wrote it.
    public var author: CommitAuthor { value() }
    /// Address in the API.
    public var url: URL { value() }
    /// Whether no earlier push contained it.
    public var isDistinct: Bool? { value() }
}

/// A commit in full. What git itself stores lies in a nested object, lifted here by key paths.
public final class Commit: DynamicModel {
    /// Identifier of the commit, 40 hexadecimal digits.
    public var sha: String { value() }
    /// Identifier in the GraphQL API.
    public var nodeID: String? { value() }
    /// Address in the API.
    public var url: URL { value() }
    /// Address of its page.
    public var htmlURL: URL? { value() }
    /// API address of its comments.
    public var commentsURL: URL? { value() }
    /// Message of the commit.
    public var message: String { value() }
    /// Who git says wrote it.
    public var gitAuthor: CommitAuthor? { value() }
    /// Who git says committed it.
    public var gitCommitter: CommitAuthor? { value() }
    /// Identifier of the tree.
    public var treeSHA: String? { value() }
    /// Number of comments.
    public var commentCount: Int? { value() }
    /// Whether its signature is good.
    public var verification: CommitVerification? { value() }
    /// Account of the author, if the address belongs to one.
    public var author: User? { value() }
    /// Account of the committer, if the address belongs to one.
    public var committer: User? { value() }
    /// Commits it builds on.
    public var parents: [CommitReference]? { value() }
    /// Added lines.
    public var additions: Int? { value() }
    /// Deleted lines.
    public var deletions: Int? { value() }
    /// Changed files.
    public var files: [CommitFile]? { value() }
}

/// A pointer to another commit.
public final class CommitReference: DynamicModel {
    /// Identifier of the commit.
    public var sha: String { value() }
    /// Address in the API.
    public var url: URL { value() }
    /// Address of its page.
    public var htmlURL: URL? { value() }
}

/// What the site found out about a commit's signature.
public final class CommitVerification: DynamicModel {
    /// Whether the signature is good.
    public var isVerified: Bool { value() }
    /// Why it is good or not.
    public var reason: String { value() }
    /// The signature.
    public var signature: String? { value() }
    /// The text that was signed.
    public var payload: String? { value() }
    /// When it was checked.
    public var verifiedAt: Date? { value() }
}

/// A file that a commit changed.
public final class CommitFile: DynamicModel {
    /// Values of ``status``; a text not listed here reads as nil and is written back unchanged.
    public enum Status: String, PropertyEnumeration {
        /// The text `added`.
        case added
        /// The text `removed`.
        case removed
        /// The text `modified`.
        case modified
        /// The text `renamed`.
        case renamed
        /// The text `copied`.
        case copied
        /// The text `changed`.
        case changed
        /// The text `unchanged`.
        case unchanged
    }

    /// Identifier of the new contents.
    public var sha: String? { value() }
    /// Path of the file.
    public var filename: String { value() }
    /// Path before a rename.
    public var previousFilename: String? { value() }
    /// What happened to it.
    public var status: Status? { value() }
    /// Added lines.
    public var additions: Int { value() }
    /// Deleted lines.
    public var deletions: Int { value() }
    /// Added and deleted lines.
    public var changes: Int { value() }
    /// The change itself; left out when it is large or not text.
    public var patch: String? { value() }
    /// Address of the file at this commit.
    public var blobURL: URL? { value() }
    /// Address of its bytes.
    public var rawURL: URL? { value() }
    /// API address of its contents.
    public var contentsURL: URL? { value() }
}
