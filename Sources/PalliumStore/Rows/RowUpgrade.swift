import Foundation
import PalliumAdapter
import PalliumCore
import PalliumJSON

/// Brings documents that were stored by earlier versions of schemas to the present ones.
///
/// Each model in a document takes the steps of its own schema, outer ones first, and so does a reference, which is no more
/// than an identity.
///
/// Safety: a temporary slot has the descriptor whose value it takes, and layouts hold their descriptors.
struct RowUpgrade {
    /// The versions of the schemas when the document was written. Those that are not listed had version 1.
    private let versions: [UTF8Key: Int]
    /// The documents of models with an identity that steps made. Each becomes a row, unless there is one.
    private(set) var made: [(layout: ModelLayout, document: JSONObject)] = []

    /// - Parameter text: What stands in the column `_versions`.
    init(versions text: String) throws(ModelError) {
        guard case .object(let members)? = try? JSONValue(parsing: text) else {
            throw ModelError(.malformedStore, expected: "the versions of schemas", found: ModelError.quote(text))
        }
        var versions: [UTF8Key: Int] = [:]
        for (name, value) in members {
            guard let version = value.intValue else {
                throw ModelError(.malformedStore, expected: "the version of \(name)", found: value.summary)
            }
            versions[UTF8Key(name)] = version
        }
        self.versions = versions
    }

    /// Checks that the document is of no later version than any schema.
    ///
    /// - Throws: ``ModelError`` with the code `newerVersion`.
    func check(_ schemas: [ModelSchema]) throws(ModelError) {
        for schema in schemas {
            let version = level(of: schema).version
            guard version > schema.version else { continue }
            throw ModelError(
                .newerVersion, expected: "\(schema.name) of at most version \(schema.version)",
                found: "version \(version)", schema: schema.name)
        }
    }

    /// Returns the document of a model in the present versions.
    ///
    /// - Throws: ``ModelError`` with the codes `newerVersion`, `olderVersion` and `upgradeFailed`.
    mutating func upgraded(_ document: JSONValue, _ layout: ModelLayout) throws(ModelError) -> JSONValue {
        guard case .object(let members) = document else { return document }
        let layout = try chosen(members, layout)
        var result = members
        if result[StoredFormat.schemaMember] != nil { result[StoredFormat.schemaMember] = .string(layout.schema.name) }
        let levels = layout.lineage.map { level(of: $0.schema) }
        if let plan = try UpgradePlan(levels, layout, isDirect: true) {
            result = try upgraded(result, levels, layout, plan)
        }
        for property in layout.properties where property.descriptor.holdsModels {
            let name = StoredFormat.member(of: property.key)
            guard let value = result[name] else { continue }
            do throws(ModelError) {
                result.updateValue(try self.value(value, property.descriptor), forKey: name)
            } catch { throw error.under(key: name) }
        }
        return .object(result)
    }

    /// The name and the version that a schema had.
    private func level(of schema: ModelSchema) -> StoredModel.Level {
        for name in [schema.name] + schema.formerNames {
            guard let version = versions[UTF8Key(name)], schema.isCalled(name, atVersion: version) else { continue }
            return StoredModel.Level(name: name, version: version)
        }
        return StoredModel.Level(name: schema.renaming(after: 1)?.oldSchemaName ?? schema.name, version: 1)
    }

    /// Returns the layout whose schema had a name.
    func layout(called name: String, among layouts: some Collection<ModelLayout>) -> ModelLayout? {
        layouts.first { UTF8Text.equal(level(of: $0.schema).name, name) }
    }

    /// The layout that a document names, or the one of the property that holds it.
    private func chosen(_ members: JSONObject, _ layout: ModelLayout) throws(ModelError) -> ModelLayout {
        guard case .string(let name)? = members[StoredFormat.schemaMember] else { return layout }
        let candidates = [layout] + layout.registry.descendants(of: layout)
        if let found = self.layout(called: name, among: candidates) { return found }
        return try layout.registry.layout(named: name)
    }

    /// Recursion is as deep as the nesting of kinds and of models without an identity, which decoding limits.
    private mutating func value(_ value: JSONValue, _ descriptor: ValueDescriptor) throws(ModelError) -> JSONValue {
        switch value {
        case .object where descriptor.kind == .model:
            guard let layout = descriptor.model else { return value }
            if let root = layout.rowLayout { return try reference(value, to: root) }
            return try upgraded(value, layout)
        case .object(let members):
            guard let element = descriptor.element else { return value }
            var result = JSONObject()
            for (key, member) in members { result.updateValue(try self.value(member, element), forKey: key) }
            return .object(result)
        case .array(let elements):
            guard let element = descriptor.element else { return value }
            var result: [JSONValue] = []
            for member in elements { result.append(try self.value(member, element)) }
            return .array(result)
        default: return value
        }
    }

