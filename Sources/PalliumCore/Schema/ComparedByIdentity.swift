/// Your code in a schema. Closures cannot be compared: two such objects are equal only if they are the same.
package protocol ComparedByIdentity: AnyObject, Hashable, Sendable {}

extension ComparedByIdentity {
    package static func == (left: Self, right: Self) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
