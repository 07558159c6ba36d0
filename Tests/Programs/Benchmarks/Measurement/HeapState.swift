import RunSupport

/// The state in which a row finds the heap.
enum HeapState: String, CaseIterable {
    /// The process has done only what the row needs.
    case fresh
    /// The process has answered requests before: see ``Server``. Goals are judged on this heap.
    case served
    /// Free blocks of many sizes lie between others that stay, at random, which is the worst that an allocator meets.
    case worst

    private static let bytes = 64 << 20
    private static let sizes = 16...512

    /// Brings the heap into this state, and makes what a row needs.
    ///
    /// - Returns: What the row needs, and what must live as long as the heap is to stay as it is.
    func enter(_ arguments: Arguments) throws -> (context: BenchmarkContext, inhabitant: Server?) {
        if self == .worst { Self.scatter() }
        let context = try BenchmarkContext(issueCount: arguments.issueCount)
        guard self == .served else { return (context, nil) }
        let requests = arguments.quick ? Server.shortRequestCount : Server.requestCount
        return (context, try Server(requests: requests, adapter: context.adapter))
    }

    /// Fills the heap with blocks and frees three of four in random order.
    private static func scatter() {
        var random = SeededGenerator(seed: 64)
        var blocks: [UnsafeMutableRawBufferPointer] = []
        var total = 0
        while total < bytes {
            let block = UnsafeMutableRawBufferPointer.allocate(
                byteCount: random.integer(sizes), alignment: MemoryLayout<Int>.alignment)
            // Memory that was never written is not there yet.
            block.initializeMemory(as: UInt8.self, repeating: 1)
            blocks.append(block)
            total += block.count
        }
        // Each block is freed once and not used any more; a quarter stays until the process ends.
        for block in random.shuffled(blocks).dropLast(blocks.count / 4) { block.deallocate() }
    }
}
