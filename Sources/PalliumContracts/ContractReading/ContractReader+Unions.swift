import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Reads choices among objects, which are `oneOf` with `discriminator`.
extension ContractReader {
    mutating func readUnion(_ keywords: ContractKeywords, _ more: [String], _ model: inout Model) {
        guard refuseOthers(than: ["oneOf", "discriminator", "type"] + more, in: keywords, "with discriminator") else {
            return
        }
        if let type = keywords["type"], let types = readTypes(type), types.name != "object" {
            report(type.offset, "type: only objects have a discriminator")
        }
        guard let choices = keywords["oneOf"], case .array(let elements) = choices.content, !elements.isEmpty else {
            return report(
                keywords.offset, "discriminator: there is no oneOf beside it", fix: "list the models in oneOf")
        }
        guard let discriminator = keywords["discriminator"], let members = self.keywords(of: discriminator) else {
            return
        }
        for member in members.members where !["propertyName", "mapping"].contains(member.name) {
            report(member.nameOffset, "discriminator: unknown member \(ModelError.quote(member.name))")
        }
        guard let key = members["propertyName"]?.text else {
            return report(discriminator.offset, "discriminator: expected the text propertyName")
        }
        var entries: [ModelCluster.Entry] = []
        var modelsByTag: [UTF8Key: String] = [:]
        for element in elements {
            guard let reference = element.only("$ref") else {
                report(
                    element.offset, "oneOf: expected a reference but found \(element.summary)",
                    fix: "move the object into the definitions")
                continue
            }
            // The tags of a model are searched once.
            guard let name = definitionName(of: reference),
                setParent(of: name, to: model.schema.name, at: element.offset)
            else { continue }
            for tag in tags(of: name, key, at: reference.offset) {
                if modelsByTag.updateValue(name, forKey: UTF8Key(tag.tagText)) != nil {
                    report(
                        element.offset, "oneOf: \(tag.summary) is the value of two models, so neither is valid",
                        fix: "give each model its own value")
                }
                entries.append(ModelCluster.Entry(tag, .named(name)))
            }
            if nullableModels[UTF8Key(name)] == true {
                report(element.offset, "oneOf: \(ModelError.quote(name)) may be null", fix: "allow null beside oneOf")
            }
        }
        if let mapping = members["mapping"] { check(mapping, modelsByTag) }
        model.schema.cluster = .discriminator(path: JSONKeyPath.escape(key), models: entries, default: nil)
    }

    /// Returns the tags by which a model is known: those of its required property with `const` or `enum`.
    private mutating func tags(of name: String, _ key: String, at offset: Int) -> [JSONValue] {
        let definition = definitions[UTF8Key(name)]
        let parts = (definition.map { [$0] } ?? []) + (definition?["allOf"]?.elements ?? [])
        let isRequired = parts.contains { part in
            (part["required"]?.elements ?? []).contains { $0.text.map { UTF8Text.equal($0, key) } ?? false }
        }
        for part in parts {
            guard let property = part["properties"]?[key] else { continue }
            let values = property["const"].map { [$0] } ?? property["enum"]?.elements ?? []
            if isRequired, !values.isEmpty, values.allSatisfy(\.value.isTag) { return values.map(\.value) }
        }
        report(
            offset, "oneOf: \(ModelError.quote(name)) does not say its values",
            fix: "give it the required property \(ModelError.quote(key)) with const")
        return []
    }

    /// Checks that a mapping says the same as the models.
    private mutating func check(_ mapping: LocatedJSON, _ models: [UTF8Key: String]) {
        guard case .object(let members) = mapping.content else {
            return report(mapping.offset, "mapping: expected an object but found \(mapping.summary)")
        }
        for member in members {
            guard let name = definitionName(of: member.value) else { continue }
            if models[UTF8Key(member.name)].map({ UTF8Text.equal($0, name) }) != true {
                report(
                    member.nameOffset,
                    "mapping: \(ModelError.quote(name)) does not have the value \(ModelError.quote(member.name))")
            }
        }
    }
}
