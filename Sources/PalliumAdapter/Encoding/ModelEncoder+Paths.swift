import PalliumCore
import PalliumJSON

/// Says where in the document the encoder is.
///
/// Safety: only frames below `frameCount` are read, which hold what `EncodingFrame` says.
extension ModelEncoder {
    /// The path to the value that is being written, or to that of a frame.
    func pointerTokens(upTo end: Int? = nil) -> [String] {
        (element >= 0 ? ["\(element)"] : []) + tokens(from: 0, upTo: end ?? frameCount)
    }

    /// The path from the object of one frame to that of another.
    func tokens(from first: Int, upTo end: Int) -> [String] {
        var tokens: [String] = []
        for index in first..<end {
            let frame = unsafe frames[index]
            let index = unsafe frame.index - 1
            switch unsafe frame.kind {
            case .model, .path:
                if index >= 0, let node = unsafe frame.node?.takeUnretainedValue(),
                    node.members[index].action != .cluster
                {
                    tokens.append(node.members[index].name)
                }
            case .array: if index >= 0 { tokens.append("\(index)") }
            case .dictionary:
                if index >= 0, let object = unsafe frame.object {
                    tokens.append(unsafe SlotOperations.dictionary(object).keys[index])
                }
            }
        }
        return tokens
    }

    /// Makes the error for one level too many: a cycle if the model is one of its own descendants, otherwise the depth.
    @inline(never)
    func depthError(_ model: Unmanaged<DynamicModel>?) -> ModelError {
        var indices: [UnsafeMutableRawPointer: Int] = unsafe [:]
        for index in 0...frameCount {
            let current: Unmanaged<DynamicModel>?
            if index == frameCount {
                unsafe current = model
            } else {
                let frame = unsafe frames[index]
                unsafe current =
                    frame.kind == .model
                    ? frame.object.map { unsafe Unmanaged<DynamicModel>.fromOpaque($0.toOpaque()) } : nil
            }
            guard let current = unsafe current,
                let first = unsafe indices.updateValue(index, forKey: current.toOpaque())
            else { continue }
            let name = unsafe current.takeUnretainedValue().schema.name
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
