/// The objects that slots hold, for code that knows the kind of a slot.
///
/// Safety: the caller has seen that the slot has a value of the kind.
extension PropertySlot {
    /// The list of a slot that holds an array or a set.
    package var list: SlotList { unsafe SlotOperations.box(SlotList.self, pointer) }
    /// The entries of a slot that holds a dictionary.
    package var dictionary: SlotDictionary { unsafe SlotOperations.box(SlotDictionary.self, pointer) }
    /// The model of a slot that holds one.
    package var model: DynamicModel { unsafe SlotOperations.box(DynamicModel.self, pointer) }
}
