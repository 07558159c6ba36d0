import PalliumCore
import PalliumDocuments
import PalliumJSON

/// The losses with their places, and the mistakes that are found late.
extension ContractReader {
    /// Returns the losses in the order of the documents.
    func locatedLosses() -> [ContractLoss] {
        let offsets = Set(losses.map(\.offset))
        let pointers = sources.pointers(of: offsets)
        let locations = sources.locations(of: offsets)
        let sorted = losses.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
        return sorted.map { _, loss in
            // The location is that of the document, so its text ends with two numbers.
            let numbers = (locations[loss.offset] ?? "").split(separator: ":").suffix(2).compactMap { Int($0) }
            return ContractLoss(
                keyword: loss.keyword, message: loss.message, schema: loss.schema, property: loss.property,
                document: sources.document(at: loss.offset).text.name, line: numbers.first ?? 1,
                column: numbers.last ?? 1, pointer: pointers[loss.offset] ?? "")
        }
    }

    /// Returns the offset of the place that a problem of a registry is about.
    func offset(of problem: SchemaError.Problem) -> Int {
        guard let position = problem.schema.flatMap({ positions[UTF8Key($0)] }) else { return 0 }
        return problem.property.flatMap { models[position].propertyOffsets[UTF8Key($0)] } ?? models[position].offset
    }

    /// Leaves out parts that a registry refuses: defaults, and then all that is said of a property or the rules of a model.
    ///
    /// - Returns: Whether something was left out.
    mutating func leaveOut(_ problems: [SchemaError.Problem]) -> Bool {
        var hasChanged = false
        var seen: Set<[UTF8Key]> = []
        for problem in problems {
            guard let name = problem.schema, let position = positions[UTF8Key(name)],
                seen.insert([UTF8Key(name), UTF8Key(problem.property ?? "")]).inserted
            else { continue }
            let schema = models[position].schema
            if let key = problem.property {
                guard let index = schema.properties.firstIndex(where: { UTF8Text.equal($0.key, key) }) else { continue }
                let old = schema.properties[index].schema
                var new = PropertySchema(old.kind).doc(old.documentation).rules(old.rules)
                    .transformers(old.transformers)
                if old.nullability == .refused { new = new.notNull }
                if old.isByIdentity { new = new.byIdentity }
                if old.defaultValue == nil {
                    lose(offset(of: problem), "schema", "\(problem.message); every value is accepted")
                    new = .jsonValue.doc(old.documentation)
                }
                if let direction = old.only { new = new.only(direction) }
                models[position].schema.properties[index] = ModelSchema.Property(key, new)
                hasChanged = true
            } else if !schema.rules.isEmpty {
                lose(models[position].offset, "schema", "\(problem.message); its rules are left out")
                models[position].schema.rules = []
                hasChanged = true
            }
        }
        return hasChanged
    }
}

extension ContractReader.Loss {
    /// The loss as a mistake.
    var problem: SchemaError.Problem {
        // What follows if the rest is read does not matter here.
        let reason = message.split(separator: ";").first.map(String.init) ?? message
        return SchemaError.Problem(
            schema: schema, property: property, message: "\(keyword): \(reason)", offset: offset)
    }
}
