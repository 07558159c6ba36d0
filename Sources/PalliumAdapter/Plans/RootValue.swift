import PalliumCore

/// The value tables of a root model and of a root array of such models. They let the decoder store roots like
/// properties.
///
/// Safety: the tables live as long as the plans that this object holds.
package final class RootValue: @unchecked Sendable {
    // @unchecked: never written after init.
    private let plan: ValuePlan
    private let listPlan: ValuePlan
    /// Describes a model.
    var model: ValueHandle { unsafe plan.handle }
    /// Describes an array of models.
    var list: ValueHandle { unsafe listPlan.handle }

    package init(_ root: JSONPlan) {
        let name = root.layout.schema.name
        let property = PropertySchema.model(name).required
        plan = ValuePlan(
            ValueDescriptor(schema: name, key: "", path: name, property: property, models: root.layout),
            operation: .model)
        unsafe plan.link(root)
        listPlan = ValuePlan(
            ValueDescriptor(
                schema: name, key: "", path: name, property: PropertySchema.array(of: property).required,
                models: root.layout),
            operation: .array, element: plan)
    }
}
