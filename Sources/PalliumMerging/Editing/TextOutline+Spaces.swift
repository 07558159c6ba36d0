import PalliumJSON

// The white space of a text, and the style that new values take from it.
extension TextOutline {
    /// The white space around the members or elements of a container, with the comments in it.
    ///
    ///     {  "a": 1 /* x */, // y
    ///      └┘ before └─────┘ after, before the comma; the line behind it is up to here
    struct Spaces {
        /// The text behind the opening bracket on its line, if there is a comment and the line ends there; else empty.
        var opening = 0..<0
        /// The text before each child, after the line of the bracket or of the child before it.
        var before: [Range<Int>] = []
        /// The text behind each child, before its comma; empty without a comma.
        var after: [Range<Int>] = []
        /// The text behind each child and its comma on the same line, if it is a comment; else empty.
        var line: [Range<Int>] = []
        /// The text before the closing bracket.
        var end = 0..<0
        /// Whether a comma follows the last child.
        var hasLastComma = false
    }

    /// How a container that is not empty is written.
    struct Style {
        /// The line break and indentation before a child; nil if the children follow one another on a line.
        let lineBreak: [UInt8]?
        /// The line break and indentation of the closing bracket; nil if it follows the last child on its line.
        let closingBreak: [UInt8]?
        /// The white space that one level adds to the beginning of a line.
        let indentation: [UInt8]
        /// The colon of a member, with the white space around it.
        let colon: [UInt8]
        /// The white space before a child that is added.
        let beforeChild: [UInt8]
        /// The white space before the comma behind a child.
        let beforeComma: [UInt8]
        /// The last child that is an object, and the last that is an array; empty ones do not count.
        let lastObject: Int?
        let lastArray: Int?

        /// The style of a container that is written as this one.
        var ofContainer: JSONTextStyle {
            JSONTextStyle(
                lineBreak: lineBreak.map { closingBreak ?? $0.dropLast(indentation.count) }, indentation: indentation,
                colon: colon, afterComma: beforeChild)
        }

        /// The style of a value inside of this container.
        var ofValue: JSONTextStyle {
            JSONTextStyle(lineBreak: lineBreak, indentation: indentation, colon: colon, afterComma: beforeChild)
        }
    }

    /// Finds the white space around children. O(its length and the number of children).
    func spaces(around children: [Int], of container: Int) -> Spaces {
        var spaces = Spaces()
        let close = nodes[container].end - 1
        var start = nodes[container].value + 1
        if let first = children.first, let lineEnd = endOfLine(in: start..<nodes[first].start),
            hasComment(in: start..<lineEnd)
        {
            spaces.opening = start..<lineEnd
            start = lineEnd
        }
        for (index, child) in children.enumerated() {
            spaces.before.append(start..<nodes[child].start)
            let isLast = index + 1 == children.count
            let next = isLast ? close : nodes[children[index + 1]].start
            let gap = nodes[child].end..<next
            let comma = gap.first { isLast ? isRemovedComma($0) : bytes[$0] == UInt8(ascii: ",") }
            spaces.after.append(gap.lowerBound..<(comma ?? gap.lowerBound))
            spaces.hasLastComma = isLast && comma != nil
            start = comma.map { $0 + 1 } ?? gap.lowerBound
            // A comment between two children of a line belongs to the second.
            let lineEnd = endOfLine(in: start..<next) ?? (isLast ? next : start)
            spaces.line.append(start..<(hasComment(in: start..<lineEnd) ? lineEnd : start))
            start = spaces.line[index].upperBound
        }
        spaces.end = start..<close
        return spaces
    }

    /// Where the last comment of a container without children ends, and the line break behind it; nil without a comment.
    func commentsOfEmpty(_ node: Int) -> (end: Int, lineBreak: [UInt8]?)? {
        guard nodes[node].count == 0, [.object, .array].contains(nodes[node].kind) else { return nil }
        let inside = nodes[node].value + 1..<nodes[node].end - 1
        guard let last = inside.last(where: { bytes[$0] != original[$0] }) else { return nil }
        let end = original[last] == UInt8(ascii: "/") ? last + 1 : endOfLine(in: last..<inside.upperBound) ?? last + 1
        return (end, lineBreak(in: end..<inside.upperBound))
    }

    /// The first line break in a range of white space that is in no comment.
    private func endOfLine(in range: Range<Int>) -> Int? {
        original.withBorrowedBytes { original in
            var position = range.lowerBound
            while position < range.upperBound, !JSONComments.isLineBreak(original[position]) {
                position = JSONComments.end(ofCommentAt: position, in: original) ?? position + 1
            }
            return position < range.upperBound ? position : nil
        }
    }

