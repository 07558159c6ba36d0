import PalliumAdapter
import PalliumArchive
import PalliumCore
import PalliumJSON
import PalliumMerging

/// Tries whether documents of a schema break laws.
struct LawTrial {
    private let clusters: DocumentClusters
    let schema: ModelSchema
    private let layout: ModelLayout
    let adapter: JSONAdapter<DynamicModel>
    private let unarchiver: ModelUnarchiver
    /// The layouts of all models that a document can hold.
    private let layouts: [ModelLayout]
    private let appendingKeys: Set<UTF8Key>
    private let joiningKeys: Set<UTF8Key>
    /// The keys of properties that archives and rows may not hold.
    private let unstoredKeys: Set<UTF8Key>
    /// The documents of earlier versions.
    let former: [FormerDocuments]

    /// Prepares trials.
    ///
    /// - Parameters:
    ///   - laws: The laws that are tried.
    ///   - seed: The beginning of the random choices of former documents.
    /// - Throws: ``ModelError`` if the schema is not registered.
    init(
        _ schema: ModelSchema, registry: SchemaRegistry, laws: Set<SchemaLaw>, seed: UInt64
    ) throws(ModelError) {
        clusters = DocumentClusters(registry)
        self.schema = schema
        layout = try registry.layout(named: schema.name)
        former = laws.contains(.upgrades) ? FormerDocuments.all(of: layout, registry, seed: seed) : []
        var options = JSONAdapterOptions()
        options.unknownMembers = .refuse
        adapter = try JSONAdapter(schema: schema, registry: registry, options: options)
        layouts = registry.layouts(neededBy: [layout])
        unarchiver = ModelUnarchiver(registry: registry, allowing: layouts.map { .named($0.schema.name) })
        let merged = layouts.flatMap(\.properties).compactMap { property in
            property.schema.merge.map { (key: UTF8Key(property.key), name: $0.name) }
        }
        unstoredKeys = Set(
            layouts.flatMap(\.properties).filter { $0.schema.archiving != .included }.map { UTF8Key($0.key) })
        appendingKeys = Set(merged.filter { $0.name == "append" }.map(\.key))
        joiningKeys = Set(
            merged.filter {
                ["append", "union"].contains($0.name) || !MergePolicy.predefinedNames.contains(UTF8Key($0.name))
            }.map(\.key))
    }

    /// Decodes a document.
    ///
    /// - Throws: ``ModelError`` if it is refused.
    func model(from document: JSONValue) throws(ModelError) -> DynamicModel { try adapter.model(from: document) }

    /// Returns how a document breaks a law; nil if it does not, or if the law says nothing about it.
    func violation(of law: SchemaLaw, by document: JSONValue) -> Violation? {
        if law == .upgrades { return upgrades(document) }
        let model: DynamicModel
        do throws(ModelError) { model = try adapter.model(from: document) } catch {
            guard law == .decoding, error.category != .refusedByProgram else { return nil }
            return Violation(error, schema: schema.name, "a sample is refused")
        }
        switch law {
        case .decoding: return nil
        case .json: return json(model, document)
        case .transformers: return transformers(model, document)
        case .validation: return validation(model)
        case .copying: return copying(model)
        case .archive: return archive(model)
        case .mergingEqual: return mergingEqual(model)
        case .mergingIntoEmpty: return mergingIntoEmpty(model)
        case .upgrades: return nil
        @unknown default: return nil
        }
    }

    // MARK: Differences

    /// Returns the violation that two different models show; nil if they are equal.
    ///
    /// - Parameter ignored: The keys of properties that may differ.
    private func difference(
        _ old: DynamicModel, _ new: DynamicModel, _ text: String, ignoring ignored: Set<UTF8Key> = []
    ) -> Violation? {
        if old == new { return nil }
        let changes = old.difference(to: new).filter { change in
            !change.pointer.tokens.contains { ignored.contains(UTF8Key($0)) }
        }
        guard let change = changes.first else {
            // Values of your own types may differ in what no difference shows.
            return ignored.isEmpty ? Violation(schema: old.schema.name, problem: text) : nil
        }
        return Violation(
            schema: owner(of: change, in: old), property: change.key, problem: "\(text) (\(change))")
    }

    /// The schema of the model that a change is in.
    private func owner(of change: ModelChange, in model: DynamicModel) -> String {
        var current = model
        var owner = model
        var value: (any PropertyValue)?
        for token in change.pointer.tokens {
            if current.layout.index(of: token) != nil, value == nil {
                owner = current
                value = try? current.value(forKey: token)
            } else if let elements = value as? [any PropertyValue], let index = Int(token),
                elements.indices.contains(index)
            {
                value = elements[index]
            } else {
                break
            }
            if let nested = value as? DynamicModel {
                current = nested
                value = nil
            }
        }
        return owner.schema.name
    }

    // MARK: JSON

