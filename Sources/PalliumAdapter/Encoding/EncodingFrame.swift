import PalliumCore

/// An object or array that is being written; it stands for one level of recursion.
///
/// Nothing in a frame is retained. The model that the caller holds for the whole call holds the models and lists, or the
/// encoder's temporaries do. Only your code could release one of them meanwhile, so before any of it runs, the encoder
/// retains the objects of all frames (`holdFrames`).
struct EncodingFrame: ~Copyable {
    enum Kind: UInt8 { case model, path, array, dictionary }

    let kind: Kind
    var isFirst = true
    /// Whether the encoder retains the object.
    var isHeld = false
    /// Whether the encoder has split values of the model.
    var hasParts = false
    /// Whether the encoder has a path node for the object.
    var hasPathNode = false
    /// The index of the next member or element.
    var index = 0
    /// The members of an object; nil for a list.
    let members: EncodingMembers?
    /// The model; nil for others.
    let model: Unowned<DynamicModel>?
    /// The elements of a list; nil for an object.
    let elements: SlotElements?
    /// The value that is a model; nil for a root, and for others.
    let value: ValueHandle?
    /// The offset of an object on a key path in the buffer.
    let start: Int
    /// The index of the unknown members in the encoder's list; -1 for none.
    var unknownMembers = -1
    /// The index of the selection in the encoder's list; -1 if all properties are written.
    var selection = -1
    /// The index of the model among the recorded ones; -1 if it is not recorded.
    var record = -1

    /// The frame of a model.
    @inline(__always)
    init(_ model: Unowned<DynamicModel>, _ members: EncodingMembers, in value: ValueHandle?) {
        kind = .model
        self.members = members
        self.model = model
        elements = nil
        self.value = value
        start = 0
    }

    /// The frame of an object on a key path.
    init(path members: EncodingMembers, start: Int, selection: Int) {
        kind = .path
        self.members = members
        model = nil
        elements = nil
        value = nil
        self.start = start
        self.selection = selection
    }

    /// The frame of an array, set or dictionary.
    @inline(__always)
    init(_ elements: SlotElements) {
        kind = elements.isDictionary ? .dictionary : .array
        members = nil
        model = nil
        self.elements = elements
        value = nil
        start = 0
    }

    /// The description of the member that is being written.
    var member: EncodingNode.Member? {
        guard index > 0 else { return nil }
        return members?.node.object.members[index - 1]
    }

    /// Goes to the next member that is not left out because its property is unset. Most properties of most models are.
    @inline(__always)
    mutating func skipUnset() {
        guard let members else { return }
        while let member = members[index], member.isSkipped { index &+= 1 }
    }
}
