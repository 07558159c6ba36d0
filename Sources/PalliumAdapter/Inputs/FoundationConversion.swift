import Foundation
import PalliumCore
import PalliumJSON

// Converts objects to the dictionaries of `JSONSerialization`.

extension JSONNumber {
    /// The number as an `NSNumber`, exact if possible.
    fileprivate func foundationNumber() throws(ModelError) -> NSNumber {
        if let int64 { return NSNumber(value: int64) }
        if let uint64 { return NSNumber(value: uint64) }
        if let exactDouble { return NSNumber(value: exactDouble) }
        if let decimal = DecimalText.value(in: text) { return decimal as NSDecimalNumber }
        if let finiteDouble { return NSNumber(value: finiteDouble) }
        throw ModelError(
            .notConvertible, expected: "a number that Double or Decimal can hold",
            found: JSONValue.number(self).summary)
    }
}

extension JSONObject {
    /// The members as a dictionary of Foundation's JSON types.
    ///
    /// Open containers are kept in a list, so a deep tree needs no stack.
    ///
    /// - Throws: ``ModelError`` with the code `notConvertible` and the path of a value that these types cannot hold: a
    ///   number beyond `Double` and `Decimal`, two names that are equal Swift strings.
    func foundationDictionary() throws(ModelError) -> [String: Any] {
        var levels: [FoundationLevel] = []
        func path() -> [String] { levels.map(\.token) }
        do throws(ModelError) {
            levels.append(try FoundationLevel(self))
            while true {
                let level = levels[levels.count - 1]
                guard level.next < level.values.count else {
                    levels.removeLast()
                    guard let outer = levels.last else { return level.dictionary }
                    outer.add(level.container)
                    continue
                }
                let value = level.values[level.next]
                level.next += 1
                switch value {
                case .null: level.add(NSNull())
                case .bool(let bool): level.add(bool)
                case .number(let number): level.add(try number.foundationNumber())
                case .string(let text): level.add(text)
                case .array(let elements): levels.append(FoundationLevel(elements))
                case .object(let object): levels.append(try FoundationLevel(object))
                }
            }
        } catch { throw error.at(path()).located() }
    }

    /// Throws for names that differ in bytes and are equal Swift strings.
    func checkNamesAsStrings() throws(ModelError) {
        if allSatisfy({ $0.key.utf8.allSatisfy { $0 < 0x80 } }) { return }
        var names: Set<String> = []
        for (name, _) in self {
            let (isNew, other) = names.insert(name)
            if isNew { continue }
            throw ModelError(
                .notConvertible, expected: "names that Swift's strings tell apart",
                found: "both \(Self.spelled(other)) and \(Self.spelled(name))")
        }
    }

    /// A name in which all ambiguous characters are escaped.
    private static func spelled(_ name: String) -> String {
        "\"\(name.unicodeScalars.prefix(16).map { $0.escaped(asASCII: true) }.joined())\""
    }
}

/// An array or object whose elements are being converted. A class, so that the result grows in place.
private final class FoundationLevel {
    let values: [JSONValue]
    private let names: [String]?
    var next = 0
    private var elements: [Any] = []
    private(set) var dictionary: [String: Any] = [:]

    init(_ elements: [JSONValue]) {
        values = elements
        names = nil
        self.elements.reserveCapacity(elements.count)
    }

    init(_ object: JSONObject) throws(ModelError) {
        try object.checkNamesAsStrings()
        values = object.values
        names = object.keys
        dictionary.reserveCapacity(object.count)
    }

    var container: Any { names == nil ? elements as Any : dictionary as Any }
    var token: String { names?[next - 1] ?? "\(next - 1)" }

    /// Adds the converted element.
    func add(_ value: Any) {
        if let names { dictionary[names[next - 1]] = value } else { elements.append(value) }
    }
}
