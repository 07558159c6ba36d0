public import Foundation
public import Pallium

/// What issues and pull requests have in common. Only what the shortest form of a pull request carries is
/// required here.
public class Conversation: DynamicModel {
    /// Values of ``state``.
    public enum State: String, PropertyEnumeration {
        /// The text `open`.
        case open
        /// The text `closed`.
        case closed
    }

    /// Values of ``authorAssociation``; a text not listed here reads as nil and is written back unchanged.
    public enum AuthorAssociation: String, PropertyEnumeration {
        /// The text `COLLABORATOR`.
        case collaborator = "COLLABORATOR"
        /// The text `CONTRIBUTOR`.
        case contributor = "CONTRIBUTOR"
        /// The text `FIRST_TIMER`.
        case firstTimer = "FIRST_TIMER"
        /// The text `FIRST_TIME_CONTRIBUTOR`.
        case firstTimeContributor = "FIRST_TIME_CONTRIBUTOR"
        /// The text `MANNEQUIN`.
        case mannequin = "MANNEQUIN"
        /// The text `MEMBER`.
        case member = "MEMBER"
        /// The text `NONE`.
        case unaffiliated = "NONE"
        /// The text `OWNER`.
        case owner = "OWNER"
    }

    /// Number across all repositories.
    public var id: Int { value() }
    /// Identifier in the GraphQL API.
    public var nodeID: String? { value() }
    /// Number within the repository.
    public var number: Int { value() }
    /// Address in the API.
    public var url: URL { value() }
    /// Address of its page.
    public var htmlURL: URL? { value() }
    /// API address of its comments.
    public var commentsURL: URL? { value() }
    /// Whether it is settled.
    public var state: State? { value() }
    /// Whether only collaborators may comment; answers of 2013 do not say.
    public var isLocked: Bool { value() }
    /// Why it was locked.
    public var activeLockReason: String? { value() }
    /// What it is about.
    public var title: String? { value() }
    /// Markdown source of the opening comment.
    public var body: String? {
        get { value() }
        set { set(newValue) }
    }
    /// Opening comment as HTML, if it was asked for.
    public var bodyHTML: String? { value() }
    /// Opening comment as plain text, if it was asked for.
    public var bodyText: String? { value() }
    /// Author; null when the account was deleted.
    public var user: User? { value() }
    /// What the author is to the repository.
    public var authorAssociation: AuthorAssociation? { value() }
    /// Labels in the order of the answer.
    public var labels: [Label]? {
        get { value() }
        set { set(newValue) }
    }
    /// The milestone it belongs to.
    public var milestone: Milestone? {
        get { value() }
        set { set(newValue) }
    }
    /// The first of the assignees.
    public var assignee: User? {
        get { value() }
        set { set(newValue) }
    }
    /// Everybody who works on it.
    public var assignees: [User]? {
        get { value() }
        set { set(newValue) }
    }
    /// The API calls this number comments.
    public var commentCount: Int? { value() }
    /// Counted reactions to the opening comment.
    public var reactions: Reactions? { value() }
    /// When it was opened.
    public var createdAt: Date? { value() }
    /// When it or its comments last changed.
    public var updatedAt: Date? { value() }
    /// When it was closed.
    public var closedAt: Date? { value() }
}

/// An issue. A pull request appears in issue lists too and then has a pullRequest member.
public final class Issue: Conversation {
    /// Values of ``stateReason``; a text not listed here reads as nil and is written back unchanged.
    public enum StateReason: String, PropertyEnumeration {
        /// The text `completed`.
        case completed
        /// The text `reopened`.
        case reopened
        /// The text `not_planned`.
        case notPlanned = "not_planned"
        /// The text `duplicate`.
        case duplicate
    }

