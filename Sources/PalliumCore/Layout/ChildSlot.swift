/// A property with an inverse, and its parent reference.
package struct ChildSlot: Sendable {
    /// The slot that holds the models.
    package let slot: Int
    /// The slot of the parent reference in each of the models. Descendant schemas keep the slots of their ancestors, so
    /// it is the same in all of them.
    package let inverse: Int
}
