import Foundation
import Pallium
import Synchronization
import TestSupport
import Testing

/// How far a stream is read, on which threads functions run, and how much is in memory meanwhile.
struct LineThreadTests {
    /// Lines without an end, one a chunk, that are counted when they are asked for.
    struct EndlessLines: Sequence, IteratorProtocol, Sendable {
        let count: Counter
        func next() -> [UInt8]? { Array("{\"id\":\(count.add() - 1)}\n".utf8) }
    }

    /// A number that several threads change.
    final class Counter: Sendable {
        private let number = Mutex((now: 0, most: 0))

        @discardableResult func add(_ summand: Int = 1) -> Int {
            number.withLock {
                $0.now += summand
                $0.most = max($0.most, $0.now)
                return $0.now
            }
        }

        var value: Int { number.withLock { $0.now } }
        var most: Int { number.withLock { $0.most } }
    }

    private struct Refusal: Error, Equatable { var number: Int }

    private static func number<Model>(of block: LineBlock<Model>) -> Int { block.location.line - 1 }

    @Test(arguments: 1...8) func theFirstErrorOfTheTextEndsTheCall(threads: Int) throws {
        let adapter = try Items.adapter()
        var askedBefore: [(counter: Counter, count: Int)] = []
        for first in [0, 1, 2, 7, 30] {
            let (asked, active) = (Counter(), Counter())
            var received: [Int] = []
            let error = #expect(throws: Refusal.self) {
                try adapter.process(lines: EndlessLines(count: asked), concurrently: threads, blockBytes: 1) { block in
                    active.add()
                    defer { active.add(-1) }
                    let number = Self.number(of: block)
                    // The first error is made late, so that later ones wait for it.
                    if number == first { usleep(2000) }
                    if number >= first { throw Refusal(number: number) }
                    return number
                } receive: {
                    received.append($0)
                }
            }
            #expect(error == Refusal(number: first))
            #expect(received == Array(0..<first), "\(threads) threads")
            #expect(active.value == 0 && active.most <= threads)
            askedBefore.append((asked, asked.value))
            #expect(asked.value <= first + 1 + 2 * threads, "\(threads) threads")
        }
        expectNothingMore(askedBefore)
    }

    /// Nobody asks for lines after the calls. The time may be too short to notice, never too short to pass.
    private func expectNothingMore(_ askedBefore: [(counter: Counter, count: Int)]) {
        usleep(5000)
        #expect(askedBefore.allSatisfy { $0.counter.value == $0.count })
    }

    @Test(arguments: 1...8, [true, false]) func anErrorOfTheReceiverEndsTheCall(threads: Int, inOrder: Bool) throws {
        let adapter = try Items.adapter()
        var askedBefore: [(counter: Counter, count: Int)] = []
        for last in [0, 1, 5, 40] {
            let (asked, active) = (Counter(), Counter())
            var received: [Int] = []
            let error = #expect(throws: Refusal.self) {
                try adapter.process(
                    lines: EndlessLines(count: asked), concurrently: threads, inOrder: inOrder, blockBytes: 1
                ) { block throws(Refusal) in
                    active.add()
                    defer { active.add(-1) }
                    return Self.number(of: block)
                } receive: { number throws(Refusal) in
                    received.append(number)
                    if received.count > last { throw Refusal(number: last) }
                }
            }
            #expect(error == Refusal(number: last))
            #expect(received.count == last + 1 && Set(received).count == last + 1)
            if inOrder { #expect(received == Array(0...last)) }
            #expect(active.value == 0 && active.most <= threads)
            askedBefore.append((asked, asked.value))
            #expect(asked.value <= last + 1 + 2 * threads, "\(threads) threads")
        }
        expectNothingMore(askedBefore)
    }

    @Test(arguments: 1...8) func withoutOrderSomeErrorEndsTheCall(threads: Int) throws {
        let asked = Counter()
        let error = #expect(throws: Refusal.self) {
            try Items.adapter().process(
                lines: EndlessLines(count: asked), concurrently: threads, inOrder: false, blockBytes: 1
            ) { block in
                if Self.number(of: block) >= 10 { throw Refusal(number: Self.number(of: block)) }
                return 0
            } receive: { _ in
            }
        }
        #expect((10..<asked.value).contains(try #require(error).number))
        #expect(asked.value <= 11 + 2 * threads)
    }

    /// A block is in memory from the time when its chunk is asked for until its value has been received.
    @Test(.threat(.memoryBlowUp), arguments: 1...8, [true, false])
    func atMostTwoBlocksAThreadAreOnTheirWay(threads: Int, inOrder: Bool) throws {
        let (asked, excess) = (Counter(), Counter())
        var received = 0
        #expect(throws: Refusal.self) {
            try Items.adapter().process(
                lines: EndlessLines(count: asked), concurrently: threads, inOrder: inOrder, blockBytes: 1
            ) { block in
                // The first block takes long, so that the others have time to be made.
                if Self.number(of: block) == 0 { usleep(20_000) }
                return Self.number(of: block)
            } receive: { _ in
                // So has everything behind a slow receiver.
                if received % 20 == 0 { usleep(5000) }
                if asked.value - received > 2 * threads { excess.add() }
                received += 1
                if received == 100 { throw Refusal(number: 0) }
            }
        }
        #expect(excess.value == 0, "\(threads) threads")
    }

    @Test func oneThreadIsThatOfTheCaller() throws {
        for threads in [Int.min, -1, 0, 1] {
            let (caller, asked) = (pthread_self(), Counter())
            var received = 0
            #expect(throws: Refusal.self) {
                try Items.adapter().process(
                    lines: EndlessLines(count: asked), concurrently: threads, blockBytes: 1
                ) { _ in
                    pthread_self() == caller
                } receive: { isCaller in
                    #expect(isCaller && pthread_self() == caller)
                    received += 1
                    #expect(asked.value == received)
                    if received == 5 { throw Refusal(number: 0) }
                }
            }
        }
    }

    @Test func valuesAreReceivedByTheThreadOfTheCaller() throws {
        let lines = (0..<200).map { Array("{\"id\":\($0)}\n".utf8) }
        for threads in [2, 8, 1000, .max] {
            for inOrder in [true, false] {
                let caller = pthread_self()
                var numbers: [Int] = []
                try Items.adapter().process(
                    lines: lines, concurrently: threads, inOrder: inOrder, blockBytes: 1
                ) {
                    Self.number(of: $0)
                } receive: {
                    #expect(pthread_self() == caller)
                    numbers.append($0)
                }
                #expect((inOrder ? numbers : numbers.sorted()) == Array(0..<200), "\(threads) threads")
            }
        }
    }

    /// Chunks that wait until the value of the one before has been received.
    private struct WaitingLines: Sequence, IteratorProtocol, Sendable {
        let asked = Counter()
        let received = DispatchSemaphore(value: 0)
        let isLate = Counter()

        func next() -> [UInt8]? {
            let number = asked.add()
            if number > 20 { return nil }
            // Ends the test instead of blocking it.
            if number > 1, !received.waitPatiently() { isLate.add() }
            return isLate.value > 0 ? nil : Array("{\"id\":\(number)}\n".utf8)
        }
    }

    @Test(arguments: [1, 2, 3, 8], [true, false])
    func aLineIsReceivedBeforeTheNextArrives(threads: Int, inOrder: Bool) throws {
        let lines = WaitingLines()
        var count = 0
        try Items.adapter().process(lines: lines, concurrently: threads, inOrder: inOrder) {
            $0.bytes.count
        } receive: {
            count += $0
            lines.received.signal()
        }
        #expect(lines.isLate.value == 0)
        #expect(count == (1...20).map { "{\"id\":\($0)}\n".utf8.count }.reduce(0, +))
    }
}
