import Foundation
import Pallium

/// What becomes of a model that was read: written and read again, archived, frozen, copied.
extension Comparison {
    mutating func compareWaysOut(_ expected: ReferenceModel) {
        guard let model = try? adapter.model(from: tree), let again = try? adapter.model(from: bytes) else { return }
        let snapshot = Snapshot.of(expected)
        compareWriting(model, expected)
        compareArchives(model, expected)
        check(model == model.copy() && model.copy() == model, "a copy is another")
        check(model == again && model.hashValue == again.hashValue, "two models of one document differ")
        let frozen = model.frozen()
        let thawed = (try? Snapshot.of(Frozen.thaw(frozen), in: set)) ?? "unreadable"
        check(Snapshot.agree(snapshot, thawed), "thawed: \(Snapshot.difference(snapshot, thawed))")
        for property in set.schema(expected.schema).properties where property.schema.storage != .notStored {
            let key = property.key
            check(
                (try? Frozen.state(of: key, in: frozen)) == (try? model.state(of: key)),
                "the frozen state of \(key) is another")
            let isSame: Bool =
                switch property.schema.kind {
                case .bool: frozen[key, as: Bool.self] == model[key, as: Bool.self]
                case .integer(.bits64): frozen[key, as: Int.self] == model[key, as: Int.self]
                case .double: frozen[key, as: Double.self] == model[key, as: Double.self]
                case .string: frozen[key, as: String.self] == model[key, as: String.self]
                case .url: frozen[key, as: URL.self] == model[key, as: URL.self]
                case .date: frozen[key, as: Date.self] == model[key, as: Date.self]
                case .json: frozen[key, as: JSONValue.self] == model[key, as: JSONValue.self]
                case .model:
                    frozen[key, as: DynamicModel.self].map { Frozen.thaw($0) } == model[key, as: DynamicModel.self]
                default: true
                }
            check(isSame, "the frozen value of \(key) is another")
        }
    }

    // MARK: Writing

    private mutating func compareWriting(_ model: DynamicModel, _ expected: ReferenceModel) {
        let written = Result { try adapter.jsonValue(from: model) }
        let text = Result { try JSONValue(parsing: Array(try adapter.data(from: model))) }
        switch (written, text) {
        case (.success(let left), .success(let right)):
            check(left == right, "the written text is \(right), the tree \(left)")
        case (.failure(let left as ModelError), .failure(let right as ModelError)):
            check(left.code == right.code && left.pointer == right.pointer, "writing text: \(right), a tree: \(left)")
        default: check(false, "writing text: \(text), a tree: \(written)")
        }
        guard set.options.unknownMembers != .keep, expected.isAloneThroughout else {
            if case .success(let value) = written, isReadBack(expected) {
                let back = outcome { try adapter.model(from: value) }
                check(
                    back.snapshot.map { Snapshot.agree(Snapshot.of(expected), $0) } == true,
                    "written as \(value) and read as \(back)")
            }
            return
        }
        do {
            let wanted = try ReferenceWriter(set: set).object(expected)
            guard case .success(let found) = written else {
                return check(false, "writing: expected \(wanted)\n    found \(written)")
            }
            check(found == wanted, "writing: \(Snapshot.difference(wanted, found))")
        } catch let refused as ReferenceWriter.Refused {
            guard case .failure(let error as ModelError) = written else {
                return check(false, "writing: expected \(refused.code)\n    found \(written)")
            }
            check(error.code == refused.code, "writing: expected \(refused.code)\n    found \(error)")
        } catch {
            check(false, "\(error)")
        }
    }

    /// Whether what is written must come back as the very same model: with the policy that says so, and nothing that is
    /// read only, written only, not in JSON, or read from several places.
    private func isReadBack(_ model: ReferenceModel) -> Bool {
        set.options.nilPolicy == .asParsed
            && model.all { nested in
                set.schema(nested.schema).properties.allSatisfy { property in
                    guard case .first(let paths) = property.mapping, paths.count == 1 else { return false }
                    if isDiscriminator(paths[0].steps, nested.schema) { return false }
                    return property.schema.access == .readWrite && property.schema.nilPolicy ?? .asParsed == .asParsed
                        && !property.schema.transformers.contains(GeneratedTransformers.sum)
                        // An empty text is null for every transformer, but a null is zero for this one.
                        && !(property.schema.transformers.contains(GeneratedTransformers.nullAsZero)
                            && set.options.leniency.contains(.emptyTextAsNull))
                        && paths[0].steps.allSatisfy { if case .member = $0 { true } else { false } }
                }
            }
    }

    /// Writing tells the schema by its discriminator, which then is a value of the property that has it.
    private func isDiscriminator(_ steps: [JSONKeyPath.Step], _ schema: String) -> Bool {
        ([schema] + set.schema(schema).ancestors).contains { name in
            guard case .discriminator(let path, _, _)? = set.schema(name).schema.cluster else { return false }
            return EffectiveSchema.path(path).steps == steps
        }
    }

    // MARK: Archives

    private mutating func compareArchives(_ model: DynamicModel, _ expected: ReferenceModel) {
        let back = outcome {
            let bytes = try ModelArchiver().archive(model)
            return try ModelUnarchiver(registry: set.registry).unarchive(model.schema, from: bytes)
        }
        let wanted = Snapshot.of(archived(expected))
        check(
            back.snapshot.map { Snapshot.agree(wanted, $0) } == true,
            "archive: \(back.snapshot.map { Snapshot.difference(wanted, $0) } ?? "\(back)")")
    }