    /// Returns a reference with the identity that the steps of its schema give it.
    private mutating func reference(_ reference: JSONValue, to root: ModelLayout) throws(ModelError) -> JSONValue {
        let made = made
        defer { self.made = made }
        do throws(ModelError) {
            return Self.identity(in: try upgraded(reference, root).objectValue ?? [:], of: root)
        } catch {
            // A step that needs more than an identity says nothing about one that is complete.
            let members = reference.objectValue ?? [:]
            guard Self.identity(of: root).allSatisfy({ members[$0] != nil }) else { throw error }
            return reference
        }
    }

    /// The members of a reference.
    private static func identity(of root: ModelLayout) -> [String] {
        root.identitySlots.map { StoredFormat.member(of: root.properties[$0].key) }
    }

    private static func identity(in members: JSONObject, of root: ModelLayout) -> JSONValue {
        var reference = JSONObject()
        for name in identity(of: root) { reference[name] = members[name] }
        return .object(reference)
    }

    private mutating func upgraded(
        _ members: JSONObject, _ levels: [StoredModel.Level], _ layout: ModelLayout, _ plan: UpgradePlan
    ) throws(ModelError) -> JSONObject {
        var model = StoredModel(levels)
        var result = JSONObject()
        for (name, value) in members {
            if let key = StoredFormat.key(of: name) {
                let descriptor = layout.index(of: key).map { layout.properties[$0].descriptor }
                model[key] = StoredModel.Value(json: Self.withoutSpelling(value, descriptor))
            } else {
                result.updateValue(value, forKey: name)
            }
        }
        let former = model
        try plan.apply(to: &model)
        for key in model.keys {
            guard let value = model[key] else { continue }
            let json: JSONValue
            if value == former[key] {
                json = members[StoredFormat.member(of: key)] ?? .null
            } else {
                do throws(ModelError) { json = try stored(value, key, of: layout) } catch {
                    throw error.under(property: key, isSensitive: model.isSensitive(key))
                }
            }
            result.updateValue(json, forKey: StoredFormat.member(of: key))
        }
        return result
    }

    /// Returns a value as steps see it: a date is a number, however it is spelled.
    private static func withoutSpelling(_ value: JSONValue, _ descriptor: ValueDescriptor?) -> JSONValue {
        guard descriptor.map({ $0.kind == .date }) ?? true, case .string(let text) = value,
            let date = SpelledDate(storedText: text), date.storedText == text, let number = JSONNumber(date.seconds)
        else { return value }
        return .number(number)
    }

    private mutating func stored(
        _ value: StoredModel.Value, _ key: String, of layout: ModelLayout
    ) throws(ModelError) -> JSONValue {
        guard let slot = layout.index(of: key) else { return try value.json }
        return try stored(value, layout.properties[slot].descriptor)
    }

    /// Returns a value that a step made in the stored form, in which a date is a number.
    private mutating func stored(
        _ value: StoredModel.Value, _ descriptor: ValueDescriptor
    ) throws(ModelError) -> JSONValue {
        switch (value, descriptor.kind) {
        case (.date(let date), .date): return .number(JSONNumber(date.timeIntervalSinceReferenceDate) ?? JSONNumber(0))
        case (.string(let text), .date):
            if SpelledDate(storedText: text) != nil { return .string(text) }
            return try PropertySlot.withTemporary(for: descriptor) { slot throws(ModelError) in
                try slot.store(json: .string(text), transformers: TransformerRegistry.shared)
                return .number(JSONNumber(slot.load(Double.self)) ?? JSONNumber(0))
            }
        case (.array(let elements), _):
            guard let element = descriptor.element else { return try value.json }
            var result: [JSONValue] = []
            for value in elements { result.append(try stored(value, element)) }
            return .array(result)
        case (.dictionary(let entries), _):
            guard let element = descriptor.element else { return try value.json }
            var result = JSONObject()
            for entry in entries { result.updateValue(try stored(entry.value, element), forKey: entry.key) }
            return .object(result)
        case (.model, .model):
            guard let model = value.model, let layout = try? descriptor.model?.registry.layout(named: model.schema)
            else { return try value.json }
            var result = JSONObject()
            if layout.parent != nil { result[StoredFormat.schemaMember] = .string(layout.schema.name) }
            for key in model.keys {
                guard let value = model[key] else { continue }
                result.updateValue(try stored(value, key, of: layout), forKey: StoredFormat.member(of: key))
            }
            guard let root = layout.rowLayout else { return .object(result) }
            made.append((layout, result))
            return Self.identity(in: result, of: root)
        default: return try value.json
        }
    }
}
