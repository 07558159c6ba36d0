package import PalliumCore
package import PalliumJSON

/// The versions that schemas had when a document was written. A schema that is not listed had version 1.
package struct SchemaVersions {
    private var versions: [UTF8Key: Int] = [:]

    /// Takes the version of one schema.
    package init(_ version: Int, of schema: ModelSchema) {
        versions[UTF8Key(schema.renaming(after: version)?.oldSchemaName ?? schema.name)] = version
    }

    /// Reads versions by the names that the schemas had.
    ///
    /// - Throws: ``ModelError`` with the code `typeMismatch` for a value that is no version.
    package init(_ members: JSONObject) throws(ModelError) {
        for (name, value) in members {
            guard let version = value.intValue, version >= 1 else {
                throw ModelError(.typeMismatch, expected: "the version of \(name)", found: value.summary)
                    .under(key: name)
            }
            versions[UTF8Key(name)] = version
        }
    }

    /// Returns the present versions of layouts and their ancestors, except those that are 1, in the order of the names.
    package static func present(of layouts: some Sequence<ModelLayout>) -> JSONObject {
        var versions: [UTF8Key: Int] = [:]
        for schema in layouts.flatMap(\.lineage).map(\.schema) where schema.version != 1 {
            versions[UTF8Key(schema.name)] = schema.version
        }
        var object = JSONObject()
        for (name, version) in versions.sorted(by: { UTF8Text.precedes($0.key.text, $1.key.text) }) {
            object[name.text] = .number(JSONNumber(version))
        }
        return object
    }

    /// The name and the version that a schema had.
    package func level(of schema: ModelSchema) -> FormerModel.Level {
        for name in [schema.name] + schema.formerNames {
            guard let version = versions[UTF8Key(name)], schema.isCalled(name, atVersion: version) else { continue }
            return FormerModel.Level(name: name, version: version)
        }
        return FormerModel.Level(name: schema.renaming(after: 1)?.oldSchemaName ?? schema.name, version: 1)
    }

    /// The names and the versions that a layout's schema and its ancestors had.
    func levels(of layout: ModelLayout) -> [FormerModel.Level] { layout.lineage.map { level(of: $0.schema) } }

    /// Returns the layout whose schema had a name.
    package func layout(called name: String, among layouts: some Collection<ModelLayout>) -> ModelLayout? {
        layouts.first { UTF8Text.equal(level(of: $0.schema).name, name) }
    }

    /// Whether a document with models of these layouts takes a step or has a hook.
    func takeSteps(of layouts: some Sequence<ModelLayout>) -> Bool {
        layouts.contains { layout in
            layout.properties.contains { $0.schema.storedValueHook != nil }
                || layout.lineage.contains { ancestor in
                    let level = level(of: ancestor.schema)
                    return level.version != ancestor.schema.version
                        || !UTF8Text.equal(level.name, ancestor.schema.name)
                }
        }
    }

    /// Checks that no schema had a later version than it has.
    ///
    /// - Throws: ``ModelError`` with the code `newerVersion`.
    package func check(_ schemas: some Sequence<ModelSchema>) throws(ModelError) {
        for schema in schemas {
            let version = level(of: schema).version
            guard version > schema.version else { continue }
            throw ModelError(
                .newerVersion, expected: "\(schema.name) of at most version \(schema.version)",
                found: "version \(version)", schema: schema.name)
        }
    }
}
