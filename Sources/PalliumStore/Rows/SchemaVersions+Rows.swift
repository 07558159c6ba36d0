import PalliumAdapter
import PalliumCore
import PalliumJSON

extension SchemaVersions {
    /// Reads the column `_versions` of a row.
    ///
    /// - Throws: ``ModelError`` with the code `malformedStore`.
    init(ofRow text: String) throws(ModelError) {
        guard case .object(let members)? = try? JSONValue(parsing: text), let versions = try? SchemaVersions(members)
        else {
            throw ModelError(.malformedStore, expected: "the versions of schemas", found: ModelError.quote(text))
        }
        self = versions
    }
}
