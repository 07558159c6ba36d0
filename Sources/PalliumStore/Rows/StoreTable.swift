import Foundation
import PalliumAdapter
import PalliumArchive
import PalliumCore
import PalliumJSON

/// A table with the models of one schema that has an identity, and of its descendants.
///
/// ```
///   "Issue"  │ "number" │ "state" │ "_schema" │ "_versions" │ "_document"       │ "_checksum"
///            │ 7        │ open    │ Bug       │ {"Issue":2} │ {"_schema":"Bug"… │ 8119…
///              identity   index     class       not version 1   the whole model
/// ```
/// Safety: bytes are read only while the caller lends them.
///
/// The document has everything; the columns repeat what rows are found by, so they can be made again from documents.
final class StoreTable: Sendable {
    /// The layout that declares the identity.
    let layout: ModelLayout
    let adapter: JSONAdapter<DynamicModel>
    /// The name in SQL, quoted.
    let name: String
    let identity: [Column]
    let indexed: [Column]
    /// The tables with the references of rows.
    let links: [LinkTable]
    let statements: TableStatements
    /// The schemas of rows: the one that declares the identity first.
    let rowSchemas: [RowSchema]
    private let rowSchemasByName: [UTF8Key: RowSchema]
    /// The versions of the schemas in a document, except those that are 1, as JSON.
    let versions: String
    /// The layouts whose tables documents refer to.
    let references: [ModelLayout]
    /// Whether rules or validators may refuse models.
    let mayRefuse: Bool
    /// Whether hooks set values when a row is read, so that its columns and its document say something else.
    let hasHooks: Bool
    /// Whether documents refer to other rows.
    var hasReferences: Bool { !references.isEmpty }

    /// - Parameters:
    ///   - isIndexed: Whether there are columns for indexed properties.
    ///   - found: The columns behind the identity that the database has, some of which other programs ask for.
    ///   - foundLinks: The statements that made the tables of links that the database has, by the keys.
    ///   - isShared: Whether programs of other versions use the table.
    /// - Throws: ``ModelError`` if rows cannot have the identity, or two columns would have one name.
    init(
        _ layout: ModelLayout, _ adapter: JSONAdapter<DynamicModel>, registry: SchemaRegistry, isIndexed: Bool,
        besides found: [Column.Found] = [], _ foundLinks: [UTF8Key: String] = [:], isShared: Bool = false
    ) throws(ModelError) {
        // A store's own tables begin with an underscore.
        let name = layout.schema.name
        guard name.utf8.first != UInt8(ascii: "_"), !name.foldedForSQL.starts(with: "sqlite_".utf8), !name.isEmpty
        else {
            throw ModelError(
                .conflict, expected: "a schema whose name does not begin as those of tables of SQLite or of stores do",
                found: ModelError.quote(name), schema: name)
        }
        self.layout = layout
        self.adapter = adapter
        self.name = name.quotedForSQL
        let all = [layout] + layout.rowDescendants(in: registry)
        identity = try Self.identityColumns(of: layout)
        indexed = try Self.indexedColumns(of: all, behind: identity, isIndexed: isIndexed, besides: found)
        links = try LinkTable.tables(of: all, from: identity, isIndexed: isIndexed, found: foundLinks)
        let columns = identity + indexed
        try Self.checkNames(columns.map { ($0.key, $0.name) }, of: layout)
        try Self.checkNames(links.map { ($0.key, $0.name) }, of: layout)
        references = Self.references(of: adapter.storedLayouts)
        mayRefuse = adapter.storedLayouts.contains(where: \.mayRefuse)
        hasHooks = (adapter.storedLayouts + references).flatMap(\.properties).contains {
            $0.schema.storedValueHook != nil
        }
        // References take the steps of their schemas, too.
        versions = JSONValue.object(SchemaVersions.present(of: adapter.storedLayouts + references)).description
        let versions = versions
        statements = TableStatements(
            schema: layout.schema.name, identity: identity, indexed: indexed, versions: versions, isShared: isShared)
        rowSchemas = all.map { layout in
            RowSchema(
                layout: layout, slots: columns.map { $0.slot(in: layout) }, areFolded: columns.map(\.isFolded),
                checksum: Self.checksum(layout.schema.name, versions))
        }
        rowSchemasByName = Dictionary(uniqueKeysWithValues: rowSchemas.map { (UTF8Key($0.layout.schema.name), $0) })
    }

    /// Checks that a row, by the text in its column `_versions`, may be changed or deleted.
    ///
    /// - Throws: ``ModelError`` with the code `newerVersion` if it is of a later version, whose values would be lost.
    func checkVersions(_ versions: String) throws(ModelError) {
        if UTF8Text.equal(versions, self.versions) { return }
        try SchemaVersions(ofRow: versions).check(adapter.storedLayouts.map(\.schema))
    }

