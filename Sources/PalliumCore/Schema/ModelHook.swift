/// Your code in a schema. Closures cannot be compared: two such objects are equal only if they are the same.
package protocol ComparedByIdentity: AnyObject, Hashable, Sendable {}

extension ComparedByIdentity {
    package static func == (left: Self, right: Self) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Your function that runs on a whole model.
package final class ModelHook: ComparedByIdentity {
    package let run: @Sendable (DynamicModel) throws -> Void

    package init(_ run: @escaping @Sendable (DynamicModel) throws -> Void) { self.run = run }
}
