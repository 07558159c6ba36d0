import PalliumAdapter
import PalliumCore
import PalliumJSON

// Edits the objects and arrays of a text.
extension TextEdit {
    /// A member or element of the text that is written.
    enum Child {
        /// One that the text has, by its number among the children; with its place if it may have changed.
        case present(Int, Place?)
        /// A new one; elements have no name.
        case added(name: String?, JSONValue)
    }

    // MARK: Objects

    mutating func editObject(_ place: Place) {
        let children = text.children(of: place.text)
        let names = children.map { UTF8Key(text.name(of: $0)) }
        var effective: [UTF8Key: Int] = [:]
        for (index, name) in names.enumerated()
        where text.options.duplicateMembers != .firstWins || effective[name] == nil {
            effective[name] = index
        }
        var result: [Child] = []
        for (index, name) in names.enumerated() {
            let (old, new) = (member(name, of: place.old), member(name, of: place.new))
            let isEffective = effective[name] == index
            let next = Place(text: children[index], old: old, new: new, container: place.text)
            if new != nil {
                result.append(.present(index, isEffective ? next : nil))
            } else if let old {
                // An object on key paths may have members that are none of the models'.
                if isEffective, hasOtherMembers(children[index], than: old) { result.append(.present(index, next)) }
            } else if unknown?.contains(children[index]) ?? true {
                result.append(.present(index, nil))
            }
        }
        result += additions(to: effective, place).map { .added(name: $0.key, $0.value) }
        write(result, children, in: place.text)
    }

    private func member(_ name: UTF8Key, of node: Int?) -> Int? { node.flatMap { values.member(name.text, of: $0) } }

    /// The members of the new document that the text lacks. Those that the old document writes just the same come from
    /// something else in the text, or from nothing.
    private func additions(to present: [UTF8Key: Int], _ place: Place) -> [JSONObject.Element] {
        guard let new = place.new, case .object(let members) = values[new].value else { return [] }
        var added: [JSONObject.Element] = []
        for (offset, member) in members.enumerated() where present[UTF8Key(member.key)] == nil {
            if unknown == nil, let old = self.member(UTF8Key(member.key), of: place.old),
                values.areEqual(old, values[new].first + offset)
            {
                continue
            }
            added.append(member)
        }
        return writing.sortsKeys ? added.sorted { UTF8Text.precedes($0.key, $1.key) } : added
    }

    /// Whether an object of the text that stands on key paths has members that the document does not have, there or in
    /// objects on longer paths.
    private func hasOtherMembers(_ node: Int, than old: Int) -> Bool {
        var pending = [(node, old)]
        while let (node, old) = pending.popLast() {
            guard text[node].kind == .object, values[old].isOnPaths else { continue }
            for child in text.children(of: node) {
                guard let member = values.member(text.name(of: child), of: old) else { return true }
                pending.append((child, member))
            }
        }
        return false
    }

    // MARK: Arrays

    mutating func editArray(_ place: Place) {
        guard let new = place.new, case .array(let elements) = values[new].value else { return }
        let children = text.children(of: place.text)
        let old = place.old.flatMap { isElementwise($0, children) ? $0 : nil }
        if old == nil, unknown != nil { return replace(place, by: .array(elements)) }
        // Where the old document does not have the elements of the text one by one, the text is compared itself.
        guard let base = old ?? text.jsonValue(of: place.text).map({ values.add(MarkedDocument($0)) }) else { return }
        var pairing = ElementPairing(
            keys(of: base, identities: old != nil), keys(of: new, identities: old != nil),
            isSet: values[new].isSet, mayChange: old != nil)
        pairing.pair(&budget)
        let result = pairing.result.map { pair -> Child in
            guard let index = pair.old else { return .added(name: nil, elements[pair.new]) }
            let place = Place(
                text: children[index], old: values[base].first + index, new: values[new].first + pair.new,
                container: place.text)
            return .present(index, old == nil ? nil : place)
        }
        write(result, children, in: place.text)
    }

    /// Whether a document has an element for each one of the text. If only unknown members are kept, the scalars must be
    /// the same, too.
    private func isElementwise(_ node: Int, _ children: [Int]) -> Bool {
        guard case .array(let elements) = values[node].value, elements.count == children.count else { return false }
        guard unknown != nil else { return true }
        return zip(elements, children).allSatisfy { element, child in
            switch (element, text[child].kind) {
            case (.object, .object), (.array, .array): true
            case (.object, _), (.array, _), (_, .object), (_, .array): false
            default: text.jsonValue(of: child) == element
            }
        }
    }

