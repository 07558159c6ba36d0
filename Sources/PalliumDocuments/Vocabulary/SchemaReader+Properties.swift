import PalliumCore
import PalliumJSON

/// Reads properties and elements of collections.
extension SchemaReader {
    /// Reads a property; recursion is bounded by the depth of documents.
    mutating func readProperty(_ value: LocatedJSON) -> PropertySchema {
        guard let members = knownMembers(of: value, in: SchemaVocabulary.property) else { return .jsonValue }
        let opaqueBefore = opaqueCount
        let kind = readKind(members)
        return readModifiers(members, kind: kind, opaqueBefore: opaqueBefore)
    }

    /// Reads what a property says beside its kind.
    ///
    /// A function of its own, so that elements are read with little on the stack.
    ///
    /// - Parameters:
    ///   - known: The kind; nil if it is not known.
    ///   - opaqueBefore: How many opaque names there were before the kind was read.
    @inline(never)
    private mutating func readModifiers(
        _ members: LocatedJSON, kind known: PropertyKind?, opaqueBefore: Int
    ) -> PropertySchema {
        declaredKind = opaqueCount == opaqueBefore ? known ?? .json : nil
        let transformers = members["transformer"].map { self.transformers($0, "transformer") } ?? []
        // An unknown transformer may return anything, and so may one that follows it.
        let passes = isOpaque && isAnyOpaque(transformers)
        var property = PropertySchema(passes ? .json : known ?? .json)
        if !passes { property.transformers = transformers }
        read(members, SchemaVocabulary.property, into: &property)
        if property.access == .writeOnly, members["readOnly"]?.value == true {
            problems.report(at: members.offset, "the property is readOnly and writeOnly", fix: "drop one")
        }
        if passes {
            property.inverse = nil
            property.merge = nil
        }
        // Rules are for values of the kind, and an opaque property has other values.
        if known == nil || passes { property.rules = [] }
        // A collection with opaque elements is opaque, too.
        property.isOpaque = opaqueCount > opaqueBefore
        return property
    }

    mutating func readRule(_ name: String, _ value: LocatedJSON, into property: inout PropertySchema) {
        guard let rule = PropertySchema.Rule(name, limit: value.value) else {
            return mismatch(value, name, PropertySchema.Rule.limitExpectation(of: name))
        }
        if isOpaque, case .format(let format) = rule, registry.formats.format(named: format) == nil {
            record(opaque: format)
        } else {
            property.rules.append(rule)
        }
    }

    /// Whether one of the transformers is not registered; its name is recorded.
    mutating func isAnyOpaque(_ names: [TransformerName]) -> Bool {
        let unknown = names.filter { (try? registry.transformers.transformer(named: $0)) == nil }
        unknown.forEach { record(opaque: $0.description) }
        return !unknown.isEmpty
    }

    private mutating func record(opaque name: String) {
        opaqueCount += 1
        if !opaqueNames.contains(where: { UTF8Text.equal($0, name) }) { opaqueNames.append(name) }
    }

    /// Returns nil if the kind is not known; the property then holds any JSON.
    private mutating func readKind(_ members: LocatedJSON) -> PropertyKind? {
        guard let value = members["kind"] else {
            problems.report(at: members.offset, "the property has no kind", fix: "add the member \"kind\"")
            return nil
        }
        guard let text = self.name(value, "kind", expected: "the name of a kind") else { return nil }
        let isCollection = ["array", "set", "dictionary"].contains { UTF8Text.equal($0, text) }
        let isModel = UTF8Text.equal("model", text)
        let isEnumeration = UTF8Text.equal("enumeration", text)
        let plain = PropertyKind.plainKinds[UTF8Key(text)] ?? registry.customKind(named: text).map { .custom($0) }
        if !isCollection, !isModel, !isEnumeration, plain == nil {
            if isOpaque {
                record(opaque: text)
            } else {
                problems.report(
                    at: value.offset, "kind: \(ModelError.quote(text)) is no kind",
                    fix: ForeignKinds.suggestion(for: text, custom: registry.customKindNames)
                        ?? "register a custom kind of this name before")
            }
            return nil
        }
        if !isCollection { refuse(members["of"], "of", "only an array, set or dictionary has elements") }
        if !isModel { refuse(members["model"], "model", "only the kind model names a schema") }
        if !isEnumeration {
            refuse(members["cases"], "cases", "only an enumeration has cases")
            refuse(members["unknown"], "unknown", "only an enumeration has cases")
        }
        if isCollection {
            guard let of = required(members["of"], "of", "the property of its elements", of: value) else { return nil }
            let opaqueBefore = opaqueCount
            var element = readProperty(of)
            // Null is a JSON value like any other.
            if opaqueCount > opaqueBefore, element.kind == .json { element = element.nullable }
            if UTF8Text.equal("array", text) { return .array(element) }
            return UTF8Text.equal("set", text) ? .set(element) : .dictionary(element)
        }
        if isModel {
            guard let model = required(members["model"], "model", "the name of a schema", of: value) else { return nil }
            return reference(model, "model").map { .model($0) }
        }
        if isEnumeration {
            guard let cases = required(members["cases"], "cases", "its texts or integers", of: value) else {
                return nil
            }
            return readEnumeration(cases, unknown: members["unknown"]).map { .enumeration($0) }
        }
        return plain
    }

    private mutating func refuse(_ value: LocatedJSON?, _ member: String, _ reason: String) {
        if let value {
            problems.report(at: value.offset, "\(member): \(reason)", fix: "leave it out or change the kind")
        }
    }

    private mutating func required(
        _ value: LocatedJSON?, _ member: String, _ meaning: String, of kind: LocatedJSON
    ) -> LocatedJSON? {
        if value == nil {
            problems.report(at: kind.offset, "the kind \(kind.text ?? "") needs the member \"\(member)\", \(meaning)")
        }
        return value
    }

    mutating func readMergePolicy(_ value: LocatedJSON) -> MergePolicy? {
        guard case .object = value.content else {
            return name(value, "merge", expected: "the name of a policy, or an object with it").map { MergePolicy($0) }
        }
        guard let members = knownMembers(of: value, in: SchemaVocabulary.mergePolicy) else { return nil }
        var policy = MergePolicy("")
        read(members, SchemaVocabulary.mergePolicy, into: &policy)
        if members["policy"] == nil {
            problems.report(at: value.offset, "merge: the policy has no name", fix: "add the member \"policy\"")
        }
        return policy
    }
}
