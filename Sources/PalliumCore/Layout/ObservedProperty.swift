import Observation

/// Names a slot in a key path, as the Observation framework asks for.
///
/// The framework compares key paths and never reads through them. So the key paths lead from this empty type, whatever
/// the class of the models is, and are made once for each layout: making one takes longer than a hundred reads.
package struct ObservedProperty: Observable {
    /// A key path that names a slot, or all slots.
    package typealias Path = any KeyPath<ObservedProperty, Void> & Sendable

    package init() {}

    private subscript(slot number: Int) -> Void { () }

    /// Names the model as a whole, for code that reads all of it.
    package static let whole: Path = \ObservedProperty[slot: -1]

    /// Names each of the slots.
    static func paths(slotCount: Int) -> [Path] { (0..<slotCount).map { \ObservedProperty[slot: $0] } }
}
