import Foundation
import Pallium

// The issues as a user of the library describes them.

final class User: DynamicModel, UserFields {
    var login: String { value() }
    var id: Int { value() }
    var htmlURL: URL { value() }
    var avatarURL: URL { value() }
    var type: AccountType { value() }
}

final class Label: DynamicModel, LabelFields {
    var id: Int { value() }
    var name: String { value() }
    var color: String { value() }
}

final class Milestone: DynamicModel, MilestoneFields {
    var id: Int { value() }
    var number: Int { value() }
    var title: String { value() }
    var state: IssueState { value() }
    var dueOn: Date { value() }
}

final class PullRequest: DynamicModel, PullRequestFields {
    var url: URL { value() }
    var htmlURL: URL { value() }
}

final class Issue: DynamicModel, IssueFields {
    var url: URL { value() }
    var htmlURL: URL { value() }
    var id: Int { value() }
    var number: Int { value() }
    var state: IssueState { value() }
    var title: String { value() }
    var body: String { value() }
    var user: User { value() }
    var assignee: User? { value() }
    var labels: [Label] { value() }
    var milestone: Milestone? { value() }
    var comments: Int { value() }
    var locked: Bool { value() }
    var createdAt: Date { value() }
    var updatedAt: Date { value() }
    var closedAt: Date? { value() }
    var pullRequest: PullRequest? { value() }

    /// The schemas of all five classes.
    static let schemas = [
        ModelSchema(
            User.self,
            [
                "login": .string.required,
                "id": .integer.required,
                "htmlURL": .url.required,
                "avatarURL": .url.required,
                "type": .enumeration(AccountType.self).required,
            ], keys: .snakeCase),
        ModelSchema(
            Label.self,
            [
                "id": .integer.required,
                "name": .string.required,
                "color": .string.required,
            ]),
        ModelSchema(
            Milestone.self,
            [
                "id": .integer.required,
                "number": .integer.required,
                "title": .string.required,
                "state": .enumeration(IssueState.self).required,
                "dueOn": .date.required,
            ], keys: .snakeCase),
        ModelSchema(
            PullRequest.self,
            [
                "url": .url.required,
                "htmlURL": .url.required,
            ], keys: .snakeCase),
        ModelSchema(
            Issue.self,
            [
                "url": .url.required,
                "htmlURL": .url.required,
                "id": .integer.required,
                "number": .integer.required,
                "state": .enumeration(IssueState.self).required,
                "title": .string.required,
                "body": .string.required,
                "user": .model(User.self).required,
                "assignee": .model(User.self),
                "labels": .array(of: .model(Label.self)).required,
                "milestone": .model(Milestone.self),
                "comments": .integer.required,
                "locked": .bool.required,
                "createdAt": .date.required,
                "updatedAt": .date.required,
                "closedAt": .date,
                "pullRequest": .model(PullRequest.self),
            ], keys: .snakeCase),
    ]
}
