import PalliumJSON

/// Text on its way from a tree to the decoder, which wants bytes at an address.
///
/// Safety: `memory` is `capacity` bytes that belong to this value alone and are freed with it. What `hold` answers points
/// there and is used up before the next call, as the text of a reader is.
@safe
struct HeldText: ~Copyable {
    private var memory = UnsafeMutablePointer<UInt8>.allocate(capacity: 64)
    private var capacity = 64

    deinit { unsafe memory.deallocate() }

    /// The bytes of a text at an address that holds until the next call.
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
