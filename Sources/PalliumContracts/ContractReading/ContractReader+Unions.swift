import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Reads choices among schemas.
extension ContractReader {
    /// A choice among objects, each with the values of the tag that tell it from the others.
    private struct Tagged {
        let key: String
        var members: [(schema: LocatedJSON, facets: ContractFacets, tags: [JSONValue])]
    }

    /// How many alternatives are compared.
    private static let maximumAlternatives = 4096

    /// Reads the choices of facets; nil if what stands beside them decides.
    mutating func readUnions(
        _ facets: inout ContractFacets, _ schemas: [LocatedJSON], _ name: ModelName, depth: Int
    ) -> Value? {
        if facets.valueTypes == .object || facets.describesModel {
            for union in facets.unions {
                guard let tagged = tagged(union, facets, schemas),
                    let value = readCluster(tagged, facets, schemas, union, name, depth: depth)
                else { continue }
                return value
            }
            return nil
        }
        guard facets.unions.count == 1, let union = facets.unions.first,
            union.alternatives.count <= Self.maximumAlternatives
        else { return nil }
        let base = facets.valueTypes
        let isAny = facets.types.union(.null) == .all
        guard isAny || base == .string else { return nil }
        let alternatives = union.alternatives.map { self.facets(of: [$0], expandsReferences: true) }
        let types = alternatives.reduce(into: ContractTypes()) { $0.formUnion($1.listedTypes) }.intersection(base)
        if let value = readListed(facets, union, alternatives, types) { return value }
        if let tagged = tagged(union, facets, schemas),
            let value = readCluster(tagged, facets, schemas, union, name, depth: depth)
        {
            return value
        }
        guard isAny else { return nil }
        if let value = readModelOrIdentity(union, alternatives, name, depth: depth) { return value }
        let kind: PropertySchema? =
            switch types {
            case .boolean: .bool
            case .integer: .integer
            case .number: .double
            case .string: .string
            default: nil
            }
        lose(
            union.offset, union.keyword,
            kind == nil
                ? "no kind holds the alternatives; every value is accepted"
                : "the rules of the alternatives cannot be checked")
        loseOthers(facets, .all)
        return kind.map { Value(property: $0) } ?? anything(facets)
    }

    /// Reads listed values, and any other texts beside them.
    private mutating func readListed(
        _ facets: ContractFacets, _ union: ContractFacets.Union, _ alternatives: [ContractFacets],
        _ types: ContractTypes
    ) -> Value? {
        let open = alternatives.filter { $0.choices == nil }
        var listed = facets
        let values = alternatives.flatMap { alternative in
            (alternative.choices ?? []).filter { alternative.types.isSuperset(of: ContractTypes(of: $0)) }
        }
        guard !values.isEmpty, facets.choices == nil, alternatives.allSatisfy({ $0.unions.isEmpty }) else { return nil }
        let nulls = union.acceptsNull ? [LocatedJSON(offset: union.offset, content: .null)] : []
        listed.choices = values + nulls
        listed.choicesOffset = union.offset
        listed.unions = []
        listed.types = .all
        for alternative in alternatives { listed.others += alternative.others }
        if union.keyword == "oneOf", Set(values.map(\.value)).count < values.count {
            lose(union.offset, "oneOf", "a value that occurs twice is accepted")
        }
        if open.isEmpty { return readChoice(listed) }
        guard types == .string, values.allSatisfy({ ContractTypes(of: $0).isSubset(of: [.string, .null]) }) else {
            return nil
        }
        // Without other rules, the other texts are all texts.
        if union.keyword == "oneOf" || !open.contains(where: { $0.assertions == 1 && $0.types == .string }) {
            lose(union.offset, union.keyword, "every text is accepted")
        }
        return readChoice(listed, isOpen: true)
    }

    // MARK: Unions of objects

    /// Finds the member that tells the alternatives of a union apart.
    private mutating func tagged(
        _ union: ContractFacets.Union, _ facets: ContractFacets, _ schemas: [LocatedJSON]
    ) -> Tagged? {
        var members: [(schema: LocatedJSON, facets: ContractFacets, tags: [JSONValue])] = []
        var rest = union.alternatives.reversed().map { ($0, 0) }
        while let (schema, level) = rest.popLast() {
            let inner = self.facets(of: [schema], expandsReferences: true)
            // A union inside of another is the alternatives of both.
            if inner.unions.count == 1, inner.properties.isEmpty, !inner.unions[0].acceptsNull, level < 8,
                inner.choices == nil, inner.others.isEmpty, inner.conditions.isEmpty
            {
                rest += inner.unions[0].alternatives.reversed().map { ($0, level + 1) }
                continue
            }
            guard inner.describesModel, !inner.isNullable, inner.valueTypes == .object || inner.hasProperties,
                !(inner.valueTypes == .object && inner.types.contains(.null)),
                members.count < Self.maximumAlternatives
            else { return nil }
            members.append((schema, inner, []))
        }
        guard members.count > 1 else { return nil }
        if let key = facets.discriminator?["propertyName"]?.text {
            let mapping = facets.discriminator?["mapping"]?.members ?? []
            return tagged(by: key, members, mapping: mapping, hasDiscriminator: true)
        }
        for property in members[0].facets.properties + members[1].facets.properties {
            if let found = tagged(by: property.name, members, mapping: [], hasDiscriminator: false) { return found }
        }
        return nil
    }