    /// Whether there is a comment in a range of white space.
    func hasComment(in range: Range<Int>) -> Bool {
        range.contains { bytes[$0] != original[$0] && !isRemovedComma($0) }
    }

    private func isRemovedComma(_ offset: Int) -> Bool {
        bytes[offset] == JSONComments.comma && original[offset] == UInt8(ascii: ",")
    }

    /// Finds the style of a container that is not empty; `standard` is for what it does not show.
    func style(of container: Int, standard: JSONTextStyle) -> Style {
        let children = children(of: container)
        let last = children.count - 1
        let spaces = spaces(around: children, of: container)
        let lineBreak = lineBreak(in: spaces.before[last])
        let closingBreak = self.lineBreak(in: spaces.end)
        var indentation = standard.indentation
        if let lineBreak, let closingBreak, lineBreak.count > closingBreak.count, lineBreak.starts(with: closingBreak) {
            indentation = Array(lineBreak[closingBreak.count...])
        }
        var colon = standard.colon
        if nodes[container].kind == .object {
            let range = self.colon(of: children[last])
            if self.lineBreak(in: range) == nil { colon = Array(bytes[range]) }
        }
        let showsSpace = last > 0 && !hasComment(in: spaces.before[last])
        let showsComma = last > 0 && !hasComment(in: spaces.after[last - 1])
        let nonEmpty = children.filter { nodes[$0].count > 0 }
        return Style(
            lineBreak: lineBreak, closingBreak: closingBreak, indentation: indentation, colon: colon,
            beforeChild: lineBreak ?? (showsSpace ? Array(bytes[spaces.before[last]]) : standard.afterComma),
            beforeComma: showsComma ? Array(bytes[spaces.after[last - 1]]) : [],
            lastObject: nonEmpty.last { nodes[$0].kind == .object },
            lastArray: nonEmpty.last { nodes[$0].kind == .array })
    }

    /// Finds what the text as a whole does: the first colon, the first white space after a comma, the first
    /// indentation. O(*n*).
    func standardStyle(_ writing: JSONWritingOptions) -> JSONTextStyle {
        var style = writing.isPretty ? JSONTextStyle.pretty : JSONTextStyle.compact
        style.indentation = JSONTextStyle.pretty.indentation
        let members = nodes.indices.lazy.filter { nodes[$0].start < nodes[$0].value }
        if let colon = members.map({ self.colon(of: $0) }).first(where: { lineBreak(in: $0) == nil }) {
            style.colon = Array(bytes[colon])
        }
        style.afterComma = Array(style.colon.reversed().prefix { $0 != UInt8(ascii: ":") })
        var (hasComma, hasIndentation) = (false, false)
        for container in nodes.indices where nodes[container].count > 0 {
            let first = (value: nodes[container].value + 1, child: container + 1)
            if !hasIndentation, let open = lineBreak(in: first.value..<nodes[first.child].start) {
                let close = lineBreak(in: spaceBeforeEnd(of: container)) ?? []
                if open.count > close.count, open.starts(with: close), !close.isEmpty {
                    style.indentation = Array(open[close.count...])
                    hasIndentation = true
                }
            }
            if !hasComma, nodes[container].count > 1 {
                let start = nodes[first.child].end
                let gap = bytes[start..<nodes[nodes[first.child].next].start]
                if lineBreak(in: gap.indices) == nil, !hasComment(in: gap.indices) {
                    style.afterComma = Array(gap.drop { $0 != UInt8(ascii: ",") }.dropFirst())
                    hasComma = true
                }
            }
            if hasComma, hasIndentation { break }
        }
        return style
    }

    private func spaceBeforeEnd(of container: Int) -> Range<Int> {
        let end = nodes[container].end - 1
        var start = end
        while [0x20, 0x0A, 0x0D, 0x09].contains(bytes[start - 1]) { start -= 1 }
        return start..<end
    }

    /// The last line break in a range of the text, with all that follows it there.
    func lineBreak(in range: Range<Int>) -> [UInt8]? {
        guard
            var start = bytes[range].lastIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
        else { return nil }
        if bytes[start] == UInt8(ascii: "\n"), start > range.lowerBound, bytes[start - 1] == UInt8(ascii: "\r") {
            start -= 1
        }
        return Array(bytes[start..<range.upperBound])
    }
}
