public import Foundation
public import PalliumCore
import PalliumJSON

// Documents that say of which version of the schema they are.
//
// The member that says so is named by each call and not by the schema: it belongs to whoever stores documents, and the
// same schema may be read from documents of a server that has no such notion.
extension JSONAdapter {
    /// Decodes a model from a document that may be of an earlier version of the schema.
    ///
    ///     let settings = try adapter.model(from: bytes, versionMember: "schemaVersion")
    ///
    /// A document of an earlier version goes through the schema's upgrades as an archive does, member by member: a key
    /// stands for the member that the property is mapped to, and a key that the schema no longer has for the member that
    /// the key strategy makes of it. Models inside of it are JSON objects, which the steps of the outer schema upgrade, if
    /// at all; a model that a step makes becomes an object with its keys as members. A document without the member is of
    /// version 1.
    ///
    /// - Throws: ``ModelError`` as ``model(from:)``, and with the codes `newerVersion`, `olderVersion` and
    ///   `upgradeFailed`.
    public func model(
        from input: some JSONInput, versionMember: String
    ) throws(ModelError) -> sending Model {
        let document = try input.withJSONDocument { document throws(ModelError) in try document.tree(options.reading) }
        return try model(from: upgraded(document, versionMember: versionMember))
    }

    /// Writes a model as a document that says of which version of the schema it is, in its first member.
    ///
    /// - Throws: ``ModelError`` as ``jsonValue(from:only:except:)``, and when the model writes such a member itself.
    public func data(from model: Model, versionMember: String) throws(ModelError) -> Data {
        let members = try self.members(of: model)
        guard members.position(of: versionMember) == nil else {
            throw ModelError(
                .duplicateMember, expected: "a version member that no property is mapped to",
                found: ModelError.quote(versionMember), schema: model.schema.name)
        }
        var versioned = JSONObject([(key: versionMember, value: .number(JSONNumber(model.schema.version)))])
        for (name, value) in members { versioned.updateValue(value, forKey: name) }
        do throws(JSONSyntaxError) {
            return Data(try JSONValue.object(versioned).bytes(options: options.writing))
        } catch { throw ModelError(error) }
    }

    /// The document as one of the present version, without the version member.
    func upgraded(_ document: JSONValue, versionMember: String) throws(ModelError) -> JSONValue {
        guard case .object(var members) = document else { return document }
        var version = 1
        if let value = members.removeValue(forKey: versionMember) {
            guard let number = value.intValue, number >= 1 else {
                throw ModelError(
                    .typeMismatch, expected: "the version of \(schema.name)", found: value.summary, schema: schema.name
                ).under(key: versionMember)
            }
            version = number
        }
        let steps = try schema.steps(from: version)
        if steps.isEmpty { return .object(members) }
        return .object(try VersionedDocument(layout, steps).upgraded(members, from: version))
    }
}

/// The way of a document through upgrades: members become stored values by key and, afterwards, members again.
private struct VersionedDocument {
    private let layout: ModelLayout
    private let steps: [SchemaUpgrade]
    /// The member of each key that the schema has or a step names.
    private var members: [UTF8Key: JSONKeyPath] = [:]

    init(_ layout: ModelLayout, _ steps: [SchemaUpgrade]) {
        self.layout = layout
        self.steps = steps
        for step in steps {
            let keys =
                Array(step.renamed.keys) + Array(step.renamed.values) + step.removed + Array(step.defaults.keys)
                + Array(step.transformed.keys)
            for key in keys { add(key, PropertySchema(.json), layout.schema.keys) }
        }
        for property in layout.properties { add(property.key, property.schema, property.keys) }
    }

    private mutating func add(_ key: String, _ property: PropertySchema, _ keys: KeyStrategy) {
        let mapping = ResolvedMapping(property, key: key, keys: keys)
        members[UTF8Key(key)] =
            mapping.combination == .allOf ? nil : mapping.texts.first.flatMap { try? JSONKeyPath($0) }
    }

    func upgraded(_ document: JSONObject, from version: Int) throws(ModelError) -> JSONObject {
        var model = StoredModel(layout.schema.name, version: version)
        // Members that no key stands for keep their names, so that steps in code can read them. Where a former key and a
        // present one stand for the same member, it was the former one's.
        let former = steps.flatMap { Array($0.renamed.keys) + $0.removed }.sorted(by: UTF8Text.precedes)
        var keys: [UTF8Key: String] = [:]
        for key in layout.properties.map(\.key) + former {
            guard let path = members[UTF8Key(key)], path.steps.count == 1, case .member(let name) = path.steps[0] else {
                continue
            }
            keys[UTF8Key(name)] = key
        }
        for (name, value) in document { model[keys[UTF8Key(name)] ?? name] = StoredValue(json: value) }
        for step in steps { try step.apply(to: &model, layout.transformers) }
        var result = JSONObject()
        for key in model.keys {
            guard let value = model[key] else { continue }
            do throws(ModelError) {
                let path = members[UTF8Key(key)]?.tokens ?? [key]
                try result.set(value.json, at: ArraySlice(path))
            } catch { throw error.under(key: key) }
        }
        return result
    }
}

extension JSONObject {
    /// Sets a value at a path, which is as long as a schema says.
    ///
    /// - Throws: ``ModelError`` with the code `upgradeFailed` when something else than an object is on the way.
    mutating func set(_ value: JSONValue, at path: ArraySlice<String>) throws(ModelError) {
        guard let name = path.first else { return }
        if path.count == 1 {
            updateValue(value, forKey: name)
            return
        }
        var inner = JSONObject()
        switch self[name] {
        case .object(let members)?: inner = members
        case nil, .null?: break
        case let other?:
            throw ModelError(.upgradeFailed, expected: "an object on the way of a key path", found: other.summary)
        }
        try inner.set(value, at: path.dropFirst())
        updateValue(.object(inner), forKey: name)
    }
}
