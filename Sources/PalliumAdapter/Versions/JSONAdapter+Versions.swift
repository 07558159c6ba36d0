public import Foundation
public import PalliumCore
import PalliumJSON

// Reads and writes documents that contain the version of their schema.
//
// Each call names the version member, not the schema: the member belongs to the application that stores the documents,
// and a server may send documents of the same schema without it.

// Safety: the model that is `unshared` was made by the call and is reachable from nowhere else.
extension JSONAdapter {
    /// Decodes a model from a document that may be of an earlier version of its schemas.
    ///
    ///     let settings = try adapter.model(from: bytes, versionMember: "schemaVersion")
    ///
    /// The member holds the version of the adapter's schema, or versions by the names of schemas:
    /// `{"Settings": 3, "Account": 2}`. A schema without a version has version 1. Each model in the document takes the steps
    /// of its schema and its ancestors; where a cluster chooses a descendant, it sees the object as the steps before leave
    /// it, so steps of ancestors may run more than once.
    ///
    /// In a step, a key stands for the value that the adapter would read for the property, at any path of its mapping;
    /// a null or another value on the path to it counts as no value. A key that the schema no longer has stands for the
    /// member that the key strategy derives from it, or else for the member of its own name. Any key from which the
    /// strategy derives an unmapped member stands for it, unless a property has that key. Members that no step changes
    /// stay where they are.
    ///
    /// A step sees the models inside as JSON objects. A model that a step makes takes the later steps of its schema, and
    /// stands in the document as the adapter would write it.
    ///
    /// - Throws: ``ModelError`` as ``model(from:)``, and with the codes `newerVersion`, `olderVersion`,
    ///   `upgradeFailed`, and `depthLimit` for a document that takes steps and has more than 64 models inside of one
    ///   another. If a step changes something, errors have no line and column, because the adapter no longer reads the
    ///   original text.
    public func model(
        from input: some JSONInput, versionMember: String
    ) throws(ModelError) -> sending Model {
        try makeUnshared { () throws(ModelError) in
            try input._withJSONDocument { document throws(ModelError) in
                var isAsWritten = true
                do throws(ModelError) {
                    var value = try document.tree(options.reading)
                    let versions = try takeVersions(versionMember, from: &value)
                    guard versions.takeSteps(of: plans.layouts) else { return try model(from: value) }
                    var upgrade = DocumentUpgrade(versions, MappedForm(layout.registry, profile: profile))
                    value = try upgrade.upgraded(value, as: layout)
                    isAsWritten = !upgrade.isChanged
                    do throws(ModelError) { return try model(from: value) } catch {
                        throw error.masked(below: upgrade.hidden)
                    }
                } catch { throw isAsWritten ? error.located(in: document, options.reading) : error }
            }
        }
    }

    /// Writes a model as a document whose first member holds versions: that of the adapter's schema, or those of all schemas
    /// that have another one than 1, by name, if there are others.
    ///
    /// - Throws: ``ModelError`` as ``data(from:only:except:redacting:)-(Model,_,_,_)``, and if the model writes a member of that
    ///   name itself.
    public func data(from model: Model, versionMember: String) throws(ModelError) -> Data {
        let members = try self.members(of: model)
        guard members.position(of: versionMember) == nil else {
            throw ModelError(
                .duplicateMember, expected: "a version member that no property is mapped to",
                found: ModelError.quote(versionMember), schema: model.schema.name)
        }
        let versions = SchemaVersions.present(of: plans.layouts)
        let isSingle = versions.allSatisfy { UTF8Text.equal($0.key, schema.name) }
        let version: JSONValue = isSingle ? .number(JSONNumber(schema.version)) : .object(versions)
        var versioned = JSONObject([(key: versionMember, value: version)])
        for (name, value) in members { versioned.updateValue(value, forKey: name) }
        do throws(JSONSyntaxError) {
            return Data(try JSONValue.object(versioned).bytes(options: options.writing))
        } catch { throw ModelError(error) }
    }

    /// Removes the version member of a document and returns the versions.
    private func takeVersions(
        _ name: String, from document: inout JSONValue
    ) throws(ModelError) -> SchemaVersions {
        guard case .object(var members) = document, let value = members.removeValue(forKey: name) else {
            return SchemaVersions(1, of: schema)
        }
        document = .object(members)
        do throws(ModelError) {
            if case .object(let versions) = value {
                let versions = try SchemaVersions(versions)
                try versions.check(plans.layouts.flatMap(\.lineage).map(\.schema))
                return versions
            }
            guard let version = value.intValue, version >= 1 else {
                throw ModelError(
                    .typeMismatch, expected: "the version of \(schema.name)", found: value.summary, schema: schema.name)
            }
            _ = try schema.steps(from: version)
            return SchemaVersions(version, of: schema)
        } catch { throw error.under(key: name) }
    }
}

extension ModelError {
    /// Returns the error without the values at some pointers, and those that lead to them.
    package func masked(below pointers: [[String]]) -> ModelError {
        if pointers.isEmpty { return self }
        return maskingEach { problem in
            let tokens = problem.wholePointer?.tokens ?? []
            return pointers.first { zip($0, tokens).allSatisfy { UTF8Text.equal($0, $1) } }
                .map { min($0.count, tokens.count) }
        }
    }
}