    /// What an archive keeps: permanent properties unless they are excluded, others only if they are included.
    private func archived(_ model: ReferenceModel) -> ReferenceModel {
        var result = model
        let schema = set.schema(model.schema)
        for index in result.slots.indices {
            let slot = result.slots[index]
            let property = schema.properties.first { $0.key.utf8.elementsEqual(slot.key.utf8) }!.schema
            let isKept = property.archive.map { $0 == .included } ?? (property.storage == .permanent)
            if isKept {
                result.slots[index].value = slot.value.map { archived($0, property.kind) }
            } else {
                result.slots[index].value = ReferenceDecoder(set, collects: false).defaultValue(property)
                result.slots[index].state = result.slots[index].value == nil ? .unset : .defaulted
            }
        }
        return result
    }

    private func archived(_ value: ReferenceValue, _ kind: PropertyKind) -> ReferenceValue {
        switch (value, kind) {
        case (.model(let model), _): return .model(archived(model))
        case (.list(let elements), .array(let element)):
            return .list(elements.map { $0.map { archived($0, element.kind) } })
        case (.list(let elements), .set(let element)):
            let list = elements.map { $0.map { archived($0, element.kind) } }
            // Models that are equal without what is left out are one, unless they hold others.
            guard Self.all(.list(list), { !holdsModels($0) }) else { return .list(list) }
            let decoder = ReferenceDecoder(set, collects: false)
            var seen: Set<JSONValue> = []
            return .list(
                list.filter { seen.insert($0.map { decoder.identity($0, element.kind) } ?? .null).inserted })
        case (.entries(let entries), .dictionary(let element)):
            return .entries(entries.map { ($0.name, $0.value.map { archived($0, element.kind) }) })
        default: return value
        }
    }

    /// Whether models may stand in a model.
    private func holdsModels(_ model: ReferenceModel) -> Bool {
        func isModel(_ kind: PropertyKind) -> Bool {
            switch kind {
            case .model: true
            case .array(let element), .set(let element), .dictionary(let element): isModel(element.kind)
            default: false
            }
        }
        return set.schema(model.schema).properties.contains { isModel($0.schema.kind) }
    }

    /// Whether something holds for all models that stand in a value, not for those in them.
    private static func all(_ value: ReferenceValue, _ holds: (ReferenceModel) -> Bool) -> Bool {
        switch value {
        case .model(let model): holds(model)
        case .list(let elements): elements.allSatisfy { $0.map { all($0, holds) } ?? true }
        case .entries(let entries): entries.allSatisfy { $0.value.map { all($0, holds) } ?? true }
        default: true
        }
    }

    // MARK: Coders

    /// The class of the first schema through Foundation's coders, which stand for an adapter with default options.
    mutating func compareCoders() {
        guard asked == set.schemas[0].name, set.profile == nil, tree.objectValue.flatMap(Entrances.dictionary) != nil,
            !Entrances.hasNegativeZero(tree)
        else { return }
        let adapter = JSONAdapter(DifferentialModel.self, registry: set.registry)
        let decoder = JSONDecoder()
        decoder.userInfo[.schemaRegistry] = set.registry
        let expected = outcome { try adapter.model(from: tree) }
        do {
            let model = try decoder.decode(DifferentialModel.self, from: Data(tree.description.utf8))
            let snapshot = try Snapshot.of(model, in: set)
            check(
                expected.snapshot.map { Snapshot.agree($0, snapshot) } == true,
                "decoder: expected \(expected)\n    found \(snapshot)")
            let written = try adapter.jsonValue(from: model)
            guard Entrances.foundation(written) != nil else { return }
            let encoder = JSONEncoder()
            encoder.userInfo[.schemaRegistry] = set.registry
            let encoded = try JSONValue(parsing: Array(try encoder.encode(model)))
            check(encoded == written, "encoder: expected \(written)\n    found \(encoded)")
        } catch DecodingError.dataCorrupted(let context) {
            let error = context.underlyingError as? ModelError
            check(
                expected.snapshot == nil && error != nil,
                "decoder: expected \(expected)\n    found \(error.map { "\($0)" } ?? "\(context)")")
        } catch {
            if case .failure(let refused as ModelError) = Result(catching: {
                try adapter.jsonValue(from: adapter.model(from: tree))
            }),
                refused.code == (error as? ModelError)?.code
            {
                return
            }
            check(false, "coders: \(error)")
        }
    }
}

extension ReferenceModel {
    /// Whether something holds for the model and for all models in it.
    func all(_ holds: (ReferenceModel) -> Bool) -> Bool {
        holds(self) && slots.allSatisfy { $0.value.map { Self.all($0, holds) } ?? true }
    }

    private static func all(_ value: ReferenceValue, _ holds: (ReferenceModel) -> Bool) -> Bool {
        switch value {
        case .model(let model): model.all(holds)
        case .list(let elements): elements.allSatisfy { $0.map { all($0, holds) } ?? true }
        case .entries(let entries): entries.allSatisfy { $0.value.map { all($0, holds) } ?? true }
        default: true
        }
    }

    /// Whether no model of it belongs to a cluster.
    var isAloneThroughout: Bool { all(\.isAlone) }
}
