import PalliumCore

/// Records models while they are written: which properties were chosen, what is marked, and that `didWrite` or a cluster
/// checks them.
extension ModelEncoder {
    /// Chooses the properties of a model that is about to begin, marks its identity, and records it for `didWrite`.
    @inline(never)
    mutating func recordModel(_ model: DynamicModel, _ members: EncodingMembers, _ frame: inout EncodingFrame) {
        if let filter {
            // Your code chooses the properties.
            holdFrames()
            hold(model)
            selections.append(filter.choose(of: model, among: members.node.object.slots))
            frame.selection = selections.count - 1
        }
        if markedValues == .all, !frames.isEmpty, frames.top.kind == .array {
            marks.markModel(model, at: pathNode())
        }
        if options.didWrite != nil { frame.record = record(model, at: frames.count) }
    }

    private mutating func record(_ model: DynamicModel, at index: Int) -> Int {
        var holder = index - 1
        while holder >= 0, frames[holder].record < 0 { holder -= 1 }
        records.append(
            WrittenModel(
                model: model, holder: holder < 0 ? -1 : frames[holder].record,
                path: tokens(from: max(0, holder), upTo: index)))
        return records.count - 1
    }

    /// Records the model of the innermost frame if the cluster of its property may not read it back.
    @inline(never)
    mutating func recordForClusters() throws(ModelError) {
        guard !isPartial, frames.top.selection < 0, let model = frames.top.model?.object,
            let readabilities = frames.top.member?.readabilities
        else { return }
        let expected = frames.top.value?.model?.object ?? plans.root
        guard let readability = readabilities[ObjectIdentifier(expected.layout)], let cluster = expected.cluster else {
            return
        }
        // A reference says which model it means, and not more than it knows of its class.
        if model.isStub { return }
        if readability == .never {
            throw ModelError(
                .unknownModel, expected: "a model that the cluster of \(expected.layout.schema.name) names",
                found: "a \(model.schema.name)", schema: model.schema.name
            ).at(pointerTokens()).located()
        }
        if frames.top.record < 0 {
            let record = record(model, at: frames.count - 1)
            frames.top.record = record
        }
        records[frames.top.record].cluster = cluster
    }
}
