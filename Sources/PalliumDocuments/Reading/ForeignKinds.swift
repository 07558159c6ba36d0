import PalliumCore
import PalliumJSON

/// Suggests the kind that is meant by a name from another language or library.
enum ForeignKinds {
    /// The names of kinds in other languages, libraries and databases, in lower case, by our kind.
    private static let names: [(kind: String, names: [String])] = [
        ("bool", ["boolean", "bit", "flag", "logical", "yesno"]),
        ("integer", ["int", "long", "bigint", "smallint", "nsinteger", "serial", "i64", "sint64", "long long"]),
        ("int8", ["tinyint", "i8", "sbyte"]),
        ("int16", ["short", "i16"]),
        ("int32", ["i32", "sint32", "mediumint"]),
        ("unsigned", ["uint", "nsuinteger", "u64", "ulong", "size_t"]),
        ("uint8", ["byte", "u8", "uchar"]),
        ("uint16", ["ushort", "u16"]),
        ("uint32", ["u32"]),
        ("double", ["number", "float64", "real", "nsnumber", "cgfloat", "f64", "num"]),
        ("float", ["float32", "single", "f32"]),
        ("decimal", ["money", "currency", "numeric", "bigdecimal", "nsdecimalnumber", "decimal128"]),
        ("string", ["text", "nsstring", "varchar", "char", "character", "utf8", "email", "phone"]),
        ("date", ["datetime", "date-time", "timestamp", "time", "nsdate", "instant", "timestamptz", "datetimeoffset"]),
        ("duration", ["timeinterval", "interval", "timespan", "timedelta"]),
        ("url", ["uri", "nsurl", "link", "href", "url-reference", "uri-reference"]),
        ("uuid", ["guid", "nsuuid", "uniqueidentifier"]),
        ("data", ["bytes", "binary", "blob", "nsdata", "base64", "bytea", "varbinary"]),
        ("enumeration", ["enum", "choice", "option", "select", "oneof"]),
        (
            "model",
            ["object", "ref", "$ref", "reference", "relationship", "struct", "class", "message", "record", "schema"]
        ),
        ("array", ["list", "nsarray", "sequence", "vector", "repeated", "collection", "tuple", "slice"]),
        ("set", ["nsset", "orderedset", "nsorderedset", "unique"]),
        ("dictionary", ["map", "nsdictionary", "hash", "hashmap", "dict", "mapping", "record<string>"]),
        (
            "json",
            ["any", "jsonb", "unknown", "variant", "jsonvalue", "anyobject", "mixed", "dynamic", "transformable"]
        ),
    ]

    /// Returns the kind to write instead of an unknown name: that of the same meaning, or one with a similar spelling.
    static func suggestion(for text: String, custom: [String]) -> String? {
        let isOptional = text.utf8.last == UInt8(ascii: "?")
        // The names are ASCII.
        let name = String(
            decoding: (isOptional ? text.dropLast() : text[...]).utf8.map {
                (0x41...0x5A).contains($0) ? $0 | 0x20 : $0
            },
            as: UTF8.self)
        let kind = names.first { $0.names.contains { UTF8Text.equal($0, name) } }?.kind
        let known = PropertyKind.predefinedNames.map(\.text).sorted(by: UTF8Text.precedes) + custom
        guard let kind = kind ?? ModelError.nearest(to: isOptional ? name : text, among: known) else { return nil }
        return "did you mean \"\(kind)\"?" + (isOptional ? " Properties allow null unless they say otherwise" : "")
    }
}
