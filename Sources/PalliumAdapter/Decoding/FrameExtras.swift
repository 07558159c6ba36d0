import PalliumCore
import PalliumJSON

/// The state of a frame that few documents need.
final class FrameExtras {
    /// Model frames: the members that deferred properties read, by their entries and the positions of their values. Set while the
    /// object is read and complete at its end.
    var captured: [(entry: Int, mark: JSONReaderMark)] = []
    /// Model frames with `captured` members: where the object ends, and by deferred property and path, where the paths end. Set
    /// once, at the end of the object; nil before.
    var ends: (object: JSONReaderMark, paths: [[PathEnd]])?
    /// Model and path frames: the path from the object to what is read, if no entry tells it. While the frame's `current` is
    /// `none`, it is the name of the unknown member that was read last; empty if unknown members are ignored and repeated ones
    /// not refused. While `current` is `deferredProperty`, it leads into a captured member, or into one that a cluster reads.
    /// With another `current`, it does not count.
    var innerPath: [String] = []
    /// Model frames: the paths that `firstOf` properties were read from, by slot, for validators. Set while deferred properties
    /// are decoded; `allOf` properties have none.
    var chosenPaths: [Int: [String]] = [:]
    /// Model frames: whether the decoder reads the parts of the current deferred property, in the last of its `composedTexts`. Set
    /// when they begin, reset before the next property.
    var hasParts = false
    /// Model and path frames: the members that have come and have no slot to tell it. Captured ones are always noted, others only
    /// where a repeated one would matter.
    var visited: Set<VisitedMember> = []
    /// Model and path frames: members that no property maps, to be written back, if the options keep them or the document is of
    /// the stored format. At its end, a path frame passes its own to the frame below.
    var preserved = JSONObject()
    /// All frames, if and only if the session recovers from problems: the beginning of the value of the last member or
    /// element, to continue behind it. Set behind each name or before each element; nil before the first. It does not count
    /// after the object has ended.
    var mark: JSONReaderMark?
    /// Dictionary frames, only if the session recovers from problems: whether the value for `current` stays although decoding
    /// stopped there, because its key was repeated and refused. Set when that problem is thrown, reset by the recovery.
    var keepsElement = false
    /// Model frames, only if the session tracks targets: the model of the same layout that the frame's model is merged into. Set
    /// right after the push.
    var target: DynamicModel?
}

/// A member that was visited: an unknown one by its name, others by their entry.
enum VisitedMember: Hashable {
    case entry(Int)
    case unknown(UTF8Key)
}
