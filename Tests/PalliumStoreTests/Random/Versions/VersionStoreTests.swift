import Foundation
import Pallium
import TestSupport
import Testing

@testable import PalliumStore

/// Six processes of three versions of a program, with two sets of indexes each, work in one file; each step does what the
/// articles say.
struct VersionStoreTests {
    private static let stepsOfOneSeed = 45

    private typealias Steps = [(process: Int, step: VersionStep)]

    /// The first difference that steps show, and the steps up to it.
    private static func difference(_ family: VersionFamily, _ steps: Steps) -> (text: String, count: Int)? {
        do {
            let trial = try VersionTrial(family)
            for (number, step) in steps.enumerated() {
                do {
                    let found = try trial.difference(step.process, step.step, then: number % 6)
                    if let found { return (found, number + 1) }
                } catch { return ("\(error)", number + 1) }
            }
            return nil
        } catch { return ("\(error)", 0) }
    }

    /// The steps of a seed up to the first difference; nil if there is none.
    private static func failure(seed: Int) throws -> String? {
        let family = VersionFamily(seed: seed)
        let trial = try VersionTrial(family)
        var random = VersionSteps(family, seed: seed)
        var steps: Steps = []
        for number in 0..<stepsOfOneSeed {
            let (process, step) = random.next(number, trial.reference)
            steps.append((process, step))
            let found: String?
            do { found = try trial.difference(process, step, then: number % 6) } catch { found = "\(error)" }
            if found != nil { return shrunk(family, steps) + "\n\(family)" }
        }
        return nil
    }

    /// The fewest and smallest steps that show a difference.
    private static func shrunk(_ family: VersionFamily, _ all: Steps) -> String {
        var (steps, isSmaller) = (all, true)
        while isSmaller {
            isSmaller = false
            for index in steps.indices.reversed() {
                var fewer = steps
                fewer.remove(at: index)
                if difference(family, fewer) != nil { (steps, isSmaller) = (fewer, true) }
            }
            search: for index in steps.indices {
                for part in steps[index].step.parts {
                    var smaller = steps
                    smaller[index].step = part
                    if difference(family, smaller) != nil {
                        (steps, isSmaller) = (smaller, true)
                        break search
                    }
                }
            }
        }
        return steps.map { "store \($0.process): \($0.step)" }.joined(separator: "\n") + "\n"
            + (difference(family, steps)?.text ?? difference(family, all)?.text ?? "it does not happen again")
    }

    @Test(.trials) func eachProgramFindsWhatTheArticlesSay() throws {
        for seed in Trials(2) {
            if let failure = try Self.failure(seed: seed) { Issue.record("\(failure)") }
        }
    }
}
