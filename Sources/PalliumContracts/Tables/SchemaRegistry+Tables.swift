public import PalliumCore
import PalliumDocuments
import PalliumJSON

extension SchemaRegistry {
    /// Describes the documents that an adapter writes as rows for another program.
    ///
    ///     let issues = try registry.table(of: schema, for: .spark)
    ///     try issues.text.write(to: file, atomically: true, encoding: .utf8)
    ///
    /// A row has a column for each member of the document. Objects on key paths are nested. A cluster has the columns of all
    /// models that it chooses. The article *Contracts* lists the types.
    ///
    /// - Throws: ``SchemaError`` if the schema is not registered or has no members.
    /// - Complexity: O(*n*) in the number of properties, where models inside of others count each time.
    public func table(
        of schema: ModelSchema, for notation: TableNotation, profile: String? = nil
    ) throws(SchemaError) -> TableContract {
        let layout = try registeredLayout(schema)
        var reader = TableReader(self, notation, profile: profile)
        let columns = reader.columns(of: layout)
        guard !columns.isEmpty else {
            throw SchemaError([
                SchemaError.Problem(
                    schema: schema.name, message: "has no members, and so no columns",
                    fix: "map a property to a member")
            ])
        }
        return TableContract(text: try text(of: layout, columns, notation, profile), losses: reader.losses)
    }

    private func text(
        of layout: ModelLayout, _ columns: [Column], _ notation: TableNotation, _ profile: String?
    ) throws(SchemaError) -> String {
        let name = layout.schema.name
        switch notation {
        case .spark: return try Self.text(of: SparkType.type(columns), name)
        case .avro:
            var avro = AvroSchema()
            return try Self.text(of: avro.record(name, columns), name)
        case .postgres, .duckdb:
            let shape = DocumentShape(layout, profile: profile)
            let identity = layout.identitySlots.map { shape.properties[$0].writtenPaths.first?.members ?? [] }
            let isPlain = identity.allSatisfy { $0.count == 1 }
            return SQLTable(isPostgres: notation == .postgres).statement(
                name, columns, identity: isPlain ? identity.map { $0[0] } : [])
        }
    }

    private static func text(of value: JSONValue, _ name: String) throws(SchemaError) -> String {
        guard let text = try? value.text() else {
            throw SchemaError([
                SchemaError.Problem(
                    schema: name,
                    message: "is nested too deep for a table",
                    fix: "leave out some models by a profile")
            ])
        }
        return text + "\n"
    }
}
