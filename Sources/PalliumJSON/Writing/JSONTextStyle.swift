/// The white space of JSON text: where lines break and how they are indented.
package struct JSONTextStyle: Sendable, Equatable {
    /// The line break and the white space that begins the line of the value; nil to write on one line.
    package var lineBreak: [UInt8]?
    /// What each level adds to the beginning of a line.
    package var indentation: [UInt8]
    /// The colon after a name, with the white space around it.
    package var colon: [UInt8]
    /// The white space after a comma, on one line.
    package var afterComma: [UInt8]

    package init(lineBreak: [UInt8]?, indentation: [UInt8], colon: [UInt8], afterComma: [UInt8]) {
        self.lineBreak = lineBreak
        self.indentation = indentation
        self.colon = colon
        self.afterComma = afterComma
    }

    /// Everything on one line, without white space.
    package static let compact = JSONTextStyle(lineBreak: nil, indentation: [], colon: Array(":".utf8), afterComma: [])

    /// One member or element a line, indented by two spaces.
    package static let pretty = JSONTextStyle(
        lineBreak: Array("\n".utf8), indentation: Array("  ".utf8), colon: Array(": ".utf8), afterComma: [])
}
