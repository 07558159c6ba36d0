import Foundation

// The issues as they are written for JSONDecoder and JSONEncoder in the fastest usual form: final classes, synthesised
// coding, ==, hash and copy by hand over every property, the cheapest and most telling comparisons first.

final class CodableUser: Codable, Hashable, UserFields {
    var login: String
    var id: Int
    var htmlURL: URL
    var avatarURL: URL
    var type: AccountType

    enum CodingKeys: String, CodingKey {
        case login, id, type
        case htmlURL = "html_url"
        case avatarURL = "avatar_url"
    }

    init(login: String, id: Int, htmlURL: URL, avatarURL: URL, type: AccountType) {
        self.login = login
        self.id = id
        self.htmlURL = htmlURL
        self.avatarURL = avatarURL
        self.type = type
    }

    static func == (left: CodableUser, right: CodableUser) -> Bool {
        left === right
            || left.id == right.id && left.type == right.type && left.login == right.login
                && left.htmlURL == right.htmlURL && left.avatarURL == right.avatarURL
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(login)
        hasher.combine(id)
        hasher.combine(htmlURL)
        hasher.combine(avatarURL)
        hasher.combine(type)
    }
}

final class CodableLabel: Codable, Hashable, LabelFields {
    var id: Int
    var name: String
    var color: String

    init(id: Int, name: String, color: String) {
        self.id = id
        self.name = name
        self.color = color
    }

    static func == (left: CodableLabel, right: CodableLabel) -> Bool {
        left === right || left.id == right.id && left.name == right.name && left.color == right.color
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(name)
        hasher.combine(color)
    }
}

final class CodableMilestone: Codable, Hashable, MilestoneFields {
    var id: Int
    var number: Int
    var title: String
    var state: IssueState
    var dueOn: Date

    enum CodingKeys: String, CodingKey {
        case id, number, title, state
        case dueOn = "due_on"
    }

    init(id: Int, number: Int, title: String, state: IssueState, dueOn: Date) {
        self.id = id
        self.number = number
        self.title = title
        self.state = state
        self.dueOn = dueOn
    }

    static func == (left: CodableMilestone, right: CodableMilestone) -> Bool {
        left === right
            || left.id == right.id && left.number == right.number && left.state == right.state
                && left.dueOn == right.dueOn && left.title == right.title
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(number)
        hasher.combine(title)
        hasher.combine(state)
        hasher.combine(dueOn)
    }
}

final class CodablePullRequest: Codable, Hashable, PullRequestFields {
    var url: URL
    var htmlURL: URL

    enum CodingKeys: String, CodingKey {
        case url
        case htmlURL = "html_url"
    }

    init(url: URL, htmlURL: URL) {
        self.url = url
        self.htmlURL = htmlURL
    }

    static func == (left: CodablePullRequest, right: CodablePullRequest) -> Bool {
        left === right || left.url == right.url && left.htmlURL == right.htmlURL
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(htmlURL)
    }
}
