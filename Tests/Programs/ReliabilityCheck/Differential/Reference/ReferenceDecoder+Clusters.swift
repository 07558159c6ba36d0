import Foundation
import Pallium

/// Which schema an object is of, and which of its members nobody knows.
extension ReferenceDecoder {
    /// A cluster is asked for its own schema, and again for each descendant that has a cluster of its own. A leaf that is
    /// asked for directly does not ask, but refuses what stands for another leaf.
    mutating func chosenSchema(_ asked: String, _ members: JSONObject, _ pointer: JSONPointer) -> String? {
        var name = asked
        while let cluster = set.schema(name).schema.cluster {
            guard let next = choice(cluster, members, pointer) else { return nil }
            if next == name { return name }
            name = next
        }
        return name
    }

    private mutating func choice(_ cluster: ModelCluster, _ members: JSONObject, _ pointer: JSONPointer) -> String? {
        switch cluster {
        case .discriminator(let path, let models, let fallback):
            let tag: JSONValue
            switch look(EffectiveSchema.path(path).steps, members) {
            case .string(let text)?: tag = .string(text)
            case .number(let number)?: tag = .number(number)
            case .bool(let bool)?: tag = .bool(bool)
            case nil, .null?:
                if let fallback { return set.name(fallback) }
                fail(.unknownModel, pointer)
                return nil
            default:
                fail(.typeMismatch, pointer)
                return nil
            }
            if let entry = models.first(where: { $0.tag == tag }) { return set.name(entry.model) }
            if let fallback { return set.name(fallback) }
            fail(.unknownModel, pointer)
            return nil
        case .rules(let rules, let fallback):
            for rule in rules where rule.conditions.allSatisfy({ holds($0, members) }) { return set.name(rule.model) }
            if let fallback { return set.name(fallback) }
            fail(.unknownModel, pointer)
            return nil
        case .resolver: return nil
        }
    }

    private func holds(_ condition: ModelCluster.Condition, _ members: JSONObject) -> Bool {
        switch condition {
        case .present(let path): return look(EffectiveSchema.path(path).steps, members) != nil
        case .equals(let path, let value): return look(EffectiveSchema.path(path).steps, members) == .some(value)
        case .kind(let path, let kind):
            switch (look(EffectiveSchema.path(path).steps, members), kind) {
            case (.null?, .null), (.bool?, .bool), (.number?, .number), (.string?, .string), (.array?, .array),
                (.object?, .object):
                return true
            default: return false
            }
        }
    }

    /// Whether the object stands for another schema than the one that was chosen, by the clusters above the one that was
    /// asked for.
    mutating func isOtherLeaf(
        _ name: String, asked: String, _ members: JSONObject, _ pointer: JSONPointer
    ) -> Bool {
        for ancestor in set.schema(asked).ancestors {
            guard case .discriminator(let path, let models, let fallback)? = set.schema(ancestor).schema.cluster else {
                continue
            }
            let steps = EffectiveSchema.path(path).steps
            let tag = look(steps, members)
            switch tag {
            case nil, .null?, .array?, .object?: continue
            default: break
            }
            let named = models.first { $0.tag == tag }?.model ?? fallback
            if let named, set.isSame(name, orExtends: set.name(named)) { continue }
            fail(.unknownModel, steps.reduce(pointer) { $0.appending(Self.token($1)) })
            return true
        }
        return false
    }

    func look(_ steps: [JSONKeyPath.Step], _ members: JSONObject) -> JSONValue? {
        var value = JSONValue.object(members)
        for step in steps {
            switch step {
            case .member(let name):
                guard let next = value[name] else { return nil }
                value = next
            case .element(let index):
                guard let next = value[index] else { return nil }
                value = next
            }
        }
        return value
    }

    // MARK: Members that no property maps

    /// Refuses members that no property maps.
    mutating func checkMembers(_ schema: EffectiveSchema, _ members: JSONObject, _ pointer: JSONPointer) {
        guard set.options.unknownMembers == .refuse else { return }
        var known = schema.properties.filter { $0.schema.storage != .notStored }.flatMap {
            $0.mapping.paths.map(\.steps)
        }
        for name in [schema.schema.name] + schema.ancestors {
            known += set.schema(name).schema.ignored.map { EffectiveSchema.path($0).steps }
            switch set.schema(name).schema.cluster {
            case .discriminator(let path, _, _)?: known.append(EffectiveSchema.path(path).steps)
            case .rules(let rules, _)?:
                for condition in rules.flatMap(\.conditions) {
                    switch condition {
                    case .present(let path), .equals(let path, _), .kind(let path, _):
                        known.append(EffectiveSchema.path(path).steps)
                    }
                }
            default: break
            }
        }
        refuseUnknown(members, known, pointer)
    }

    private static func isElement(_ step: JSONKeyPath.Step) -> Bool {
        if case .element = step { true } else { false }
    }

    private mutating func refuseUnknown(_ members: JSONObject, _ known: [[JSONKeyPath.Step]], _ pointer: JSONPointer) {
        for (name, value) in members {
            let paths = known.filter { $0.first == .member(name) }.map { Array($0.dropFirst()) }
            if paths.isEmpty {
                fail(.unknownMember, pointer.appending(name))
            } else if !paths.contains(where: { $0.first.map(Self.isElement) ?? true }),
                case .object(let members) = value
            {
                refuseUnknown(members, paths, pointer.appending(name))
            }
        }
    }
}
