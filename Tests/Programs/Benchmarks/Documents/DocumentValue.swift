import Foundation
import RunSupport

/// JSON as the generators make it: members keep their order, and `raw` puts any bytes in any place, wrong ones included.
indirect enum DocumentValue: Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case string(String)
    case array([DocumentValue])
    case object([(name: String, value: DocumentValue)])
    case raw([UInt8])

    /// The value without white space, as UTF-8.
    var bytes: [UInt8] {
        var result: [UInt8] = []
        write(to: &result)
        return result
    }

    /// The text as most programs receive it.
    var data: Data { Data(bytes) }

    /// Appends the text. Documents are shallow except the deep one of the scaling row, which recursion stands easily.
    func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let value): bytes += String(value).utf8
        case .string(let text): Self.write(text, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (position, element) in elements.enumerated() {
                if position > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (position, member) in members.enumerated() {
                if position > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.write(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        case .raw(let text): bytes += text
        }
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes += "\\\"".utf8
            case UInt8(ascii: "\\"): bytes += "\\\\".utf8
            case UInt8(ascii: "\n"): bytes += "\\n".utf8
            case UInt8(ascii: "\r"): bytes += "\\r".utf8
            case UInt8(ascii: "\t"): bytes += "\\t".utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// The names of an object's members.
    var memberNames: Set<String> {
        guard case .object(let members) = self else { return [] }
        return Set(members.map(\.name))
    }

    /// The same value with the members of every object in another order.
    func shuffled(_ generator: inout SeededGenerator) -> DocumentValue {
        switch self {
        case .array(let elements): return .array(elements.map { $0.shuffled(&generator) })
        case .object(let members):
            return .object(
                generator.shuffled(members).map { (name: $0.name, value: $0.value.shuffled(&generator)) })
        default: return self
        }
    }

    /// An issue as it may be some time later.
    func later(number: Int) -> DocumentValue {
        guard case .object(var members) = self else { return self }
        for (position, member) in members.enumerated() {
            switch (member.name, member.value) {
            case ("comments", .integer(let count)): members[position].value = .integer(count + 1)
            case ("updated_at", _): members[position].value = .string("2026-01-02T03:04:05Z")
            case ("title", .string(let title)) where number % 4 == 0: members[position].value = .string(title + "!")
            case ("labels", .array(let labels)) where number % 8 == 0:
                members[position].value = .array(
                    labels + [.object([("id", .integer(7)), ("name", .string("stale")), ("color", .string("eeeeee"))])])
            default: break
            }
        }
        return .object(members)
    }
}
