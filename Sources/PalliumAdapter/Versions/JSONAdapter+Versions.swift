public import Foundation
public import PalliumCore
import PalliumJSON

// Reads and writes documents that contain the version of their schema.
//
// Each call names the version member, not the schema: the member belongs to the application that stores the documents,
// and a server may send documents of the same schema without it.

// Safety: the model that is `unshared` was made by the call and is reachable from nowhere else.
extension JSONAdapter {
    /// Decodes a model from a document that may be of an earlier version of the schema.
    ///
    ///     let settings = try adapter.model(from: bytes, versionMember: "schemaVersion")
    ///
    /// The adapter's schema upgrades a document of an earlier version. The version is that of this schema, even if a
    /// cluster chooses a descendant; steps of ancestors and descendants do not run. A document without the member has
    /// version 1.
    ///
    /// In a step, a key stands for the value that the adapter would read for the property, at any path of its mapping;
    /// a null or another value on the path to it counts as no value. A key that the schema no longer has stands for the
    /// member that the key strategy derives from it, or else for the member of its own name. Unmapped members have
    /// their own names as keys, unless a property has that key. Members that no step changes stay where they are.
    ///
    /// Nested models are JSON objects here; only steps of the outer schema can upgrade them. A model that a step makes
    /// becomes an object with its keys as members.
    ///
    /// - Throws: ``ModelError`` as ``model(from:)``, and with the codes `newerVersion`, `olderVersion` and
    ///   `upgradeFailed`. After a step, errors have no line and column, because the adapter no longer reads the
    ///   original text.
    public func model(
        from input: some JSONInput, versionMember: String
    ) throws(ModelError) -> sending Model {
        try makeUnshared { () throws(ModelError) in
            try input._withJSONDocument { document throws(ModelError) in
                var isAsWritten = true
                do throws(ModelError) {
                    var value = try document.tree(options.reading)
                    let steps = try takeVersion(versionMember, from: &value)
                    if case .object(let members) = value, let upgrade = DocumentUpgrade(layout, profile: profile, steps)
                    {
                        isAsWritten = false
                        let upgraded = try upgrade.upgraded(members)
                        do throws(ModelError) { return try model(from: JSONValue.object(upgraded.document)) } catch {
                            throw error.masked(below: upgraded.hidden)
                        }
                    }
                    return try model(from: value)
                } catch { throw isAsWritten ? error.located(in: document, options.reading) : error }
            }
        }
    }

    /// Writes a model as a document whose first member is the version of the adapter's schema.
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
        var versioned = JSONObject([(key: versionMember, value: .number(JSONNumber(schema.version)))])
        for (name, value) in members { versioned.updateValue(value, forKey: name) }
        do throws(JSONSyntaxError) {
            return Data(try JSONValue.object(versioned).bytes(options: options.writing))
        } catch { throw ModelError(error) }
    }

    /// Removes the version member of a document.
    ///
    /// - Returns: The steps from its version to the present one.
    private func takeVersion(_ name: String, from document: inout JSONValue) throws(ModelError) -> [SchemaUpgrade] {
        guard case .object(var members) = document else { return [] }
        guard let value = members.removeValue(forKey: name) else { return try schema.steps(from: 1) }
        document = .object(members)
        do throws(ModelError) {
            guard let version = value.intValue, version >= 1 else {
                throw ModelError(
                    .typeMismatch, expected: "the version of \(schema.name)", found: value.summary, schema: schema.name)
            }
            return try schema.steps(from: version)
        } catch { throw error.under(key: name) }
    }
}
