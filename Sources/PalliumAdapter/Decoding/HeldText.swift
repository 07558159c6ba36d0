import PalliumJSON

/// A buffer that lends the text of a tree to the decoder as bytes at an address.
///
/// Safety: `memory` is `capacity` bytes that belong to this value alone and are freed with it. The text that `hold`
/// returns points there and is used before the next call, like the text of a reader.
@safe
struct HeldText: ~Copyable {
    private var memory = UnsafeMutablePointer<UInt8>.allocate(capacity: 64)
    private var capacity = 64

    deinit { unsafe memory.deallocate() }

    /// Copies a text and returns its bytes, which are valid until the next call.
    mutating func hold(_ text: String) -> JSONText {
        let count = text.utf8.count
        if count > capacity {
            unsafe memory.deallocate()
            capacity = count * 2
            unsafe memory = .allocate(capacity: capacity)
        }
        let target = unsafe UnsafeMutableBufferPointer(start: memory, count: count)
        let isDone: Void? = unsafe text.utf8.withContiguousStorageIfAvailable {
            _ = unsafe target.update(fromContentsOf: $0)
        }
        if isDone == nil { _ = unsafe target.update(from: text.utf8) }
        return unsafe JSONText(start: memory, count: count, isASCII: false)
    }
}
