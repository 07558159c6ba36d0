import Foundation

// Events by type as they are written for JSONDecoder: one final class, and an enumeration of payloads that a switch
// over the type decodes. Both are read through one container, the cheapest form.

final class CodableActor: Decodable {
    let id: Int
    let login: String
    let url: URL
}

final class CodableEventRepository: Decodable {
    let id: Int
    let name: String
    let url: URL
}

final class CodableCommit: Decodable {
    let sha: String
    let message: String
    let url: URL
}

final class CodablePushPayload: Decodable {
    let size: Int
    let ref: String
    let commits: [CodableCommit]
}

final class CodableIssuesPayload: Decodable {
    let action: String
    let number: Int
    let title: String
    let url: URL
}

final class CodableWatchPayload: Decodable {
    let action: String
}

final class CodableCreatePayload: Decodable {
    let ref: String
    let refType: String
    let summary: String

    enum CodingKeys: String, CodingKey {
        case ref
        case refType = "ref_type"
        case summary = "description"
    }
}

final class CodableIssueCommentPayload: Decodable {
    let action: String
    let id: Int
    let body: String
    let url: URL
}

final class CodableEvent: Decodable {
    enum Payload {
        case push(CodablePushPayload)
        case issues(CodableIssuesPayload)
        case watch(CodableWatchPayload)
        case create(CodableCreatePayload)
        case issueComment(CodableIssueCommentPayload)
    }

    let id: String
    let type: String
    let actor: CodableActor
    let repository: CodableEventRepository
    let isPublic: Bool
    let createdAt: Date
    let payload: Payload

    enum CodingKeys: String, CodingKey {
        case id, type, actor, payload
        case repository = "repo"
        case isPublic = "public"
        case createdAt = "created_at"
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        id = try members.decode(String.self, forKey: .id)
        type = try members.decode(String.self, forKey: .type)
        actor = try members.decode(CodableActor.self, forKey: .actor)
        repository = try members.decode(CodableEventRepository.self, forKey: .repository)
        isPublic = try members.decode(Bool.self, forKey: .isPublic)
        createdAt = try members.decode(Date.self, forKey: .createdAt)
        switch type {
        case "PushEvent": payload = .push(try members.decode(CodablePushPayload.self, forKey: .payload))
        case "IssuesEvent": payload = .issues(try members.decode(CodableIssuesPayload.self, forKey: .payload))
        case "WatchEvent": payload = .watch(try members.decode(CodableWatchPayload.self, forKey: .payload))
        case "CreateEvent": payload = .create(try members.decode(CodableCreatePayload.self, forKey: .payload))
        case "IssueCommentEvent":
            payload = .issueComment(try members.decode(CodableIssueCommentPayload.self, forKey: .payload))
        default:
            throw DecodingError.dataCorruptedError(forKey: .type, in: members, debugDescription: "unknown type \(type)")
        }
    }
}
