import PalliumCore
import PalliumJSON

/// A problem that decoding reported, as a finding.
struct DriftContradiction {
    let key: DriftEvidence.Key
    private(set) var occurrence: DriftEvidence.Occurrence

    /// Finds the schema and the place of a problem.
    init(_ problem: ModelError, _ origin: DriftOrigin, in document: DriftDocument, _ plans: DriftPlans) {
        let tokens = Array((problem.wholePointer?.tokens ?? []).dropFirst(origin.pointer.count))
        let value = document.value(at: tokens, of: problem)
        // In a malformed document, places are not looked for.
        let isUnknown = problem.code == .unknownMember
        let isSearched = isUnknown || document.tree != nil
        let place = isSearched ? plans.place(of: tokens, in: document) : DriftPlace(layout: plans.root)
        let descriptor = Self.descriptor(of: problem, at: place, plans)
        let kind = Self.kind(of: problem, value)
        // The plan whose cluster chose no model.
        let cluster =
            kind == .unlistedModel
            ? problem.schema.flatMap { try? plans.registry.layout(named: $0) }.flatMap(plans.plan) : nil
        let isSensitive =
            place.sensitiveDepth != nil || descriptor?.isSensitive == true || cluster?.hidesTags == true
        func key(_ schema: String, _ place: String, rule: String = "") -> DriftEvidence.Key {
            DriftEvidence.Key(
                kind: kind, isNote: false, schema: UTF8Key(schema), place: UTF8Key(place), rule: UTF8Key(rule))
        }
        // The name of an unknown member stands in the path.
        let found = isUnknown && value != nil ? nil : problem.found
        occurrence = DriftEvidence.Occurrence(
            expected: problem.expected,
            example: DriftOccurrence(
                origin, place.sensitiveDepth.map { Array(tokens.prefix($0)) } ?? tokens,
                line: origin.line(of: problem), found: isSensitive ? MaskedValue.found : found))
        if isUnknown {
            let path = tokens.dropFirst(place.objectDepth).map(JSONKeyPath.escape).joined(separator: ".")
            self.key = key(problem.schema ?? place.layout.schema.name, isSensitive ? DriftEvidences.others : path)
            if let name = tokens.last, let value, !isSensitive { occurrence.sample = (name, value) }
            return
        }
        var name = descriptor?.key ?? ""
        // The problem of a model in a property is one of the model.
        if let descriptor, place.descriptor === descriptor { name += String(repeating: "[]", count: place.level) }
        self.key = key(
            descriptor?.schema ?? problem.schema ?? place.layout.schema.name, name,
            rule: kind == .brokenRule ? problem.expected : "")
        guard let value, !isSensitive else { return }
        switch kind {
        case .unlistedCase: occurrence.listed = value
        case .unlistedModel:
            if case .object(let object) = value {
                occurrence.listed = cluster?.unlistedTag(in: object)
                occurrence.sample = cluster.map { ("model", .object($0.membersOfDescendants(in: object))) }
            } else if value.isTag {
                occurrence.listed = value
            }
        case .otherKind, .invalidValue, .brokenRule:
            if kind == .otherKind { occurrence.listed = .string(value.kind.rawValue) }
            occurrence.sample = descriptor.map { ($0.key, value) }
        default: break
        }
    }

    /// Returns the property that a problem is about.
    private static func descriptor(
        of problem: ModelError, at place: DriftPlace, _ plans: DriftPlans
    ) -> ValueDescriptor? {
        guard let property = problem.property, let schema = problem.schema,
            let layout = try? plans.registry.layout(named: schema), let index = layout.index(of: property)
        else { return nil }
        let whole = layout.properties[index].descriptor
        let parts = sequence(first: whole) { $0.element }
        return parts.first { $0 === place.descriptor } ?? whole
    }

    private static func kind(of problem: ModelError, _ value: JSONValue?) -> DriftReport.Finding.Kind {
        switch problem.code {
        case .unknownMember: .unknownMember
        case .missingProperty: .missingMember
        case .nullNotAllowed: .unexpectedNull
        case .typeMismatch: value?.isNull == true ? .unexpectedNull : .otherKind
        case .numberOutOfRange, .invalidValue, .transformerFailed, .elementCount: .invalidValue
        case .unknownCase: .unlistedCase
        case .unknownModel: .unlistedModel
        case .ruleBroken: .brokenRule
        case .malformedJSON, .limitExceeded, .depthLimit, .duplicateMember: .malformed
        default: .refused
        }
    }
}