    /// Numbers that are the same for elements that are the same: of models by their identities, of others by their values.
    private func keys(of array: Int, identities: Bool) -> [ElementPairing.Key] {
        let first = values[array].first
        return values.numbersOfElements(of: array).enumerated().map { offset, number in
            let identity = identities ? values[first + offset].identity : nil
            return ElementPairing.Key(number: identity.map { -1 - $0 } ?? number, isIdentity: identity != nil)
        }
    }

    // MARK: Writing

    /// Writes the container again with these children. White space and comments stay with the child that follows them.
    /// A comment behind a child or the opening bracket on its line stays with that, and the last ones with the closing
    /// bracket.
    private mutating func write(_ result: [Child], _ children: [Int], in container: Int) {
        let node = text[container]
        let spaces = text.spaces(around: children, of: container)
        let last = children.count - 1
        var written: [Piece] = [.text(node.value..<node.value + 1)]
        var (afterChild, line) = (Piece.bytes([]), spaces.opening)
        for (position, child) in result.enumerated() {
            let before = space(before: child, isFirst: position == 0, spaces, in: container)
            if position > 0 { written += [afterChild, .bytes([UInt8(ascii: ",")])] }
            written += behind(line, before: before, lineBreak: style(of: container).lineBreak) + [before]
            switch child {
            case .present(let index, let place):
                let value = text[children[index]]
                written.append(.text(value.start..<value.value))
                written.append(place.map { .edit($0) } ?? .text(value.value..<value.end))
                let hasComma = index < last || spaces.hasLastComma
                afterChild = hasComma ? .text(spaces.after[index]) : .bytes(style(of: container).beforeComma)
                line = spaces.line[index]
            case .added(let name, let value):
                let style = style(of: container)
                if let name { written.append(.bytes(quoted(name) + style.colon)) }
                written.append(.value(value, container: container))
                afterChild = .bytes(style.beforeComma)
                line = node.value..<node.value
            }
        }
        if !result.isEmpty {
            if spaces.hasLastComma {
                written += [afterChild, .bytes([UInt8(ascii: ",")])]
            } else if case .text(let range) = afterChild, text.hasComment(in: range) {
                written.append(afterChild)
            }
            let end = Piece.text(spaces.end)
            written += behind(line, before: end, lineBreak: style(of: container).ofContainer.lineBreak) + [end]
        }
        written.append(.text(node.end - 1..<node.end))
        pieces += written.reversed()
    }

    /// The white space before a child, with the comments that belong to it.
    private mutating func space(
        before child: Child, isFirst: Bool, _ spaces: TextOutline.Spaces, in container: Int
    ) -> Piece {
        let opening = spaces.before[0]
        let opensWithComment = text.hasComment(in: opening)
        if case .present(let index, _) = child,
            isFirst ? index == 0 || text.hasComment(in: spaces.before[index]) : index > 0 || opensWithComment
        {
            return .text(spaces.before[index])
        }
        if !isFirst { return .bytes(style(of: container).beforeChild) }
        // The comment of the child that was the first has gone with it.
        return opensWithComment ? .bytes(text.lineBreak(in: opening) ?? []) : .text(opening)
    }

    /// The comment behind a child on its line, and the line break that it needs unless the next piece begins with one.
    private func behind(_ line: Range<Int>, before next: Piece, lineBreak: [UInt8]?) -> [Piece] {
        if line.isEmpty { return [] }
        let first: UInt8? =
            switch next {
            case .text(let range): text.original[range].first
            case .bytes(let bytes): bytes.first
            case .edit, .value: nil
            }
        let wasLast = JSONComments.isLineBreak(text.original[line.upperBound])
        if !wasLast || first.map(JSONComments.isLineBreak) ?? false { return [.text(line)] }
        return [.text(line), .bytes(lineBreak ?? [UInt8(ascii: "\n")])]
    }

    private func quoted(_ name: String) -> [UInt8] {
        var buffer = JSONByteBuffer(capacity: 64)
        buffer.append(quoted: name, escapingSlashes: writing.escapesSlashes)
        return buffer.bytes
    }
}
