import PalliumJSON

/// A document, and which of its arrays stand for sets.
struct DocumentWithSets {
    let value: JSONValue
    /// Whether an array stands for a set, for each array in the order of the text; empty when none does.
    let areSets: [Bool]

    init(_ value: JSONValue) {
        self.value = value
        areSets = []
    }

    /// The value of a compact text.
    ///
    /// - Parameter setOffsets: The bytes at which the arrays begin that stand for sets, in their order.
    init(_ value: JSONValue, text: some Sequence<UInt8>, setOffsets: [Int]) {
        self.value = value
        areSets = setOffsets.isEmpty ? [] : Self.areSets(text, setOffsets[...])
    }

    private static func areSets(_ text: some Sequence<UInt8>, _ setOffsets: ArraySlice<Int>) -> [Bool] {
        var setOffsets = setOffsets
        var areSets: [Bool] = []
        var (isInString, isEscaped) = (false, false)
        for (offset, byte) in text.enumerated() {
            if isEscaped {
                isEscaped = false
            } else if isInString {
                isEscaped = byte == UInt8(ascii: "\\")
                isInString = byte != UInt8(ascii: "\"")
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if byte == UInt8(ascii: "[") {
                areSets.append(setOffsets.first == offset)
                if setOffsets.first == offset { setOffsets.removeFirst() }
            }
        }
        return areSets
    }
}
