import Pallium
import PalliumStore

/// A condition in an argument: `KEY OPERATOR VALUE`, where the key may be `any(KEY).KEY`, `all(KEY).KEY` or
/// `none(KEY).KEY`, the same without `.KEY` for elements that are no models, `count(KEY)` or `nocase(KEY)`.
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
    init(_ text: String, of option: Option = .condition) throws(UsageError) {
        self.text = text
        var rest = Substring(text).utf8.trimmed
        var quantifiers: [(Condition) -> Condition] = []
        let key = Self.key(takenFrom: &rest, &quantifiers)
        rest = rest.trimmed
        let isWord = !(rest.first?.isSign ?? true)
        let name = rest.prefix { isWord ? !$0.isWhiteSpace : $0.isSign }
        let value = String(Substring(rest.dropFirst(name.count).trimmed))
        guard let key, !name.isEmpty, !value.utf8.isEmpty else {
            throw UsageError(
                message: "\(option.name) needs a key, an operator and a value, such as 'state = open', not "
                    + ModelError.quote(text), command: CommandSpec.storeQuery.name)
        }
        guard let found = Operator.allCases.first(where: { name.elementsEqual($0.rawValue.utf8) }) else {
            let names = Operator.allCases.map(\.rawValue)
            throw UsageError(
                message: "\(option.name): no operator is called \(ModelError.quote(String(Substring(name)))), only "
                    + names.joined(separator: " "),
                suggestion: ModelError.nearest(to: String(Substring(name)), among: names),
                command: CommandSpec.storeQuery.name)
        }
        condition = quantifiers.reversed().reduce(Self.condition(key, found, value)) { $1($0) }
    }

    /// Takes the key at the beginning of a text; nil if there is none.
    ///
    /// - Parameter quantifiers: Gets what makes a condition on elements one on their collection, the outermost first.
    private static func key(
        takenFrom rest: inout Substring.UTF8View, _ quantifiers: inout [(Condition) -> Condition]
    ) -> Key? {
        while let word = ["any", "all", "none", "count", "nocase"].first(where: { rest.starts(with: ($0 + "(").utf8) })
        {
            rest = rest.dropFirst(word.utf8.count + 1)
            guard let path = WrittenKey.path(takenFrom: &rest, until: { $0 == UInt8(ascii: ")") }),
                rest.popFirst() != nil
            else { return nil }
            let key = Key(path)
            switch word {
            case "any": quantifiers.append(key.any)
            case "all": quantifiers.append(key.all)
            case "none": quantifiers.append(key.none)
            case "count": return key.count
            default: return key.caseInsensitive
            }
            // Without a key behind it, the elements are values.
            if rest.first != UInt8(ascii: ".") { return .element }
            rest.removeFirst()
        }
        return WrittenKey.path(takenFrom: &rest) { $0.isWhiteSpace || $0.isSign }.map { Key($0) }
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
