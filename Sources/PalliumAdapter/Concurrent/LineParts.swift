import Foundation
import PalliumCore

/// Lines of JSON texts, in parts that begin with a line.
///
/// Safety: the bytes are borrowed for the call that decodes them, and its threads only read them. All offsets are within
/// their count.
@safe
struct LineParts: @unchecked Sendable {
    // @unchecked: nothing is written after init, also not the bytes.
    private let bytes: UnsafeRawBufferPointer
    private let adapter: JSONAdapter<DynamicModel>
    /// The offsets of the parts, in ascending order.
    private(set) var starts = [0]

    /// - Parameter count: The number of parts to aim at.
    init(_ bytes: UnsafeRawBufferPointer, count: Int, _ adapter: JSONAdapter<DynamicModel>) {
        unsafe self.bytes = bytes
        self.adapter = adapter
        for number in stride(from: 1, to: count, by: 1) {
            let start = max(number * (bytes.count / count), starts[starts.count - 1])
            guard let lineEnd = unsafe StreamDecoder.lineEnd(in: bytes, from: start) else { break }
            starts.append(lineEnd + 1)
        }
    }

    /// Decodes the lines of a part.
    func decode(_ number: Int, _ decoding: ConcurrentDecoding) -> DecodedPart {
        let isLast = number == starts.count - 1
        let end = unsafe isLast ? bytes.count : starts[number + 1]
        var chunks = unsafe CollectionOfOne(UnsafeRawBufferPointer(rebasing: bytes[starts[number]..<end]))
            .makeIterator()
        var reader = unsafe ChunkReader<UnsafeRawBufferPointer>()
        var decoder = StreamDecoder(adapter, framing: .lines)
        let part = DecodedPart()
        do {
            repeat {
                while let model = try decoder.nextModel() {
                    if decoding.isStopped { return part }
                    part.append(model)
                }
            } while unsafe decoder.takeMore(from: &chunks, &reader)
        } catch { return part }
        part.end = isLast ? .document : .part(number + 1)
        return part
    }
}
