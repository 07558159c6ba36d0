import Foundation
import PalliumAdapter
import PalliumCore
import PalliumJSON

/// Makes models from the rows of a table, as `StoreTable.selection` selects them.
///
/// Safety: the text of a column is used before the statement goes on.
struct RowReader {
    let table: StoreTable
    /// Whether models are completed later, when their references are resolved.
    let isPartial: Bool

    /// Makes the model of the present row.
    ///
    /// - Throws: ``ModelError`` with the code `malformedStore` if the row was damaged, `newerVersion` or `olderVersion` if
    ///   it is of a version that cannot be read, and as an adapter.
    func model(_ row: SQLiteStatement) throws(ModelError) -> DynamicModel {
        let (schema, versions) = (row.text(0), row.text(1))
        return try unsafe row.withText(2) { document throws(ModelError) in
            let checksum = unsafe table.checksum(schema: schema, versions: versions, document: document)
            guard checksum == row.integer(3) else {
                throw ModelError(
                    .malformedStore, expected: "a row that is as it was stored", found: "a damaged one",
                    schema: table.layout.schema.name)
            }
            guard let layout = table.layouts[UTF8Key(schema)] else {
                throw ModelError(
                    .unknownModel, expected: "a row of \(table.layout.schema.name) or a schema that extends it",
                    found: ModelError.quote(schema), schema: table.layout.schema.name)
            }
            do throws(ModelError) {
                if UTF8Text.equal(versions, table.versions) { return try unsafe decode(document) }
                return try unsafe upgrade(document, RowUpgrade(versions: versions), layout)
            } catch { throw error.inSchema(schema) }
        }
    }

    private func decode(_ document: some JSONInput) throws(ModelError) -> DynamicModel {
        isPartial ? try table.adapter.partialModel(from: document) : try table.adapter.model(from: document)
    }

    private func upgrade(
        _ document: UnsafeRawBufferPointer, _ upgrade: RowUpgrade, _ layout: ModelLayout
    ) throws(ModelError) -> DynamicModel {
        let tree: JSONValue
        do throws(JSONSyntaxError) { tree = unsafe try JSONValue(parsing: document) } catch { throw ModelError(error) }
        return try decode(try upgrade.upgraded(tree, layout))
    }
}
