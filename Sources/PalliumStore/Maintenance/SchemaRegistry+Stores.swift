import PalliumAdapter
public import PalliumCore

extension SchemaRegistry {
    /// Checks that stores can have the models of all schemas with an identity, before the first one is saved.
    ///
    ///     try registry.register(schemas)
    ///     try registry.checkStore()
    ///
    /// - Throws: ``ModelError`` with every problem: an identity of a kind that has no column, such as a decimal; the name of
    ///   a schema, or the key of an indexed property, that differs from another one by the case of letters only; a
    ///   schema that requires a model of itself.
    public func checkStore() throws(ModelError) {
        var problems: [ModelError] = []
        var names: [[UInt8]: String] = [:]
        for root in rowLayouts {
            do throws(ModelError) {
                let adapter = try JSONAdapter<DynamicModel>(storing: root, registry: self)
                _ = try StoreTable(root, adapter, registry: self, isIndexed: true)
            } catch { problems.append(error) }
            let name = root.schema.name
            if let other = names.updateValue(name, forKey: name.foldedForSQL) {
                problems.append(
                    ModelError(
                        .conflict, expected: "schemas whose names differ by more than the case of letters",
                        found: "\(ModelError.quote(other)) and \(ModelError.quote(name))", schema: name))
            }
            for property in root.requiredSlots.map({ root.properties[$0] }) {
                guard property.descriptor.kind == .model, let model = property.descriptor.model,
                    root.isDescendant(of: model)
                else { continue }
                problems.append(
                    ModelError(
                        .conflict, property.descriptor,
                        expected: "a model that can be stored before others of its schema",
                        found: "one that requires another"))
            }
        }
        if !problems.isEmpty { throw ModelError(problems) }
    }
}
