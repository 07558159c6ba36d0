import Pallium

/// A form of schema document that grows without limit: what is done with it must take linear time.
struct SchemaShape: Sendable {
    let name: String
    /// A size of which four times is within the limits of schemas.
    let size: Int
    let document: @Sendable (_ size: Int) -> String

    private init(_ name: String, size: Int = 250, _ document: @escaping @Sendable (_ size: Int) -> String) {
        self.name = name
        self.size = size
        self.document = document
    }

    private static func list(_ size: Int, separator: String = ",", _ part: (Int) -> String) -> String {
        (0..<size).map(part).joined(separator: separator)
    }

    /// A schema with members beside its name.
    private static func schema(_ name: String, _ members: String) -> String { #"{"name":"\#(name)",\#(members)}"# }

    /// Descendants of the schema R, each with a property of its own.
    private static func descendants(_ size: Int) -> String {
        list(size) { schema("M\($0)", #""extends":"R","properties":{"m\#($0)":{"kind":"string"}}"#) }
    }

    /// Names of eight letters whose wyhash, with the multiplier of its authors for a seed, ends in 13 zeros.
    private static let namesWithEqualHashes: [String] = {
        var names: [String] = []
        var number: UInt64 = 0
        while names.count < 4000 {
            var (word, rest) = (UInt64(0), number)
            for _ in 0..<8 {
                word = word << 8 | UInt64(UInt8(ascii: "a")) + rest % 26
                rest /= 26
            }
            number += 1
            let product = (8 &* 0x9E37_79B9_7F4A_7C15 ^ word).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
            guard (product.high ^ product.low) & 8191 == 0 else { continue }
            names.append(String(decoding: (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }, as: UTF8.self))
        }
        return names
    }()

    static let all: [SchemaShape] = [
        SchemaShape("properties") { size in
            schema("R", #""properties":{"# + list(size) { #""p\#($0)":{"kind":"integer","minimum":1}"# } + "}")
        },
        SchemaShape("key paths with one beginning") { size in
            let path = list(20, separator: ".") { "step\($0)" }
            return schema(
                "R", #""properties":{"# + list(size) { #""p\#($0)":{"kind":"string","json":"\#(path).x\#($0)"}"# } + "}"
            )
        },
        SchemaShape("key paths of many names") { size in
            let parts = list(size) { number in
                #""p\#(number)":{"kind":"string","json":"\#(list(40, separator: ".") { "s\(number)x\($0)" })"}"#
            }
            return schema("R", #""properties":{"# + parts + "}")
        },
        SchemaShape("paths of firstOf") { size in
            let paths = list(size) { #""a.b\#($0).c""# }
            return schema("R", #""properties":{"p":{"kind":"string","json":{"firstOf":["# + paths + "]}}}")
        },
        SchemaShape("ignored members") { size in
            schema("R", #""properties":{"a":{"kind":"string"}},"ignored":["# + list(size) { #""x.y\#($0).z""# } + "]")
        },
        SchemaShape("cases") { size in
            schema("R", #""properties":{"p":{"kind":"enumeration","cases":["# + list(size) { #""case\#($0)""# } + "]}}")
        },
        SchemaShape("cases whose hashes are equal without a seed", size: 1000) { size in
            let cases = list(size) { "\"\(namesWithEqualHashes[$0])\"" }
            return schema("R", #""properties":{"p":{"kind":"enumeration","cases":[\#(cases)]}}"#)
        },
        SchemaShape("rules about several properties") { size in
            let properties = list(size + 1) { #""p\#($0)":{"kind":"integer"}"# }
            let rules = list(size) { #"{"notAfter":["p\#($0)","p\#($0 + 1)"]}"# }
            return schema("R", #""properties":{\#(properties)},"rules":[\#(rules)]"#)
        },
        SchemaShape("texts of a cluster") { size in
            let models = list(size) { #""t\#($0)":"M\#($0)""# }
            let cluster = #""cluster":{"discriminator":"kind","models":{\#(models)},"default":"R"}"#
            return "[" + schema("R", cluster) + "," + descendants(size) + "]"
        },
        SchemaShape("texts of one model, whose cluster has as many") { size in
            func cluster(_ member: String, _ models: String) -> String {
                #""cluster":{"discriminator":"\#(member)","models":{\#(models)}}"#
            }
            let inner = list(size) { #""t\#($0)":"M\#($0)""# }
            let models = list(size) { schema("M\($0)", #""extends":"S","properties":{"m\#($0)":{"kind":"string"}}"#) }
            return "[" + schema("R", cluster("kind", list(size) { #""t\#($0)":"S""# })) + ","
                + schema("S", #""extends":"R","# + cluster("kind", inner)) + "," + models + "]"
        },
        SchemaShape("rules of a cluster, by presence") { size in
            let rules = list(size) { #"{"present":"m\#($0)","model":"M\#($0)"}"# }
            return "[" + schema("R", #""cluster":{"rules":[\#(rules)],"default":"R"}"#) + "," + descendants(size) + "]"
        },
        SchemaShape("rules of a cluster, by value") { size in
            let rules = list(size) { #"{"equals":{"data.n\#($0)":7},"model":"M\#($0)"}"# }
            return "[" + schema("R", #""cluster":{"rules":[\#(rules)],"default":"R"}"#) + "," + descendants(size) + "]"
        },
        SchemaShape("models that refer to the next") { size in
            let last = schema("M\(size)", #""properties":{"a":{"kind":"string"}}"#)
            return "["
                + list(size) {
                    schema("M\($0)", #""properties":{"next":{"kind":"model","model":"M\#($0 + 1)"}}"#)
                } + "," + last + "]"
        },
        SchemaShape("models of one model") { size in
            let properties = list(size) { #""p\#($0)":{"kind":"array","of":{"kind":"model","model":"M\#($0)"}}"# }
            return "[" + schema("R", #""properties":{\#(properties)}"#) + ","
                + list(size) { schema("M\($0)", #""properties":{"a":{"kind":"string"}}"#) } + "]"
        },
        SchemaShape("steps of upgrades") { size in
            let steps = list(size) { #"{"from":\#($0 + 1),"rename":{"p\#($0)":"p\#($0 + 1)"}}"# }
            return schema(
                "R", #""version":\#(size + 1),"properties":{"p\#(size)":{"kind":"string"}},"upgrades":[\#(steps)]"#)
        },
        SchemaShape("schemas of one family") { size in
            "[" + schema("R", #""properties":{"a":{"kind":"string"}}"#) + "," + descendants(size) + "]"
        },
    ]
}
