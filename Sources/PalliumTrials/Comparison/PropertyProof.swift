import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Decides whether a reader takes every value of a property as the writer meant it, whatever it is.
struct PropertyProof {
    private(set) var verdict = EditProof.Verdict.proved
    /// Changes of valid documents of the writer that may show an effect.
    private(set) var variants: [SampleVariants] = []
    private let old: ModelLayout
    private let new: ModelLayout
    private let slots: (old: Int, new: Int)

    /// The property, or elements of it, in both versions.
    private struct Place {
        let level: Int
        let old: ValueDescriptor
        let new: ValueDescriptor
        let oldRules: [PropertySchema.Rule]
        let newRules: [PropertySchema.Rule]
    }

    /// - Parameters:
    ///   - edits: The differences of the property.
    ///   - old: The writer's model, and the position of the property there.
    ///   - new: The reader's model, and the position of the property there.
    init(of edits: [SchemaEdit], _ old: ModelLayout, _ oldSlot: Int, _ new: ModelLayout, _ newSlot: Int) {
        (self.old, self.new, slots) = (old, new, (oldSlot, newSlot))
        for edit in edits {
            let (member, level) = edit.memberOfProperty
            guard let place = place(level) else { raise(to: .open); continue }
            judge(member, at: place)
            if member == "kind" { judgeKind(at: place) }
        }
    }

    private mutating func raise(to other: EditProof.Verdict) { verdict = max(verdict, other) }

    private func place(_ level: Int) -> Place? {
        var (before, after) = (old.properties[slots.old].descriptor, new.properties[slots.new].descriptor)
        for _ in 0..<level {
            guard let element = before.element, let other = after.element else { return nil }
            (before, after) = (element, other)
        }
        if level > 0 {
            return Place(
                level: level, old: before, new: after, oldRules: before.property.rules, newRules: after.property.rules)
        }
        return Place(
            level: 0, old: before, new: after, oldRules: old.declaredRules[UTF8Key(before.key)] ?? [],
            newRules: new.declaredRules[UTF8Key(after.key)] ?? [])
    }

    private mutating func judge(_ member: String, at place: Place) {
        switch member {
        // Nothing of a document or an archive is read by these.
        case "doc", "messages", "labels", "merge", "index", "deleteRule", "inverse", "nil", "only": break
        case "kind", "default", "readOnly", "writeOnly", "cases", "unknown", "model", "orIdentity", "storage",
            "archive":
            raise(to: .sampled)
        case "required", "nullable":
            raise(to: .sampled)
            // Samples need not have each kind of element.
            if place.level > 0, place.old.isNullable, !place.new.isNullable {
                raise(to: .open)
                vary(at: place.level) { _ in .null }
            }
        case "json": judgePaths()
        case _ where place.newRules.contains { $0.name == member }: judgeRules(member, at: place)
        case _ where place.oldRules.contains { $0.name == member }: break
        default: raise(to: .open)
        }
    }

    /// Judges another kind, with all that belongs to it.
    private mutating func judgeKind(at place: Place) {
        switch (place.old.property.kind, place.new.property.kind) {
        case (_, .json): break
        case (.integer, .integer), (.integer, .unsigned), (.unsigned, .unsigned), (.unsigned, .integer):
            let proofs = place.new.rulesOfKind.map { RuleProof(of: $0, given: place.oldRules, for: place.old) }
            if !proofs.allSatisfy(\.isProved) { raise(to: .open) }
        case (.integer, .decimal), (.unsigned, .decimal): break
        case (.integer(let width), .double) where width != .bits64: break
        case (.unsigned(let width), .double) where width != .bits64: break
        default: if !place.old.property.kind.isFinite { raise(to: .open) }
        }
        // A set leaves out repeated elements.
        if [place.old.kind, place.new.kind].contains(.set) {
            vary(at: place.level) { known in known?.arrayValue.map { .array($0 + $0) } }
        }
        let (before, after) = (place.old.property, place.new.property)
        for rule in place.newRules { judgeRules(rule.name, at: place) }
        if before.transformers != after.transformers { raise(to: .open) }
        if before.isWeak != after.isWeak { raise(to: .open) }
        judge("required", at: place)
        if place.level == 0 { judgePaths() }
    }

    private mutating func judgeRules(_ name: String, at place: Place) {
        // Every value of such a kind is a sample.
        if place.old.property.kind.isFinite { return raise(to: .sampled) }
        for rule in place.newRules where rule.name == name {
            let proof = RuleProof(of: rule, given: place.oldRules, for: place.old)
            if proof.isProved { continue }
            raise(to: .open)
            vary(at: place.level, proof.counterexample)
        }
    }

    // MARK: Paths

    private mutating func judgePaths() {
        let shape = DocumentShape(old)
        let (before, after) = (shape.properties[slots.old], DocumentShape(new).properties[slots.new])
        let isAlone = before.combination != .allOf && after.combination != .allOf
        if before.paths == after.paths, before.combination == after.combination || isAlone && before.paths.count == 1 {
            return
        }
        // What no property of the writer reads is no data.
        let members = shape.members
        if isAlone, after.paths.starts(with: before.paths),
            after.paths.dropFirst(before.paths.count).allSatisfy({ !members.contains(UTF8Key($0.tokens[0])) })
        {
            return
        }
        raise(to: .open)
        let (key, count) = (UTF8Key(old.properties[slots.old].key), before.paths.count)
        variants.append(
            SampleVariants(of: old.schema.name) { known in
                let values = known[key] ?? []
                guard let first = values.first, count > 1 else { return [] }
                var lists: [[JSONValue?]] = [(0..<count).map { values[$0 % values.count] }]
                // Two paths at once, also with null at one of them.
                for (left, right) in [(first, values.dropFirst().first ?? first), (.null, first), (first, .null)] {
                    for one in 0..<count {
                        for other in one + 1..<count {
                            var list = [JSONValue?](repeating: nil, count: count)
                            (list[one], list[other]) = (left, right)
                            lists.append(list)
                        }
                    }
                }
                return lists.map { [key: $0] }
            })
    }

    // MARK: Values

    /// Changes the value of the property, or the first element of it.
    private mutating func vary(at level: Int, _ change: @escaping (JSONValue?) -> JSONValue?) {
        let key = UTF8Key(old.properties[slots.old].key)
        variants.append(
            SampleVariants(of: old.schema.name) { known in
                let values = known[key].flatMap { $0.isEmpty ? nil : $0.map { $0 } } ?? [nil]
                let changed = values.lazy.compactMap { Self.changing($0, at: level, change) }.first
                return changed.map { [[key: [$0]]] } ?? []
            })
    }

    /// Recursion is bounded by the nesting of kinds.
    private static func changing(
        _ value: JSONValue?, at level: Int, _ change: (JSONValue?) -> JSONValue?
    ) -> JSONValue? {
        if level == 0 { return change(value) }
        switch value {
        case .array(let elements)?:
            let changed = elements.first.flatMap { changing($0, at: level - 1, change) }
            return changed.map { .array([$0] + elements.dropFirst()) }
        case .object(var members)?:
            guard let (key, first) = members.first, let changed = changing(first, at: level - 1, change) else {
                return nil
            }
            members.updateValue(changed, forKey: key)
            return .object(members)
        default: return nil
        }
    }
}

extension PropertyKind {
    /// Whether samples have every value that is accepted.
    fileprivate var isFinite: Bool {
        switch self {
        case .bool: true
        case .enumeration(let enumeration): enumeration.unknown == .fail
        default: false
        }
    }
}
