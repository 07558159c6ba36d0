import Foundation

// The digest of events of both families; see Digest.

extension Digest {
    /// The digest of Pallium's events in order.
    static func of(events: [Event]) -> Digest {
        var digest = Digest()
        for event in events {
            digest.add(event.id)
            digest.add(event.type)
            digest.add(actor: event.actor.id, event.actor.login, event.actor.url)
            digest.add(actor: event.repository.id, event.repository.name, event.repository.url)
            digest.add(event.isPublic)
            digest.add(event.createdAt)
            switch event {
            case let event as PushEvent:
                digest.add(event.payload.size)
                digest.add(event.payload.ref)
                for commit in event.payload.commits { digest.add(texts: commit.sha, commit.message, url: commit.url) }
            case let event as IssuesEvent:
                digest.add(event.payload.number)
                digest.add(texts: event.payload.action, event.payload.title, url: event.payload.url)
            case let event as WatchEvent: digest.add(event.payload.action)
            case let event as CreateEvent:
                digest.add(event.payload.ref)
                digest.add(event.payload.refType)
                digest.add(event.payload.summary)
            case let event as IssueCommentEvent:
                digest.add(event.payload.id)
                digest.add(texts: event.payload.action, event.payload.body, url: event.payload.url)
            default: digest.add("unknown class")
            }
        }
        return digest
    }

    /// The digest of the baseline's events in order.
    static func of(events: [CodableEvent]) -> Digest {
        var digest = Digest()
        for event in events {
            digest.add(event.id)
            digest.add(event.type)
            digest.add(actor: event.actor.id, event.actor.login, event.actor.url)
            digest.add(actor: event.repository.id, event.repository.name, event.repository.url)
            digest.add(event.isPublic)
            digest.add(event.createdAt)
            switch event.payload {
            case .push(let payload):
                digest.add(payload.size)
                digest.add(payload.ref)
                for commit in payload.commits { digest.add(texts: commit.sha, commit.message, url: commit.url) }
            case .issues(let payload):
                digest.add(payload.number)
                digest.add(texts: payload.action, payload.title, url: payload.url)
            case .watch(let payload): digest.add(payload.action)
            case .create(let payload):
                digest.add(payload.ref)
                digest.add(payload.refType)
                digest.add(payload.summary)
            case .issueComment(let payload):
                digest.add(payload.id)
                digest.add(texts: payload.action, payload.body, url: payload.url)
            }
        }
        return digest
    }

    private mutating func add(actor identifier: Int, _ name: String, _ url: URL) {
        add(identifier)
        add(name)
        add(url)
    }

    private mutating func add(texts first: String, _ second: String, url: URL) {
        add(first)
        add(second)
        add(url)
    }
}
