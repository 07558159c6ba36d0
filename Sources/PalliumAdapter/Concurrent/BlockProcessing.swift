import Dispatch
import Foundation
import PalliumCore
import Synchronization

/// Makes a value of each block of a stream on several threads, and passes the values to the caller's thread.
///
/// ```
///   stream ──lock──▶ block 4 ──thread──▶ value 4 ┐
///                    block 5 ──thread──▶ value 5 ├─ in order ──▶ the caller's thread
///                    block 6 ──thread──▶ …       ┘
/// ```
/// A thread that wants a block reads the stream itself. At most two blocks for each thread are on their way, so memory is
/// bounded however slow the caller is.
final class BlockProcessing<Block: Sendable, Value: Sendable, Failure: Error>: Sendable {
    /// Waiting threads cost memory, so more than any machine can use are not started.
    private static var maximumThreadCount: Int { 256 }

    private struct Input {
        let blocks: AnyIterator<Block>
        /// The number of the next block.
        var number = 0
    }

    private struct Output {
        /// The values that the caller has not received, by the numbers of their blocks.
        var values: [Int: Result<Value, Failure>] = [:]
        var runningThreads: Int
    }

    private let input: Lock<Input>
    private let output: Lock<Output>
    private let transform: @Sendable (Block) throws(Failure) -> Value
    /// Counts the blocks that may be taken.
    private let room = DispatchSemaphore(value: 0)
    /// Counts the values that were made, and the threads that have ended.
    private let news = DispatchSemaphore(value: 0)
    private let isStopped = Atomic(false)

    private init(
        _ blocks: sending AnyIterator<Block>, _ threadCount: Int,
        _ transform: @escaping @Sendable (Block) throws(Failure) -> Value
    ) {
        input = Lock(Input(blocks: blocks))
        output = Lock(Output(runningThreads: threadCount))
        self.transform = transform
    }

    /// Processes a stream; returns or throws when all threads are done.
    static func run(
        _ blocks: sending AnyIterator<Block>, threadCount: Int, isOrdered: Bool,
        _ transform: @escaping @Sendable (Block) throws(Failure) -> Value, receive: (Value) throws(Failure) -> Void
    ) throws(Failure) {
        let threadCount = min(threadCount, maximumThreadCount)
        guard threadCount > 1 else {
            for block in blocks { try receive(transform(block)) }
            return
        }
        let processing = BlockProcessing(blocks, threadCount, transform)
        for _ in 0..<threadCount {
            Thread { processing.transformBlocks() }.start()
            for _ in 0..<2 { processing.room.signal() }
        }
        defer { processing.stop() }
        try processing.receiveValues(isOrdered, receive)
    }

    // MARK: The threads

    private func transformBlocks() {
        room.wait()
        while !isStopped.load(ordering: .relaxed), let (number, block) = takeBlock() {
            let value = Result { () throws(Failure) in try transform(block) }
            output.withLock { $0.values[number] = value }
            news.signal()
            room.wait()
        }
        // Another thread may wait, and finds that there is nothing more to do.
        room.signal()
        output.withLock { $0.runningThreads -= 1 }
        news.signal()
    }

    private func takeBlock() -> (Int, Block)? {
        input.withLock { input in
            guard let block = input.blocks.next() else { return nil }
            defer { input.number += 1 }
            return (input.number, block)
        }
    }

    // MARK: The caller

    private func receiveValues(_ isOrdered: Bool, _ receive: (Value) throws(Failure) -> Void) throws(Failure) {
        var received = 0
        while true {
            news.wait()
            while let value = takeValue(isOrdered ? received : nil) {
                try receive(value.get())
                received += 1
                room.signal()
            }
            if output.withLock({ $0.runningThreads == 0 && $0.values.isEmpty }) { return }
        }
    }

    private func takeValue(_ number: Int?) -> Result<Value, Failure>? {
        output.withLock { output in
            number.map { output.values.removeValue(forKey: $0) } ?? output.values.popFirst()?.value
        }
    }

    private func stop() {
        isStopped.store(true, ordering: .relaxed)
        room.signal()
        while output.withLock({ $0.runningThreads > 0 }) { news.wait() }
    }
}
