#if canImport(Glibc)
    // `int malloc_trim(size_t)`, which the Glibc module does not export.
    @_silgen_name("malloc_trim") @discardableResult private func trimHeap(_ pad: Int) -> Int32
#endif

/// Gives freed memory back to the system, where the C library can.
///
/// What a turn leaves behind would otherwise be sorted by the next one, in its time; and only what is held shall count
/// as held.
func releaseFreeMemory() {
    #if canImport(Glibc)
        trimHeap(0)
    #endif
}
