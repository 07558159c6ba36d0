import PalliumCore
import PalliumJSON

/// Decodes the elements of one array, each as soon as its end has arrived. The reader is the same as for whole texts.
///
/// Safety: the bytes of the buffer are borrowed for calls in which nothing is added to it or dropped from it.
extension StreamDecoder {
    struct ArrayState {
        enum Phase {
            /// No byte has been read.
            case start
            /// The encoding was checked; the opening bracket comes next.
            case root
            /// The end of the next element is being searched.
            case scanning(ElementScanner)
            /// The next element is complete, malformed, or the end of the array; the bytes up to and including `end`
            /// decide that.
            case ready(end: Int)
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
            case .scanning(var scanner):
                let isFound = unsafe buffer.withBytes { unsafe scanner.scan($0) }
                if scanner.position > settings.limit {
                    return breakdown(settings.tooLong(at: ["\(array.count)"], buffer.location))
                }
                array.phase = .scanning(scanner)
                guard isFound || isEnded else { return nil }
                array.phase = .ready(end: scanner.position)
            case .ready(let end): if let element = decodeElement(end, collecting: collecting) { return element }
            case .trailing: return checkTrailing()
            }
        }
    }

    private func breakdown(_ problem: ModelError) -> Element {
        Element(location: problem.location, problem: problem, breakdown: problem)
    }

    private func makeDecoder(
        _ bytes: UnsafeRawBufferPointer, _ session: DecodingSession, depth: Int = 0
    ) -> ModelDecoder<JSONReader> {
        // The limits for documents do not apply to the unread bytes, whose number depends on how they arrive.
        var reader = unsafe JSONReader(
            bytes.bindMemory(to: UInt8.self), options: settings.adapter.options.reading.forPart)
        reader.resume(inside: depth)
        return ModelDecoder(reader, session: session)
    }

    // MARK: The array itself

    private mutating func beginDocument() -> ModelError? {
        let (used, problem) = read { reader throws(JSONSyntaxError) in try reader.beginDocument() }
        buffer.discard(used)
        array.phase = .root
        return problem
    }

    /// Reads something between elements.
    ///
    /// - Returns: How many bytes were read, and the error.
    private func read(
        _ body: (inout JSONReader) throws(JSONSyntaxError) -> Void
    ) -> (used: Int, problem: ModelError?) {
        unsafe buffer.withBytes { bytes in
            var decoder = unsafe makeDecoder(bytes, settings.session(bytes, at: buffer.location))
            do throws(JSONSyntaxError) {
                try body(&decoder.source)
                return (decoder.source.offset, nil)
            } catch { return (0, decoder.locate(error)) }
        }
    }

    /// Drops white space before and after the array, so that each byte of it is read once.
    private mutating func dropWhitespace() {
        let count = unsafe buffer.withBytes { bytes in
            let count = unsafe bytes.firstIndex { !Self.isWhitespace($0) } ?? bytes.count
            // The byte after a CR decides whether the CR ends a line.
            return unsafe count > 0 && bytes[count - 1] == UInt8(ascii: "\r") ? count - 1 : count
        }
        buffer.discard(count)
    }

    /// Enters the array; returns without doing so while a root that is no array is incomplete.
    private mutating func enterArray() -> ModelError? {
        var used = 0
        let problem = unsafe buffer.withBytes { bytes -> ModelError? in
            let session = unsafe settings.session(bytes, at: buffer.location)
            var decoder = unsafe makeDecoder(bytes, session)
            if decoder.source.startsArray() {
                do throws(JSONSyntaxError) { try decoder.source.enterArray() } catch { return decoder.locate(error) }
                used = decoder.source.offset
                return nil
            }
            // The error shows the root that is no array, so that must be complete.
            guard isEnded || decoder.source.startsObject() else {
                return bytes.count > settings.limit ? settings.tooLong(at: [], buffer.location) : nil
            }
            do throws(ModelError) {
                _ = try decoder.decodeList(settings.adapter.root)
                return nil
            } catch { return error }
        }
        if used > 0 {
            buffer.discard(used)
            array.phase = .scanning(ElementScanner(from: 0))
        }
        return problem
    }

    /// Checks the bytes after the array; nil while there is only white space.
    private mutating func checkTrailing() -> Element? {
        dropWhitespace()
        guard unsafe buffer.withBytes({ unsafe !$0.allSatisfy(Self.isWhitespace) }) else { return nil }
        return read { reader throws(JSONSyntaxError) in try reader.endDocument() }.problem.map(breakdown)
    }

    // MARK: Elements

    /// Decodes the next element; nil at the end of the array.
    private mutating func decodeElement(_ end: Int, collecting: Bool) -> Element? {
        var used = 0
        let element = unsafe buffer.withBytes { bytes in
            var element = unsafe decodeElement(in: bytes, collecting: collecting, &used)
            if settings.keepsTexts, element?.breakdown == nil {
                // A comma may precede the element.
                element?.text = unsafe Array(bytes[..<used].drop { Self.isWhitespace($0) || $0 == UInt8(ascii: ",") })
            }
            return element
        }
        guard let element else {
            buffer.discard(used)
            array.phase = .trailing
            return nil
        }
        if element.breakdown != nil { return element }
        // The search for the next element can start unless there is something between this one and the comma, which the
        // reader has to refuse, or there is no comma.
        let continues = unsafe buffer.withBytes { bytes in
            unsafe end < bytes.count && bytes[end] == UInt8(ascii: ",")
                && bytes[used..<end].allSatisfy(Self.isWhitespace)
        }
        buffer.discard(used)
        array.count += 1
        array.phase = continues ? .scanning(ElementScanner(from: end - used + 1)) : .ready(end: end - used)
        return element
    }

    private func decodeElement(
        in bytes: UnsafeRawBufferPointer, collecting: Bool, _ used: inout Int
    ) -> Element? {
        let session = unsafe settings.session(bytes, at: buffer.location, collecting: collecting)
        return unsafe decodeElement(in: bytes, session, collecting: collecting, &used)
    }

    private func decodeElement(
        in bytes: UnsafeRawBufferPointer, _ session: DecodingSession, collecting: Bool, _ used: inout Int
    ) -> Element? {
        var decoder = unsafe makeDecoder(bytes, session, depth: 1)
        do throws(JSONSyntaxError) {
            guard try decoder.source.nextElement(first: array.count == 0) else {
                used = decoder.source.offset
                return nil
            }
        } catch { return breakdown(decoder.locate(error)) }
        decoder.prefix = ["\(array.count)"]
        let mark = decoder.source.mark() as JSONReaderMark
        session.beginning = decoder.source.offset
        var element = Element()
        if collecting { element.location = session.location(session.startOfValue(at: decoder.source.offset)) }
        do throws(ModelError) {
            element.model = try decoder.decodeModel(settings.adapter.root)
        } catch {
            if session.startsOver(after: error) {
                return unsafe decodeElement(in: bytes, session, collecting: collecting, &used)
            }
            element.problem = session.firstProblem(error, prefix: ["\(array.count)"]) { decoder throws(ModelError) in
                _ = try decoder.decodeModel(settings.adapter.root)
            }
            if collecting {
                let collector = unsafe settings.adapter.session(
                    JSONDocument(bytes: bytes), collecting: true, origin: buffer.location)
                collector.beginning = session.beginning
                unsafe collect(bytes, collector, mark, into: &element, &used)
                return element
            }
            element.breakdown = error.category == .malformedInput ? error : skip(&decoder, mark)
        }
        used = decoder.source.offset
        return element
    }

    /// Skips a refused element; returns the error if that is impossible.
    private func skip(_ decoder: inout ModelDecoder<JSONReader>, _ mark: JSONReaderMark) -> ModelError? {
        decoder.source.rewind(to: mark)
        do throws(JSONSyntaxError) {
            try decoder.source.skipValue()
            return nil
        } catch { return decoder.locate(error) }
    }

    /// Decodes a refused element again, this time collecting all problems.
    private func collect(
        _ bytes: UnsafeRawBufferPointer, _ session: DecodingSession, _ mark: JSONReaderMark,
        into element: inout Element, _ used: inout Int
    ) {
        var decoder = unsafe makeDecoder(bytes, session)
        decoder.source.rewind(to: mark)
        decoder.prefix = ["\(array.count)"]
        var model: DynamicModel?
        do throws(ModelError) {
            model = try decoder.decodeModel(settings.adapter.root)
            used = decoder.source.offset
        } catch {
            if session.startsOver(after: error) {
                return unsafe collect(bytes, session, mark, into: &element, &used)
            }
            element.breakdown = error
        }
        element.report = DecodingReport(
            models: model.map { [$0] } ?? [], problems: session.problems, isArray: false)
    }
}
