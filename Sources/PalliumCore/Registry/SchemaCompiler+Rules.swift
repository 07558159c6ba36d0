import PalliumJSON

/// Checks rules.
extension SchemaCompiler {
    /// Checks the rules of a property, or of the elements of a collection.
    mutating func checkRules(_ property: PropertySchema, key: String, of schema: ModelSchema) {
        var names: Set<String> = []
        for rule in property.rules {
            if !names.insert(rule.name).inserted {
                report(schema, key, "the rule \(rule.name) occurs twice", fix: "keep one", in: [rule.name])
            }
            do throws(RuleProblem) { _ = try ValueCheck(rule, kind: property.kind, formats: formats) } catch {
                report(schema, key, error.message, fix: error.fix, in: [rule.name])
            }
        }
        for name in property.messages.keys.sorted(by: UTF8Text.precedes)
        where !PropertySchema.Rule.names.contains(where: { UTF8Text.equal($0, name) }) {
            report(
                schema, key, "messages: \(ModelError.quote(name)) is no rule",
                fix: ModelError.nearest(to: name, among: PropertySchema.Rule.names).map { "did you mean \($0)?" },
                in: ["messages"])
        }
    }

    /// Checks the rules about several properties, which requires a layout.
    mutating func checkModelRules(of layout: ModelLayout) {
        for rule in layout.schema.rules {
            var rules = ModelRules()
            do throws(RuleProblem) {
                try rules.add(rule, transformers: transformers) { key in
                    layout.index(of: key).map { ($0, layout.properties[$0].descriptor) }
                }
            } catch {
                let unknown = rule.keys.first { layout.index(of: $0) == nil }
                // An unknown ancestor may have the key.
                if unknown != nil, !hasKnownAncestors(layout.schema) { continue }
                let near = unknown.flatMap { nearestKey(to: $0, among: layout.properties.map(\.key)) }
                report(layout.schema, nil, error.message, fix: near ?? error.fix, in: ["rules"])
            }
        }
    }
}
