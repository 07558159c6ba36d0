import Pallium
import PalliumStore

/// A condition in an argument: `KEY OPERATOR VALUE`.
struct WrittenCondition {
    private enum Operator: String, CaseIterable {
        case equal = "="
        case different = "!="
        case less = "<"
        case atMost = "<="
        case greater = ">"
        case atLeast = ">="
        case isIn = "in"
        case contains
        case startsWith = "starts-with"
    }

    let text: String
    let condition: Condition

    /// Reads a condition. White space around an operator of signs may be missing.
    ///
    /// - Throws: ``UsageError`` if a part is missing, or there is no such operator.
    init(_ text: String) throws(UsageError) {
        self.text = text
        var rest = Substring(text).utf8.trimmed
        let key = WrittenKey.path(takenFrom: &rest) { $0.isWhiteSpace || $0.isSign }
        rest = rest.trimmed
        let isWord = !(rest.first?.isSign ?? true)
        let name = rest.prefix { isWord ? !$0.isWhiteSpace : $0.isSign }
        let value = String(Substring(rest.dropFirst(name.count).trimmed))
        guard let key, !name.isEmpty, !value.utf8.isEmpty else {
            throw UsageError(
                message: "--where needs a key, an operator and a value, such as 'state = open', not "
                    + ModelError.quote(text), command: CommandSpec.storeQuery.name)
        }
        guard let found = Operator.allCases.first(where: { name.elementsEqual($0.rawValue.utf8) }) else {
            let names = Operator.allCases.map(\.rawValue)
            throw UsageError(
                message: "--where: no operator is called \(ModelError.quote(String(Substring(name)))), only "
                    + names.joined(separator: " "),
                suggestion: ModelError.nearest(to: String(Substring(name)), among: names),
                command: CommandSpec.storeQuery.name)
        }
        condition = Self.condition(Key(key), found, value)
    }

    private static func condition(_ key: Key, _ sign: Operator, _ text: String) -> Condition {
        let value = WrittenValue(text)
        let isNull = value.json == .null
        switch sign {
        case .equal: return isNull ? key == nil : key == value
        case .different: return isNull ? key != nil : key != value
        case .less: return key < value
        case .atMost: return key <= value
        case .greater: return key > value
        case .atLeast: return key >= value
        case .contains: return key.contains(value)
        case .startsWith: return key.hasPrefix(value.json?.stringValue ?? text)
        case .isIn:
            if let elements = value.json?.arrayValue { return key.isIn(elements.map { WrittenValue(json: $0) }) }
            let texts = text.utf8.split(separator: UInt8(ascii: ","))
            return key.isIn(texts.map { WrittenValue(String(Substring($0.trimmed))) })
        }
    }
}

/// A value in an argument: JSON or else text, whichever the kind of a property accepts.
private struct WrittenValue: PropertyValue, Hashable {
    /// The value as JSON; nil if it is none.
    let json: JSONValue?
    /// The value as text; nil if it can only be JSON.
    private let text: String?

    init(_ text: String) {
        json = try? JSONValue(parsing: text)
        self.text = text
    }

    init(json: JSONValue) {
        self.json = json
        text = nil
    }

    /// A property of any kind may be able to read the value.
    static func _fits(_ descriptor: _Storage.Descriptor, for use: _Storage.Use) -> Bool { use == .store }

    /// Stores the value as the kind of the slot reads it in JSON.
    func _store(_ slot: _Storage.Slot) throws(ModelError) {
        let texts = text.map { [JSONValue.string($0)] } ?? []
        // A text may look like a number, and null is no value to compare with.
        let forms = (json.flatMap { $0 == .null && text != nil ? nil : [$0] } ?? []) + texts
        var problem: ModelError?
        for form in forms {
            do throws(ModelError) { return try slot.store(json: form, transformers: nil) } catch {
                problem = problem ?? error
            }
        }
        if let problem { throw problem }
    }
}

extension UInt8 {
    fileprivate var isWhiteSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
    fileprivate var isSign: Bool { "=!<>".utf8.contains(self) }
}

extension Substring.UTF8View {
    /// The bytes without white space at either end.
    fileprivate var trimmed: Substring.UTF8View {
        var rest = drop { $0.isWhiteSpace }
        while let last = rest.last, last.isWhiteSpace { rest.removeLast() }
        return rest
    }
}
