import PalliumCore
import PalliumJSON

/// The state of a frame that few documents need.
final class FrameExtras {
    /// The members of a model that deferred properties read: their entries, and where their values are. Complete when the object
    /// has ended; path frames have none.
    var captured: [(entry: Int, mark: JSONReaderMark)] = []
    /// Where the object ends and, by deferred property and path, where the paths end; nil before the object has ended, and
    /// without captured members.
    var ends: (object: JSONReaderMark, paths: [[PathEnd]])?
    /// The path to what is read in a captured member, or in one that a cluster reads, for error messages. It counts while the
    /// frame's `current` is `DecodingPosition.deferredProperty`.
    var deferredPath: [String] = []
    /// The paths that `firstOf` properties were read from, by slot, for validators; `allOf` properties have none.
    var chosenPaths: [Int: [String]] = [:]
    /// Whether the decoder reads the parts of a deferred property, in a text of their own.
    var hasParts = false
    /// The members that have come and have no slot to tell it. Captured ones are always noted, others only where a repeated one
    /// would matter.
    var visited: Set<VisitedMember> = []
    /// The unknown member that is being read; nil if unknown members are ignored and repeated ones not refused. It counts while
    /// the frame's `current` is `DecodingPosition.none`.
    var unknownName: String?
    /// Members that no property maps, to be written back: if the options keep them, or from the stored form. A path frame passes
    /// its own to the frame below.
    var preserved = JSONObject()
    /// The beginning of the value that is being decoded, to continue behind it after a problem; only if the session recovers
    /// from problems.
    var mark: JSONReaderMark?
    /// Whether the dictionary of the frame keeps its value for the current key although a repeated key was refused, until decoding
    /// has gone on behind that problem.
    var keepsElement = false
    /// Whether the dictionary of the frame has a key without a value, because the value could not be decoded.
    var hasGaps = false
    /// The model of the same layout that the frame's model is merged into; only while the session tracks targets.
    var target: DynamicModel?
}

/// A member that was visited: an unknown one by its name, others by their entry.
enum VisitedMember: Hashable {
    case entry(Int)
    case unknown(UTF8Key)
}
