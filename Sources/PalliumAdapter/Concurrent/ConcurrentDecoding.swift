import Dispatch
import PalliumCore
import Synchronization

/// Decodes the parts of a document on several threads, and joins those that follow one another.
///
/// ```
///   document   [{…},{…},{"text":"},{…"},{…},{…},{…}]
///   parts      0 ──────────┬──1 ✗       ┬─2 ────────   part 0 goes on until it meets part 2
/// ```
/// The beginnings of parts may be guesses. A part is decoded until it meets the beginning of another one, so it skips
/// wrong guesses. The first part begins where the document does. So if each part of a chain met the next one, their
/// beginnings were right, and the chain read the tokens that one thread would have read.
final class ConcurrentDecoding: Sendable {
    /// The result of joining parts.
    private enum Outcome {
        /// A part that is needed is still being decoded.
        case undecided
        /// A part that is needed could not be decoded.
        case failed
        case joined([DecodedPart])
    }

    /// The decoded parts, by their numbers.
    private let parts: Lock<[DecodedPart?]>
    private let partCount: Int
    private let takenParts = Atomic(0)
    private let isDecided = Atomic(false)

    private init(partCount: Int) {
        self.partCount = partCount
        parts = Lock(Array(repeating: nil, count: partCount))
    }

    /// Decodes parts on several threads; returns those that make up the document, or nil if one of them has a problem.
    ///
    /// - Parameter decodePart: Decodes the part of a number, and may give up when the decoding is stopped.
    static func decode(
        partCount: Int, threadCount: Int, _ decodePart: @Sendable (Int, ConcurrentDecoding) -> DecodedPart
    ) -> [DecodedPart]? {
        let decoding = ConcurrentDecoding(partCount: partCount)
        DispatchQueue.concurrentPerform(iterations: min(threadCount, partCount)) { _ in
            decoding.decodeParts(decodePart)
        }
        guard case .joined(let parts) = decoding.parts.withLock({ Self.join($0) }) else { return nil }
        return parts
    }

    /// Whether the outcome is known, so that no more models are needed.
    var isStopped: Bool { isDecided.load(ordering: .relaxed) }

    private func decodeParts(_ decodePart: (Int, ConcurrentDecoding) -> DecodedPart) {
        while !isStopped {
            let number = takenParts.wrappingAdd(1, ordering: .relaxed).oldValue
            guard number < partCount else { return }
            let part = decodePart(number, self)
            parts.withLock { parts in
                parts[number] = part
                if case .undecided = Self.join(parts) { return }
                isDecided.store(true, ordering: .relaxed)
            }
        }
    }

    private static func join(_ parts: [DecodedPart?]) -> Outcome {
        var joined: [DecodedPart] = []
        var number = 0
        while let part = parts[number] {
            switch part.end {
            case .problem: return .failed
            case .document:
                joined.append(part)
                return .joined(joined)
            case .part(let next):
                joined.append(part)
                number = next
            }
        }
        return .undecided
    }
}
