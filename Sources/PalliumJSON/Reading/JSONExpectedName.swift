/// The name of a member that is expected next, prepared for a comparison of sixteen bytes at once.
///
///     name    id                          text   "id":7,"title":…
///     words   i  d  "  :  0  0  0 …               i  d  "  :  7  ,  " …
///     masks   FF FF FF FF 0  0  0 …       equal where the mask is FF: name, quotation mark and colon in one step
///
/// A longer name has a word that no masked text equals, so that it needs no test of its own.
///
/// Safety: the owner of the name's bytes keeps them as long as it uses this value.
@frozen
@usableFromInline
@unsafe
package struct JSONExpectedName {
    @usableFromInline package let start: UnsafePointer<UInt8>
    @usableFromInline package let count: Int
    @usableFromInline let words: (UInt64, UInt64)
    @usableFromInline let masks: (UInt64, UInt64)

    /// Prepares the name at an address. A name that JSON can spell only with escapes never matches; it is read
    /// unescaped instead.
    package init(_ start: UnsafePointer<UInt8>, _ count: Int) {
        let name = unsafe UnsafeBufferPointer(start: start, count: count)
        let needsEscapes = unsafe name.contains { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
        unsafe self.start = start
        // No text is as long as that.
        unsafe self.count = needsEscapes ? .max : count
        var (words, masks) = ((UInt64(0), UInt64(0)), (UInt64(0), UInt64(0)))
        if unsafe self.count > Self.longestShort {
            words.0 = 1
        } else {
            for (index, byte) in (unsafe Array(name) + [UInt8(ascii: "\""), UInt8(ascii: ":")]).enumerated() {
                let shift = UInt64(index % 8 * 8)
                if index < 8 {
                    words.0 |= UInt64(byte) << shift
                    masks.0 |= 0xFF << shift
                } else {
                    words.1 |= UInt64(byte) << shift
                    masks.1 |= 0xFF << shift
                }
            }
        }
        unsafe self.words = words
        unsafe self.masks = masks
    }

    /// The length of the longest name that is compared at once: sixteen bytes less quotation mark and colon.
    @inlinable static var longestShort: Int { 14 }
}
