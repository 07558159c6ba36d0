import PalliumJSON

/// JSON text that the buffer copies in moves of 16 bytes, without a call.
///
/// ```
///   [ , " n a m e " : ][ zeros up to a multiple of 16, and one more ]
///   └──── count ─────┘
/// ```
/// The moves begin at the first byte or at the second. The memory has room for both.
///
/// Safety: the memory is written once, when the text is made. Its owner calls `deallocate` when nobody uses the text any
/// more.
@safe
struct PaddedText {
    private let start: UnsafePointer<UInt8>
    let count: Int

    /// Copies some bytes, at least one, to memory that `deallocate` frees.
    init(copying bytes: [UInt8]) {
        precondition(!bytes.isEmpty)
        let padded = bytes + Array(repeating: 0, count: (bytes.count + 15) / 16 * 16 + 1 - bytes.count)
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: padded.count)
        unsafe memory.initialize(from: padded, count: padded.count)
        unsafe start = UnsafePointer(memory)
        count = bytes.count
    }

    @unsafe
    func deallocate() { unsafe start.deallocate() }

    /// Appends the text to a buffer, without its first byte if `skippingFirst` is true.
    @_transparent
    func append(to buffer: inout JSONByteBuffer, skippingFirst: Bool) {
        let skipped = skippingFirst ? 1 : 0
        unsafe buffer.append(padded: start + skipped, count: count &- skipped)
    }
}
