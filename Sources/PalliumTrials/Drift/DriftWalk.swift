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

/// Goes through a document with the layouts that read it, and counts how properties are used.
///
/// Objects wait in a list, so that deep documents need no deep recursion.
struct DriftWalk {
    private struct Object {
        let members: JSONObject
        let declared: ModelLayout
        let path: DriftPath?
    }

    private let origin: DriftOrigin
    private var counts: DriftCounts
    private var pending: [Object] = []

    /// Counts the objects and values of a document.
    static func run(
        _ document: JSONValue, _ origin: DriftOrigin, _ plans: inout DriftPlans, _ counts: inout DriftCounts
    ) {
        var walk = DriftWalk(origin: origin, counts: counts)
        // The counts have one owner, so that they are changed in place.
        counts = DriftCounts()
        walk.run(document, &plans)
        counts = walk.counts
    }

    private init(origin: DriftOrigin, counts: DriftCounts) {
        self.origin = origin
        self.counts = counts
    }

    private mutating func run(_ document: JSONValue, _ plans: inout DriftPlans) {
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
            let declared = plans.plan(of: object.declared)
            if let tag = declared.unlistedTag(in: object.members) {
                note(.unlistedModel, object.declared.schema.name, "", tag, at: object.path)
            }
            record(object, with: plan)
        }
    }

    private mutating func record(_ object: Object, with plan: DriftPlan) {
        for name in plan.lineage { counts.objects[name, default: 0] += 1 }
        for property in plan.properties {
            let key = DriftCounts.Key(property.descriptor, level: 0)
            switch property.content(in: object.members) {
            case .value(_, at: nil):
                counts.figures[key, default: ValueFigures()].record(.object([:]), isSensitive: true)
            case .value(let value, let path?): record(value, of: property, at: path, in: object)
            case .blocked, .absent: counts.figures[key, default: ValueFigures()].recordAbsence()
            }
        }
    }

    private mutating func record(
        _ value: JSONValue, of property: DocumentShape.Property, at path: JSONKeyPath, in object: Object
    ) {
        let place = path.tokens.reduce(object.path) { DriftPath($0, $1) }
        record(value, property.descriptor, level: 0, isPlain: property.isPlain, at: place)
    }

    /// Counts a value and the elements in it. The nesting of kinds bounds the recursion.
    private mutating func record(
        _ value: JSONValue, _ descriptor: ValueDescriptor, level: Int, isPlain: Bool, at path: DriftPath?
    ) {
        let key = DriftCounts.Key(descriptor, level: level)
        counts.figures[key, default: ValueFigures()].record(value, isSensitive: descriptor.isSensitive)
        // Nothing below a secret is counted.
        guard isPlain, !descriptor.isSensitive else { return }
        switch value {
        case .array(let elements):
            guard let element = descriptor.element, descriptor.kind != .dictionary else { return }
            for (index, value) in elements.enumerated() {
                record(value, element, level: level + 1, isPlain: true, at: DriftPath(path, "\(index)"))
            }
        case .object(let members):
            if let model = descriptor.model {
                pending.append(Object(members: members, declared: model, path: path))
            } else if descriptor.kind == .dictionary, let element = descriptor.element {
                for member in members {
                    record(member.value, element, level: level + 1, isPlain: true, at: DriftPath(path, member.key))
                }
            }
        case .string, .number:
            guard let enumeration = descriptor.enumeration, enumeration.schema.unknown != .fail,
                let raw = EnumerationSchema.RawValue(value), enumeration.caseNumber(for: raw) == nil
            else { return }
            let place = descriptor.key + String(repeating: "[]", count: level)
            note(.unlistedCase, descriptor.schema, place, value, at: path)
        default: return
        }
    }

    private mutating func note(
        _ kind: DriftReport.Finding.Kind, _ schema: String, _ place: String, _ value: JSONValue, at path: DriftPath?
    ) {
        let expected = kind == .unlistedCase ? "a case that the schema lists" : "a discriminator that the cluster lists"
        let example = origin.example(path?.tokens ?? [], line: nil, found: value.summary)
        counts.evidences.record(
            DriftEvidence.Occurrence(expected: expected, example: example, listed: value),
            of: DriftEvidence.Key(
                kind: kind, isNote: true, schema: UTF8Key(schema), place: UTF8Key(place), rule: UTF8Key("")))
    }
}
