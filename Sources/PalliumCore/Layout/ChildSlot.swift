/// A property with an inverse.
package struct ChildSlot: Sendable {
    /// The slot that holds the models.
    package let slot: Int
    /// The slot of the link in every one of them. It is the same in models of descendant schemas, which keep the slots of
    /// their ancestors.
    package let inverse: Int
}
