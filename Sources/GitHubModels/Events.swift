public import Foundation
public import Pallium

/// Something that happened, as the event lists report it. The member type decides which schema reads it; a type
/// without a schema becomes an UnknownEvent.
public class Event: DynamicModel {
    /// Number of the event; JSON writes it as text.
    public var id: Int { value() }
    /// Name of the event's kind, such as PushEvent.
    public var type: String { value() }
    /// Who did it.
    public var actor: User { value() }
    /// Where it happened.
    public var repository: EventRepository { value() }
    /// Organization the repository belongs to.
    public var organization: Organization? { value() }
    /// Whether everybody may see it.
    public var isPublic: Bool { value() }
    /// When it happened.
    public var createdAt: Date { value() }
}

/// An event of a type that has no schema here. Its payload is kept as it is.
public final class UnknownEvent: Event {
    /// What happened, undescribed.
    public var payload: JSONValue? { value() }
}

/// A comment on a commit was written.
public final class CommitCommentEvent: Event {
    /// What happened.
    public var payload: CommitCommentPayload { value() }
}

/// A repository, branch or tag was made.
public final class CreateEvent: Event {
    /// What happened.
    public var payload: CreatePayload { value() }
}

/// A branch or tag was deleted.
public final class DeleteEvent: Event {
    /// What happened.
    public var payload: DeletePayload { value() }
}

/// A repository was forked.
public final class ForkEvent: Event {
    /// What happened.
    public var payload: ForkPayload { value() }
}

/// Pages of a wiki were written.
public final class GollumEvent: Event {
    /// What happened.
    public var payload: GollumPayload { value() }
}

/// A comment on an issue was written, edited or deleted.
public final class IssueCommentEvent: Event {
    /// What happened.
    public var payload: IssueCommentPayload { value() }
}

/// Something happened to an issue.
public final class IssuesEvent: Event {
    /// What happened.
    public var payload: IssuesPayload { value() }
}

/// A collaborator was added to a repository.
public final class MemberEvent: Event {
    /// What happened.
    public var payload: MemberPayload { value() }
}

/// A private repository was made public.
public final class PublicEvent: Event {
    /// What happened.
    public var payload: PublicPayload { value() }
}

/// Something happened to a pull request.
public final class PullRequestEvent: Event {
    /// What happened.
    public var payload: PullRequestPayload { value() }
}

/// A review was submitted, edited or dismissed.
public final class PullRequestReviewEvent: Event {
    /// What happened.
    public var payload: PullRequestReviewPayload { value() }
}

/// A comment on a pull request's changes was written, edited or deleted.
public final class PullRequestReviewCommentEvent: Event {
    /// What happened.
    public var payload: PullRequestReviewCommentPayload { value() }
}

/// Commits were pushed to a branch.
public final class PushEvent: Event {
    /// What happened.
    public var payload: PushPayload { value() }
}

/// Something happened to a release.
public final class ReleaseEvent: Event {
    /// What happened.
    public var payload: ReleasePayload { value() }
}

/// A repository was starred.
public final class WatchEvent: Event {
    /// What happened.
    public var payload: WatchPayload { value() }
}
