import Foundation
import Pallium

// What the models of both families have in common, so that one digest reads both. Both use the same enumerations.

/// Whether an issue or milestone is done.
enum IssueState: String, Codable, PropertyEnumeration { case open, closed }

/// Who an account belongs to.
enum AccountType: String, Codable, PropertyEnumeration {
    case user = "User"
    case bot = "Bot"
}

protocol UserFields {
    var login: String { get }
    var id: Int { get }
    var htmlURL: URL { get }
    var avatarURL: URL { get }
    var type: AccountType { get }
}

protocol LabelFields {
    var id: Int { get }
    var name: String { get }
    var color: String { get }
}

protocol MilestoneFields {
    var id: Int { get }
    var number: Int { get }
    var title: String { get }
    var state: IssueState { get }
    var dueOn: Date { get }
}

protocol PullRequestFields {
    var url: URL { get }
    var htmlURL: URL { get }
}

protocol IssueFields {
    associatedtype UserModel: UserFields
    associatedtype LabelModel: LabelFields
    associatedtype MilestoneModel: MilestoneFields
    associatedtype PullRequestModel: PullRequestFields

    var url: URL { get }
    var htmlURL: URL { get }
    var id: Int { get }
    var number: Int { get }
    var state: IssueState { get }
    var title: String { get }
    var body: String { get }
    var user: UserModel { get }
    var assignee: UserModel? { get }
    var labels: [LabelModel] { get }
    var milestone: MilestoneModel? { get }
    var comments: Int { get }
    var locked: Bool { get }
    var createdAt: Date { get }
    var updatedAt: Date { get }
    var closedAt: Date? { get }
    var pullRequest: PullRequestModel? { get }
}
