import TestSupport
import Testing

@testable import PalliumAdapter

/// The stack of frames does what an array of them would do, and releases each frame once.
struct FrameStackTests {
    private final class Tally {
        var alive = 0
    }

    /// Something that a frame owns.
    private final class Owned {
        let tally: Tally
        init(_ tally: Tally) {
            self.tally = tally
            tally.alive += 1
        }
        deinit { tally.alive -= 1 }
    }

    private struct Frame: ~Copyable {
        var number: Int
        let owned: Owned
    }

    @Test(.trials) func framesAreThoseOfAnArray() {
        for seed in Trials(20) {
            var random = SeededGenerator(seed: seed)
            let tally = Tally()
            do {
                var stack = FrameStack<Frame>()
                var numbers: [Int] = []
                for step in 0..<400 {
                    switch random.below(8) {
                    case 0..<4:
                        stack.push(Frame(number: step, owned: Owned(tally)))
                        numbers.append(step)
                    case 4 where !numbers.isEmpty:
                        stack.pop()
                        numbers.removeLast()
                    case 5 where !numbers.isEmpty:
                        stack.top.number += 1000
                        numbers[numbers.count - 1] += 1000
                    case 6 where !numbers.isEmpty:
                        let index = random.below(numbers.count)
                        stack[index].number += 7
                        numbers[index] += 7
                    case 7 where random.once(in: 20):
                        stack.removeAll()
                        numbers = []
                    default: break
                    }
                    let (count, isEmpty, alive) = (stack.count, stack.isEmpty, tally.alive)
                    #expect(count == numbers.count && isEmpty == numbers.isEmpty && alive == numbers.count)
                    if let last = numbers.last {
                        let top = stack.top.number
                        #expect(top == last)
                    }
                }
                var found: [Int] = []
                for index in 0..<stack.count { found.append(stack[index].number) }
                #expect(found == numbers)
            }
            #expect(tally.alive == 0)
        }
    }

    @Test func aFrameOutsideTheStackTraps() async {
        await #expect(processExitsWith: .failure) {
            let stack = FrameStack<Int>()
            _ = stack.top
        }
        await #expect(processExitsWith: .failure) {
            var stack = FrameStack<Int>()
            stack.push(1)
            _ = stack[1]
        }
        await #expect(processExitsWith: .failure) {
            var stack = FrameStack<Int>()
            stack.push(1)
            stack[-1] = 2
        }
        await #expect(processExitsWith: .failure) {
            var stack = FrameStack<Int>()
            stack.pop()
        }
    }
}
