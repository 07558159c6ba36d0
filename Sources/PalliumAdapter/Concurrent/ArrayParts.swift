import Foundation
import PalliumCore
import PalliumJSON

/// A document that is one array, in parts that begin with an element of it.
///
/// Where the elements begin is guessed, because finding it out would take a pass over the text on one thread.
/// `ConcurrentDecoding` joins only parts whose beginnings were right.
///
/// Safety: the bytes are borrowed for the call that decodes them, and its threads only read them. All offsets are within
/// their count.
@safe
struct ArrayParts: @unchecked Sendable {
    // @unchecked: nothing is written after init, also not the bytes.
    private let bytes: UnsafeRawBufferPointer
    private let plans: JSONPlanSet
    private let root: RootValue
    private let options: JSONAdapterOptions
    /// The offsets of the parts, in ascending order.
    private(set) var starts = [0]

    /// - Parameter count: The number of parts to aim at.
    init(
        _ bytes: UnsafeRawBufferPointer, count: Int, plans: JSONPlanSet, root: RootValue, options: JSONAdapterOptions
    ) {
        unsafe self.bytes = bytes
        self.plans = plans
        self.root = root
        var options = options
        // Skipping would hide the problems because of which one thread has to decode the document.
        options.elements = .fail
        self.options = options
        let length = bytes.count / max(count, 1)
        for number in stride(from: 1, to: count, by: 1) {
            let start = max(number * length, starts[starts.count - 1] + 1)
            if let guess = elementStart(from: start, before: (number + 1) * length) { starts.append(guess) }
        }
    }

    // MARK: Decoding

    /// Decodes a part up to the beginning of another one, or up to the end of the document.
    func decode(_ number: Int, _ decoding: ConcurrentDecoding) -> DecodedPart {
        let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[starts[number]...])
        let session = unsafe DecodingSession(
            plans: plans, options: options, isCollecting: false, document: JSONDocument(bytes: text))
        var decoder = ModelDecoder(reader(at: starts[number]), session: session)
        let part = DecodedPart()
        part.end = (try? decode(number, decoding, &decoder, part)) ?? .problem
        part.valueCount = decoder.source.valueCount
        return part
    }

    private func decode(
        _ number: Int, _ decoding: ConcurrentDecoding, _ decoder: inout ModelDecoder<JSONReader>,
        _ part: DecodedPart
    ) throws -> DecodedPart.End {
        var isFirst = number == 0
        if isFirst {
            try decoder.source.beginDocument()
            try decoder.source.enterArray()
        } else {
            decoder.source.resume(inside: 1)
            guard let model = try decoder.decodeModel(root) else { return .problem }
            part.append(model)
        }
        var next = number + 1
        while try decoder.source.nextElement(first: isFirst) {
            isFirst = false
            decoder.source.skipWhitespace()
            let offset = starts[number] + decoder.source.offset
            while next < starts.count, starts[next] < offset { next += 1 }
            if next < starts.count, starts[next] == offset { return .part(next) }
            guard !decoding.isStopped, let model = try decoder.decodeModel(root) else { return .problem }
            part.append(model)
        }
        try decoder.source.endDocument()
        return .document
    }

    private func reader(at offset: Int) -> JSONReader {
        unsafe JSONReader(
            UnsafeBufferPointer(rebasing: bytes.bindMemory(to: UInt8.self)[offset...]), options: options.reading)
    }

    // MARK: Guessing

    /// How many bytes are followed to see whether a beginning is inside of another element.
    private static func window(_ length: Int) -> Int { max(length / 64, 16 << 10) }

    /// Guesses where an element of the root array begins, behind the first `}` from an offset on.
    private func elementStart(from start: Int, before end: Int) -> Int? {
        var start = start
        while let brace = unsafe Self.offset(of: UInt8(ascii: "}"), in: bytes[start..<max(start, end)]) {
            if let object = objectBehindComma(at: brace + 1) {
                return unsafe outermostElement(
                    from: object, in: bytes[object..<min(object + Self.window(end - start), bytes.count)])
            }
            start = brace + 1
        }
        return nil
    }

    /// Follows the text from an object on, and returns the first element of the outermost array that was reached: when
    /// more containers end than have begun, the elements before were nested.
    private func outermostElement(from object: Int, in window: Slice<UnsafeRawBufferPointer>) -> Int? {
        let window = unsafe UnsafeRawBufferPointer(rebasing: window)
        var start: Int? = object
        var nestedStart: Int?
        var scanner = ElementScanner(from: 0)
        while unsafe scanner.scan(window) {
            if unsafe window[scanner.position] != UInt8(ascii: ",") {
                nestedStart = start ?? nestedStart
                start = nil
            } else if start == nil {
                start = objectBehindComma(at: object + scanner.position)
            }
            scanner = ElementScanner(from: scanner.position + 1)
        }
        // At the end of the document the root array has ended, too.
        return unsafe start ?? (object + window.count == bytes.count ? nestedStart : nil)
    }

    /// The offset of the object that follows a comma; nil if there is no comma or no object with a member.
    private func objectBehindComma(at offset: Int) -> Int? {
        var reader = reader(at: offset)
        reader.resume(inside: 1)
        guard (try? reader.nextElement(first: false)) == true, reader.startsObject() else { return nil }
        let start = offset + reader.offset
        guard (try? reader.enterObject()) != nil, (try? reader.nextMember(first: true)) == true,
            unsafe (try? reader.readName()) != nil
        else { return nil }
        return start
    }

    private static func offset(of byte: UInt8, in bytes: Slice<UnsafeRawBufferPointer>) -> Int? {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes)
        guard let base = rest.baseAddress, let found = unsafe memchr(base, Int32(byte), rest.count) else {
            return nil
        }
        return unsafe bytes.startIndex + (UnsafeRawPointer(found) - base)
    }
}