    /// The error of two rows with one value of a unique property.
    ///
    /// - Parameters:
    ///   - other: The identity of the row that has the value.
    ///   - row: The identity of the row that has it, too; nil if it is about to be written.
    func collision(
        of column: Column, value: SQLiteValue, with other: [SQLiteValue], _ row: [SQLiteValue]?, _ cause: SQLiteError?
    ) -> ModelError {
        func name(_ identity: [SQLiteValue]) -> String {
            let values = identity.map(\.json.description).joined(separator: ", ")
            return hasSensitiveIdentity ? "another row" : "\(layout.schema.name) \(values)"
        }
        let rows = name(other) + (row.map { " and of \(name($0))" } ?? "")
        // A number that SQLite does not have stands as a text that nobody reads.
        let value = column.descriptor?.hasOrderedText == true ? "the value" : value.json.summary
        let expected = "a value that no other row has"
        guard let descriptor = column.descriptor else {
            return ModelError(
                .conflict, expected: expected, found: "the value of \(rows)", schema: layout.schema.name,
                property: column.key, underlying: cause
            ).under(key: column.key)
        }
        return ModelError(
            .conflict, descriptor, expected: expected, found: "\(value) of \(rows)", underlying: cause
        ).under(key: column.key)
    }

    private var hasSensitiveIdentity: Bool { identity.contains { $0.descriptor?.isSensitive == true } }

    /// The parts of a JSON Pointer to a row: the schema, and the values of the identity unless they are secrets.
    func tokens(ofRow identity: [SQLiteValue]) -> [String] {
        let values = identity.map { value in
            if case .text(let text) = value { text } else { value.json.description }
        }
        return [layout.schema.name] + (hasSensitiveIdentity ? [] : values)
    }

    private static func references(of layouts: [ModelLayout]) -> [ModelLayout] {
        var found: [ObjectIdentifier: ModelLayout] = [:]
        for property in layouts.flatMap(\.properties) where property.isStored {
            guard let root = property.descriptor.innermost.model?.rowLayout else { continue }
            found[ObjectIdentifier(root)] = root
        }
        return found.values.sorted { UTF8Text.precedes($0.schema.name, $1.schema.name) }
    }

    // MARK: Values

    /// The schema of rows with a name; nil if the table has no such rows.
    func rowSchema(called name: String) -> RowSchema? {
        // Most tables have rows of one schema.
        UTF8Text.equal(name, layout.schema.name) ? rowSchemas[0] : rowSchemasByName[UTF8Key(name)]
    }

    /// Checks that rows can be found by an identity. SQLite reads texts in JSON only up to a null character.
    ///
    /// - Throws: ``ModelError`` with the code `notConvertible`.
    func checkIdentity(_ values: some Collection<SQLiteValue>) throws(ModelError) {
        for (slot, value) in zip(layout.identitySlots, values) {
            guard case .text(let text) = value, text.utf8.contains(0) else { continue }
            throw ModelError(
                .notConvertible, layout.properties[slot].descriptor,
                expected: "an identity without a null character", found: ModelError.quote(text))
        }
    }

    /// The values of the identity of a model or of a reference to one.
    func identityValues(of model: DynamicModel) -> [SQLiteValue] {
        layout.identitySlots.map { model.slot(at: $0).columnValue }
    }

    /// The checksum of a row: of its schema and versions, and of its document. It covers all that a model is made from.
    static func checksum(_ schemaAndVersions: UInt64, _ document: BorrowedBytes) -> Int64 {
        Int64(bitPattern: schemaAndVersions ^ ArchiveChecksum.of(document))
    }

    /// The checksum of the name of a schema and of versions, as the columns of a row have them.
    static func checksum(_ schema: String, _ versions: String) -> UInt64 {
        (schema + "\n" + versions).withBorrowedBytes { ArchiveChecksum.of($0) }
    }
}

/// A schema whose models are rows of a table.
struct RowSchema: Sendable {
    let layout: ModelLayout
    /// The slots of the columns, identity first; nil for a property of another descendant.
    let slots: [Int?]
    /// Whether the columns have texts without the difference of case.
    let areFolded: [Bool]
    /// The checksum of its name and of the present versions.
    let checksum: UInt64

    /// The values of a model in the columns, identity first.
    func columnValues(of model: DynamicModel) -> [SQLiteValue] {
        zip(slots, areFolded).map { slot, isFolded in
            guard let slot else { return .null }
            let property = model.slot(at: slot)
            // A default that was never set is no value, in a column as in the document.
            if property.slotState.isDefaulted, !layout.identitySlots.contains(slot) { return .null }
            return property.columnValue.folded(if: isFolded)
        }
    }

    /// The checksum of a row with a document.
    func checksum(of document: BorrowedBytes) -> Int64 { StoreTable.checksum(checksum, document) }
}

extension ModelLayout {
    /// The descendants whose models are in the same table.
    func rowDescendants(in registry: SchemaRegistry) -> [ModelLayout] {
        // A descendant may declare an identity of its own, and so do then those below it.
        registry.descendants(of: self).filter { $0.rowLayout === rowLayout }
    }
}

extension ModelSchema {
    /// The error of a schema that the store's registry does not have.
    var isUnregistered: ModelError {
        ModelError(
            .unknownSchema, expected: "a schema that is registered with the store's registry",
            found: ModelError.quote(name), schema: name)
    }
}
