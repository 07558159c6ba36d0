import PalliumCore
import PalliumJSON

/// Cuts the elements out of one array, each as soon as its end has arrived, and decodes them as lines are decoded.
extension StreamDecoder {
    struct ArrayState {
        enum Phase {
            /// No byte has been read.
            case start
            /// The encoding was checked; the opening bracket comes next.
            case root
            /// The first element comes next, or the end of the array.
            case first
            /// The end of the next element is being searched.
            case scanning(ElementScanner)
            /// An element has ended, but neither a comma nor the end of the array follows.
            case interrupted
            /// The array has ended; only white space may follow.
            case trailing
        }

        var phase = Phase.start
        /// The number of elements that have begun.
        var count = 0
    }

    mutating func nextArrayElement(collecting: Bool) -> Element? {
        while true {
            switch array.phase {
            case .start:
                // The first four bytes show the encoding.
                guard isEnded || buffer.count >= 4 else { return nil }
                if let problem = beginDocument() { return breakdown(problem) }
            case .root:
                dropWhitespace()
                // A single byte may be a CR that was kept.
                guard isEnded || buffer.count > 1 else { return nil }
                if let problem = enterArray() { return breakdown(problem) }
                if case .root = array.phase { return nil }
            case .first:
                dropWhitespace()
                guard isEnded || buffer.count > 1 else { return nil }
                if let problem = beginElements() { return breakdown(problem) }
            case .scanning(var scanner):
                let isFound = buffer.withBytes { scanner.scan($0) }
                if scanner.position > settings.limit {
                    return breakdown(settings.tooLong(at: ["\(array.count)"], buffer.location))
                }
                array.phase = .scanning(scanner)
                guard isFound || isEnded else { return nil }
                return decodeElement(endingAt: scanner.position, collecting: collecting)
            case .interrupted:
                return read { reader throws(JSONSyntaxError) in
                    reader.resume(inside: 1)
                    _ = try reader.nextElement(first: false)
                }.map(breakdown)
            case .trailing: return checkTrailing()
            }
        }
    }

    private func breakdown(_ problem: ModelError) -> Element {
        Element(location: problem.location, problem: problem, breakdown: problem)
    }

    // MARK: The array itself

    private mutating func beginDocument() -> ModelError? {
        array.phase = .root
        return read { reader throws(JSONSyntaxError) in try reader.beginDocument() }
    }

    /// Reads something between elements, and drops it.
    private mutating func read(_ body: (inout JSONReader) throws(JSONSyntaxError) -> Void) -> ModelError? {
        let (settings, location) = (settings, buffer.location)
        var used = 0
        let problem = buffer.withBytes { bytes -> ModelError? in
            var reader = settings.reader(of: bytes)
            do throws(JSONSyntaxError) {
                try body(&reader)
                used = reader.offset
                return nil
            } catch { return settings.problem(error, in: bytes, at: location, []) }
        }
        buffer.discard(used)
        return problem
    }

    /// Drops white space before and after the array, so that each byte of it is read once.
    private mutating func dropWhitespace() {
        let count = buffer.withBytes { bytes in
            let count = bytes.firstIndex { !Self.isWhitespace($0) } ?? bytes.count
            // The byte after a CR decides whether the CR ends a line.
            return count > 0 && bytes[count - 1] == UInt8(ascii: "\r") ? count - 1 : count
        }
        buffer.discard(count)
    }

    /// Enters the array; returns without doing so while a root that is no array is incomplete.
    private mutating func enterArray() -> ModelError? {
        // The error shows the root that is no array, so that must be complete.
        let (settings, location) = (settings, buffer.location)
        let (isArray, isComplete) = buffer.withBytes { bytes in
            var reader = settings.reader(of: bytes)
            return (reader.startsArray(), isEnded || reader.startsObject())
        }
        if isArray {
            array.phase = .first
            return read { reader throws(JSONSyntaxError) in try reader.enterArray() }
        }
        return buffer.withBytes { bytes in
            guard isComplete else { return bytes.count > settings.limit ? settings.tooLong(at: [], location) : nil }
            let session = settings.session(bytes, at: location, element: [])
            do throws(ModelError) {
                try settings.readRoot(of: bytes, session)
                return nil
            } catch { return error }
        }
    }

    /// Finds out whether there is a first element.
    private mutating func beginElements() -> ModelError? {
        var hasElement = false
        let problem = read { reader throws(JSONSyntaxError) in
            reader.resume(inside: 1)
            hasElement = try reader.nextElement(first: true)
        }
        array.phase = hasElement ? .scanning(ElementScanner(from: 0)) : .trailing
        return problem
    }

    /// Checks the bytes after the array; nil while there is only white space.
    private mutating func checkTrailing() -> Element? {
        dropWhitespace()
        guard buffer.withBytes({ !$0.allSatisfy(Self.isWhitespace) }) else { return nil }
        return read { reader throws(JSONSyntaxError) in try reader.endDocument() }.map(breakdown)
    }

    // MARK: Elements

    /// Decodes the element before a comma or bracket at an offset, or before the end of the stream, and drops both.
    private mutating func decodeElement(endingAt end: Int, collecting: Bool) -> Element {
        let (settings, location, index) = (settings, buffer.location, array.count)
        var used = 0
        let element = buffer.withBytes { bytes in
            let start = bytes[..<end].firstIndex { !Self.isWhitespace($0) } ?? end
            let text = bytes.part(start..<min(end + 1, bytes.count))
            let element = settings.decode(
                text, at: location.advanced(by: start, in: bytes), element: ["\(index)"], collecting: collecting)
            used = start + element.end
            array.phase = .interrupted
            guard used == end, end < bytes.count else { return element }
            switch bytes[end] {
            case UInt8(ascii: ","): array.phase = .scanning(ElementScanner(from: 0))
            case UInt8(ascii: "]"): array.phase = .trailing
            default: return element
            }
            used += 1
            return element
        }
        if element.breakdown != nil { return element }
        buffer.discard(used)
        array.count += 1
        return element
    }
}
