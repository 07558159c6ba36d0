import PalliumCore

// Safety: the tables live as long as the programs that this object holds.

/// The value tables of a root model and of an array of such models, and what they point at.
final class RootValue: @unchecked Sendable {
    // @unchecked: never written after init.
    private let program: ValueProgram
    private let listProgram: ValueProgram
    /// Describes a model.
    var table: UnsafePointer<ValueTable> { unsafe UnsafePointer(program.table) }
    /// Describes an array of models.
    var list: UnsafePointer<ValueTable> { unsafe UnsafePointer(listProgram.table) }

    init(_ root: JSONProgram) {
        let name = root.layout.schema.name
        let property = PropertySchema.model(name).required
        program = ValueProgram(
            ValueDescriptor(schema: name, key: "", path: name, property: property, models: root.layout),
            operation: .model)
        unsafe program.table.pointee.model = Unmanaged.passUnretained(root)
        listProgram = ValueProgram(
            ValueDescriptor(
                schema: name, key: "", path: name, property: PropertySchema.array(of: property).required,
                models: root.layout),
            operation: .array, element: program)
    }
}
