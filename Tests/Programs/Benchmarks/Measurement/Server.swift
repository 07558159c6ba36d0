import Foundation
import Pallium
import RunSupport

/// A program that has answered requests for a while, for the heap that it leaves behind.
///
/// Each request brings a page of issues. Two thirds of them are new and go to a cache, where they take the places of others.
/// A third are known, and their new texts are merged into models of the cache. A session begins in the place of another
/// one, an answer is written, and a line is logged. So blocks of all sizes come and go, and live for very different
/// times. The load stays the same; a few percent of the heap are free, in many places.
///
/// All that happens is drawn from one generator, on one thread. So every process makes the same heap, but for the order in
/// which dictionaries release what they hold, because each process has another seed for hashes. What the program holds
/// stays alive with it.
final class Server {
    /// Three times as many leave the same heap: by now each place of the cache and of the sessions was taken many times.
    static let requestCount = 10_000
    /// Shows that a server runs, and no more.
    static let shortRequestCount = 200

    private let adapter: JSONAdapter<Issue>
    private let texts = IssueTexts(count: 2000)
    private var random = SeededGenerator(seed: 51)
    private var cache = Kept<Issue>(limit: 6000)
    private var sessions = Kept<Session>(limit: 3000)
    private var lines = Kept<String>(limit: 2000)
    /// Answers that clients have not read yet.
    private var answers = Kept<Data>(limit: 32)

    /// Answers so many requests.
    init(requests: Int, adapter: JSONAdapter<Issue>) throws {
        self.adapter = adapter
        for number in 0..<requests { try answer(number) }
    }

    private func answer(_ number: Int) throws {
        sessions.add(Session(&random), &random)
        let length = random.integer(1...60)
        let page = texts.page(of: (0..<max(1, length * 2 / 3)).map { _ in random.integer(1...texts.count) })
        let issues = try adapter.models(from: page)
        for issue in issues { cache.add(issue, &random) }
        var changes = 0
        for _ in 0..<length / 3 {
            let issue = random.choice(cache.elements)
            changes += try adapter.merge(texts.text(of: issue.number, inState: random.below(2)), into: issue).count
        }
        // Most programs have code that does without models.
        if random.once(in: 20) { blackHole(try JSONSerialization.jsonObject(with: page)) }

        let answer = try adapter.data(from: issues)
        let client = random.choice(sessions.elements).headers[0].value
        lines.add(
            "request \(number): \(issues.count) issues, \(changes) changes, \(answer.count) bytes sent to \(client)",
            &random)
        answers.add(answer, &random)
    }
}

/// The state of one client: texts of headers and the bytes of a body.
private final class Session {
    let headers: [(name: String, value: String)]
    private let body: [UInt8]

    init(_ random: inout SeededGenerator) {
        func text(_ lengths: ClosedRange<Int>) -> String { String(repeating: "x", count: random.integer(lengths)) }
        headers = (0..<random.integer(6...16)).map { _ in (name: text(5...25), value: text(1...120)) }
        body = Array(repeating: 1, count: random.integer(0...4000))
    }
}

/// Things of which only so many are kept: a new one takes the place of any other.
private struct Kept<Element> {
    private let limit: Int
    private(set) var elements: [Element] = []

    init(limit: Int) { self.limit = limit }

    mutating func add(_ element: Element, _ random: inout SeededGenerator) {
        if elements.count < limit {
            elements.append(element)
        } else {
            elements[random.below(limit)] = element
        }
    }
}
