import PalliumCore
import PalliumJSON

/// Says where in the document the encoder is.
extension ModelEncoder {
    /// The path to the value that is being written, or to that of a frame.
    func pointerTokens(upTo end: Int? = nil) -> [String] {
        (element >= 0 ? ["\(element)"] : []) + tokens(from: 0, upTo: end ?? frames.count)
    }

    /// The path from the object of one frame to that of another.
    func tokens(from first: Int, upTo end: Int) -> [String] {
        var tokens: [String] = []
        for position in first..<end where frames[position].index > 0 {
            let index = frames[position].index - 1
            switch frames[position].kind {
            case .model, .path:
                if let member = frames[position].member, member.action != .cluster { tokens.append(member.name) }
            case .array: tokens.append("\(index)")
            case .dictionary: if let keys = frames[position].elements?.keys { tokens.append(keys[index]) }
            }
        }
        return tokens
    }

    /// Makes the error for one level too many: a cycle if the model is one of its own descendants, otherwise the depth.
    @inline(never)
    func depthError(_ model: Unowned<DynamicModel>? = nil) -> ModelError {
        var indices: [ObjectIdentifier: Int] = [:]
        for index in 0...frames.count {
            guard let current = index == frames.count ? model : frames[index].model,
                let first = indices.updateValue(index, forKey: ObjectIdentifier(current.object))
            else { continue }
            let name = current.object.schema.name
            let pointer = JSONPointer(tokens: pointerTokens(upTo: first))
            let whole = pointer.tokens.isEmpty ? "the root" : ModelError.shorten(pointer.description, to: 100)
            return ModelError(
                .cycle, expected: "a tree of models", found: "the \(name) at \(whole) again", schema: name
            ).at(pointerTokens(upTo: index)).located()
        }
        return ModelError(
            .depthLimit, expected: "at most \(options.writing.maximumDepth.counted("level"))", found: "more")
    }
}
