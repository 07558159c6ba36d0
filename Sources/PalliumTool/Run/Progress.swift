/// Shows how far long work has come, if standard error is a terminal.
package struct Progress {
    /// What is counted: bytes, or things that a noun names.
    private enum Unit {
        case bytes
        case things(String)
    }

    /// Shorter work ends before its progress is useful.
    private static let delay = Duration.seconds(1)

    private let activity: String
    private let unit: Unit
    private var total: Int?
    private let status: StatusLine
    private let start = ContinuousClock.now
    private var done = 0
    private var lastShown: ContinuousClock.Instant?

    /// Counts the bytes of an input.
    ///
    /// - Parameters:
    ///   - activity: The activity that the line names.
    ///   - size: The size of the input in bytes; nil if it is unknown.
    package init(activity: String, size: Int?, run: Run) {
        self.init(activity, .bytes, size, run)
    }

    /// Counts things.
    ///
    /// - Parameters:
    ///   - activity: The activity that the line names.
    ///   - total: The number of things; nil if it is unknown.
    ///   - noun: What the things are called.
    package init(activity: String, total: Int?, of noun: String, run: Run) {
        self.init(activity, .things(noun), total, run)
    }

    private init(_ activity: String, _ unit: Unit, _ total: Int?, _ run: Run) {
        self.activity = activity
        self.unit = unit
        self.total = total
        status = run.status
    }

    /// Adds to the number, and shows it from time to time.
    package mutating func advance(by count: Int = 1) { advance(to: done + count) }

    /// Sets both numbers, and shows them from time to time.
    mutating func advance(to count: Int, of total: Int) {
        self.total = total
        advance(to: count)
    }

    /// Sets the number, and shows it from time to time.
    mutating func advance(to count: Int) {
        done = count
        guard status.isWanted else { return }
        let now = ContinuousClock.now
        guard now - (lastShown ?? start) >= (lastShown == nil ? Self.delay : .milliseconds(100)) else { return }
        lastShown = now
        status.show(text(after: now - start))
    }

    /// The line that is shown after a time, with the rate and the time that is left, once they can be told.
    package func text(after time: Duration) -> String {
        // A second is needed, and something done: without them there is no rate.
        let rate = time >= Self.delay && done > 0 ? Double(done) / (time / .seconds(1)) : nil
        let speed = rate.map { ", \(amount(each: $0))/s" } ?? ""
        guard let total, total > 0 else { return "pallium: \(activity): \(amount(done))\(speed)" }
        let percent = min(100, Int(Double(done) / Double(total) * 100))
        // A file may grow while it is read.
        let left = rate.map { ", \(Quantity.time(.seconds(Double(max(total - done, 0)) / $0))) left" } ?? ""
        return "pallium: \(activity): \(percent) % of \(amount(total))\(speed)\(left)"
    }

    private func amount(_ count: Int) -> String {
        switch unit {
        case .bytes: Quantity.size(count)
        case .things(let noun): Quantity.count(count, noun)
        }
    }

    /// The amount of each second.
    private func amount(each rate: Double) -> String {
        let count = Int(exactly: rate.rounded()) ?? .max
        switch unit {
        case .bytes: return Quantity.size(count)
        // Slow work has tenths.
        case .things: return rate < 10 ? "\(Int(rate * 10) / 10).\(Int(rate * 10) % 10)" : "\(count)"
        }
    }

    /// Removes the line.
    func end() { status.clear() }
}
