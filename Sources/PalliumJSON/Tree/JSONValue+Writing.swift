/// Writes values as JSON text, with a work list instead of recursion.
extension JSONValue {
    /// Returns the value as JSON text in UTF-8. O(size of the tree).
    ///
    /// - Throws: ``JSONSyntaxError`` with the code `depthLimit` when containers are nested deeper than the options
    ///   allow.
    public func bytes(options: JSONWritingOptions = JSONWritingOptions()) throws(JSONSyntaxError) -> [UInt8] {
        var buffer = JSONByteBuffer()
        try buffer.append(value: self, options: options)
        return buffer.bytes
    }

    /// Returns the value as JSON text. O(size of the tree).
    ///
    /// - Throws: ``JSONSyntaxError`` with the code `depthLimit` when containers are nested deeper than the options
    ///   allow.
    public func text(options: JSONWritingOptions = JSONWritingOptions()) throws(JSONSyntaxError) -> String {
        var buffer = JSONByteBuffer()
        try buffer.append(value: self, options: options)
        return buffer.text
    }
}

extension JSONByteBuffer {
    /// Appends a whole value. Throws `depthLimit` when containers are nested deeper than the options allow.
    package mutating func append(value: JSONValue, options: JSONWritingOptions) throws(JSONSyntaxError) {
        try append(value: value, options: options, style: options.isPretty ? .pretty : nil)
    }

    /// Appends a whole value in a style, whether the options are pretty or not; compact without one.
    package mutating func append(
        value: JSONValue, options: JSONWritingOptions, style: JSONTextStyle?
    ) throws(JSONSyntaxError) {
        var frames: [WritingFrame] = []
        var current = value
        while true {
            switch current {
            case .null: append(literal: "null")
            case .bool(let value): append(literal: value ? "true" : "false")
            case .number(let number): append(number: number)
            case .string(let text): append(quoted: text, escapingSlashes: options.escapesSlashes)
            case .array(let elements):
                try checkDepth(frames.count, options)
                append(byte: UInt8(ascii: "["))
                frames.append(WritingFrame(elements: elements))
            case .object(let object):
                try checkDepth(frames.count, options)
                append(byte: UInt8(ascii: "{"))
                frames.append(WritingFrame(members: object.members, isSorted: options.sortsKeys))
            }
            // Go on to the next value, closing the containers that end before it.
            while true {
                guard let last = frames.indices.last else { return }
                let position = frames[last].position
                if position < frames[last].count {
                    if position > 0 { append(byte: UInt8(ascii: ",")) }
                    if let style { appendSpace(style, indentation: frames.count, afterComma: position > 0) }
                    if frames[last].isObject {
                        let member = frames[last].members[position]
                        append(quoted: member.key, escapingSlashes: options.escapesSlashes)
                        if let style { append(style.colon) } else { append(byte: UInt8(ascii: ":")) }
                        current = member.value
                    } else {
                        current = frames[last].elements[position]
                    }
                    frames[last].position += 1
                    break
                }
                let isObject = frames[last].isObject
                frames.removeLast()
                if let style, position > 0 { appendSpace(style, indentation: frames.count, afterComma: false) }
                append(byte: isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
            }
        }
    }

    /// Appends the white space before a member, an element or a closing bracket.
    private mutating func appendSpace(_ style: JSONTextStyle, indentation: Int, afterComma: Bool) {
        guard let lineBreak = style.lineBreak else {
            if afterComma { append(style.afterComma) }
            return
        }
        append(lineBreak)
        for _ in 0..<indentation { append(style.indentation) }
    }

    private mutating func append(_ bytes: [UInt8]) {
        for byte in bytes { append(byte: byte) }
    }

    private func checkDepth(_ open: Int, _ options: JSONWritingOptions) throws(JSONSyntaxError) {
        guard open < options.maximumDepth else {
            throw JSONSyntaxError(.depthLimit, at: count, limit: options.maximumDepth)
        }
    }
}

/// A container that is being written.
private struct WritingFrame {
    let isObject: Bool
    let elements: [JSONValue]
    let members: [JSONObject.Member]
    var position = 0

    init(elements: [JSONValue]) {
        isObject = false
        self.elements = elements
        members = []
    }

    init(members: [JSONObject.Member], isSorted: Bool) {
        isObject = true
        elements = []
        self.members = isSorted ? members.sorted { UTF8Text.precedes($0.key, $1.key) } : members
    }

    var count: Int { isObject ? members.count : elements.count }
}
