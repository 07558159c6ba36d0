import PalliumCore

/// An object or array that is being written: what would be one level of recursion.
///
/// Objects have `node` and `entries`, lists have `object` and `element`; who steps a frame by its kind unwraps them.
///
/// Safety: plain bytes. The pointers lead into plans that the encoder holds, and into models and lists that hang on the
/// model that the caller holds for the whole call, or on the encoder's temporaries. Only your code could take
/// one away meanwhile: before any of it runs, the encoder holds what every frame stands for (`holdFrames`). The slots of a
/// model stay where they are as long as the model, and a list in a model never changes.
@unsafe
struct EncodingFrame {
    enum Kind: UInt8 {
        case model, path, array, dictionary
        /// Nothing that is written here: a value of which the frame below wants the parts. `index` is its slot.
        case split
    }

    let kind: Kind
    var isFirst = true
    /// Whether the encoder holds the object.
    var isHeld = false
    /// Whether the encoder keeps parts of the model's properties.
    var hasParts = false
    /// Whether the encoder keeps where the object stands.
    var hasPlace = false
    /// The entry or element that comes next.
    var index = 0
    let count: Int
    var node: Unmanaged<EncodingNode>?
    var entries: UnsafePointer<EncodingNode.Entry>?
    /// The model or list; nil for a path, whose slots are those of a frame below.
    var object: Unmanaged<AnyObject>?
    /// The elements of a list; for a model the value that it is, nil for a root.
    var element: UnsafePointer<ValueTable>?
    var slots: UnsafeMutableRawPointer
    var states: UnsafeMutablePointer<UInt8>
    /// Where the object began in the buffer.
    var start = 0
    /// Where the members that were kept stand in the encoder's list; -1 for none.
    var preserved = -1
    /// Which properties are written, in the encoder's list; -1 for all.
    var selection = -1
    /// Where the object is noted among the written ones; -1 when it is not.
    var record = -1
}
