import PalliumJSON
import TestSupport

/// Hands `bytes` over in a block of memory of exactly their size, so that a sanitizer sees every read beyond them.
func withExactMemory<Result>(
    _ bytes: some Collection<UInt8>, _ body: (BorrowedBytes) -> Result
) -> Result {
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    defer { memory.deallocate() }
    _ = memory.initialize(from: bytes)
    return body(BorrowedBytes(UnsafeBufferPointer(memory)))
}

/// The text that `body` writes, or nil where it refuses; also nil where it writes more than it says.
func written(capacity: Int, _ body: (BorrowedRoom) -> Int?) -> String? {
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: capacity)
    defer { memory.deallocate() }
    memory.initialize(repeating: 0xFF)
    guard let start = memory.baseAddress, let count = body(BorrowedRoom(start: start, count: capacity)),
        memory[count...].allSatisfy({ $0 == 0xFF })
    else {
        return nil
    }
    return String(decoding: memory[..<count], as: UTF8.self)
}

/// Replaces, inserts, removes or doubles up to three bytes of `bytes`, taking new ones from `alphabet`.
func mutated(_ bytes: [UInt8], alphabet: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
    var result = bytes
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0...result.count, using: &generator)
        let byte = alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: result.insert(byte, at: place)
        case 1 where place < result.count: result.remove(at: place)
        case 2 where place < result.count: result.insert(result[place], at: place)
        default:
            if place < result.count {
                result[place] = byte
            }
        }
    }
    return result
}

/// Hands over `template` with every byte at every place, one at a time, and the place.
func forEachReplacement(in template: String, _ body: (_ changed: [UInt8], _ place: Int) -> Void) {
    let bytes = Array(template.utf8)
    for place in bytes.indices {
        for byte in UInt8.min...UInt8.max {
            var changed = bytes
            changed[place] = byte
            body(changed, place)
        }
    }
}
