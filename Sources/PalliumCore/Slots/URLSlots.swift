package import PalliumJSON

/// The text of URL slots.
///
/// A slot with a URL has one of three forms, which its state tells apart:
///
/// ```
///   packed   { distance, count } ──▶ text behind the slots of the same model
///   text     { String }
///   boxed    ──▶ URLBox { url, text }
/// ```
/// The decoder packs texts, because most URLs of a document are never used: they take no block of memory of their own,
/// and copying the block of a model copies them.
///
/// Safety: a packed slot belongs to a model, and the text is in the block of its slots: `make(_:_:moving:texts:)` and
/// `copySlots` put it there, and `copyContent` and `takeContent` unpack what leaves the model. Before that, in the
/// decoder's scratch memory, only the decoder uses the slot.
extension SlotOperations {
    /// The bytes of a packed text.
    @inline(__always)
    package static func packedText(_ pointer: UnsafeRawPointer) -> UnsafeBufferPointer<UInt8> {
        let (distance, count) = unsafe pointer.load(as: (Int, Int).self)
        return unsafe UnsafeBufferPointer(start: (pointer + distance).assumingMemoryBound(to: UInt8.self), count: count)
    }

    /// Returns the text of a URL slot, whether its URL was made or not.
    package static func urlText(_ pointer: UnsafeRawPointer, _ state: SlotState) -> String {
        if state.isBoxed { return unsafe box(URLBox.self, pointer).text }
        guard state.isPacked else { return unsafe pointer.assumingMemoryBound(to: String.self).pointee }
        let bytes = unsafe packedText(pointer)
        // Packed texts are ASCII, and not empty.
        return unsafe JSONText(start: bytes.baseAddress!, count: bytes.count, isASCII: true).string
    }

    /// Compares the texts of two URL slots.
    @inline(__always)
    static func equalURLs(
        _ left: UnsafeRawPointer, _ leftState: SlotState, _ right: UnsafeRawPointer, _ rightState: SlotState
    ) -> Bool {
        if leftState.isPacked && rightState.isPacked {
            let (left, right) = unsafe (packedText(left), packedText(right))
            // Packed texts are not empty.
            return unsafe left.count == right.count
                && UTF8Text.equalBytes(left.baseAddress!, right.baseAddress!, left.count)
        }
        if !leftState.isTextElsewhere && !rightState.isTextElsewhere {
            return unsafe UTF8Text.equal(
                left.assumingMemoryBound(to: String.self), right.assumingMemoryBound(to: String.self))
        }
        return unsafe UTF8Text.equal(urlText(left, leftState), urlText(right, rightState))
    }

    /// Hashes the text of a URL slot, in each form alike.
    @inline(__always)
    static func hashURL(_ pointer: UnsafeRawPointer, _ state: SlotState, into hasher: inout Hasher) {
        if state.isPacked {
            let bytes = unsafe packedText(pointer)
            unsafe UTF8Text.hash(bytes.baseAddress!, bytes.count, into: &hasher)
        } else if state.isBoxed {
            UTF8Text.hash(unsafe urlText(pointer, state), into: &hasher)
        } else {
            unsafe UTF8Text.hash(pointer.assumingMemoryBound(to: String.self), into: &hasher)
        }
    }

    /// Whether a URL slot has this text.
    package static func hasURLText(_ pointer: UnsafeRawPointer, _ state: SlotState, _ text: JSONText) -> Bool {
        if state.isPacked {
            let packed = unsafe packedText(pointer)
            return unsafe packed.count == text.count && UTF8Text.equalBytes(packed.baseAddress!, text.start, text.count)
        }
        if state.isBoxed {
            return unsafe withUnsafePointer(to: box(URLBox.self, pointer).text) {
                unsafe UTF8Text.equal($0, text.start, text.count)
            }
        }
        return unsafe UTF8Text.equal(pointer.assumingMemoryBound(to: String.self), text.start, text.count)
    }
}
