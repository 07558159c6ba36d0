public import Pallium

/// Commits were pushed to a branch.
public final class PushPayload: DynamicModel {
    /// Number of the push.
    public var pushID: Int { value() }
    /// Number of the repository.
    public var repositoryID: Int? { value() }
    /// Full name of the branch, such as refs/heads/main.
    public var ref: String { value() }
    /// Newest commit after the push.
    public var head: String { value() }
    /// Newest commit before the push.
    public var before: String { value() }
    /// Number of commits, which may be more than the list holds.
    public var size: Int? { value() }
    /// Number of commits that no earlier push contained.
    public var distinctSize: Int? { value() }
    /// The commits, twenty at most.
    public var commits: [PushCommit]? { value() }
}

/// A repository, branch or tag was made.
public final class CreatePayload: DynamicModel {
    /// Values of ``refType``.
    public enum RefType: String, PropertyEnumeration {
        /// The text `repository`.
        case repository
        /// The text `branch`.
        case branch
        /// The text `tag`.
        case tag
    }

    /// Name of the branch or tag; null for a repository.
    public var ref: String? { value() }
    /// What was made.
    public var refType: RefType { value() }
    /// Full name of the branch or tag.
    public var fullRef: String? { value() }
    /// The repository's default branch.
    public var masterBranch: String { value() }
    /// Description of the repository.
    public var summary: String? { value() }
    /// Whether a user or a deploy key did it.
    public var pusherType: String? { value() }
}

/// A branch or tag was deleted.
public final class DeletePayload: DynamicModel {
    /// Values of ``refType``.
    public enum RefType: String, PropertyEnumeration {
        /// The text `branch`.
        case branch
        /// The text `tag`.
        case tag
    }

    /// Name of the branch or tag.
    public var ref: String { value() }
    /// What was deleted.
    public var refType: RefType { value() }
    /// Full name of the branch or tag.
    public var fullRef: String? { value() }
    /// Whether a user or a deploy key did it.
    public var pusherType: String? { value() }
}

/// A repository was forked.
public final class ForkPayload: DynamicModel {
    /// Always forked; later answers only.
    public var action: String? { value() }
    /// The new repository, not the one that was forked.
    public var forkee: Repository { value() }
}

/// Pages of a wiki were written. Gollum is the wiki's engine.
public final class GollumPayload: DynamicModel {
    /// The changed pages.
    public var pages: [WikiPage] { value() }
}

/// Something happened to an issue.
public final class IssuesPayload: DynamicModel {
    /// Values of ``action``; a text not listed here reads as nil and is written back unchanged.
    public enum Action: String, PropertyEnumeration {
        /// The text `opened`.
        case opened
        /// The text `edited`.
        case edited
        /// The text `deleted`.
        case deleted
        /// The text `transferred`.
        case transferred
        /// The text `pinned`.
        case pinned
        /// The text `unpinned`.
        case unpinned
        /// The text `closed`.
        case closed
        /// The text `reopened`.
        case reopened
        /// The text `assigned`.
        case assigned
        /// The text `unassigned`.
        case unassigned
        /// The text `labeled`.
        case labeled
        /// The text `unlabeled`.
        case unlabeled
        /// The text `locked`.
        case locked
        /// The text `unlocked`.
        case unlocked
        /// The text `milestoned`.
        case milestoned
        /// The text `demilestoned`.
        case demilestoned
    }

    /// What happened.
    public var action: Action? { value() }
    /// The issue afterwards.
    public var issue: Issue { value() }
    /// Who was assigned or unassigned.
    public var assignee: User? { value() }
    /// Everybody who works on it.
    public var assignees: [User]? { value() }
    /// The label that was added or removed.
    public var label: Label? { value() }
    /// The labels afterwards.
    public var labels: [Label]? { value() }
    /// Texts before an edit, by member.
    public var changes: JSONValue? { value() }
}

/// A comment on an issue was written, edited or deleted.
public final class IssueCommentPayload: DynamicModel {
    /// Values of ``action``; a text not listed here reads as nil and is written back unchanged.
    public enum Action: String, PropertyEnumeration {
        /// The text `created`.
        case created
        /// The text `edited`.
        case edited
        /// The text `deleted`.
        case deleted
    }

    /// What happened.
    public var action: Action? { value() }
    /// The issue.
    public var issue: Issue { value() }
    /// The comment.
    public var comment: IssueComment { value() }
    /// Texts before an edit, by member.
    public var changes: JSONValue? { value() }
}

/// A comment on a commit was written.
public final class CommitCommentPayload: DynamicModel {
    /// Always created; later answers only.
    public var action: String? { value() }
    /// The comment.
    public var comment: CommitComment { value() }
}

