package import Foundation
package import PalliumJSON

/// The objects that slots hold, for code that knows the kind of a slot.
///
/// Safety: the caller has seen that the slot has a value of the kind.
extension PropertySlot {
    /// The list of a slot that holds an array, a set or a dictionary.
    package var list: SlotList { unsafe SlotOperations.box(SlotList.self, pointer) }
    /// The entries of a slot that holds a dictionary.
    package var dictionary: SlotDictionary { unsafe SlotOperations.box(SlotDictionary.self, pointer) }
    /// The model of a slot that holds one.
    package var model: DynamicModel { unsafe SlotOperations.box(DynamicModel.self, pointer) }
    /// The weak reference of a slot that holds one.
    package var weakReference: WeakModelBox { unsafe SlotOperations.box(WeakModelBox.self, pointer) }
    /// The model to which a weak reference leads; nil if there is none, or none any more.
    package var weakModel: DynamicModel? { hasValue ? weakReference.model : nil }
    package var decimal: Decimal { unsafe SlotOperations.box(DecimalBox.self, pointer).value }
    package var json: JSONValue { unsafe SlotOperations.box(JSONBox.self, pointer).value }
    /// The value of a slot that holds a Swift type of your own.
    package var custom: any Hashable & Sendable { unsafe SlotOperations.box(CustomBox.self, pointer).value }
}
