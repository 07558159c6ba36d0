import PalliumCore

/// The frames of a decoder, as the path to the value that is being decoded.
///
/// Safety: there are `count` frames, and the decoder waits while they are read.
@unsafe
struct DecodingPath {
    let frames: UnsafePointer<DecodingFrame>
    let count: Int

    /// Adds the tokens of the path.
    func appendTokens(to tokens: inout [String]) {
        for index in unsafe 0..<count {
            let frame = unsafe frames + index
            switch unsafe frame.pointee.kind {
            case .model, .path:
                switch unsafe frame.pointee.current {
                case 0...:
                    unsafe tokens.append(
                        frame.pointee.node!._withUnsafeGuaranteedRef { unsafe $0.members[frame.pointee.current].name })
                case DecodingPosition.none:
                    if let name = unsafe frame.pointee.extras?.unknownName { tokens.append(name) }
                case DecodingPosition.deferredProperty:
                    unsafe tokens += frame.pointee.extras?.deferredPath ?? []
                default: break
                }
            case .array:
                if unsafe frame.pointee.current >= 0 { unsafe tokens.append(frame.pointee.current.description) }
            case .dictionary:
                if unsafe frame.pointee.current >= 0, let object = unsafe frame.pointee.object {
                    let keys = unsafe SlotOperations.dictionary(object).keys
                    if unsafe frame.pointee.current < keys.count { unsafe tokens.append(keys[frame.pointee.current]) }
                }
            }
        }
    }
}
