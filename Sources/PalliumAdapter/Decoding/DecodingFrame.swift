import PalliumCore
import PalliumJSON

/// A container that is being decoded; it stands for one level of recursion.
///
/// Which of the optional fields are set follows from `kind`: models and paths have a `node` and a `plan`, lists an
/// `element` and an `object`. Code that switches over the kind may unwrap them. A model has an `object` once its own object
/// has ended, or earlier.
///
/// Safety: `object` holds one reference that the frame owns (a model or a list; path frames own none);
/// `slots`, `states` and `target` point into scratch memory, a model or a list. The decoder owns the scratch memory; a
/// frame below or the caller keeps models and lists alive. `node`, `plan` and `element`
/// belong to the plans that the adapter keeps alive.
@unsafe
struct DecodingFrame {
    enum Kind: UInt8 {
        /// The object of a model.
        case model
        /// An object on a key path; shares the slots of the model frame below.
        case path
        case array
        case dictionary
    }

    let kind: Kind
    var isFirst = true
    /// Something inside failed, and problems are collected.
    var hasFailed = false
    /// The model or the elements of the list are partial: required properties may be missing.
    var isPartial = false
    /// One more than the number of the entry that came last; 0 before the first.
    var place = 0
    /// The index of the entry or element that is being decoded, or one of `DecodingPosition`.
    var current = DecodingPosition.none
    /// How many deferred properties have been decoded, or `DecodingPosition.readingMembers`.
    var deferred = DecodingPosition.readingMembers
    let entries: UnsafePointer<DecodingNode.Entry>
    let entryCount: Int
    let node: Unmanaged<DecodingNode>?
    let plan: Unmanaged<JSONPlan>?
    var slots: UnsafeMutableRawPointer
    var states: UnsafeMutablePointer<UInt8>
    /// Nil while a model is put together in scratch memory.
    var object: Unmanaged<AnyObject>?
    let element: UnsafePointer<ValueTable>?
    /// The slot that the finished model or list is stored in.
    let target: UnsafeMutableRawPointer
    let targetState: UnsafeMutablePointer<UInt8>
    let targetValue: UnsafePointer<ValueTable>
    /// The offset of the object of a model, where problems of the whole model are.
    let offset: Int
    /// Where the texts of a model begin that is put together in scratch memory; -1 for other frames.
    var textStart = -1
    /// Rarely used state, allocated at first use.
    var extras: FrameExtras?
}

extension DecodingFrame {
    /// The order in which the members of the object are expected.
    @inline(__always)
    var order: MemberOrder { unsafe MemberOrder(behind: entries, count: entryCount) }

    /// Whether the object has ended, so that only deferred properties and the checks of the whole object are left.
    @inline(__always)
    var isFinishing: Bool { unsafe deferred >= 0 }
}

/// The values of a frame's `current` and `deferred` that are no index or count.
///
/// They are integers and no cases of an enumeration, because the decoder counts with both in its innermost loop.
enum DecodingPosition {
    /// Before the first member or element, or at a member that no property maps.
    static var none: Int { -1 }
    /// At no member: a problem concerns the whole object.
    static var wholeObject: Int { -2 }
    /// At the deferred property whose path is in the frame's extras.
    static var deferredProperty: Int { -3 }

    /// The value of `deferred` before the object has ended.
    static var readingMembers: Int { -1 }
}

/// The state of a frame that few documents need.
final class FrameExtras {
    /// The members that deferred properties read: their entries, and where their values are.
    var captured: [(entry: Int, mark: JSONReaderMark)] = []
    /// Where the paths of deferred properties end, and where the object does; empty before it has ended.
    var ends: [[PathEnd]] = []
    var end: JSONReaderMark?
    /// Whether the decoder reads the parts of a deferred property, in a text of their own.
    var hasParts = false
    /// Members that no property maps, which are written back when the model is encoded.
    var preserved = JSONObject()
    /// The path and ignored members that were visited, to detect repeated ones.
    var visited: Set<Int> = []
    /// The unknown members that were visited, if the options distinguish repeated ones.
    var unknownNames: Set<UTF8Key> = []
    /// The unknown member that is being read, for messages.
    var unknownName: String?
    /// The beginning of the value that is being decoded, to continue behind it after a problem.
    var mark: JSONReaderMark?
    /// Whether the dictionary keeps its value for the current key although a repeated key was refused.
    var keepsElement = false
    /// Whether a dictionary has a key without a value, because the value could not be decoded.
    var hasGaps = false
    /// The model that the frame's model is merged into.
    var target: DynamicModel?
    /// The path of the current deferred value, for error messages.
    var deferredPath: [String] = []
    /// The chosen paths of properties with several paths, by slot, for validators.
    var chosenPaths: [Int: [String]] = [:]
}