    /// Returns the values of a member of all alternatives, if they are different, and all but one require the member.
    private mutating func tagged(
        by key: String, _ candidates: [(schema: LocatedJSON, facets: ContractFacets, tags: [JSONValue])],
        mapping: [LocatedJSON.Member], hasDiscriminator: Bool
    ) -> Tagged? {
        var tagged = Tagged(key: key, members: candidates)
        var known: Set<UTF8Key> = []
        var hasDefault = false
        for position in candidates.indices {
            let facets = candidates[position].facets
            var tags: [JSONValue] = []
            if let property = facets.positions[UTF8Key(key)].map({ facets.properties[$0] }) {
                let values = self.facets(of: property.schemas, expandsReferences: true)
                tags = (values.choices ?? []).map(\.value).filter { $0 != .null }
                guard tags.allSatisfy(\.isTag) else { return nil }
            } else if !facets.othersRules.contains(where: {
                if case .bool(false) = $0.schema.content { true } else { false }
            }),
                !hasDiscriminator
            {
                return nil
            }
            if tags.isEmpty, hasDiscriminator {
                tags = self.tags(candidates[position].schema, mapping)
                lose(
                    candidates[position].schema.offset, "discriminator",
                    "an object whose tag is none of this schema is not read as one")
            }
            let isRequired = facets.required.contains { UTF8Text.equal($0.name, key) }
            if !isRequired {
                if hasDefault { return nil }
                hasDefault = true
                // A default has no tags of its own: they would be written where there were none.
                for tag in tags where !known.insert(UTF8Key(tag.tagText)).inserted { return nil }
                continue
            }
            if tags.isEmpty { return nil }
            for tag in tags where !known.insert(UTF8Key(tag.tagText)).inserted { return nil }
            tagged.members[position].tags = tags
        }
        return tagged.members.contains { !$0.tags.isEmpty } ? tagged : nil
    }

    /// Returns the tags that a mapping has for a reference; without one, the name of the definition is the tag.
    private mutating func tags(_ schema: LocatedJSON, _ mapping: [LocatedJSON.Member]) -> [JSONValue] {
        guard let reference = schema["$ref"]?.text else { return [] }
        let name = reference.split(separator: "/").last.map(String.init) ?? reference
        let tags = mapping.filter { member in
            let text = member.value.text ?? ""
            return UTF8Text.equal(text, reference) || UTF8Text.equal(text, name)
        }
        return tags.isEmpty ? [.string(name)] : tags.map { .string($0.name) }
    }

    /// Makes a model that chooses among others.
    private mutating func readCluster(
        _ tagged: Tagged, _ facets: ContractFacets, _ schemas: [LocatedJSON], _ union: ContractFacets.Union,
        _ name: ModelName, depth: Int
    ) -> Value? {
        let isDistributed = facets.describesModel && !facets.properties.isEmpty || facets.unions.count > 1
        if isDistributed, !expand(tagged.members.count * (facets.properties.count + 1)) { return nil }
        let place = pending.count
        var models: [String?] = []
        if !isDistributed {
            for member in tagged.members {
                guard member.schema["$ref"] != nil || member.schema["allOf"] != nil else {
                    models.append(nil)
                    continue
                }
                let value = value(of: member.schema, named: name.text, depth: depth)
                guard case .model(.named(let model)) = value.property.kind, !value.acceptsNull else { return nil }
                models.append(model)
            }
        } else {
            models = tagged.members.map { _ in nil }
        }
        let taken = takeName(name)
        var entries: [ModelCluster.Entry] = []
        var fallback: ModelReference?
        for (member, model) in zip(tagged.members, models) {
            let child: String
            if let model {
                child = claim(model, for: taken)
            } else {
                let text = member.tags.first.map { Self.name(of: $0.tagText, in: taken) } ?? taken + "Other"
                child = takeName(ModelName(text: member.schema["title"]?.text.map { "\(taken)\($0)" } ?? text))
                let parts = isDistributed ? schemas + [member.schema] : [member.schema]
                let whole = self.facets(
                    of: parts, expandsReferences: true, skipping: facets.skipped.union([union.offset]))
                unions[UTF8Key(child)] = taken
                later(Pending(name: child, facets: whole, schemas: parts))
            }
            if member.tags.isEmpty { fallback = .named(child) }
            entries += member.tags.map { ModelCluster.Entry($0, .named(child)) }
        }
        var model = Pending(name: taken, facets: facets, schemas: schemas)
        model.cluster = .discriminator(
            path: JSONKeyPath.escape(tagged.key), models: entries, default: fallback)
        // A union stands before its members.
        later(model, at: place)
        return Value(property: .model(taken))
    }

    /// Makes a model a member of a union: itself, or a copy if it is a member of another one.
    private mutating func claim(_ model: String, for union: String) -> String {
        if unions[UTF8Key(model)] == nil, !isAncestor(model, of: union) {
            unions[UTF8Key(model)] = union
            return model
        }
        let copy = takeName(ModelName(text: union + model))
        copies.append((copy, model, union))
        return copy
    }

    private func isAncestor(_ model: String, of union: String) -> Bool {
        var current: String? = union
        var steps = 0
        while let name = current, steps <= SchemaLimits.ancestors {
            if UTF8Text.equal(name, model) { return true }
            current = unions[UTF8Key(name)]
            steps += 1
        }
        return false
    }
}
