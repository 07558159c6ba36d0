import PalliumCore
import PalliumJSON

/// The context of the values that your transformers convert.
///
/// One context serves one value after the other, as long as your code keeps none. A context that your code keeps stores the
/// path of its value, and the decoder makes another one.
///
/// Frames and descriptor belong to the decoder and its plans, which wait until the conversion has ended. Another thread may
/// ask at the same time, so all is read and written under the lock. After `keep`, the frames are not read again, and the
/// context holds the descriptor itself.
final class DecodingContext: ConversionContext {
    // @unchecked: a descriptor never changes, and no frame changes while the decoder waits for your code. After `keep`, the
    // value is not used again, so no thread reads frames that the decoder has changed or freed.
    struct Value: @unchecked Sendable {
        let descriptor: Unowned<ValueDescriptor>
        let frames: WaitingFrames<DecodingFrame>
    }

    private struct State {
        var value: Value
        var kept: (descriptor: ValueDescriptor, pointer: JSONPointer)?
    }

    let userInfo: [String: any Sendable]
    private let prefix: [String]
    private let state: Lock<State>

    /// - Parameter prefix: The path to the decoder's root value.
    init(_ value: Value, prefix: [String], userInfo: [String: any Sendable]) {
        self.prefix = prefix
        self.userInfo = userInfo
        state = Lock(State(value: value))
    }

    /// Moves on to a value. Nobody but the decoder may hold the context.
    func move(to value: Value) { state.withLock { $0.value = value } }

    /// Stays at the value for good.
    func keep() {
        state.withLock { $0.kept = ($0.value.descriptor.object, pointer(to: $0.value)) }
    }

    var schema: String { state.withLock { $0.value.descriptor.object.schema } }
    var property: String { state.withLock { $0.value.descriptor.object.key } }
    var pointer: JSONPointer { state.withLock { $0.kept?.pointer ?? pointer(to: $0.value) } }

    private func pointer(to value: Value) -> JSONPointer {
        var tokens = prefix
        for index in 0..<value.frames.count { value.frames[index].appendTokens(to: &tokens) }
        return JSONPointer(tokens: tokens)
    }
}
