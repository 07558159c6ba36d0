import Foundation
import Pallium

/// A schema with a label on a property of every kind, and documents full of marked values, good ones and bad ones.
enum TaintedDocuments {
    /// A part of every marked value, in one of its spellings. Dates are years that nothing else has.
    static let marks = ["zqxv", "ZQXV", "enF4", "736152", "1973"]

    static let schema = """
        [{"name": "Subject", "identity": ["id"], "properties": {
           "id": {"kind": "integer", "required": true},
           "plain": {"kind": "string", "maxLength": 40},
           "text": {"kind": "string", "labels": ["pii"], "maxLength": 12, "pattern": "^z", "default": "zqxvdefault"},
           "mail": {"kind": "string", "labels": ["pii", "mail"], "format": "email", "json": {"firstOf": ["m.mail", "mail"]}},
           "count": {"kind": "integer", "labels": ["pii"], "maximum": 8000000, "json": "deep.count"},
           "ratio": {"kind": "double", "labels": ["pii"], "multipleOf": 2},
           "price": {"kind": "decimal", "labels": ["pii"]},
           "date": {"kind": "date", "labels": ["pii"]},
           "url": {"kind": "url", "labels": ["pii"]},
           "uuid": {"kind": "uuid", "labels": ["pii"]},
           "bytes": {"kind": "data", "labels": ["pii"]},
           "state": {"kind": "enumeration", "cases": ["open", "done"], "labels": ["pii"]},
           "mood": {"kind": "enumeration", "cases": ["glad"], "unknown": "keep", "labels": ["pii"]},
           "list": {"kind": "array", "of": {"kind": "string", "maxLength": 12}, "labels": ["pii"], "unique": true, "maxCount": 3},
           "numbers": {"kind": "set", "of": {"kind": "integer"}, "labels": ["pii"]},
           "table": {"kind": "dictionary", "of": {"kind": "integer", "maximum": 8000000}, "labels": ["pii"]},
           "pair": {"kind": "json", "json": {"allOf": ["left", "right"]}, "labels": ["pii"]},
           "parts": {"kind": "dictionary", "of": {"kind": "dictionary", "of": {"kind": "integer"}}, "labels": ["pii"],
             "json": {"allOf": ["p.a", "q"]}},
           "any": {"kind": "json", "labels": ["pii"]},
           "card": {"kind": "model", "model": "Card", "labels": ["pii"], "merge": "recurse"},
           "cards": {"kind": "dictionary", "of": {"kind": "model", "model": "Card"}, "labels": ["pii"]},
           "next": {"kind": "model", "model": "Subject", "merge": "recurse"},
           "others": {"kind": "array", "of": {"kind": "model", "model": "Subject"}}
         }},
         {"name": "Card", "properties": {
           "number": {"kind": "string", "required": true, "maxLength": 12},
           "limit": {"kind": "integer"}, "until": {"kind": "date"}}}]
        """

    static func adapter(
        _ options: JSONAdapterOptions = JSONAdapterOptions()
    ) throws -> (adapter: JSONAdapter<DynamicModel>, registry: SchemaRegistry) {
        let registry = SchemaRegistry()
        try registry.load(Array(schema.utf8))
        return (
            try JSONAdapter(schema: registry.schema(named: "Subject"), registry: registry, options: options), registry
        )
    }

