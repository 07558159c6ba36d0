/// Your function that runs on a whole model.
package struct ModelHook: Sendable, Hashable {
    private final class Identity: Sendable {}

    private let identity = Identity()
    package let run: @Sendable (DynamicModel) throws -> Void

    package init(_ run: @escaping @Sendable (DynamicModel) throws -> Void) { self.run = run }

    package static func == (left: ModelHook, right: ModelHook) -> Bool { left.identity === right.identity }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}
