/// Hands `bytes` over in a block of memory of exactly their size, so that a sanitizer sees every read beyond them.
func withExactMemory<Result>(
    _ bytes: some Collection<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
) -> Result {
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    defer { memory.deallocate() }
    _ = memory.initialize(from: bytes)
    return body(UnsafeBufferPointer(memory))
}

/// The text that `body` writes, or nil where it refuses; also nil where it writes more than it says.
func written(capacity: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int?) -> String? {
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: capacity)
    defer { memory.deallocate() }
    memory.initialize(repeating: 0xFF)
    guard let start = memory.baseAddress, let count = body(start), memory[count...].allSatisfy({ $0 == 0xFF }) else {
        return nil
    }
    return String(decoding: memory[..<count], as: UTF8.self)
}

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers on every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
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
