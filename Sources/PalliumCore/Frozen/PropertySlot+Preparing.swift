// Safety: a slot with a value holds what its kind says: a list, for collections.
extension PropertySlot {
    /// Makes what is otherwise made at the first read, so that reading writes nothing: URLs, and collections as the Swift
    /// types that are natural for them. Collections nest as deep as the schema says.
    ///
    /// - Returns: Whether the value can be read as its natural type, which a missing element can prevent.
    @discardableResult
    package func prepare() -> Bool {
        let description = description
        guard hasValue else { return description.isNullable }
        switch description.kind {
        case .url: makeURL()
        case .array, .set, .dictionary:
            let list = unsafe SlotOperations.box(SlotList.self, pointer)
            var isComplete = true
            for index in 0..<list.count where !list.slot(at: index).prepare() { isComplete = false }
            guard isComplete else { return false }
            _ = load(as: description.collectionType)
        default: break
        }
        return true
    }
}

extension ValueDescriptor {
    /// The Swift type by which a collection is usually read: for sets that is a set, where the elements can be in one.
    fileprivate var collectionType: any PropertyValue.Type {
        guard kind == .set, let type = elementType as? any (PropertyValue & Hashable).Type else { return naturalType }
        return type.setType
    }
}

extension PropertyValue where Self: Hashable {
    fileprivate static var setType: any PropertyValue.Type { Set<Self>.self }
}
