import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Reads choices between a model and its identity.
extension ContractReader {
    /// The member that is read as the identity.
    private static let identity = "id"

    /// Reads a choice between an object that requires a member `id` and others, and a value that is described as that member.
    /// Such an object is never nothing but its identity, so both forms are written as they were.
    mutating func readModelOrIdentity(
        _ union: ContractFacets.Union, _ alternatives: [ContractFacets], _ name: ModelName, depth: Int
    ) -> Value? {
        guard alternatives.count == 2, alternatives.allSatisfy({ !$0.types.contains(.null) && !$0.isNullable }),
            let position = alternatives.firstIndex(where: { $0.valueTypes == .object })
        else { return nil }
        let object = alternatives[position]
        guard object.describesModel, object.unions.isEmpty, Set(object.required.map { UTF8Key($0.name) }).count > 1,
            object.required.contains(where: { UTF8Text.equal($0.name, Self.identity) }),
            let member = object.positions[UTF8Key(Self.identity)],
            Self.isIdentity(
                facets(of: object.properties[member].schemas, expandsReferences: true),
                describedAs: alternatives[1 - position])
        else { return nil }
        let value = value(of: union.alternatives[position], named: name.text, depth: depth)
        guard case .model(.named(let model)) = value.property.kind, !value.property.isByIdentity, !value.acceptsNull,
            parents[UTF8Key(model)] == nil,
            !pending.contains(where: { UTF8Text.equal($0.name, model) && $0.parent != nil })
        else { return nil }
        identified.insert(UTF8Key(model))
        return Value(property: .model(model).byIdentity)
    }

    /// Whether a member and a value are the same text or integer.
    private static func isIdentity(_ member: ContractFacets, describedAs value: ContractFacets) -> Bool {
        guard value.types == .string || value.types == .integer, member.types == value.types, !member.isNullable else {
            return false
        }
        func isPlain(_ facets: ContractFacets) -> Bool {
            facets.choices == nil && facets.unions.isEmpty && facets.conditions.isEmpty && facets.others.isEmpty
        }
        return isPlain(member) && isPlain(value)
            && member.format.map { UTF8Key($0) } == value.format.map { UTF8Key($0) }
            && member.isBase64 == value.isBase64 && member.limits.mapValues(\.value) == value.limits.mapValues(\.value)
    }

    /// Gives the models that may be given by their identity one.
    mutating func identifyModels() {
        for position in models.indices where identified.contains(UTF8Key(models[position].schema.name)) {
            models[position].schema.identity = [Self.identity]
            models[position].schema.allowsStubs = true
        }
    }
}
