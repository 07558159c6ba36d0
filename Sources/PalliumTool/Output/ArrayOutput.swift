import Foundation

/// Writes an array element by element, with the same bytes as if it were written at once.
struct ArrayOutput {
    let output: ByteOutput
    /// Whether elements are indented, two spaces a level as in the adapter's pretty texts.
    let isPretty: Bool
    private var count = 0

    init(_ output: ByteOutput, isPretty: Bool) {
        self.output = output
        self.isPretty = isPretty
    }

    /// Adds the text of an element.
    mutating func append(_ element: Data) throws(Interruption) {
        try output.append(count == 0 ? "[" : ",")
        count += 1
        if isPretty {
            try output.append("\n  ")
            // Line ends within strings are escaped, so every line end is white space.
            let lines = element.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            try output.append(Data(lines.joined(separator: Data("\n  ".utf8))))
        } else {
            try output.append(element)
        }
    }

    /// Ends the array; the next element begins another.
    mutating func end() throws(Interruption) {
        try output.append(count == 0 ? "[]\n" : isPretty ? "\n]\n" : "]\n")
        count = 0
    }
}
