import PalliumJSON

/// Writes columns as the JSON of a `StructType` of Apache Spark, which `StructType.fromJson` reads.
enum SparkType {
    static func type(_ columns: [Column]) -> JSONValue {
        let fields = columns.map { column -> JSONValue in
            [
                "name": .string(column.name.text), "type": type(column.type), "nullable": .bool(!column.isRequired),
                "metadata": column.documentation.isEmpty ? [:] : ["comment": .string(column.documentation)],
            ]
        }
        return ["type": "struct", "fields": .array(fields)]
    }

    private static func type(_ type: ColumnType) -> JSONValue {
        switch type {
        case .boolean: "boolean"
        case .integer(8): "byte"
        case .integer(16): "short"
        case .integer(32): "integer"
        case .integer: "long"
        case .unsigned: "decimal(20,0)"
        case .float: "float"
        case .double: "double"
        case .decimal: "decimal(38,18)"
        case .text, .json: "string"
        case .timestamp: "timestamp"
        case .list(let element):
            ["type": "array", "elementType": self.type(element.type), "containsNull": .bool(element.isNullable)]
        case .map(let element):
            [
                "type": "map", "keyType": "string", "valueType": self.type(element.type),
                "valueContainsNull": .bool(element.isNullable),
            ]
        case .record(_, let columns): self.type(columns)
        }
    }
}
