public import Foundation
public import Pallium

/// Models of the GitHub REST API over the schema documents in `Schemas/github`.
///
/// The documents say everything about the data; the classes of this module only give their properties Swift types. An
/// accessor is optional unless its property is required or has a default. An enumeration that keeps unknown texts is
/// optional as well: nil then means a text the enumeration does not list.
public enum GitHubModels {
    /// Every class of the module, each bound to the schema document of the same name.
    public static let classes: [DynamicModel.Type] = [
        Account.self, User.self, Organization.self, Team.self, EventRepository.self, License.self, Repository.self,
        Conversation.self, Issue.self, IssueType.self, IssuePullRequest.self, Label.self, Milestone.self,
        Reactions.self, PullRequest.self, PullRequestBranch.self, Review.self, Comment.self, IssueComment.self,
        CommitComment.self, ReviewComment.self, CommitAuthor.self, PushCommit.self, Commit.self,
        CommitReference.self, CommitVerification.self, CommitFile.self, Release.self, ReleaseAsset.self, Gist.self,
        GistFile.self, WikiPage.self, Event.self, UnknownEvent.self, CommitCommentEvent.self, CreateEvent.self,
        DeleteEvent.self, ForkEvent.self, GollumEvent.self, IssueCommentEvent.self, IssuesEvent.self,
        MemberEvent.self, PublicEvent.self, PullRequestEvent.self, PullRequestReviewEvent.self,
        PullRequestReviewCommentEvent.self, PushEvent.self, ReleaseEvent.self, WatchEvent.self, PushPayload.self,
        CreatePayload.self, DeletePayload.self, ForkPayload.self, GollumPayload.self, IssuesPayload.self,
        IssueCommentPayload.self, CommitCommentPayload.self, MemberPayload.self, PublicPayload.self,
        PullRequestPayload.self, PullRequestReviewPayload.self, PullRequestReviewCommentPayload.self,
        ReleasePayload.self, WatchPayload.self,
    ]

    /// Registers all schema documents of a folder and binds them to ``classes``.
    ///
    /// - Parameters:
    ///   - folder: the folder `Schemas/github`, wherever the program keeps it.
    ///   - registry: the registry that receives the schemas; loading the same folder twice changes nothing.
    /// - Throws: one error that lists every problem of the documents; nothing is registered then.
    /// - Complexity: O(n) in the total size of the documents.
    public static func load(from folder: URL, into registry: SchemaRegistry) throws {
        try registry.load(contentsOf: folder, classes: classes)
    }
}
