/// What has to be reached.
struct Goal {
    enum Better: String {
        case higher, lower
    }

    /// How a row's figure is made of both sides.
    enum Figure {
        /// Baseline over ours when higher is better, ours over baseline when lower is.
        case ratio
        /// Ours less baseline.
        case difference
        /// Ours alone, where the baseline does too little for a ratio to tell anything.
        case amount
    }

    let value: Double
    let better: Better
    var figure = Figure.ratio
    /// A further aim, where there is one.
    var reach: Double?

    /// At least so many times as fast as the baseline.
    static func atLeast(_ value: Double, reach: Double? = nil) -> Goal {
        Goal(value: value, better: .higher, reach: reach)
    }

    /// At most so many times the baseline's time or space.
    static func atMost(_ value: Double) -> Goal { Goal(value: value, better: .lower) }

    /// At most so much more than the baseline.
    static func atMostMore(_ value: Double) -> Goal { Goal(value: value, better: .lower, figure: .difference) }

    /// At most so much, whatever the baseline takes.
    static func atMostAmount(_ value: Double) -> Goal { Goal(value: value, better: .lower, figure: .amount) }

    /// The row's figure.
    func figure(_ measurement: Measurement) -> Double {
        switch (figure, better) {
        case (.amount, _): measurement.ours
        case (.difference, _): measurement.ours - measurement.baseline
        case (.ratio, .higher): measurement.baseline / measurement.ours
        case (.ratio, .lower): measurement.ours / measurement.baseline
        }
    }

    /// Whether a figure is good enough.
    func isReached(by figure: Double) -> Bool { better == .higher ? figure >= value : figure <= value }
}
