import PalliumCore
import PalliumJSON

/// The path to a value in a document, which shares its beginning with those of the values beside it.
final class DriftPath {
    private let parent: DriftPath?
    private let token: String

    init(_ parent: DriftPath?, _ token: String) {
        self.parent = parent
        self.token = token
    }

    /// The tokens, from the root downwards.
    var tokens: [String] { sequence(first: self) { $0.parent }.map(\.token).reversed() }
}

/// Goes through a document that is not counted by the slots of its models, with the layouts that read it.
///
/// Objects wait in a list, so that deep documents need no deep recursion.
struct DriftWalk {
    private struct Object {
        let members: JSONObject
        let declared: ModelLayout
        let path: DriftPath?
    }

    private let origin: DriftOrigin
    private let plans: DriftPlans
    /// Whether figures are counted, and not only cases and models that no schema lists.
    private let areFiguresCounted: Bool
    private var pending: [Object] = []

    init(_ origin: DriftOrigin, _ plans: DriftPlans, countingFigures areFiguresCounted: Bool) {
        self.origin = origin
        self.plans = plans
        self.areFiguresCounted = areFiguresCounted
    }

    /// Counts the objects and values of a document.
    mutating func count(_ document: JSONValue, in counts: inout DriftCounts) {
        switch document {
        case .object(let members): pending = [Object(members: members, declared: plans.root, path: nil)]
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                guard case .object(let members) = element else { continue }
                pending.append(Object(members: members, declared: plans.root, path: DriftPath(nil, "\(index)")))
            }
            pending.reverse()
        default: return
        }
        while let object = pending.popLast() {
            guard let plan = plans.choice(for: object.members, as: object.declared) else { continue }
            if let tag = plans.plan(of: object.declared)?.unlistedTag(in: object.members) {
                note(.unlistedModel, object.declared.schema.name, "", tag, at: object.path, in: &counts)
            }
            if areFiguresCounted { counts.objects[plan.number] += 1 }
            for property in plan.properties {
                guard case .value(let value, let path) = property.shape.content(in: object.members) else { continue }
                let place = (path?.tokens ?? []).reduce(object.path) { DriftPath($0, $1) }
                count(value, property.figure, at: place, in: &counts)
            }
        }
    }

    /// Counts a value and the elements in it. The nesting of kinds bounds the recursion.
    private mutating func count(
        _ value: JSONValue, _ number: Int, at path: DriftPath?, in counts: inout DriftCounts
    ) {
        let counted = plans.values[number]
        let descriptor = counted.descriptor
        if areFiguresCounted { countFigures(of: value, number, in: &counts) }
        // Nothing below a secret is counted.
        guard !counted.isResult, !counted.isSensitive else { return }
        switch value {
        case .array(let elements):
            guard let element = counted.element, descriptor.kind != .dictionary else { return }
            for (index, value) in elements.enumerated() {
                count(value, element, at: DriftPath(path, "\(index)"), in: &counts)
            }
        case .object(let members):
            if let model = descriptor.model {
                pending.append(Object(members: members, declared: model, path: path))
            } else if descriptor.kind == .dictionary, let element = counted.element {
                for member in members {
                    count(member.value, element, at: DriftPath(path, member.key), in: &counts)
                }
            }
        case .string, .number:
            guard let enumeration = descriptor.enumeration, enumeration.schema.unknown != .fail,
                let raw = EnumerationSchema.RawValue(value), enumeration.caseNumber(for: raw) == nil
            else { return }
            let place = descriptor.key + String(repeating: "[]", count: counted.level)
            note(.unlistedCase, descriptor.schema, place, value, at: path, in: &counts)
        default: return
        }
    }

    /// Counts a value, without what is in it, as the slot is counted that it is read into.
    private func countFigures(of value: JSONValue, _ number: Int, in counts: inout DriftCounts) {
        let counted = plans.values[number]
        let descriptor = counted.descriptor
        if value.isNull {
            // The default is taken for such a null.
            let isDefault = counted.level == 0 && descriptor.property.defaultValue != nil && !descriptor.isNullable
            if !isDefault { counts.figures[number].recordNull() }
        } else if counted.isSensitive {
            counts.figures[number].recordKind(value.kind)
        } else if descriptor.kind == .model {
            if value.kind == .object {
                counts.figures[number].recordKind(.object)
            } else {
                counts.figures[number].record(value)
            }
        } else if descriptor.element != nil, !counted.isResult {
            counts.figures[number].record(value)
        } else {
            let isRead = PropertySlot.withTemporary(for: descriptor) { slot in
                do throws(ModelError) { try slot.store(json: value, transformers: plans.registry.transformers) } catch {
                    return false
                }
                var (pending, isDoubtful) = ([DynamicModel](), false)
                counts.count(slot, number, plans, &pending, &isDoubtful)
                return slot.hasValue
            }
            if isRead { return }
            if counted.isResult { counts.figures[number].recordResult() } else { counts.figures[number].record(value) }
        }
    }

    private func note(
        _ kind: DriftReport.Finding.Kind, _ schema: String, _ place: String, _ value: JSONValue, at path: DriftPath?,
        in counts: inout DriftCounts
    ) {
        let expected = kind == .unlistedCase ? "a case that the schema lists" : "a discriminator that the cluster lists"
        counts.evidences.record(
            DriftEvidence.Occurrence(
                expected: expected,
                example: DriftOccurrence(origin, path?.tokens ?? [], line: nil, found: value.summary),
                listed: value),
            of: DriftEvidence.Key(
                kind: kind, isNote: true, schema: UTF8Key(schema), place: UTF8Key(place), rule: UTF8Key("")))
    }
}
