import PalliumAdapter
import PalliumCore
import PalliumDocuments
import PalliumJSON

// Compares the values of a document with those that its model writes.
extension LawTrial {
    /// Returns how a document breaks the law of transformers.
    func transformers(_ model: DynamicModel, _ document: JSONValue) -> Violation? {
        guard let bytes = try? adapter.data(from: model), let written = try? JSONValue(parsing: Array(bytes)) else {
            return nil
        }
        return changedValue(of: model, document, written)
    }

    /// Finds a property whose transformers do not give back the JSON that they read. Recursion is bounded by the depth
    /// of the document.
    private func changedValue(of model: DynamicModel, _ document: JSONValue, _ written: JSONValue) -> Violation? {
        guard case .object(let read) = document, case .object(let object) = written else { return nil }
        for property in model.layout.properties where property.schema.access == .readWrite {
            let place = DocumentShape.Property(property)
            guard case .value(let value, _?) = place.content(in: read), !value.isNull, let target = place.paths.first
            else { continue }
            let result = target.value(in: object)
            if let found = changedValue(property, property.descriptor, value, result, model) { return found }
        }
        return nil
    }

    private func changedValue(
        _ property: ModelLayout.Property, _ descriptor: ValueDescriptor, _ value: JSONValue, _ result: JSONValue?,
        _ model: DynamicModel
    ) -> Violation? {
        if Self.hasOwnTransformer(descriptor.property) {
            if value == result { return nil }
            return Violation(
                schema: model.schema.name, property: property.key,
                problem: "\(value.summary) is read, but \(result?.summary ?? "nothing") is written")
        }
        guard let element = descriptor.element, descriptor.property.transformers.isEmpty,
            Self.hasOwnTransformer(element.property), case .array(let values) = value,
            case .array(let results)? = result, values.count == results.count
        else { return nested(property, value, result, model) }
        return zip(values, results).lazy.compactMap { changedValue(property, element, $0, $1, model) }.first
    }

    /// Looks inside of a nested model, or of the models of a list.
    private func nested(
        _ property: ModelLayout.Property, _ value: JSONValue, _ result: JSONValue?, _ model: DynamicModel
    ) -> Violation? {
        guard property.schema.holdsModels, property.schema.transformers.isEmpty, let result else { return nil }
        switch try? model.value(forKey: property.key) {
        case let inner as DynamicModel: return changedValue(of: inner, value, result)
        case let inner as [DynamicModel]:
            guard let values = value.arrayValue, let results = result.arrayValue,
                values.count == inner.count, results.count == inner.count
            else { return nil }
            return inner.indices.lazy.compactMap { changedValue(of: inner[$0], values[$0], results[$0]) }.first
        default: return nil
        }
    }

    private static func hasOwnTransformer(_ property: PropertySchema) -> Bool {
        if case .custom = property.kind { return true }
        return property.transformers.contains { Transformer.predefinedByName[$0] == nil }
    }
}
