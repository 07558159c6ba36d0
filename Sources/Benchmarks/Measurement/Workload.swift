import Foundation

/// A row of the table: what is compared, and how far ahead Pallium wants to be.
struct Workload {
    /// What the row measures.
    let name: String
    /// What the figures mean.
    let unit: Unit
    /// What has to be reached.
    let goal: Goal
    /// Makes everything that is needed, for rows that are chosen only.
    let prepare: () throws -> Preparation

    enum Unit {
        /// Nanoseconds per thing of this name.
        case nanoseconds(per: String)
        case bytes
    }

    enum Preparation {
        /// Both sides are timed in rounds. `proof` tells whether they do equal work.
        case timed(ours: TimedWork, baseline: TimedWork, configuration: Configuration, proof: () throws -> Bool)
        /// Both sides were measured once, in processes of their own.
        case measured(ours: Double, baseline: Double, configuration: Configuration, digestEqual: Bool)
        /// The row cannot be measured here.
        case skipped(reason: String)
    }
}

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

    /// The row's figure.
    func figure(ours: Double, baseline: Double) -> Double {
        switch (figure, better) {
        case (.difference, _): ours - baseline
        case (.ratio, .higher): baseline / ours
        case (.ratio, .lower): ours / baseline
        }
    }

    /// Whether a figure is good enough.
    func isReached(by figure: Double) -> Bool { better == .higher ? figure >= value : figure <= value }
}

/// A way to decode that rows time, and the proof that it is strict: it takes the document and refuses every mutation.
final class Configuration {
    /// The way in words.
    let name: String
    /// How many documents it took that it must refuse; found out once.
    private(set) lazy var acceptedMutations: Result<Int, any Error> = Result { try check() }

    private let document: DocumentValue
    private let optionalMembers: Set<String>
    private let decode: (Data) throws -> Void

    /// - Parameters:
    ///   - document: A document of one model in which everything is present.
    ///   - optionalMembers: Names of the members that may be missing and null.
    ///   - decode: Decodes a document of one model.
    init(
        _ name: String, document: DocumentValue, optionalMembers: Set<String> = [],
        decode: @escaping (Data) throws -> Void
    ) {
        self.name = name
        self.document = document
        self.optionalMembers = optionalMembers
        self.decode = decode
    }

    private func check() throws -> Int {
        try decode(document.data)
        return DocumentMutations(optionalMembers: optionalMembers).mutations(of: document, count: 200).count {
            mutation in
            do { try decode(mutation) } catch { return false }
            return true
        }
    }
}
