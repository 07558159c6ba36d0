import Foundation

/// A checksum over every property of models, the same for models of both families when they hold the same values.
///
/// Bytes and numbers are mixed by the rule of FNV-1a (Fowler, Noll and Vo), which is simple and good enough to prove
/// that two programs did the same work.
struct Digest: Equatable {
    private var state: UInt64 = 0xcbf2_9ce4_8422_2325

    /// The digest for reading and for other processes.
    var text: String { String(state, radix: 16) }

    mutating func add(_ number: Int) {
        state = (state ^ UInt64(bitPattern: Int64(number))) &* 0x100_0000_01b3
        state ^= state >> 29
    }

    mutating func add(_ text: String) {
        add(text.utf8.count)
        for byte in text.utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }

    mutating func add(_ flag: Bool) { add(flag ? 1 : 0) }

    mutating func add(_ number: Double) { add(Int(bitPattern: UInt(truncatingIfNeeded: number.bitPattern))) }

    mutating func add(_ date: Date) { add(date.timeIntervalSince1970) }

    mutating func add(_ url: URL) { add(url.absoluteString) }

    mutating func add(_ user: some UserFields) {
        add(user.login)
        add(user.id)
        add(user.htmlURL)
        add(user.avatarURL)
        add(user.type.rawValue)
    }

    mutating func add(_ issue: some IssueFields) {
        add(issue.url)
        add(issue.htmlURL)
        add(issue.id)
        add(issue.number)
        add(issue.state.rawValue)
        add(issue.title)
        add(issue.body)
        add(issue.user)
        if let assignee = issue.assignee { add(assignee) } else { add(false) }
        add(issue.labels.count)
        for label in issue.labels {
            add(label.id)
            add(label.name)
            add(label.color)
        }
        if let milestone = issue.milestone {
            add(milestone.id)
            add(milestone.number)
            add(milestone.title)
            add(milestone.state.rawValue)
            add(milestone.dueOn)
        } else {
            add(false)
        }
        add(issue.comments)
        add(issue.locked)
        add(issue.createdAt)
        add(issue.updatedAt)
        if let closedAt = issue.closedAt { add(closedAt) } else { add(false) }
        if let pullRequest = issue.pullRequest {
            add(pullRequest.url)
            add(pullRequest.htmlURL)
        } else {
            add(false)
        }
    }

    /// The digest of issues in order.
    static func of(_ issues: [some IssueFields]) -> Digest {
        var digest = Digest()
        for issue in issues { digest.add(issue) }
        digest.add(issues.count)
        return digest
    }
}

extension IssueFields {
    /// Reads every URL and date of the issue and its parts once.
    func touchURLsAndDates() {
        blackHole(url)
        blackHole(htmlURL)
        blackHole(user.htmlURL)
        blackHole(user.avatarURL)
        if let assignee {
            blackHole(assignee.htmlURL)
            blackHole(assignee.avatarURL)
        }
        if let pullRequest {
            blackHole(pullRequest.url)
            blackHole(pullRequest.htmlURL)
        }
        if let milestone { blackHole(milestone.dueOn) }
        blackHole(createdAt)
        blackHole(updatedAt)
        if let closedAt { blackHole(closedAt) }
    }
}