    /// Members with a good value each.
    static let members: [(name: String, value: String)] = [
        ("text", #""zqxvtext""#), ("mail", #""zqxv@example.org""#), ("deep", #"{"count": 7361520}"#),
        ("ratio", "7361524"), ("price", "736152.25"), ("date", #""1973-05-06T07:08:09Z""#),
        ("url", #""https://zqxv.example/""#), ("uuid", #""73615273-6152-4000-8000-736152736152""#),
        ("bytes", #""enF4dnpxeHY=""#), ("state", #""open""#), ("mood", #""zqxvmood""#),
        ("list", #"["zqxva", "zqxvb"]"#),
        ("numbers", "[7361521, 7361522]"), ("table", #"{"zqxvkey": 7361521}"#), ("left", #""zqxvleft""#),
        ("right", #"{"zqxv": 7361520}"#), ("p", #"{"a": {"zqxvkey": 7361520}}"#), ("q", #"{"zqxvkey": 7361521}"#),
        ("any", #"{"zqxvname": ["zqxv", 7361520]}"#),
        ("card", #"{"number": "zqxvcard", "limit": 7361520, "until": "1973-01-01T00:00:00Z"}"#),
        ("cards", #"{"zqxvkey": {"number": "zqxvcard"}}"#),
    ]

    /// Values that are bad for most kinds.
    private static let badValues = [
        #""zqxv""#, #""zqxvzqxvzqxvzqxvzqxv\n""#, "7361520.5", "-7361529999999999999999999", "7361529e400", "9736152",
        #"["zqxv", "zqxv", 7361520, "zqxv"]"#, #"{"zqxv": "zqxv", "number": 7361520}"#,
        #"{"zqxv": {"zqxv": 7361520}}"#, #"{"number": "zqxvzqxvzqxvzqxv", "limit": "zqxv", "until": "1973-99"}"#,
        #"{"a": {"number": "zqxvzqxvzqxvzqxv"}, "zqxvkey": {"number": 7361520}, "zqxvother": 7361520}"#,
        #""1973-13-01""#, #""enF4dnpx!!""#, #""https://zq xv zqxv""#, "true", #"[[["zqxv"]]]"#,
        #"{"number": "zqxv", "number": "zqxv2", "zqxvunknown": 1}"#, #"{"count": "zqxv"}"#, #"{"mail": 7361520}"#,
    ]

    private static func object(_ members: [(name: String, value: String)], id: String = "1") -> String {
        "{\"id\": \(id), " + members.map { "\"\($0.name)\": \($0.value)" }.joined(separator: ", ") + "}"
    }

    /// A document that the schema accepts.
    static let good = object(members)

    /// Another one with the same identity and other values.
    static let changed = object(
        members.map { ($0.name, $0.value.replacing("zqxv", with: "zqxvX")) }
            .filter { !["count", "state", "deep", "uuid", "text", "card", "list"].contains($0.name) }
            + [
                ("card", #"{"number": "zqxvnew", "limit": 7361525}"#), ("text", #""zqxvnew""#),
                ("list", #"["zqxvnew"]"#),
                ("deep", #"{"count": 7361523}"#),
            ])

    /// Members on the way to a value. Other members of theirs have no label.
    private static let ways = ["m", "deep", "p"]

    /// Documents that the schema refuses, or whose text is malformed.
    static let bad: [String] = {
        let names = members.map(\.name).filter { !ways.contains($0) } + ["m.mail", "deep.count", "p.a"] + ways
        var result: [String] = []
        for name in names {
            let steps = name.split(separator: ".").map(String.init)
            for value in badValues where !ways.contains(name) || !value.hasPrefix("{") {
                result.append(object([(steps[0], steps.count == 1 ? value : "{\"\(steps[1])\": \(value)}")]))
            }
            if ways.contains(steps[0]) { continue }
            result.append("{\"id\": 1, \"next\": " + object([(name, badValues[6])]) + "}")
            result.append("{\"id\": 1, \"others\": [{\"id\": 2}, " + object([(name, badValues[7])]) + "]}")
        }
        // The text ends inside of a value, or has a byte that is wrong there.
        for member in members {
            let text = object([member])
            for end in [text.count - 2, text.count - 4, text.count - 6] {
                result.append(String(text.prefix(end)))
                result.append(text.prefix(end) + "z" + text.dropFirst(end))
                result.append(text.prefix(end) + "\u{1}" + text.dropFirst(end))
            }
        }
        return result
    }()

    /// The first mark in a text, with what is around it; nil if there is none.
    static func leak(in text: String) -> String? {
        marks.lazy.compactMap { mark in
            text.range(of: mark).map { range in
                let start = text.index(range.lowerBound, offsetBy: -80, limitedBy: text.startIndex) ?? text.startIndex
                let end = text.index(range.upperBound, offsetBy: 20, limitedBy: text.endIndex) ?? text.endIndex
                return "\(mark) in …\(text[start..<end])…"
            }
        }.first
    }
}
