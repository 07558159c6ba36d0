/// The programs for which documents can be described as rows.
public enum TableNotation: String, Sendable, CaseIterable {
    /// The JSON of a `StructType` of Apache Spark.
    case spark
    /// A schema of Apache Avro.
    case avro
    /// A `CREATE TABLE` of PostgreSQL. Objects and lists of lists are columns of the type `json`.
    case postgres
    /// A `CREATE TABLE` of DuckDB, with nested types.
    case duckdb
}

/// A description of documents as rows.
public struct TableContract: Sendable, Hashable {
    /// The description.
    public let text: String
    /// The places where rows hold less than the documents, in the order of the columns.
    public let losses: [TableLoss]
}

/// A place where rows hold less than documents.
public struct TableLoss: Sendable, Hashable, CustomStringConvertible {
    /// The members that lead to the value, with `[]` for elements and values of dictionaries.
    public let path: [String]
    /// The difference, in words.
    public let message: String

    /// The path and the difference.
    public var description: String { "\(path.joined(separator: ".")): \(message)" }
}
