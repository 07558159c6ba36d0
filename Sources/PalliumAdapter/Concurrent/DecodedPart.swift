import PalliumCore

/// The models of a block of lines, on the way from the thread that decoded them to the caller.
///
/// They move as plain references. To retain and release each one would take a fifth of the time that two threads need
/// to decode it, because its memory is in the cache of another core.
///
/// Safety: the part owns a reference to each model until the models have moved, and nothing else refers to them. An
/// `Unmanaged` has the bits of the reference.
@safe
final class DecodedPart: @unchecked Sendable {
    // @unchecked: one thread fills the part and puts it behind a lock; then the caller takes it, when all threads are done.

    private var models: [Unmanaged<DynamicModel>] = unsafe []

    deinit { unsafe models.forEach { unsafe $0.release() } }

    /// Adds a model that was decoded for this part.
    func append(_ model: DynamicModel) { unsafe models.append(.passRetained(model)) }

    /// Moves the models of parts to an array; they all have its class.
    static func join<Model: DynamicModel>(_ parts: [DecodedPart]) -> [Model] {
        let capacity = parts.reduce(0) { unsafe $0 + $1.models.count }
        // All empty arrays are one object, which must not be written to.
        if capacity == 0 { return [] }
        return unsafe [Model](unsafeUninitializedCapacity: capacity) { buffer, count in
            let memory = UnsafeMutableRawBufferPointer(buffer)
            for part in parts {
                // Each part has its place behind those before it: the capacity is the sum of their counts.
                unsafe part.models.withUnsafeBytes {
                    unsafe UnsafeMutableRawBufferPointer(rebasing: memory[(count * MemoryLayout<Model>.stride)...])
                        .copyMemory(from: $0)
                }
                unsafe count += part.models.count
                unsafe part.models = []
            }
        }
    }
}
