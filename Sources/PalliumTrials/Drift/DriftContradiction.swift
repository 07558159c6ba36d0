import PalliumCore
import PalliumJSON

/// A problem that decoding reported, as a finding.
struct DriftContradiction {
    private let problem: ModelError
    private let origin: DriftOrigin
    /// The path in the document.
    private let tokens: [String]
    private(set) var key: DriftEvidence.Key
    private(set) var occurrence: DriftEvidence.Occurrence

    init(_ problem: ModelError, _ origin: DriftOrigin) {
        self.problem = problem
        self.origin = origin
        tokens = Array((problem.wholePointer?.tokens ?? []).dropFirst(origin.pointer.count))
        key = Self.key(.refused, "", "")
        occurrence = DriftEvidence.Occurrence(expected: problem.expected)
    }

    private static func key(
        _ kind: DriftReport.Finding.Kind, _ schema: String, _ place: String, rule: String = ""
    ) -> DriftEvidence.Key {
        DriftEvidence.Key(
            kind: kind, isNote: false, schema: UTF8Key(schema), place: UTF8Key(place), rule: UTF8Key(rule))
    }

    /// Finds the schema and the place of the problem.
    mutating func locate(in document: JSONValue?, _ plans: DriftPlans) {
        let place = plans.place(of: tokens, in: document)
        let descriptor = self.descriptor(at: place, plans)
        let kind = self.kind(of: place.value)
        let isSensitive =
            place.sensitiveDepth != nil || descriptor?.isSensitive == true
            || kind == .unlistedModel && cluster(plans).flatMap { plans.plan(of: $0)?.hidesTags } ?? false
        let shown = place.sensitiveDepth.map { Array(tokens.prefix($0)) } ?? tokens
        let line = problem.location.map { $0.line + origin.line - 1 }
        occurrence.example = DriftOccurrence(
            origin, shown, line: line, found: isSensitive ? MaskedValue.found : problem.found)
        if kind == .unknownMember {
            let schema = problem.schema ?? place.layout.schema.name
            let path = tokens.dropFirst(place.objectDepth).map(JSONKeyPath.escape).joined(separator: ".")
            key = Self.key(kind, schema, isSensitive ? DriftEvidences.others : path)
            if let name = tokens.last, let value = place.value, !isSensitive {
                occurrence.sample = (name, value)
                // The name stands in the path.
                occurrence.example = DriftOccurrence(origin, tokens, line: line, found: value.summary)
            }
            return
        }
        let schema = descriptor?.schema ?? problem.schema ?? place.layout.schema.name
        var name = descriptor?.key ?? ""
        // The problem of a model in a property is one of the model.
        if let descriptor, place.descriptor === descriptor { name += String(repeating: "[]", count: place.level) }
        key = Self.key(kind, schema, name, rule: kind == .brokenRule ? problem.expected : "")
        if isSensitive { return }
        switch kind {
        case .unlistedCase: occurrence.listed = place.value
        case .unlistedModel:
            occurrence.listed = discriminator(at: place, plans)
            if case .object(let object)? = place.value, let plan = cluster(plans).flatMap(plans.plan) {
                occurrence.sample = ("model", .object(plan.membersOfDescendants(in: object)))
            }
        case .otherKind: occurrence.listed = place.value.map { .string($0.kind.rawValue) }
        default: break
        }
        switch kind {
        case .otherKind, .invalidValue, .brokenRule:
            if let value = place.value, let descriptor { occurrence.sample = (descriptor.key, value) }
        default: break
        }
    }

    /// Returns the property that the problem is about.
    private func descriptor(at place: DriftPlace, _ plans: DriftPlans) -> ValueDescriptor? {
        guard let property = problem.property, let schema = problem.schema,
            let layout = try? plans.registry.layout(named: schema), let index = layout.index(of: property)
        else { return nil }
        let whole = layout.properties[index].descriptor
        let parts = sequence(first: whole) { $0.element }
        return parts.first { $0 === place.descriptor } ?? whole
    }

    private func kind(of value: JSONValue?) -> DriftReport.Finding.Kind {
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

    /// Returns the layout whose cluster chose no model.
    private func cluster(_ plans: DriftPlans) -> ModelLayout? {
        problem.schema.flatMap { try? plans.registry.layout(named: $0) }
    }

    /// Returns the tag by which the cluster of an object did not find a model.
    private func discriminator(at place: DriftPlace, _ plans: DriftPlans) -> JSONValue? {
        guard let layout = cluster(plans) else { return nil }
        if case .object(let object)? = place.value { return plans.plan(of: layout)?.unlistedTag(in: object) }
        return place.value.flatMap { $0.isTag ? $0 : nil }
    }
}
