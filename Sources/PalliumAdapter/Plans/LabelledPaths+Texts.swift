import PalliumCore
import PalliumJSON

/// Masks values with labels in a text that may contradict its schema.
extension LabelledPaths {
    /// An object or array that has begun.
    private struct Level {
        let isObject: Bool
        let position: Position
        var isFirst = true
    }

    /// Returns a text with masks in place of the labelled values, and as it is elsewhere; nil if it is no JSON.
    ///
    /// Null stays null. Of repeated members, each is masked.
    ///
    /// - Complexity: O(*n*) in the size of the text.
    package func masked(_ text: ArraySlice<UInt8>, maximumDepth: Int) -> [UInt8]? {
        let ranges = text.withBorrowedBytes { bytes in
            try? labelledRanges(in: bytes, .unlimited(maximumDepth: maximumDepth))
        }
        guard let ranges else { return nil }
        var quoted = JSONByteBuffer()
        quoted.append(quoted: MaskedValue.text)
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var position = 0
        let bytes = Array(text)
        for range in ranges {
            result += bytes[position..<range.lowerBound]
            result += quoted.bytes
            position = range.upperBound
        }
        return result + bytes[position...]
    }

    private func labelledRanges(
        in bytes: BorrowedBytes, _ options: JSONReadingOptions
    ) throws(JSONSyntaxError) -> [Range<Int>] {
        var reader = JSONReader(bytes, options: options)
        var ranges: [Range<Int>] = []
        var levels: [Level] = []
        try reader.beginDocument()
        var position: Position? = document
        while true {
            if let value = position.take() { try read(value, &reader, &ranges, &levels) }
            guard let last = levels.indices.last else { break }
            let isFirst = levels[last].isFirst
            levels[last].isFirst = false
            if levels[last].isObject {
                guard try reader.nextMember(first: isFirst) else {
                    levels.removeLast()
                    continue
                }
                position = member(try reader.readNameString(), of: levels[last].position)
            } else {
                guard try reader.nextElement(first: isFirst) else {
                    levels.removeLast()
                    continue
                }
                position = element(of: levels[last].position)
            }
        }
        try reader.endDocument()
        return ranges
    }

    private func read(
        _ position: Position, _ reader: inout JSONReader, _ ranges: inout [Range<Int>], _ levels: inout [Level]
    ) throws(JSONSyntaxError) {
        let kind = try reader.peekKind()
        let isContainer = kind == .object || kind == .array
        let isMisplaced = position.leadsToLabel && (!isContainer || kind == .array && element(of: position).isPlain)
        if !position.isLabelled, !isMisplaced, !position.isPlain, isContainer {
            if kind == .object { try reader.enterObject() } else { try reader.enterArray() }
            levels.append(Level(isObject: kind == .object, position: position))
            return
        }
        let start = reader.offset
        try reader.skipValue()
        if position.isLabelled || isMisplaced, kind != .null { ranges.append(start..<reader.offset) }
    }
}
