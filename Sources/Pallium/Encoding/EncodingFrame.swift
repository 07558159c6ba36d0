import PalliumCore

/// An object or array that is being written: what would be one level of recursion.
///
/// Objects have `node` and `entries`, lists have `list` and `element`; who steps a frame by its kind unwraps them.
///
/// Safety: plain bytes. The pointers lead into models that the caller holds for the whole call, into lists of theirs or of
/// the encoder's temporaries, and into programs that the adapter holds.
@unsafe
struct EncodingFrame {
    enum Kind: UInt8 {
        case model, path, array, dictionary
    }

    let kind: Kind
    var isFirst = true
    /// The frame below was at its first member when this path began.
    var wasFirst = false
    /// The entry or element that comes next.
    var index = 0
    let count: Int
    var node: Unmanaged<OutputNode>?
    var entries: UnsafePointer<OutputNode.Entry>?
    var model: Unmanaged<DynamicModel>?
    var list: Unmanaged<SlotList>?
    var element: UnsafePointer<ValueTable>?
    var slots: UnsafeMutableRawPointer
    var states: UnsafeMutablePointer<UInt8>
    /// Where the object began in the buffer.
    var start = 0
    /// Where the members that were kept stand in the encoder's list; -1 for none.
    var preserved = -1
    /// Whether only a selection of slots is written.
    var isSelective = false
}
