import RunSupport

/// The state in which a row finds the heap. The same code takes up to half as long again on a used heap.
enum HeapState: String, CaseIterable {
    /// The process has done only what the row needs.
    case fresh
    /// Free blocks of many sizes lie between others that stay, as in a program that has run for a while.
    case used

    private static let bytes = 64 << 20
    private static let sizes = 16...512

    /// Brings the heap into this state.
    func enter() {
        guard self == .used else { return }
        var random = SeededGenerator(seed: 64)
        var blocks: [UnsafeMutableRawBufferPointer] = []
        var total = 0
        while total < Self.bytes {
            let block = UnsafeMutableRawBufferPointer.allocate(
                byteCount: random.integer(Self.sizes), alignment: MemoryLayout<Int>.alignment)
            // Memory that was never written is not there yet.
            block.initializeMemory(as: UInt8.self, repeating: 1)
            blocks.append(block)
            total += block.count
        }
        // Each block is freed once and not used any more; a quarter stays until the process ends.
        for block in random.shuffled(blocks).dropLast(blocks.count / 4) { block.deallocate() }
    }
}
