import PalliumCore

/// An object or array that is being written; it stands for one level of recursion.
///
/// Which of the optional fields are set follows from `kind`: objects have `node` and `entries`, lists `object` and
/// `element`. Code that switches over the kind may unwrap them.
///
/// Safety: plain bytes. The pointers lead into plans that the encoder holds, and into models and lists that belong to
/// the model that the caller holds for the whole call, or to the encoder's temporaries. Only your code could release
/// one of them meanwhile, so before any of it runs, the encoder retains the objects of all frames (`holdFrames`). The
/// slots of a model do not move, and a list in a model never changes.
@unsafe
struct EncodingFrame {
    enum Kind: UInt8 {
        case model, path, array, dictionary
    }

    let kind: Kind
    var isFirst = true
    /// Whether the encoder retains the object.
    var isHeld = false
    /// Whether the encoder has split values of the model.
    var hasParts = false
    /// Whether the encoder has a path node for the object.
    var hasPathNode = false
    /// The index of the next entry or element.
    var index = 0
    let count: Int
    var node: Unmanaged<EncodingNode>?
    var entries: UnsafePointer<EncodingNode.Entry>?
    /// The model or list; nil for a path, which uses the slots of a frame below.
    var object: Unmanaged<AnyObject>?
    /// The value of a list's elements, or a model's own value; nil for a root.
    var element: UnsafePointer<ValueTable>?
    var slots: UnsafeMutableRawPointer
    var states: UnsafeMutablePointer<UInt8>
    /// The offset of the object in the buffer.
    var start = 0
    /// The index of the unknown members in the encoder's list; -1 for none.
    var preserved = -1
    /// The index of the selection in the encoder's list; -1 if all properties are written.
    var selection = -1
    /// The index of the model among the recorded ones; -1 if it is not recorded.
    var record = -1
}
