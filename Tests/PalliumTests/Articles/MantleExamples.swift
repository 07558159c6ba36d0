import Foundation
import Pallium

// The examples of the article for those who come from Mantle, word for word, like those in `ArticleExamples.swift`.

enum FromMantle {
    final class User: DynamicModel {
        var login: String { value() }
    }

    final class Issue: DynamicModel {
        enum State: String, PropertyEnumeration { case open, closed }

        var htmlURL: URL? { value() }
        var number: Int { value() }
        var title: String? {
            get { value() }
            set { set(newValue) }
        }
        var state: State { value() }
        var reporterLogin: String? { value() }
        var assignee: User? { value() }
        var updatedAt: Date? { value() }
        var retrievedAt: Date? {
            get { value() }
            set { set(newValue) }
        }

        override func didDecode() { retrievedAt = Date() }
    }

    static func example(_ registry: SchemaRegistry, dictionary: [String: Any]) throws -> Issue {
        try registry.register(
            ModelSchema(User.self, ["login": .string.required]),
            ModelSchema(
                Issue.self,
                [
                    "htmlURL": .url.json("html_url"),
                    "number": .integer.required,
                    "title": .string,
                    "state": .enumeration(Issue.State.self).required,
                    "reporterLogin": .string.json("user.login"),
                    "assignee": .model(User.self),
                    "updatedAt": .date.json("updated_at"),
                    "retrievedAt": .date.local.storage(.transitory),
                ])
        )
        let adapter = JSONAdapter(Issue.self, registry: registry)
        let issue = try adapter.model(from: dictionary)

        return issue
    }
}