/// A collaborator was added to a repository.
public final class MemberPayload: DynamicModel {
    /// Values of ``action``; a text not listed here reads as nil and is written back unchanged.
    public enum Action: String, PropertyEnumeration {
        /// The text `added`.
        case added
        /// The text `edited`.
        case edited
        /// The text `removed`.
        case removed
    }

    /// What happened.
    public var action: Action? { value() }
    /// The collaborator.
    public var member: User { value() }
    /// Permissions before an edit.
    public var changes: JSONValue? { value() }
}

/// A private repository was made public. There is nothing more to say about it.
public final class PublicPayload: DynamicModel {}

/// Something happened to a pull request.
public final class PullRequestPayload: DynamicModel {
    /// Values of ``action``; a text not listed here reads as nil and is written back unchanged.
    public enum Action: String, PropertyEnumeration {
        /// The text `opened`.
        case opened
        /// The text `edited`.
        case edited
        /// The text `closed`.
        case closed
        /// The text `merged`.
        case merged
        /// The text `reopened`.
        case reopened
        /// The text `assigned`.
        case assigned
        /// The text `unassigned`.
        case unassigned
        /// The text `labeled`.
        case labeled
        /// The text `unlabeled`.
        case unlabeled
        /// The text `synchronize`.
        case synchronize
        /// The text `review_requested`.
        case reviewRequested = "review_requested"
        /// The text `review_request_removed`.
        case reviewRequestRemoved = "review_request_removed"
        /// The text `ready_for_review`.
        case readyForReview = "ready_for_review"
        /// The text `converted_to_draft`.
        case convertedToDraft = "converted_to_draft"
    }

    /// What happened.
    public var action: Action? { value() }
    /// Number of the pull request within the repository.
    public var number: Int { value() }
    /// The pull request.
    public var pullRequest: PullRequest { value() }
    /// Who was assigned or unassigned.
    public var assignee: User? { value() }
    /// Everybody who works on it.
    public var assignees: [User]? { value() }
    /// The label that was added or removed.
    public var label: Label? { value() }
    /// The labels afterwards.
    public var labels: [Label]? { value() }
    /// Why a reviewer was removed.
    public var reason: String? { value() }
    /// Texts before an edit, by member.
    public var changes: JSONValue? { value() }
}

/// A review was submitted, edited or dismissed.
public final class PullRequestReviewPayload: DynamicModel {
    /// Values of ``action``; a text not listed here reads as nil and is written back unchanged.
    public enum Action: String, PropertyEnumeration {
        /// The text `created`.
        case created
        /// The text `submitted`.
        case submitted
        /// The text `edited`.
        case edited
        /// The text `updated`.
        case updated
        /// The text `dismissed`.
        case dismissed
    }

    /// What happened.
    public var action: Action? { value() }
    /// The review.
    public var review: Review { value() }
    /// The pull request.
    public var pullRequest: PullRequest { value() }
}

/// A comment on a pull request's changes was written, edited or deleted.
public final class PullRequestReviewCommentPayload: DynamicModel {
    /// Values of ``action``; a text not listed here reads as nil and is written back unchanged.
    public enum Action: String, PropertyEnumeration {
        /// The text `created`.
        case created
        /// The text `edited`.
        case edited
        /// The text `deleted`.
        case deleted
    }

    /// What happened.
    public var action: Action? { value() }
    /// The comment.
    public var comment: ReviewComment { value() }
    /// The pull request.
    public var pullRequest: PullRequest { value() }
    /// Texts before an edit, by member.
    public var changes: JSONValue? { value() }
}

/// Something happened to a release.
public final class ReleasePayload: DynamicModel {
    /// Values of ``action``; a text not listed here reads as nil and is written back unchanged.
    public enum Action: String, PropertyEnumeration {
        /// The text `published`.
        case published
        /// The text `edited`.
        case edited
        /// The text `created`.
        case created
        /// The text `deleted`.
        case deleted
        /// The text `released`.
        case released
        /// The text `prereleased`.
        case prereleased
        /// The text `unpublished`.
        case unpublished
    }

    /// What happened.
    public var action: Action? { value() }
    /// The release.
    public var release: Release { value() }
    /// Texts before an edit, by member.
    public var changes: JSONValue? { value() }
}

/// A repository was starred; the name is older than the stars.
public final class WatchPayload: DynamicModel {
    /// Values of ``action``; a text not listed here reads as nil and is written back unchanged.
    public enum Action: String, PropertyEnumeration {
        /// The text `started`.
        case started
    }

    /// Always started.
    public var action: Action? { value() }
}
