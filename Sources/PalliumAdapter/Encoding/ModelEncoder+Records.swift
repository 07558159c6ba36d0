import PalliumCore

/// Records models while they are written: which properties were chosen, what is marked, and that `didWrite` or a cluster
/// checks them.
///
/// Safety: a frame is used while it is on the stack of frames.
extension ModelEncoder {
    /// Chooses the properties of a model that is about to begin, marks its identity, and records it for `didWrite`.
    @inline(never)
    mutating func recordModel(_ model: DynamicModel, _ frame: inout EncodingFrame) {
        if let filter {
            // Your code chooses the properties.
            holdFrames()
            hold(model)
            selections.append(unsafe filter.choose(of: model, among: frame.node!.takeUnretainedValue().slots))
            unsafe frame.selection = selections.count - 1
        }
        if markedValues == .all, frameCount > 0, unsafe frames[frameCount - 1].kind == .array {
            marks.markModel(model, at: pathNode())
        }
        if options.didWrite != nil { unsafe frame.record = record(model, at: frameCount) }
    }

    private mutating func record(_ model: DynamicModel, at index: Int) -> Int {
        var holder = index - 1
        while holder >= 0, unsafe frames[holder].record < 0 { holder -= 1 }
        records.append(
            WrittenModel(
                model: model, holder: unsafe holder < 0 ? -1 : frames[holder].record,
                path: tokens(from: max(0, holder), upTo: index)))
        return records.count - 1
    }

    /// Records the model of a frame if the cluster of its property may not read it back.
    mutating func recordForClusters(_ frame: UnsafeMutablePointer<EncodingFrame>) throws(ModelError) {
        if unsafe isPartial || frame.pointee.selection >= 0 { return }
        let readabilities = unsafe frame.pointee.node!.takeUnretainedValue().members[0].readabilities
        let asked = unsafe frame.pointee.element?.pointee.model?.takeUnretainedValue() ?? plans.root
        guard let readability = readabilities[ObjectIdentifier(asked.layout)], let cluster = asked.cluster else {
            return
        }
        // The object of a model's frame is the model.
        let model = unsafe unsafeDowncast(frame.pointee.object!.takeUnretainedValue(), to: DynamicModel.self)
        // A reference says which model it means, and not more than it knows of its class.
        if model.isStub { return }
        if readability == .never {
            throw ModelError(
                .unknownModel, expected: "a model that the cluster of \(asked.layout.schema.name) names",
                found: "a \(model.schema.name)", schema: model.schema.name
            ).at(pointerTokens()).located()
        }
        if unsafe frame.pointee.record < 0 { unsafe frame.pointee.record = record(model, at: frameCount - 1) }
        unsafe records[frame.pointee.record].cluster = cluster
    }
}
