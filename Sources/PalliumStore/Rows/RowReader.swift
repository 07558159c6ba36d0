import Foundation
import PalliumAdapter
import PalliumCore
import PalliumJSON

/// A model that was made for a row, or as a stub.
struct FetchedModel {
    let model: DynamicModel
    /// The checksum of the row, by which later states of it are told apart; nil for a stub.
    let checksum: Int64?
}

/// Makes models from the rows of a table, as `StoreTable.selection` selects them.
struct RowReader {
    let table: StoreTable
    /// Whether models are completed later, when their references are resolved.
    let isPartial: Bool

    /// The checksum of the present row.
    static func checksum(_ row: SQLiteStatement) -> Int64 { row.integer(3) }

    /// The identity of the present row, which a statement has selected behind what a row is read from.
    func identity(_ row: SQLiteStatement) -> [SQLiteValue] {
        table.identity.indices.map { row.value(4 + Int32($0)) }
    }

    /// The members of the document of the present row, of whatever version.
    func document(_ row: SQLiteStatement) throws(ModelError) -> JSONObject {
        do throws(JSONSyntaxError) {
            return try JSONValue(parsing: row.text(2), options: table.adapter.options.reading).objectValue ?? [:]
        } catch { throw ModelError(error).at(table.tokens(ofRow: identity(row))) }
    }

    /// Makes the model of the present row, with its checksum.
    ///
    /// - Throws: ``ModelError`` as `model(_:)`, with the identity of the row in its pointer.
    func fetched(_ row: SQLiteStatement) throws(ModelError) -> FetchedModel {
        do throws(ModelError) {
            return FetchedModel(model: try model(row), checksum: Self.checksum(row))
        } catch { throw error.at(table.tokens(ofRow: identity(row))) }
    }

    /// Makes the model of the present row.
    ///
    /// - Throws: ``ModelError`` with the code `malformedStore` if the row was damaged, `newerVersion` or `olderVersion` if
    ///   it is of a version that cannot be read, and as an adapter.
    func model(_ row: SQLiteStatement) throws(ModelError) -> DynamicModel {
        try row.withText(2) { document throws(ModelError) in
            try model(row.text(0), row.text(1), document, checksum: Self.checksum(row))
        }
    }

    /// Makes the model of a row from the columns of the store, as `model(_:)`.
    func model(
        _ schema: String, _ versions: String, _ document: BorrowedBytes, checksum: Int64
    ) throws(ModelError) -> DynamicModel {
        let isPresent = UTF8Text.equal(versions, table.versions)
        let known = isPresent ? table.rowSchema(called: schema) : nil
        let begin = known?.checksum ?? StoreTable.checksum(schema, versions)
        guard StoreTable.checksum(begin, document) == checksum else {
            throw ModelError(
                .malformedStore, expected: "a row that is as it was stored", found: "a damaged one",
                schema: table.layout.schema.name)
        }
        if isPresent, !table.hasHooks {
            if known == nil { throw unknown(schema) }
            do throws(ModelError) { return try decode(document) } catch { throw error.inSchema(schema) }
        }
        let formerly = try SchemaVersions(ofRow: versions)
        guard let layout = formerly.layout(called: schema, among: table.rowSchemas.map(\.layout)) else {
            throw unknown(schema)
        }
        do throws(ModelError) { return try upgrade(document, of: formerly, layout) } catch {
            throw error.inSchema(layout.schema.name)
        }
    }

    private func unknown(_ schema: String) -> ModelError {
        ModelError(
            .unknownModel, expected: "a row of \(table.layout.schema.name) or a schema that extends it",
            found: ModelError.quote(schema), schema: table.layout.schema.name)
    }

    private func decode(_ document: some JSONInput) throws(ModelError) -> DynamicModel {
        isPartial ? try table.adapter.partialModel(from: document) : try table.adapter.model(from: document)
    }

    private func upgrade(
        _ document: BorrowedBytes, of versions: SchemaVersions, _ layout: ModelLayout
    ) throws(ModelError) -> DynamicModel {
        let tree: JSONValue
        do throws(JSONSyntaxError) {
            tree = try JSONValue(parsing: document, options: table.adapter.options.reading)
        } catch { throw ModelError(error) }
        var upgrade = DocumentUpgrade(versions, StoredForm())
        let document = try upgrade.upgraded(tree, as: layout)
        let model: DynamicModel
        do throws(ModelError) { model = try decode(document) } catch { throw error.masked(below: upgrade.hidden) }
        if upgrade.made.isEmpty { return model }
        // The references to models that steps made are these models until they are rows.
        var made: [ModelIdentity: DynamicModel] = [:]
        for (layout, document) in upgrade.made {
            let adapter = try JSONAdapter<DynamicModel>(storing: layout.identityRoot, registry: layout.registry)
            let model = try adapter.partialModel(from: JSONValue.object(document))
            if let identity = ModelIdentity(model) { made[identity] = model }
        }
        for model in [model] + made.values { try model.replaceReferences { ModelIdentity($0).flatMap { made[$0] } } }
        return model
    }
}
