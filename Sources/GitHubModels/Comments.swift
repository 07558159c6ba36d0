public import Foundation
public import Pallium

/// A comment of any sort. Which one it is shows only in the members it has.
public class Comment: DynamicModel {
    /// Number among the comments of its sort.
    public var id: Int { value() }
    /// Identifier in the GraphQL API.
    public var nodeID: String? { value() }
    /// Address in the API.
    public var url: URL { value() }
    /// Address of its page.
    public var htmlURL: URL? { value() }
    /// Author; null when the account was deleted.
    public var user: User? { value() }
    /// What the author is to the repository.
    public var authorAssociation: Conversation.AuthorAssociation? { value() }
    /// Markdown source.
    public var body: String? {
        get { value() }
        set { set(newValue) }
    }
    /// The comment as HTML, if it was asked for.
    public var bodyHTML: String? { value() }
    /// The comment as plain text, if it was asked for.
    public var bodyText: String? { value() }
    /// Counted reactions.
    public var reactions: Reactions? { value() }
    /// When it was written.
    public var createdAt: Date { value() }
    /// When it was last changed.
    public var updatedAt: Date { value() }
}

/// A comment on an issue or on a pull request as a whole.
public final class IssueComment: Comment {
    /// API address of the issue.
    public var issueURL: URL? { value() }
}

/// A comment on a commit, perhaps on one of its lines.
public final class CommitComment: Comment {
    /// The commit.
    public var commitID: String { value() }
    /// File the comment is about.
    public var path: String? { value() }
    /// Line of the diff, counted from its first hunk.
    public var position: Int? { value() }
    /// Line of the file.
    public var line: Int? { value() }
}

/// A comment on a line of a pull request's changes.
public final class ReviewComment: Comment {
    /// Values of ``side``; a text not listed here reads as nil and is written back unchanged.
    public enum Side: String, PropertyEnumeration {
        /// The text `LEFT`.
        case left = "LEFT"
        /// The text `RIGHT`.
        case right = "RIGHT"
    }

    /// Values of ``subjectType``; a text not listed here reads as nil and is written back unchanged.
    public enum SubjectType: String, PropertyEnumeration {
        /// The text `line`.
        case line
        /// The text `file`.
        case file
    }

    /// Review it was submitted with; null for a single comment.
    public var pullRequestReviewID: Int? { value() }
    /// API address of the pull request.
    public var pullRequestURL: URL? { value() }
    /// Comment it answers.
    public var inReplyToID: Int? { value() }
    /// The lines around it.
    public var diffHunk: String? { value() }
    /// File the comment is about.
    public var path: String { value() }
    /// Commit the position refers to.
    public var commitID: String { value() }
    /// Commit it was first written on.
    public var originalCommitID: String? { value() }
    /// Line of the diff; null when the comment is outdated.
    public var position: Int? { value() }
    /// Line of the diff when it was written.
    public var originalPosition: Int? { value() }
    /// Last line of the file it is about.
    public var line: Int? { value() }
    /// Last line when it was written.
    public var originalLine: Int? { value() }
    /// First line of the file, if it spans several.
    public var startLine: Int? { value() }
    /// First line when it was written.
    public var originalStartLine: Int? { value() }
    /// Old or new side of the changes.
    public var side: Side? { value() }
    /// Side of the first line.
    public var startSide: Side? { value() }
    /// Whether it is about a line or a file.
    public var subjectType: SubjectType? { value() }
}
