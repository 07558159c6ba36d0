import Foundation

/// An issue for JSONDecoder, JSONEncoder and JSONSerialization; see CodableModels.swift.
final class CodableIssue: Codable, Hashable, IssueFields {
    var url: URL
    var htmlURL: URL
    var id: Int
    var number: Int
    var state: IssueState
    var title: String
    var body: String
    var user: CodableUser
    var assignee: CodableUser?
    var labels: [CodableLabel]
    var milestone: CodableMilestone?
    var comments: Int
    var locked: Bool
    var createdAt: Date
    var updatedAt: Date
    var closedAt: Date?
    var pullRequest: CodablePullRequest?

    enum CodingKeys: String, CodingKey {
        case url, id, number, state, title, body, user, assignee, labels, milestone, comments, locked
        case htmlURL = "html_url"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case closedAt = "closed_at"
        case pullRequest = "pull_request"
    }

    init(
        url: URL, htmlURL: URL, id: Int, number: Int, state: IssueState, title: String, body: String, user: CodableUser,
        assignee: CodableUser?, labels: [CodableLabel], milestone: CodableMilestone?, comments: Int, locked: Bool,
        createdAt: Date, updatedAt: Date, closedAt: Date?, pullRequest: CodablePullRequest?
    ) {
        self.url = url
        self.htmlURL = htmlURL
        self.id = id
        self.number = number
        self.state = state
        self.title = title
        self.body = body
        self.user = user
        self.assignee = assignee
        self.labels = labels
        self.milestone = milestone
        self.comments = comments
        self.locked = locked
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.closedAt = closedAt
        self.pullRequest = pullRequest
    }

    /// A new issue that shares its parts with this one, as `DynamicModel.copy()` does.
    func copy() -> CodableIssue {
        CodableIssue(
            url: url, htmlURL: htmlURL, id: id, number: number, state: state, title: title, body: body, user: user,
            assignee: assignee, labels: labels, milestone: milestone, comments: comments, locked: locked,
            createdAt: createdAt, updatedAt: updatedAt, closedAt: closedAt, pullRequest: pullRequest)
    }

    static func == (left: CodableIssue, right: CodableIssue) -> Bool {
        left === right
            || left.id == right.id && left.number == right.number && left.state == right.state
                && left.comments == right.comments && left.locked == right.locked && left.createdAt == right.createdAt
                && left.updatedAt == right.updatedAt && left.closedAt == right.closedAt && left.title == right.title
                && left.body == right.body && left.url == right.url && left.htmlURL == right.htmlURL
                && left.user == right.user && left.assignee == right.assignee && left.labels == right.labels
                && left.milestone == right.milestone && left.pullRequest == right.pullRequest
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(htmlURL)
        hasher.combine(id)
        hasher.combine(number)
        hasher.combine(state)
        hasher.combine(title)
        hasher.combine(body)
        hasher.combine(user)
        hasher.combine(assignee)
        hasher.combine(labels)
        hasher.combine(milestone)
        hasher.combine(comments)
        hasher.combine(locked)
        hasher.combine(createdAt)
        hasher.combine(updatedAt)
        hasher.combine(closedAt)
        hasher.combine(pullRequest)
    }
}
