import PalliumCore
import PalliumJSON

/// The place of the value that a decoder converts, for the context of your transformers.
///
/// One place serves one value after the other, as long as your code keeps no context. A place that your code keeps stores
/// the path of its value, and the decoder makes another one.
///
/// Safety: frames and description belong to the decoder and its plans, which wait until the conversion has ended. Another
/// thread may ask at the same time, so all is read and written under the lock. After `keep`, the frames are not read
/// again, and the place holds the description itself.
@safe
final class DecodingPlace: ConversionContext {
    // @unchecked: addresses that are read while the decoder waits.
    @safe
    struct Value: @unchecked Sendable {
        let descriptor: Unmanaged<ValueDescriptor>
        let path: DecodingPath
    }

    @safe
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

    /// Moves on to a value. Nobody but the decoder may hold the place.
    func move(to value: Value) { state.withLock { $0.value = value } }

    /// Stays at the value for good.
    func keep() {
        state.withLock { state in
            state.kept = (unsafe state.value.descriptor.takeUnretainedValue(), pointer(to: state.value))
        }
    }

    var schema: String { state.withLock { unsafe $0.value.descriptor.takeUnretainedValue().schema } }
    var property: String { state.withLock { unsafe $0.value.descriptor.takeUnretainedValue().key } }
    var pointer: JSONPointer { state.withLock { $0.kept?.pointer ?? pointer(to: $0.value) } }

    private func pointer(to value: Value) -> JSONPointer {
        var tokens = prefix
        unsafe value.path.appendTokens(to: &tokens)
        return JSONPointer(tokens: tokens)
    }
}
