/// Your function that runs on a whole model.
package final class ModelHook: ComparedByIdentity {
    package let run: @Sendable (DynamicModel) throws -> Void

    package init(_ run: @escaping @Sendable (DynamicModel) throws -> Void) { self.run = run }
}
