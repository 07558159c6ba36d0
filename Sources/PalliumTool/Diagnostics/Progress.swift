/// Shows how far a long input has been read, if standard error is a terminal.
package struct Progress {
    /// Shorter inputs end before progress is useful.
    private static let minimumBytes = 64_000_000

    private let activity: String
    private let size: Int?
    private let diagnostics: Diagnostics
    private let isShown: Bool
    private let start = ContinuousClock.now
    private var bytes = 0
    private var lastShown: ContinuousClock.Instant?

    /// - Parameters:
    ///   - activity: The activity that the line names.
    ///   - size: The size of the input in bytes; nil if it is unknown.
    package init(activity: String, size: Int?, diagnostics: Diagnostics) {
        self.activity = activity
        self.size = size
        self.diagnostics = diagnostics
        isShown = diagnostics.showsProgress
    }

    /// Counts bytes, and shows the count from time to time.
    package mutating func advance(by count: Int) { advance(to: bytes + count) }

    /// Sets the number of bytes, and shows it from time to time.
    mutating func advance(to count: Int) {
        bytes = count
        guard isShown, max(size ?? 0, bytes) > Self.minimumBytes else { return }
        let now = ContinuousClock.now
        if let lastShown, now - lastShown < .milliseconds(100) { return }
        lastShown = now
        diagnostics.showProgress(text(after: now - start))
    }

    /// The line that is shown after a time, with the rate and the time that is left, once they can be told.
    package func text(after time: Duration) -> String {
        // A second is needed, and a byte: without them there is no rate.
        let rate = time >= .seconds(1) && bytes > 0 ? Double(bytes) / (time / .seconds(1)) : nil
        let speed = rate.map { ", \(Quantity.size(Int(exactly: $0.rounded()) ?? .max))/s" } ?? ""
        guard let size, size > 0 else { return "pallium: \(activity): \(Quantity.size(bytes))\(speed)" }
        let percent = min(100, Int(Double(bytes) / Double(size) * 100))
        // A file may grow while it is read.
        let left = rate.map { ", \(Quantity.time(.seconds(Double(max(size - bytes, 0)) / $0))) left" } ?? ""
        return "pallium: \(activity): \(percent) % of \(Quantity.size(size))\(speed)\(left)"
    }

    /// Removes the line.
    func end() { diagnostics.showProgress(nil) }
}
