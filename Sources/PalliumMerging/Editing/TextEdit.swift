import PalliumJSON

/// Writes a text again, with the values that another document has.
///
/// Three things stand side by side: the text, the old document, which is what the models in the text write, and the new
/// one. Where the documents are equal, the text is copied. So whatever of the text the documents do not have stays as it
/// is. What has to be written waits in a list, so deep documents need no stack.
struct TextEdit {
    /// A value of the text, with the values of the documents at the same place.
    struct Place {
        let text: Int
        let old: Int?
        /// The new value; nil is an object without members.
        let new: Int?
        /// The container of the value in the text.
        let container: Int?
    }

    /// Something that remains to be written.
    enum Piece {
        /// Bytes of the text.
        case text(Range<Int>)
        case bytes([UInt8])
        case edit(Place)
        /// A value of the new document that the text does not have, and its container there.
        case value(JSONValue, container: Int)
    }

    let text: TextOutline
    let writing: JSONWritingOptions
    /// The members of the text that stay although no document has them; nil for all of them.
    let unknown: Set<Int>?
    var values: NumberedValues
    var budget = SequenceAlignment.budget
    var pieces: [Piece] = []
    private var output: [UInt8] = []
    private var styles: [Int: TextOutline.Style] = [:]
    private lazy var standardStyle = text.standardStyle(writing)

    /// Prepares an edit. `values` must have the documents that the edit is about.
    ///
    /// If only unknown members are kept, the text says what the documents say, and nothing else.
    init(_ text: TextOutline, values: NumberedValues, writing: JSONWritingOptions, keeping unknown: Set<Int>? = nil) {
        self.text = text
        self.values = values
        self.writing = writing
        self.unknown = unknown
    }

    /// Returns the text with the values of the new document.
    ///
    /// - Complexity: O(*n* log *n*) in the size of the text and the documents.
    mutating func edited(old: Int, new: Int) -> [UInt8] {
        let root = TextOutline.root
        output = []
        output.reserveCapacity(text.bytes.count)
        pieces = [
            .text(text[root].end..<text.bytes.count),
            .edit(Place(text: root, old: old, new: new, container: nil)), .text(0..<text[root].value),
        ]
        while let piece = pieces.popLast() {
            switch piece {
            case .text(let range): output += text.original[range]
            case .bytes(let bytes): output += bytes
            case .edit(let place): edit(place)
            case .value(let value, let container): write(value, style: style(of: value, in: container))
            }
        }
        return output
    }

    private mutating func edit(_ place: Place) {
        let node = text[place.text]
        if let old = place.old, let new = place.new, values.areEqual(old, new) {
            output += text.original[node.value..<node.end]
            return
        }
        let value = place.new.map { values[$0].value } ?? .object(JSONObject())
        switch (node.kind, value, place.old.map { values[$0].value }) {
        case (.object, .object, .object), (.object, .object, nil):
            if node.count > 0 { return editObject(place) }
        case (.array, .array, .array), (.array, .array, nil): if node.count > 0 { return editArray(place) }
        default: break
        }
        replace(place, by: value)
    }

    /// Writes a value in place of one of the text; an equal one of the text stays.
    mutating func replace(_ place: Place, by value: JSONValue) {
        let node = text[place.text]
        if text.jsonValue(of: place.text) == value {
            output += text.original[node.value..<node.end]
        } else if let comments = text.commentsOfEmpty(place.text), value.isContainer(node.kind) {
            var style = standardStyle
            style.lineBreak = comments.lineBreak
            let written = bytes(of: value, style: style)
            output += text.original[node.value..<comments.end] + written.dropFirst()
        } else if node.count > 0, value.isContainer(node.kind) {
            write(value, style: style(of: place.text).ofContainer)
        } else {
            write(
                value, style: place.container.flatMap { style(of: value, in: $0) } ?? (writing.isPretty ? .pretty : nil)
            )
        }
    }

    // MARK: Styles

    /// The style of a container of the text that is not empty. It is found once.
    mutating func style(of container: Int) -> TextOutline.Style {
        if let style = styles[container] { return style }
        let style = text.style(of: container, standard: standardStyle)
        styles[container] = style
        return style
    }

    /// The style of a value that is new in a container: elements are like their neighbours, members go by the lines of
    /// their object. Nil for a value without children.
    private mutating func style(of value: JSONValue, in container: Int) -> JSONTextStyle? {
        switch value {
        case .array, .object: break
        default: return nil
        }
        let around = style(of: container)
        if text[container].kind == .array, let neighbour = value.isArray ? around.lastArray : around.lastObject {
            return style(of: neighbour).ofContainer
        }
        var style = around.ofValue
        if style.lineBreak != nil || text[container].kind == .array { style.afterComma = standardStyle.afterComma }
        return style
    }

    private mutating func write(_ value: JSONValue, style: JSONTextStyle?) { output += bytes(of: value, style: style) }

    private func bytes(of value: JSONValue, style: JSONTextStyle?) -> [UInt8] {
        var buffer = JSONByteBuffer(capacity: 64)
        var options = writing
        // The document was written before, within its limit.
        options.maximumDepth = .max
        try? buffer.append(value: value, options: options, style: style)
        return buffer.bytes
    }
}

extension JSONValue {
    /// Whether the value is an array.
    fileprivate var isArray: Bool { if case .array = self { true } else { false } }

    /// Whether the value is an array or object, and a text has the same at its place.
    fileprivate func isContainer(_ kind: JSONTokenKind) -> Bool {
        switch (self, kind) {
        case (.array, .array), (.object, .object): true
        default: false
        }
    }
}