    private func json(_ model: DynamicModel, _ document: JSONValue) -> Violation? {
        do throws(ModelError) {
            let text = try adapter.data(from: model)
            if let found = changedTag(of: model, document, (try? JSONValue(parsing: text)) ?? .null) { return found }
            let again: DynamicModel
            do throws(ModelError) { again = try adapter.model(from: text) } catch {
                // A required property that is never written has no way back.
                if error.code == .missingProperty, hasUnwrittenProperties { return nil }
                return Violation(error, schema: schema.name, "what was written is refused")
            }
            let secondText = try adapter.data(from: again)
            // A property that is only read is not in what was written.
            let isLost = hasUnwrittenProperties
            let (old, new) = isLost ? (again, try adapter.model(from: secondText)) : (model, again)
            if let found = difference(old, new, "the model changes on its way through JSON") { return found }
            guard text != secondText else { return nil }
            return Violation(
                schema: schema.name,
                problem: "an equal model is written differently: \(Self.shown(text)) and then \(Self.shown(secondText))"
            )
        } catch {
            // Without a reverse conversion nothing is written, and the law says nothing.
            if error.code == .notReversible { return nil }
            return Violation(error, schema: schema.name, "the model cannot be written")
        }
    }

    /// Returns the violation if a discriminator is written as another kind of JSON than it was read as.
    private func changedTag(of model: DynamicModel, _ document: JSONValue, _ written: JSONValue) -> Violation? {
        for ancestor in model.layout.lineage {
            guard let path = try? clusters.discriminator(of: ancestor)?.path,
                let old = document.objectValue.flatMap(path.value), let new = written.objectValue.flatMap(path.value),
                !old.isNull, old.kind != new.kind
            else { continue }
            return Violation(
                schema: model.schema.name,
                problem: "the discriminator \(old.summary) is written as \(new.summary)")
        }
        return nil
    }

    private var hasUnwrittenProperties: Bool {
        layouts.contains { $0.properties.contains { $0.schema.access == .readOnly } }
    }

    private static func shown(_ text: some Collection<UInt8>) -> String {
        ModelError.shorten(String(decoding: text, as: UTF8.self), to: 200)
    }

    // MARK: Versions

    private func upgrades(_ document: JSONValue) -> Violation? {
        for former in former {
            guard let members = former.members(of: document) else { continue }
            return upgrades(document, members, former)
        }
        return nil
    }

    /// Reads a document of an earlier version, its archive and its row.
    private func upgrades(_ document: JSONValue, _ members: JSONObject, _ former: FormerDocuments) -> Violation? {
        var form = "a document"
        do throws(ModelError) {
            let model = try adapter.model(from: document, versionMember: former.versionMember)
            form = "an archive"
            let archived = try former.archive(of: members).map { archive throws(ModelError) in
                try unarchiver.unarchive(schema, from: archive)
            }
            form = "a row"
            let stored = try former.row(of: members, as: layout)
            for (form, other) in [("archive", archived), ("row", stored)] {
                guard let other,
                    let found = difference(
                        model, other, "the \(form) of version \(former.version) gives another model than a document",
                        ignoring: unstoredKeys)
                else { continue }
                return found
            }
        } catch {
            // Former documents did not have to keep the rules in Swift.
            if error.code == .validationFailed || error.code == .hookFailed { return nil }
            return Violation(error, schema: schema.name, "\(form) of version \(former.version) is refused")
        }
        return nil
    }

    // MARK: Models

    private func validation(_ model: DynamicModel) -> Violation? {
        let copy = model.deepCopy()
        do throws(ModelError) { try copy.validate() } catch {
            return Violation(error, schema: schema.name, "a model that was accepted is refused")
        }
        return difference(model, copy, "validating changes a model that was accepted")
    }

    private func copying(_ model: DynamicModel) -> Violation? {
        for copy in [model.copy(), model.deepCopy()] {
            if let found = difference(model, copy, "a copy is not equal") { return found }
            if copy.hashValue != model.hashValue {
                return Violation(schema: schema.name, problem: "a copy is equal, but has another hash value")
            }
        }
        return nil
    }

    private func archive(_ model: DynamicModel) -> Violation? {
        do throws(ModelError) {
            let opened = try unarchiver.unarchive(schema, from: ModelArchiver().archive(model))
            return difference(model, opened, "the model changes on its way through an archive")
        } catch {
            if error.code == .notReversible { return nil }
            return Violation(error, schema: schema.name, "an archive of the model is refused")
        }
    }

    // MARK: Merging

    private func mergingEqual(_ model: DynamicModel) -> Violation? {
        let target = model.deepCopy()
        do throws(ModelError) {
            try target.merge(from: model)
        } catch { return Violation(error, schema: schema.name, "merging an equal model is refused") }
        return difference(model, target, "merging an equal model changes it", ignoring: appendingKeys)
    }

    private func mergingIntoEmpty(_ model: DynamicModel) -> Violation? {
        let target = model.layout.makeEmptyModel()
        // An absent property of the source never changes anything, so the empty model has the defaults already.
        for index in model.layout.defaultedSlots {
            target.slot(at: index).takeDefault(model.layout.defaultSlot(index))
        }
        do throws(ModelError) {
            try target.merge(from: model)
        } catch { return Violation(error, schema: schema.name, "merging into an empty model is refused") }
        return difference(
            model, target, "merging into an empty model gives another one", ignoring: joiningKeys)
    }
}
