import Foundation
package import PalliumCore
package import PalliumJSON

/// The form in which a store keeps models: objects name their schemas, keys are members, dates are numbers, and models with
/// an identity are references.
///
/// Safety: a temporary slot has the descriptor whose value it takes, and layouts hold their descriptors.
package struct StoredForm: DocumentForm {
    package let datesAreNumbers = true

    package init() {}

    package func layout(
        of members: JSONObject, as declared: ModelLayout, _ versions: SchemaVersions
    ) throws(ModelError) -> ModelLayout {
        guard case .string(let name)? = members[StoredFormat.schemaMember] else { return declared }
        let candidates = [declared] + declared.registry.descendants(of: declared)
        if let found = versions.layout(called: name, among: candidates) { return found }
        return try declared.registry.layout(named: name)
    }

    package func descendant(of layout: ModelLayout, for members: JSONObject) -> ModelLayout? { nil }

    package func name(_ layout: ModelLayout, in members: inout JSONObject, isMade: Bool) {
        guard isMade ? layout.parent != nil : members[StoredFormat.schemaMember] != nil else { return }
        members.updateValue(.string(layout.schema.name), forKey: StoredFormat.schemaMember)
    }

    package func places(of layout: ModelLayout, before plan: UpgradePlan?) -> StoredPlaces {
        StoredPlaces(layout: layout)
    }

    package func rowLayout(of layout: ModelLayout) -> ModelLayout? { layout.rowLayout }

    package func json(
        _ value: FormerModel.Value, _ descriptor: ValueDescriptor?
    ) throws(ModelError) -> JSONValue {
        guard let descriptor else { return try value.json }
        switch (value, descriptor.kind) {
        case (.date(let date), .date): return .number(JSONNumber(date.timeIntervalSinceReferenceDate) ?? JSONNumber(0))
        case (.string(let text), .date):
            if SpelledDate(storedText: text) != nil { return .string(text) }
            return try PropertySlot.withTemporary(for: descriptor) { slot throws(ModelError) in
                try slot.store(json: .string(text), transformers: TransformerRegistry.shared)
                return .number(JSONNumber(slot.load(Double.self)) ?? JSONNumber(0))
            }
        case (.array(let elements), _):
            guard let element = descriptor.element else { return try value.json }
            var result: [JSONValue] = []
            for value in elements { result.append(try json(value, element)) }
            return .array(result)
        case (.dictionary(let entries), _):
            guard let element = descriptor.element else { return try value.json }
            var result = JSONObject()
            for entry in entries { result.updateValue(try json(entry.value, element), forKey: entry.key) }
            return .object(result)
        default: return try value.json
        }
    }
}

/// Where the values of keys stand in an object of a store: at the members of their names.
package struct StoredPlaces: ValuePlaces {
    let layout: ModelLayout

    package func values(in members: JSONObject, _ levels: [FormerModel.Level]) -> FormerModel {
        var model = FormerModel(levels)
        for (name, value) in members {
            guard let key = StoredFormat.key(of: name) else { continue }
            let descriptor = layout.index(of: key).map { layout.properties[$0].descriptor }
            model[key] = FormerModel.Value(json: Self.withoutSpelling(value, descriptor))
        }
        return model
    }

    package func pathOfModels(_ property: ModelLayout.Property, in members: JSONObject) -> JSONKeyPath? {
        path(of: property.key)
    }

    package func paths(of key: String) -> [JSONKeyPath] { [path(of: key)] }

    package func set(
        _ value: JSONValue, forKey key: String, in members: inout JSONObject, formerly document: JSONObject
    ) throws(ModelError) {
        members.updateValue(value, forKey: StoredFormat.member(of: key))
    }

    private func path(of key: String) -> JSONKeyPath { JSONKeyPath(member: StoredFormat.member(of: key)) }

    /// Returns a value as steps see it: a date is a number, however it is spelled.
    private static func withoutSpelling(_ value: JSONValue, _ descriptor: ValueDescriptor?) -> JSONValue {
        guard descriptor.map({ $0.kind == .date }) ?? true, case .string(let text) = value,
            let date = SpelledDate(storedText: text), date.storedText == text, let number = JSONNumber(date.seconds)
        else { return value }
        return .number(number)
    }
}
