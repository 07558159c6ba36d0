import PalliumCore
import PalliumJSON

/// A container that is being decoded: what would be one level of recursion.
///
/// Models and paths have a `node` and, with the frames they came from, a `program`; models and lists have an `object`,
/// lists an `element`. Who steps a frame by its kind unwraps them.
///
/// Safety: `object` holds one reference that the frame owns (a model or a list; path frames own none); `slots`, `states`
/// and `target` point into models and lists that a frame below or the caller keeps alive; `node`, `program` and
/// `element` belong to the program set that the adapter keeps alive.
@unsafe
struct DecodingFrame {
    enum Kind: UInt8 {
        /// The object of a model.
        case model
        /// An object on the way of key paths; shares the slots of the model frame below.
        case path
        case array
        case dictionary
    }

    let kind: Kind
    var isFirst = true
    /// Something went wrong inside, and the problems are being collected.
    var hasFailed = false
    /// The model, or the elements of the list, may be part of what the schema asks for.
    var isPart = false
    /// The discriminators that were seen, a bit each; several may share one.
    var visitedChecks: UInt8 = 0
    /// The entry that is expected next.
    var hint = 0
    /// The entry or element that is being decoded; -1 for an unknown member.
    var current = -1
    /// How many deferred properties have been decoded; nil while members are read.
    var deferred = -1
    let entries: UnsafePointer<DecodingNode.Entry>
    let entryCount: Int
    let node: Unmanaged<DecodingNode>?
    let plan: Unmanaged<JSONPlan>?
    let slots: UnsafeMutableRawPointer
    let states: UnsafeMutablePointer<UInt8>
    let object: Unmanaged<AnyObject>?
    let element: UnsafePointer<ValueTable>?
    /// Where the finished model or list goes.
    let target: UnsafeMutableRawPointer
    let targetState: UnsafeMutablePointer<UInt8>
    let targetValue: UnsafePointer<ValueTable>?
    /// Where the container begins.
    let offset: Int
    /// What only some frames have.
    var extras: FrameExtras?
}

/// What `current` is in a frame whose members are read.
enum DecodingPlace {
    /// Nothing inside the object: a problem concerns it as a whole.
    static var wholeObject: Int { -2 }
    /// The deferred property that the frame's extras name.
    static var deferredProperty: Int { -3 }
}

/// What a frame keeps besides slots.
final class FrameExtras {
    /// Members that deferred properties read.
    var captured = JSONObject()
    /// Where each captured member begins.
    var offsets: [Int] = []
    /// Members that no property maps, kept to be written back.
    var preserved = JSONObject()
    /// The path and ignored members that were seen, to tell a repeated one.
    var visited: Set<Int> = []
    /// The unknown members that were seen, where the options ask about repeated ones.
    var unknownNames: Set<UTF8Key> = []
    /// The unknown member that is being read, for messages.
    var unknownName: String?
    /// Where the value that is being decoded begins, so that decoding can go on behind it.
    var mark: JSONSourceMark?
    /// Whether the element of a dictionary that has the key at hand stays although a second one is refused.
    var keepsElement = false
    /// Whether the value for a key of a dictionary was bad and none took its place.
    var hasGaps = false
    /// The path of a deferred value, for messages.
    var deferredPath: [String] = []
    /// Where the values stood of properties with several paths, by their slots, for validators.
    var chosenPaths: [Int: [String]] = [:]
}
