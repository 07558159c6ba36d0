// Creates the values that accessors otherwise create at the first access.
//
// Safety: a slot with a value holds the type of its kind: a list, for collections.
extension PropertySlot {
    /// Creates URLs and the natural Swift types of collections, so that reading writes nothing later.
    ///
    /// Recursion is bounded by the schema, which bounds the nesting of collections.
    ///
    /// - Returns: Whether the value can be read as its natural type, which a missing element can prevent.
    @discardableResult
    package func prepare() -> Bool {
        let description = description
        guard hasValue else { return description.isOptional }
        switch description.kind {
        case .url: makeURL()
        case .array, .set, .dictionary:
            let list = list
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
    /// The Swift type of a collection: its natural type, or a set where the elements are hashable.
    fileprivate var collectionType: any PropertyValue.Type {
        guard kind == .set, let type = elementType as? any (PropertyValue & Hashable).Type else { return naturalType }
        return type.setType
    }
}

extension PropertyValue where Self: Hashable {
    fileprivate static var setType: any PropertyValue.Type { Set<Self>.self }
}
