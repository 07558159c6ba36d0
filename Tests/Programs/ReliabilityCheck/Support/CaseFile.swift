import Foundation
import Pallium

/// A file of cases: one JSON object a line.
struct CaseFile {
    /// A case and where it stands.
    struct Case {
        let line: Int
        let members: JSONValue
    }

    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    let path: String
    let cases: [Case]

    init(_ path: String) throws {
        self.path = path
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw Problem(description: "\(path): cannot be read")
        }
        var cases: [Case] = []
        for (number, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        where !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) {
            var options = JSONReadingOptions()
            options.loneSurrogates = .replace
            do {
                cases.append(Case(line: number + 1, members: try JSONValue(parsing: Array(line), options: options)))
            } catch {
                throw Problem(description: "\(path):\(number + 1): \(error)")
            }
        }
        self.cases = cases
    }
}

extension CaseFile.Case {
    /// A member that the case cannot do without.
    func required<Value>(_ name: String, _ read: (JSONValue) -> Value?) throws -> Value {
        guard let value = members[name].flatMap(read) else {
            throw CaseFile.Problem(description: "line \(line): no usable member \"\(name)\"")
        }
        return value
    }

    func text(_ name: String) throws -> String { try required(name, \.stringValue) }
    func flag(_ name: String) throws -> Bool { try required(name, \.boolValue) }
    func bytes(_ name: String) throws -> [UInt8] {
        try required(name) { $0.stringValue.flatMap { Hexadecimal.bytes($0) } }
    }

    /// The bits of a Double.
    func bits(_ name: String) throws -> UInt64 {
        try required(name) { $0.stringValue.flatMap { UInt64($0, radix: 16) } }
    }
}

/// Pairs of hexadecimal digits.
enum Hexadecimal {
    /// The bytes; nil when the text is something else.
    static func bytes(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        return bytes
    }

    static func text(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { $0 < 16 ? "0\(String($0, radix: 16))" : String($0, radix: 16) }.joined()
    }
}
