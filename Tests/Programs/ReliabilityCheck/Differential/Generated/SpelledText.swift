import Pallium
import RunSupport

/// Trees as JSON text in one of its many spellings: white space, escapes, numbers, members that come twice.
struct SpelledText {
    /// How often something is spelled unusually; 0 for never.
    var strangeness: Int
    /// Whether members come twice. The last one is the tree's.
    var repeatsMembers = false
    private(set) var bytes: [UInt8] = []

    init(strangeness: Int, repeatsMembers: Bool) {
        self.strangeness = strangeness
        self.repeatsMembers = repeatsMembers
    }

    mutating func write(_ value: JSONValue, _ bits: inout SeededGenerator) {
        space(&bits)
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += "\(value)".utf8
        case .number(let number): write(number, &bits)
        case .string(let text): write(text, &bits)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                write(element, &bits)
            }
            space(&bits)
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                if repeatsMembers, bits.once(in: 12) {
                    // Every value is checked, so the one before is as good as the one that counts.
                    writeMember(member.key, member.value, &bits)
                    bytes.append(UInt8(ascii: ","))
                }
                writeMember(member.key, member.value, &bits)
            }
            space(&bits)
            bytes.append(UInt8(ascii: "}"))
        }
        space(&bits)
    }

    private mutating func writeMember(_ name: String, _ value: JSONValue, _ bits: inout SeededGenerator) {
        space(&bits)
        write(name, &bits)
        space(&bits)
        bytes.append(UInt8(ascii: ":"))
        write(value, &bits)
    }

    private func isStrange(_ bits: inout SeededGenerator) -> Bool { strangeness > 0 && bits.once(in: strangeness) }

    private mutating func space(_ bits: inout SeededGenerator) {
        if isStrange(&bits) { bytes += bits.pick([" ", "\t", "\r", "  "]).utf8 }
    }

    private mutating func write(_ number: JSONNumber, _ bits: inout SeededGenerator) {
        let text = number.text
        guard isStrange(&bits), text.utf8.allSatisfy({ $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }) else {
            bytes += text.utf8
            return
        }
        let hasPoint = text.utf8.contains(UInt8(ascii: "."))
        bytes += (text + (hasPoint ? bits.pick(["0", "e0", "E+00"]) : bits.pick([".0", "e0", ".00e+0", "E-0"]))).utf8
    }

    private mutating func write(_ text: String, _ bits: inout SeededGenerator) {
        bytes.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                bytes +=
                    isStrange(&bits)
                    ? Array(escape(UInt16(scalar.value)).utf8) : [UInt8(ascii: "\\"), UInt8(scalar.value)]
            case "\u{8}" where !isStrange(&bits): bytes += "\\b".utf8
            case "\n" where !isStrange(&bits): bytes += "\\n".utf8
            case "\t" where !isStrange(&bits): bytes += "\\t".utf8
            case "/" where isStrange(&bits): bytes += "\\/".utf8
            default:
                if scalar.value < 0x20 || isStrange(&bits) {
                    for unit in UTF16.encode(scalar)! { bytes += escape(unit).utf8 }
                } else {
                    bytes += Array(String(scalar).utf8)
                }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private func escape(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }
}
