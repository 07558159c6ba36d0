/// Your code in a schema. Closures cannot be compared: two boxes are equal only if they are the same object.
package final class ComparedByIdentity<Content: Sendable>: Sendable, Hashable {
    package let content: Content

    package init(_ content: Content) { self.content = content }

    package static func == (left: ComparedByIdentity, right: ComparedByIdentity) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Your function that runs on a whole model.
package typealias ModelHook = ComparedByIdentity<@Sendable (DynamicModel) throws -> Void>
/// Your function that converts a stored model.
package typealias UpgradeConversion = ComparedByIdentity<@Sendable (inout FormerModel) throws -> Void>
/// Your function that computes a property of a stored model.
package typealias StoredValueHook = ComparedByIdentity<@Sendable (FormerModel) throws -> FormerModel.Value?>
