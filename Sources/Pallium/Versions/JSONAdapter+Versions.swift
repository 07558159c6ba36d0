public import Foundation
public import PalliumCore
import PalliumJSON

// Documents that say of which version of the schema they are.
//
// The member that says so is named by each call and not by the schema: it belongs to whoever stores documents, and the
// same schema may be read from documents of a server that has no such notion.

// Safety: what `nonisolated(unsafe)` marks was made by the call and is reachable from nowhere else.
extension JSONAdapter {
    /// Decodes a model from a document that may be of an earlier version of the schema.
    ///
    ///     let settings = try adapter.model(from: bytes, versionMember: "schemaVersion")
    ///
    /// A document of an earlier version goes through the adapter's schema's own upgrades: its version is that of this schema,
    /// also where a cluster chooses a descendant, and neither the steps of ancestors nor those of descendants are taken.
    /// A document without the member is of version 1.
    ///
    /// A key of a step stands for the value that the adapter would read for the property, wherever the property is mapped
    /// to; a null or anything else on the way to it is no value. A key that the schema no longer has stands for the member
    /// that the key strategy makes of it, or for its own name where that makes none. Members that no key stands for are
    /// seen under their names, except where a property has that name for its key. What no step changes stays where it is.
    ///
    /// Models inside of the document are JSON objects, which the steps of the outer schema upgrade, if at all; a model that
    /// a step makes becomes an object with its keys as members.
    ///
    /// - Throws: ``ModelError`` as ``model(from:)``, and with the codes `newerVersion`, `olderVersion` and
    ///   `upgradeFailed`. Once a step was taken, errors have no line and column: what is read is no longer the text.
    public func model(
        from input: some JSONInput, versionMember: String
    ) throws(ModelError) -> sending Model {
        nonisolated(unsafe) let model = try input.withJSONDocument { document throws(ModelError) in
            var isAsWritten = true
            do throws(ModelError) {
                var value = try document.tree(options.reading)
                let steps = try takeVersion(versionMember, from: &value)
                if case .object(let members) = value, let upgrade = DocumentUpgrade(layout, profile: profile, steps) {
                    isAsWritten = false
                    value = .object(try upgrade.upgraded(members))
                }
                return try self.model(from: value)
            } catch { throw isAsWritten ? error.located(in: document, options.reading) : error }
        }
        return unsafe model
    }

    /// Writes a model as a document that says of which version of the adapter's schema it is, in its first member.
    ///
    /// - Throws: ``ModelError`` as ``jsonValue(from:only:except:)``, and when the model writes such a member itself.
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