    /// Address of its page.
    public override var htmlURL: URL { value() }
    /// Whether it is settled.
    public override var state: State {
        get { value() }
        set { set(newValue) }
    }
    /// What it is about.
    public override var title: String {
        get { value() }
        set { set(newValue) }
    }
    /// The API calls this number comments.
    public override var commentCount: Int { value() }
    /// When it was opened.
    public override var createdAt: Date { value() }
    /// When it or its comments last changed.
    public override var updatedAt: Date { value() }
    /// Why the state is what it is.
    public var stateReason: StateReason? { value() }
    /// Who closed it.
    public var closedBy: User? { value() }
    /// Present for pull requests. Answers of 2013 send it for every issue, then with nulls inside.
    public var pullRequest: IssuePullRequest? { value() }
    /// Its repository, where a list spans several.
    public var repository: Repository? { value() }
    /// API address of its repository.
    public var repositoryURL: URL? { value() }
    /// URI template.
    public var labelsURL: String? { value() }
    /// API address of its events.
    public var eventsURL: URL? { value() }
    /// API address of its timeline.
    public var timelineURL: URL? { value() }
    /// Kind of issue, where the organization defined kinds.
    public var type: IssueType? { value() }
}

/// A kind of issue that an organization defined.
public final class IssueType: DynamicModel {
    /// Number of the kind.
    public var id: Int { value() }
    /// Identifier in the GraphQL API.
    public var nodeID: String? { value() }
    /// Name of the kind.
    public var name: String { value() }
    /// What the kind is for.
    public var summary: String? { value() }
    /// Name of a color, not a hexadecimal number.
    public var color: String? { value() }
    /// Whether new issues may be of this kind.
    public var isEnabled: Bool? { value() }
    /// When the kind was defined.
    public var createdAt: Date? { value() }
    /// When the kind was last changed.
    public var updatedAt: Date? { value() }
}

/// Where to find the pull request that an issue stands for.
public final class IssuePullRequest: DynamicModel {
    /// Address in the API.
    public var url: URL? { value() }
    /// Address of its page.
    public var htmlURL: URL? { value() }
    /// Address of the changes as a diff.
    public var diffURL: URL? { value() }
    /// Address of the changes as patches.
    public var patchURL: URL? { value() }
    /// When it was merged.
    public var mergedAt: Date? { value() }
}

/// A label of issues and pull requests.
public final class Label: DynamicModel {
    /// Number of the label; answers before 2016 leave it out.
    public var id: Int? { value() }
    /// Identifier in the GraphQL API.
    public var nodeID: String? { value() }
    /// Address in the API.
    public var url: URL? { value() }
    /// Text on the label.
    public var name: String { value() }
    /// Six hexadecimal digits without a number sign.
    public var color: String { value() }
    /// Whether every new repository gets it.
    public var isDefault: Bool? { value() }
    /// What the label means.
    public var summary: String? { value() }
}

/// A set of issues that should be done by a day.
public final class Milestone: DynamicModel {
    /// Values of ``state``.
    public enum State: String, PropertyEnumeration {
        /// The text `open`.
        case open
        /// The text `closed`.
        case closed
    }

    /// Number across all repositories.
    public var id: Int { value() }
    /// Identifier in the GraphQL API.
    public var nodeID: String? { value() }
    /// Number within the repository.
    public var number: Int { value() }
    /// Name of the milestone.
    public var title: String { value() }
    /// What it is about.
    public var summary: String? { value() }
    /// Whether it is settled.
    public var state: State { value() }
    /// Who made it.
    public var creator: User? { value() }
    /// Number of open issues.
    public var openIssues: Int? { value() }
    /// Number of closed issues.
    public var closedIssues: Int? { value() }
    /// Address in the API.
    public var url: URL? { value() }
    /// Address of its page.
    public var htmlURL: URL? { value() }
    /// API address of the labels of its issues.
    public var labelsURL: URL? { value() }
    /// When it was made.
    public var createdAt: Date? { value() }
    /// When it was last changed.
    public var updatedAt: Date? { value() }
    /// When it was closed.
    public var closedAt: Date? { value() }
    /// The day it is due, as an instant.
    public var dueOn: Date? { value() }
}

/// Reactions to a text, counted.
public final class Reactions: DynamicModel {
    /// Address in the API.
    public var url: URL? { value() }
    /// All reactions together.
    public var totalCount: Int { value() }
    /// Thumbs up.
    public var thumbsUp: Int { value() }
    /// Thumbs down.
    public var thumbsDown: Int { value() }
    /// Laughing faces.
    public var laugh: Int { value() }
    /// Hoorays.
    public var hooray: Int { value() }
    /// Confused faces.
    public var confused: Int { value() }
    /// Hearts.
    public var heart: Int { value() }
    /// Rockets.
    public var rocket: Int { value() }
    /// Eyes.
    public var eyes: Int { value() }
}
