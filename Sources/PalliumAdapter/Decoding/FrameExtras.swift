import PalliumCore
import PalliumJSON

/// The state of a frame that few documents need.
final class FrameExtras {
    /// The members that deferred properties read: their entries, and where their values are.
    var captured: [(entry: Int, mark: JSONReaderMark)] = []
    /// Where the object ends and where the paths of its deferred properties do; nil before the object has ended, and without
    /// captured members.
    var ends: (object: JSONReaderMark, paths: [[PathEnd]])?
    /// The path of the deferred property that is being decoded, for error messages. It counts while the frame's `current` is
    /// `DecodingPosition.deferredProperty`.
    var deferredPath: [String] = []
    /// The paths that properties with several paths were read from, by slot, for validators.
    var chosenPaths: [Int: [String]] = [:]
    /// Whether the decoder reads the parts of a deferred property, in a text of their own.
    var hasParts = false
    /// The members that were visited and have no slot that tells it, where the options distinguish repeated ones.
    var visited: Set<VisitedMember> = []
    /// The unknown member that is being read. It counts while the frame's `current` is `DecodingPosition.none`.
    var unknownName: String?
    /// Members that no property maps, which are written back when the model is encoded.
    var preserved = JSONObject()
    /// The beginning of the value that is being decoded, to continue behind it after a problem; only if the session recovers
    /// from problems.
    var mark: JSONReaderMark?
    /// Whether the dictionary of the frame keeps its value for the current key although a repeated key was refused. It ends
    /// with the recovery from that problem.
    var keepsElement = false
    /// Whether the dictionary of the frame has a key without a value, because the value could not be decoded.
    var hasGaps = false
    /// The model that the frame's model is merged into; only if the session knows the targets of objects.
    var target: DynamicModel?
}

/// A member that was visited: an object on a key path, an ignored member or a discriminator by its entry, others by name.
enum VisitedMember: Hashable {
    case entry(Int)
    case unknown(UTF8Key)
}
