import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Writes columns as a schema of Apache Avro. A record is described where it is first used, and named afterwards.
struct AvroSchema {
    private var names = UniqueNames(separator: "_")
    /// The names of the records that are described.
    private var known: [ColumnType: String] = [:]

    mutating func record(_ name: String, _ columns: [Column]) -> JSONValue {
        let type = ColumnType.record(name: name, columns)
        if let known = known[type] { return .string(known) }
        let taken = names.take(Self.name(name))
        known[type] = taken
        var members = UniqueNames(separator: "_")
        var fields: [JSONValue] = []
        for column in columns {
            let written = self.type(column.type)
            let name = members.take(Self.name(column.name.text))
            var field: JSONObject = ["name": .string(name)]
            field["type"] = column.isRequired ? written : ["null", written]
            if !column.isRequired { field["default"] = .some(.null) }
            if UTF8Key(name) != column.name { field["aliases"] = [.string(column.name.text)] }
            if !column.documentation.isEmpty { field["doc"] = .string(column.documentation) }
            fields.append(.object(field))
        }
        return ["type": "record", "name": .string(taken), "fields": .array(fields)]
    }

    private mutating func type(_ type: ColumnType) -> JSONValue {
        switch type {
        case .boolean: return "boolean"
        case .integer(let bits): return bits == 64 ? "long" : "int"
        case .unsigned: return "long"
        case .float: return "float"
        case .double, .decimal: return "double"
        case .text, .timestamp, .json: return "string"
        case .list(let element): return ["type": "array", "items": self.element(element)]
        case .map(let element): return ["type": "map", "values": self.element(element)]
        case .record(let name, let columns): return record(name, columns)
        }
    }

    private mutating func element(_ element: ColumnElement) -> JSONValue {
        let type = type(element.type)
        return element.isNullable ? ["null", type] : type
    }

    /// A name of letters, digits and underscores that begins with no digit.
    static func name(_ text: String) -> String {
        let name = String(
            decoding: text.utf8.filter { $0 & 0xC0 != 0x80 }.map { $0.isLetter || $0.isDigit ? $0 : UInt8(ascii: "_") },
            as: UTF8.self)
        return name.utf8.first.map { $0.isDigit } ?? true ? "_\(name)" : name
    }
}
