import Foundation
import PalliumJSON
import Synchronization

/// Checks what this folder assumes about the memory of objects, which the language does not promise.
///
/// Safety: the layout is complete, its registry is alive, and the models that are made end here.
enum MemoryCheck {
    private static let isDone = Atomic(false)

    /// Traps if an assumption is wrong. Debug builds call it when they compile a layout; only the first call checks.
    static func runOnce(_ layout: UnsafePointer<RawLayout>) -> Bool {
        if isDone.exchange(true, ordering: .relaxed) { return true }
        if let broken = unsafe brokenAssumption(layout) {
            trap("this version of Swift breaks an assumption: \(broken)")
        }
        return true
    }

    /// Returns the first assumption that is wrong; nil if all hold.
    static func brokenAssumption(_ layout: UnsafePointer<RawLayout>) -> String? {
        let list = ValueDescriptor(schema: "", key: "", path: "", property: .array(of: .integer), isElement: false)
        defer { withExtendedLifetime(list) {} }
        let element = unsafe list.elementReference
        let memory = unsafe SlotMemory.allocate(slots: 1)
        defer { unsafe SlotMemory.deallocate(memory) }
        let sizes = [MemoryLayout<String>.size, MemoryLayout<Data>.size, MemoryLayout<SpelledDate>.size]
        let order = "behind its header in the order of their declarations"
        let assumptions = unsafe [
            ("malloc aligns to 16 bytes", UInt(bitPattern: memory) % 16 == 0),
            ("text, data, and dates with their spelling have at most 16 bytes", sizes.allSatisfy { $0 <= 16 }),
            ("the stored properties of a model stand \(order)", isLaidOut(layout)),
            ("the stored properties of a list stand \(order)", SlotList.isLaidOut(element)),
            ("the stored properties of a temporary slot stand \(order)", TemporarySlot.isLaidOut(element)),
            ("the metadata of a class tells which methods it overrides", ClassMetadata.findsMethods),
        ]
        return assumptions.first { !$0.1 }?.0
    }

    /// Whether a model in one block has the stored properties that were written by their offsets, and its slots behind them.
    private static func isLaidOut(_ layout: UnsafePointer<RawLayout>) -> Bool {
        let model = unsafe DynamicModel.make(layout, DynamicModel.self)
        return unsafe ClassMetadata(DynamicModel.self).instanceSize == ModelStorage.objectSize && model.isOneBlock
            && model.rawLayout == layout && model.companion == nil && UInt(bitPattern: model.slots) % 16 == 0
    }
}
