public import Foundation
public import Pallium

/// What every account has in common, whether it is a person, an organization or a program. The short form that
/// events carry fills only the first few properties.
public class Account: DynamicModel {
    /// Values of ``type``; a text not listed here reads as nil and is written back unchanged.
    public enum Category: String, PropertyEnumeration {
        /// The text `User`.
        case user = "User"
        /// The text `Organization`.
        case organization = "Organization"
        /// The text `Bot`.
        case bot = "Bot"
        /// The text `Mannequin`.
        case mannequin = "Mannequin"
        /// The text `Enterprise`.
        case enterprise = "Enterprise"
    }

    /// Number of the account, stable across renames.
    public var id: Int { value() }
    /// Identifier in the GraphQL API.
    public var nodeID: String? { value() }
    /// Name that signs the account in and appears in addresses; it can change.
    public var login: String { value() }
    /// Login as events spell it, without a suffix for programs.
    public var displayLogin: String? { value() }
    /// What the account is; absent in the short form.
    public var type: Category? { value() }
    /// Full name, if the account shows one.
    public var name: String? { value() }
    /// Employer as free text.
    public var company: String? { value() }
    /// Home page as typed by its owner: free text, often empty, not always an address.
    public var blog: String? { value() }
    /// Place as free text.
    public var location: String? { value() }
    /// Public mail address.
    public var email: String? { value() }
    /// Picture of the account.
    public var avatarURL: URL? { value() }
    /// Hash for gravatar.com; empty text since pictures are hosted elsewhere.
    public var gravatarID: String? { value() }
    /// Address of the account in the API.
    public var url: URL? { value() }
    /// Address of the account's page.
    public var htmlURL: URL? { value() }
    /// API address of its repositories.
    public var reposURL: URL? { value() }
    /// URI template (RFC 6570) for people, a plain address for organizations; therefore text.
    public var eventsURL: String? { value() }
    /// Number of public repositories.
    public var publicRepos: Int? { value() }
    /// Number of public gists.
    public var publicGists: Int? { value() }
    /// Number of followers.
    public var followers: Int? { value() }
    /// Number of accounts it follows.
    public var following: Int? { value() }
    /// Name on another network.
    public var twitterUsername: String? { value() }
    /// When the account was made.
    public var createdAt: Date? { value() }
    /// When the account was last changed.
    public var updatedAt: Date? { value() }
}

/// A person, or a program that acts like one.
public final class User: Account {
    /// API address of its followers.
    public var followersURL: URL? { value() }
    /// URI template.
    public var followingURL: String? { value() }
    /// URI template.
    public var gistsURL: String? { value() }
    /// URI template.
    public var starredURL: String? { value() }
    /// API address of the watched repositories.
    public var subscriptionsURL: URL? { value() }
    /// API address of its organizations.
    public var organizationsURL: URL? { value() }
    /// API address of the events addressed to it.
    public var receivedEventsURL: URL? { value() }
    /// Whether the account administers the site.
    public var isSiteAdmin: Bool? { value() }
    /// Whether its owner looks for work.
    public var isHireable: Bool? { value() }
    /// Self-description.
    public var bio: String? { value() }
    /// How much of the account the reader may see.
    public var userViewType: String? { value() }
    /// Mail address for notifications.
    public var notificationEmail: String? { value() }
}

/// An account that owns repositories on behalf of its members.
public final class Organization: Account {
    /// Self-description.
    public var summary: String? { value() }
    /// API address of its hooks.
    public var hooksURL: URL? { value() }
    /// API address of its issues.
    public var issuesURL: URL? { value() }
    /// URI template.
    public var membersURL: String? { value() }
    /// URI template.
    public var publicMembersURL: String? { value() }
    /// Whether its domain was verified.
    public var isVerified: Bool? { value() }
    /// Whether it uses projects.
    public var hasOrganizationProjects: Bool? { value() }
    /// Whether its repositories use projects.
    public var hasRepositoryProjects: Bool? { value() }
}

/// A group of an organization's members.
public final class Team: DynamicModel {
    /// Values of ``privacy``; a text not listed here reads as nil and is written back unchanged.
    public enum Privacy: String, PropertyEnumeration {
        /// The text `open`.
        case open
        /// The text `closed`.
        case closed
        /// The text `secret`.
        case secret
    }

    /// Number of the team.
    public var id: Int { value() }
    /// Identifier in the GraphQL API.
    public var nodeID: String? { value() }
    /// Display name.
    public var name: String { value() }
    /// Name as it appears in addresses.
    public var slug: String? { value() }
    /// What the team is for.
    public var summary: String? { value() }
    /// Who can see the team; older texts may appear.
    public var privacy: Privacy? { value() }
    /// Default permission on the team's repositories.
    public var permission: String? { value() }
    /// Whether mentions notify the members.
    public var notificationSetting: String? { value() }
    /// Kind of the team.
    public var type: String? { value() }
    /// Address in the API.
    public var url: URL { value() }
    /// Address of the team's page.
    public var htmlURL: URL? { value() }
    /// URI template.
    public var membersURL: String? { value() }
    /// API address of the team's repositories.
    public var repositoriesURL: URL? { value() }
    /// What the team may do, by name of the permission.
    public var permissions: [String: Bool]? { value() }
    /// The team this one belongs to.
    public var parent: Team? { value() }
}
