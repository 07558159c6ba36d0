import PalliumCore
import PalliumJSON

/// The values of one place by kind of JSON, and what shows the kind of a property that holds them.
struct ValueEvidence: Sendable {
    private(set) var nulls = 0
    private(set) var bools = 0
    private(set) var numbers = NumberEvidence()
    private(set) var texts = TextEvidence()
    private(set) var arrays = 0
    private(set) var objects = 0

    /// Counts a value, without what is in it.
    mutating func record(_ value: JSONValue) {
        switch value {
        case .null: nulls += 1
        case .bool: bools += 1
        case .number(let number): numbers.record(number)
        case .string(let text): texts.record(text)
        case .array: arrays += 1
        case .object: objects += 1
        }
    }

    /// Adds the values of another place.
    mutating func join(_ other: ValueEvidence) {
        nulls += other.nulls
        bools += other.bools
        numbers.join(other.numbers)
        texts.join(other.texts)
        arrays += other.arrays
        objects += other.objects
    }

    /// The kinds of JSON values that were seen, null aside.
    var shapes: Shapes {
        var shapes: Shapes = []
        if bools > 0 { shapes.insert(.bool) }
        if numbers.count > 0 { shapes.insert(.number) }
        if texts.count > 0 { shapes.insert(.text) }
        if arrays > 0 { shapes.insert(.array) }
        if objects > 0 { shapes.insert(.object) }
        return shapes
    }

    /// Returns the property for scalar values of one kind; nil for other values.
    ///
    /// - Parameters:
    ///   - name: The name of the member that holds them; nil for elements.
    ///   - isSingle: Whether the model of the member was seen once only, so that one value must do.
    func scalar(of name: String?, isSingle: Bool) -> PropertySchema? {
        switch shapes {
        case .bool: .bool
        case .number: numbers.property(of: name, isSingle: isSingle)
        case .text: texts.property(isSingle: isSingle)
        default: nil
        }
    }

    /// The kinds of JSON values of a place.
    struct Shapes: OptionSet, Sendable {
        let rawValue: UInt8

        static let bool = Shapes(rawValue: 1)
        static let number = Shapes(rawValue: 2)
        static let text = Shapes(rawValue: 4)
        static let array = Shapes(rawValue: 8)
        static let object = Shapes(rawValue: 16)

        /// Whether there are several kinds, which only the kind `json` holds.
        var areMixed: Bool { rawValue & (rawValue &- 1) != 0 }
    }
}
