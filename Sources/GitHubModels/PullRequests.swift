public import Foundation
public import Pallium

/// A request to merge one branch into another. Lists and events send parts of it only.
public final class PullRequest: Conversation {
    /// Whether it is not ready for review.
    public var isDraft: Bool? { value() }
    /// Whether it was merged; lists say it with mergedAt only.
    public var isMerged: Bool? { value() }
    /// Null while the site is still finding out.
    public var isMergeable: Bool? { value() }
    /// Null while the site is still finding out.
    public var isRebaseable: Bool? { value() }
    /// How the checks and branch rules stand.
    public var mergeableState: String? { value() }
    /// When it was merged.
    public var mergedAt: Date? { value() }
    /// Who merged it.
    public var mergedBy: User? { value() }
    /// Before merging: the trial commit. Afterwards: the commit on the base branch.
    public var mergeCommitSHA: String? { value() }
    /// The branch with the changes.
    public var head: PullRequestBranch { value() }
    /// The branch that receives them.
    public var base: PullRequestBranch { value() }
    /// Who was asked for a review.
    public var requestedReviewers: [User]? { value() }
    /// Which teams were asked for a review.
    public var requestedTeams: [Team]? { value() }
    /// Whether maintainers may push to the head branch.
    public var canMaintainerModify: Bool? { value() }
    /// Number of comments on the changes.
    public var reviewCommentCount: Int? { value() }
    /// Number of commits.
    public var commitCount: Int? { value() }
    /// Added lines.
    public var additions: Int? { value() }
    /// Deleted lines.
    public var deletions: Int? { value() }
    /// Number of changed files.
    public var changedFileCount: Int? { value() }
    /// How it will merge by itself; not described further.
    public var autoMerge: JSONValue? { value() }
    /// Address of the changes as a diff.
    public var diffURL: URL? { value() }
    /// Address of the changes as patches.
    public var patchURL: URL? { value() }
    /// API address of the issue it also is.
    public var issueURL: URL? { value() }
    /// API address of its commits.
    public var commitsURL: URL? { value() }
    /// API address of the comments on the changes.
    public var reviewCommentsURL: URL? { value() }
    /// URI template.
    public var reviewCommentURL: String? { value() }
    /// API address of the statuses of its head.
    public var statusesURL: URL? { value() }
}

/// One of the two ends of a pull request.
public final class PullRequestBranch: DynamicModel {
    /// Owner and branch.
    public var label: String? { value() }
    /// Name of the branch.
    public var ref: String { value() }
    /// Commit the branch is at.
    public var sha: String { value() }
    /// Owner of the repository; null when the account was deleted.
    public var user: User? { value() }
    /// Null when the repository was deleted.
    public var repository: Repository? { value() }
}

/// A review of a pull request.
public final class Review: DynamicModel {
    /// Values of ``state``.
    public enum State: String, PropertyEnumeration {
        /// The text `approved`.
        case approved
        /// The text `changes_requested`.
        case changesRequested = "changes_requested"
        /// The text `commented`.
        case commented
        /// The text `dismissed`.
        case dismissed
        /// The text `pending`.
        case pending
    }

    /// Number of the review.
    public var id: Int { value() }
    /// Identifier in the GraphQL API.
    public var nodeID: String? { value() }
    /// Author; null when the account was deleted.
    public var user: User? { value() }
    /// Markdown source.
    public var body: String? { value() }
    /// Verdict; events write it small, the review list in capitals.
    public var state: State { value() }
    /// What the author is to the repository.
    public var authorAssociation: Conversation.AuthorAssociation? { value() }
    /// Commit that was reviewed.
    public var commitID: String? { value() }
    /// Address of its page.
    public var htmlURL: URL? { value() }
    /// API address of the pull request.
    public var pullRequestURL: URL? { value() }
    /// When it was submitted; pending reviews were not.
    public var submittedAt: Date? { value() }
    /// When it was last changed.
    public var updatedAt: Date? { value() }
}
