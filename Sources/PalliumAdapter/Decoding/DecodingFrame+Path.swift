import PalliumCore

extension FrameStack where Frame == DecodingFrame {
    /// Adds the tokens of the path through the first frames.
    func appendTokens(ofFirst count: Int, to tokens: inout [String]) {
        for index in 0..<count { self[index].appendTokens(to: &tokens) }
    }
}

extension DecodingFrame {
    /// Adds the tokens from the container to the value that is being decoded in it.
    func appendTokens(to tokens: inout [String]) {
        switch kind {
        case .model, .path:
            switch current {
            case 0...: tokens.append(memberName)
            case DecodingPosition.none, DecodingPosition.deferredProperty: tokens += extras?.innerPath ?? []
            default: break
            }
        case .array:
            if current >= 0 { tokens.append(current.description) }
        case .dictionary:
            let keys = dictionary.keys
            if keys.indices.contains(current) { tokens.append(keys[current]) }
        }
    }
}
