import Foundation

// What many applications write by hand: `JSONSerialization`, then an initialiser per class that picks its values.

/// A value is missing or of another kind.
struct WrongValue: Error { let key: String }

private typealias Members = [String: Any]

extension Dictionary<String, Any> {
    fileprivate func get<Result>(_ key: String) throws -> Result {
        guard let value = self[key] as? Result else { throw WrongValue(key: key) }
        return value
    }

    fileprivate func getURL(_ key: String) throws -> URL {
        guard let text = self[key] as? String, let url = URL(string: text) else { throw WrongValue(key: key) }
        return url
    }

    fileprivate func getDate(_ key: String) throws -> Date {
        guard let text = self[key] as? String, let date = DateText.parse(text) else { throw WrongValue(key: key) }
        return date
    }

    fileprivate func getCase<Case: RawRepresentable<String>>(_ key: String) throws -> Case {
        guard let text = self[key] as? String, let value = Case(rawValue: text) else { throw WrongValue(key: key) }
        return value
    }
}

extension CodableUser {
    convenience init(dictionary: [String: Any]) throws {
        self.init(
            login: try dictionary.get("login"), id: try dictionary.get("id"),
            htmlURL: try dictionary.getURL("html_url"),
            avatarURL: try dictionary.getURL("avatar_url"), type: try dictionary.getCase("type"))
    }
}

extension CodableLabel {
    convenience init(dictionary: [String: Any]) throws {
        self.init(
            id: try dictionary.get("id"), name: try dictionary.get("name"), color: try dictionary.get("color"))
    }
}

extension CodableMilestone {
    convenience init(dictionary: [String: Any]) throws {
        self.init(
            id: try dictionary.get("id"), number: try dictionary.get("number"), title: try dictionary.get("title"),
            state: try dictionary.getCase("state"), dueOn: try dictionary.getDate("due_on"))
    }
}

extension CodablePullRequest {
    convenience init(dictionary: [String: Any]) throws {
        self.init(url: try dictionary.getURL("url"), htmlURL: try dictionary.getURL("html_url"))
    }
}

extension CodableIssue {
    convenience init(dictionary: [String: Any]) throws {
        let labels: [Members] = try dictionary.get("labels")
        self.init(
            url: try dictionary.getURL("url"), htmlURL: try dictionary.getURL("html_url"), id: try dictionary.get("id"),
            number: try dictionary.get("number"), state: try dictionary.getCase("state"),
            title: try dictionary.get("title"), body: try dictionary.get("body"),
            user: try CodableUser(dictionary: try dictionary.get("user")),
            assignee: try (dictionary["assignee"] as? Members).map(CodableUser.init(dictionary:)),
            labels: try labels.map(CodableLabel.init(dictionary:)),
            milestone: try (dictionary["milestone"] as? Members).map(CodableMilestone.init(dictionary:)),
            comments: try dictionary.get("comments"), locked: try dictionary.get("locked"),
            createdAt: try dictionary.getDate("created_at"), updatedAt: try dictionary.getDate("updated_at"),
            closedAt: dictionary["closed_at"] is String ? try dictionary.getDate("closed_at") : nil,
            pullRequest: try (dictionary["pull_request"] as? Members).map(CodablePullRequest.init(dictionary:)))
    }

    /// Decodes an array of issues by way of `JSONSerialization`.
    static func issues(throughDictionaries data: Data) throws -> [CodableIssue] {
        guard let array = try JSONSerialization.jsonObject(with: data) as? [Members] else { throw WrongValue(key: "") }
        return try array.map(CodableIssue.init(dictionary:))
    }
}
