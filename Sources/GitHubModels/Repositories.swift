public import Foundation
public import Pallium

/// A repository as events name it.
public final class EventRepository: DynamicModel {
    /// Number of the repository.
    public var id: Int { value() }
    /// Owner and name, such as octocat/hello-world; a full repository calls this fullName.
    public var name: String { value() }
    /// Address in the API.
    public var url: URL { value() }
}

/// The licence a repository was recognised to have.
public final class License: DynamicModel {
    /// Short name, such as mit.
    public var key: String { value() }
    /// Name for people.
    public var name: String { value() }
    /// Identifier in the SPDX list.
    public var spdxID: String? { value() }
    /// Address in the API.
    public var url: URL? { value() }
    /// Address of a page about it.
    public var htmlURL: URL? { value() }
    /// Identifier in the GraphQL API.
    public var nodeID: String? { value() }
}

/// A repository in full. Pull request events shorten it, so that only number, name and address are always
/// there.
public final class Repository: DynamicModel {
    /// Values of ``visibility``; a text not listed here reads as nil and is written back unchanged.
    public enum Visibility: String, PropertyEnumeration {
        /// The text `public`.
        case `public`
        /// The text `private`.
        case `private`
        /// The text `internal`.
        case `internal`
    }

    /// Number of the repository.
    public var id: Int { value() }
    /// Identifier in the GraphQL API.
    public var nodeID: String? { value() }
    /// Name without the owner.
    public var name: String { value() }
    /// Owner and name.
    public var fullName: String? { value() }
    /// Account that owns the repository; an organization is read with the properties of a user.
    public var owner: User? { value() }
    /// Organization that owns the repository, repeated by some answers.
    public var organization: User? { value() }
    /// Whether only invited accounts see it.
    public var isPrivate: Bool? { value() }
    /// Written by events of 2013; later answers have private only.
    public var isPublic: Bool? { value() }
    /// Who sees the repository.
    public var visibility: Visibility? { value() }
    /// One sentence about the repository.
    public var summary: String? {
        get { value() }
        set { set(newValue) }
    }
    /// As typed by its owner: free text, often empty, not always an address.
    public var homepage: String? {
        get { value() }
        set { set(newValue) }
    }
    /// Language most of the code is written in.
    public var language: String? { value() }
    /// Recognised licence.
    public var license: License? { value() }
    /// Names it is filed under; their order means nothing.
    public var topics: Set<String>? { value() }
    /// Whether it was copied from another repository.
    public var isFork: Bool? { value() }
    /// Whether it is read-only.
    public var isArchived: Bool? { value() }
    /// Whether the site switched it off.
    public var isDisabled: Bool? { value() }
    /// Whether new repositories can start from it.
    public var isTemplate: Bool? { value() }
    /// Address in the API.
    public var url: URL { value() }
    /// Address of its page.
    public var htmlURL: URL? { value() }
    /// Address for cloning over HTTPS.
    public var cloneURL: URL? { value() }
    /// Address for cloning over the git protocol.
    public var gitURL: URL? { value() }
    /// In scp notation (git@host:path), which is no URL.
    public var sshURL: String? { value() }
    /// Address for Subversion clients.
    public var svnURL: URL? { value() }
    /// Where a mirror comes from.
    public var mirrorURL: URL? { value() }
    /// In kilobytes.
    public var size: Int? { value() }
    /// Number of stars.
    public var stargazersCount: Int? { value() }
    /// Number of stars as well, for historical reasons.
    public var watchersCount: Int? { value() }
    /// Number of accounts that watch it.
    public var subscribersCount: Int? { value() }
    /// Number of repositories in its network of forks.
    public var networkCount: Int? { value() }
    /// Number of forks.
    public var forksCount: Int? { value() }
    /// Open issues and pull requests together.
    public var openIssuesCount: Int? { value() }
    /// Whether it has an issue list.
    public var hasIssues: Bool? { value() }
    /// Whether it has projects.
    public var hasProjects: Bool? { value() }
    /// Whether it has downloads.
    public var hasDownloads: Bool? { value() }
    /// Whether it has a wiki.
    public var hasWiki: Bool? { value() }
    /// Whether it has a site.
    public var hasPages: Bool? { value() }
    /// Whether it has discussions.
    public var hasDiscussions: Bool? { value() }
    /// Whether it may be forked.
    public var allowForking: Bool? { value() }
    /// Whether a pull request may end in a merge commit.
    public var allowMergeCommit: Bool? { value() }
    /// Whether a pull request may be squashed.
    public var allowSquashMerge: Bool? { value() }
    /// Whether a pull request may be rebased.
    public var allowRebaseMerge: Bool? { value() }
    /// Whether a pull request may merge by itself.
    public var allowAutoMerge: Bool? { value() }
    /// Whether a pull request's branch can be updated.
    public var allowUpdateBranch: Bool? { value() }
    /// Whether merged branches go away.
    public var deleteBranchOnMerge: Bool? { value() }
    /// Whether commits made in the browser must be signed off.
    public var isCommitSignoffRequired: Bool? { value() }
    /// The second spelling is that of 2013.
    public var defaultBranch: String? { value() }
    /// Password for cloning a private repository; never shown, never archived.
    public var temporaryCloneToken: String? { value() }
    /// What the organization defined for its repositories.
    public var customProperties: JSONValue? { value() }
    /// What the reader may do, by name of the permission.
    public var permissions: [String: Bool]? { value() }
    /// Role of the reader.
    public var roleName: String? { value() }
    /// The repository this one was forked from.
    public var parent: Repository? { value() }
    /// The root of its network of forks.
    public var source: Repository? { value() }
    /// API address of the accounts that starred it.
    public var stargazersURL: URL? { value() }
    /// API address of the accounts that watch it.
    public var subscribersURL: URL? { value() }
    /// API address of the reader's own subscription.
    public var subscriptionURL: URL? { value() }
    /// API address of its contributors.
    public var contributorsURL: URL? { value() }
    /// API address of its languages.
    public var languagesURL: URL? { value() }
    /// URI template in 2013, a plain address later; therefore text.
    public var tagsURL: String? { value() }
    /// API address of its teams.
    public var teamsURL: URL? { value() }
    /// API address of its forks.
    public var forksURL: URL? { value() }
    /// API address of its hooks.
    public var hooksURL: URL? { value() }
    /// API address of its events.
    public var eventsURL: URL? { value() }
    /// API address for merging branches.
    public var mergesURL: URL? { value() }
    /// API address of its downloads.
    public var downloadsURL: URL? { value() }
    /// API address of its deployments.
    public var deploymentsURL: URL? { value() }
    /// URI template.
    public var archiveURL: String? { value() }
    /// URI template.
    public var branchesURL: String? { value() }
    /// URI template.
    public var commitsURL: String? { value() }
    /// URI template.
    public var compareURL: String? { value() }
    /// URI template.
    public var contentsURL: String? { value() }
    /// URI template.
    public var issuesURL: String? { value() }
    /// URI template.
    public var labelsURL: String? { value() }
    /// URI template.
    public var milestonesURL: String? { value() }
    /// URI template.
    public var pullsURL: String? { value() }
    /// URI template.
    public var releasesURL: String? { value() }
    /// When the repository was made.
    public var createdAt: Date? { value() }
    /// When the repository's description was last changed.
    public var updatedAt: Date? { value() }
    /// When something was last pushed.
    public var pushedAt: Date? { value() }
}
