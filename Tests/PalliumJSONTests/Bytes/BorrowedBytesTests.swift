import TestSupport
import Testing

@testable import PalliumJSON

/// Lent bytes are those of an array, whatever is asked of them, and nothing outside them is read or written.
struct BorrowedBytesTests {
    @Test(.trials) func bytesAreThoseOfAnArray() {
        for seed in Trials(100) {
            var random = SeededGenerator(seed: seed)
            let bytes = (0..<random.below(40)).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
            defer { memory.deallocate() }
            _ = memory.initialize(from: bytes)
            var lent = BorrowedBytes(UnsafeBufferPointer(memory))
            var rest = bytes
            for _ in 0..<50 {
                let offset = random.below(rest.count + 2)
                #expect(lent.byte(at: offset) == (offset < rest.count ? rest[offset] : nil))
                #expect(lent.byte(at: -1 - offset) == nil)
                if offset < rest.count { #expect(lent[offset] == rest[offset]) }
                if offset + 8 <= rest.count {
                    let word = rest[offset..<offset + 8].reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
                    #expect(lent.word(at: offset) == word)
                    #expect(UInt64(littleEndian: lent.load(UInt64.self, at: offset)) == word)
                    var eight: [UInt8] = []
                    lent.forEachOfEight(at: offset) { eight.append($0) }
                    #expect(eight == Array(rest[offset..<offset + 8]))
                }
                let byte = UInt8.random(in: 0...3, using: &random)
                #expect(
                    lent.offset(of: byte, from: offset) == rest.indices.dropFirst(offset).first { rest[$0] == byte })
                #expect(rest.withBorrowedBytes { $0.hasSameBytes(as: lent) })
                #expect(
                    Array(lent) == rest
                        && String(decoding: lent, as: UTF8.self) == String(decoding: rest, as: UTF8.self))
                if random.once(in: 10), !rest.isEmpty {
                    let (low, high) = (random.below(rest.count), random.below(rest.count))
                    lent = lent.part(min(low, high)..<max(low, high))
                    rest = Array(rest[min(low, high)..<max(low, high)])
                } else if random.once(in: 10) {
                    let first = random.below(rest.count + 1)
                    lent = lent.part(from: first)
                    rest = Array(rest[first...])
                }
            }
        }
    }

    @Test(.trials) func roomIsThatOfAnArray() {
        for seed in Trials(100) {
            var random = SeededGenerator(seed: seed)
            var expected = Array(repeating: 0xAA as UInt8, count: 8 + random.below(40))
            var written = expected
            written.withUnsafeMutableBufferPointer { memory in
                // The memory begins and ends with bytes that do not belong to the room.
                let room = BorrowedRoom(start: memory.baseAddress! + 4, count: memory.count - 8)
                for _ in 0..<30 where room.count > 0 {
                    let offset = random.below(room.count)
                    let byte = UInt8.random(in: .min ... .max, using: &random)
                    if offset + 8 <= room.count, random.once(in: 2) {
                        let word = UInt64.random(in: .min ... .max, using: &random)
                        room.part(from: offset).store(word, at: 0)
                        for index in 0..<8 {
                            expected[4 + offset + index] = UInt8(truncatingIfNeeded: word >> UInt64(8 * index))
                        }
                    } else {
                        room.store(byte, at: offset)
                        expected[4 + offset] = byte
                    }
                }
            }
            #expect(written == expected)
        }
    }

    @Test(.trials) func aBufferIsAnArrayOfItsBytes() {
        for seed in Trials(50) {
            var random = SeededGenerator(seed: seed)
            var buffer = JSONByteBuffer(capacity: 1)
            var expected: [UInt8] = []
            for step in 0..<100 {
                switch random.below(6) {
                case 0:
                    let piece = (0..<random.below(20)).map { UInt8($0 + step) }
                    piece.withBorrowedBytes { buffer.append($0) }
                    expected += piece
                case 1:
                    let text = String(repeating: "é", count: random.below(12))
                    withUnsafePointer(to: text) {
                        guard let bytes = TextBytes(at: $0) else { return }
                        buffer.append(bytes)
                        expected += Array(text.utf8)
                        buffer.append(quoted: bytes)
                        expected += Array("\"\(text)\"".utf8)
                    }
                case 2:
                    buffer.appendBytes(atMost: 9) { room in
                        room.store(7 as UInt8, at: 0)
                        room.store(1 as UInt64, at: 1)
                        return 9
                    }
                    expected += [7, 1, 0, 0, 0, 0, 0, 0, 0]
                case 3 where expected.count >= 4:
                    let offset = random.below(expected.count - 3)
                    buffer.store(UInt32(0x0102_0304).littleEndian, at: offset)
                    expected.replaceSubrange(offset..<offset + 4, with: [4, 3, 2, 1])
                case 4 where !expected.isEmpty:
                    let offset = random.below(expected.count)
                    buffer[offset] &+= 1
                    expected[offset] &+= 1
                default:
                    let from = random.below(expected.count + 1)
                    let rest = buffer.withBorrowedBytes(from: from) { Array($0) }
                    #expect(rest == Array(expected[from...]))
                }
            }
            let owned = buffer.takeBytes()
            let bytes = owned.withBorrowedBytes { Array($0) }
            #expect(bytes == expected)
        }
    }

    @Test func nothingOutsideIsReadOrWritten() async {
        await #expect(processExitsWith: .failure) { _ = [1 as UInt8].withBorrowedBytes { $0[1] } }
        await #expect(processExitsWith: .failure) { _ = [1 as UInt8].withBorrowedBytes { $0[-1] } }
        await #expect(processExitsWith: .failure) { _ = "1234567".withBorrowedBytes { $0.word(at: 0) } }
        await #expect(processExitsWith: .failure) { _ = "12345678".withBorrowedBytes { $0.word(at: -1) } }
        await #expect(processExitsWith: .failure) { _ = "1234".withBorrowedBytes { $0.load(UInt32.self, at: 1) } }
        await #expect(processExitsWith: .failure) { _ = "1234".withBorrowedBytes { $0.part(2..<5).count } }
        await #expect(processExitsWith: .failure) { _ = "1234".withBorrowedBytes { $0.part(from: 5).count } }
        await #expect(processExitsWith: .failure) {
            var buffer = JSONByteBuffer()
            buffer.appendBytes(atMost: 8) { room in
                room.store(0 as UInt64, at: 1)
                return 8
            }
        }
        await #expect(processExitsWith: .failure) {
            var buffer = JSONByteBuffer()
            buffer.appendBytes(atMost: 8) { _ in 9 }
        }
        await #expect(processExitsWith: .failure) {
            let buffer = JSONByteBuffer()
            _ = buffer[0]
        }
    }

    @Test func aTableHasAnEntryForEachByte() async {
        let table = ByteTable(
            """
            0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\
            0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\
            0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\
            0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
            """)
        let digits = Array("0123456789abcdef".utf8)
        for byte in UInt8.min ... .max { #expect(table[byte] == digits[Int(byte) % 16]) }
        await #expect(processExitsWith: .failure) { _ = ByteTable("0123") }
    }
}
