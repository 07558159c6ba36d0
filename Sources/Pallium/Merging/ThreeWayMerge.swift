public import PalliumCore
public import PalliumJSON

/// What comes of two documents that were one once.
///
///     let merge = try JSONValue.merge(base: old, local: edited, remote: fetched, resolving: .local)
///     print(merge.value, merge.conflicts.map(\.pointer))
public struct ThreeWayMerge: Sendable, Hashable {
    /// Who wins where both sides changed the same.
    public enum Resolution: String, Sendable, Hashable, CaseIterable {
        /// The local side.
        case local
        /// The remote side.
        case remote
        /// Nobody: the merge is refused.
        case fail
    }

    /// A place that both sides changed, and not to the same. A value that is nil is not there, which is not null.
    public struct Conflict: Sendable, Hashable {
        /// Where it is.
        public let pointer: JSONPointer
        /// What was there.
        public let base: JSONValue?
        /// What the local side made of it.
        public let local: JSONValue?
        /// What the remote side made of it.
        public let remote: JSONValue?
    }

    /// The merged document.
    public let value: JSONValue
    /// What both sides changed, in the order of the document, whoever won.
    public let conflicts: [Conflict]
}

extension JSONValue {
    /// Merges two documents that come from the same one.
    ///
    /// What one side changed is taken, what both changed alike too. Objects are merged member by member, also those that
    /// both sides added; anything else, arrays included, is one value. Where both sides changed the same, that is a conflict;
    /// so is what one side removed and the other changed. Without conflicts it does not matter which side is which, but for
    /// the order of members, which is the local one.
    ///
    /// - Throws: ``ModelError`` of the code `conflict`, with the pointer, for each conflict when `resolution` is `fail`.
    /// - Complexity: O(*n* log *n*) in the size of the documents.
    public static func merge(
        base: JSONValue, local: JSONValue, remote: JSONValue, resolving resolution: ThreeWayMerge.Resolution = .fail
    ) throws(ModelError) -> ThreeWayMerge {
        var merging = DocumentMerging(resolution)
        let value = merging.merge(base: base, local: local, remote: remote)
        if resolution == .fail, !merging.conflicts.isEmpty {
            throw ModelError(
                merging.conflicts.map { conflict in
                    ModelError(
                        .conflict, expected: "a change of one side only",
                        found: "\(conflict.local?.kindName ?? "nothing") and \(conflict.remote?.kindName ?? "nothing")"
                    ).at(conflict.pointer.tokens)
                })
        }
        return ThreeWayMerge(value: value, conflicts: merging.conflicts)
    }
}

/// Merges three documents, without recursion.
private struct DocumentMerging {
    /// The nodes in one place of the documents; nil where there is none.
    private struct Place {
        let base: Int?
        let local: Int?
        let remote: Int?
    }

    /// What becomes of a place.
    private enum Outcome {
        case node(Int?)
        /// Both sides are objects, to be merged member by member.
        case objects(local: JSONObject, remote: JSONObject)
    }

    /// Two objects that are being merged: the local members, then those that only the remote side has.
    private struct Frame {
        let place: Place
        let names: [String]
        var position = 0
        var result = JSONObject()

        init(_ place: Place, local: JSONObject, remote: JSONObject) {
            self.place = place
            names = local.keys + remote.keys.filter { local.position(of: $0) == nil }
        }
    }

    private let resolution: ThreeWayMerge.Resolution
    private var values = NumberedValues()
    private var frames: [Frame] = []
    private(set) var conflicts: [ThreeWayMerge.Conflict] = []

    init(_ resolution: ThreeWayMerge.Resolution) { self.resolution = resolution }

    mutating func merge(base: JSONValue, local: JSONValue, remote: JSONValue) -> JSONValue {
        let root = Place(base: values.add(base), local: values.add(local), remote: values.add(remote))
        switch outcome(of: root) {
        case .node(let node): return value(node) ?? local
        case .objects(let local, let remote): frames = [Frame(root, local: local, remote: remote)]
        }
        while true {
            let last = frames.count - 1
            if frames[last].position < frames[last].names.count {
                let name = frames[last].names[frames[last].position]
                let place = member(name, of: frames[last].place)
                switch outcome(of: place) {
                case .node(let node):
                    if let value = value(node) { frames[last].result[name] = value }
                    frames[last].position += 1
                case .objects(let local, let remote): frames.append(Frame(place, local: local, remote: remote))
                }
                continue
            }
            let finished = JSONValue.object(frames.removeLast().result)
            guard last > 0 else { return finished }
            let name = frames[last - 1].names[frames[last - 1].position]
            frames[last - 1].result[name] = finished
            frames[last - 1].position += 1
        }
    }

    private func member(_ name: String, of place: Place) -> Place {
        func node(_ parent: Int?) -> Int? { parent.flatMap { values.member(name, of: $0) } }
        return Place(base: node(place.base), local: node(place.local), remote: node(place.remote))
    }

    private mutating func outcome(of place: Place) -> Outcome {
        let (base, local, remote) = (place.base, place.local, place.remote)
        if areEqual(local, remote) || areEqual(base, remote) { return .node(local) }
        if areEqual(base, local) { return .node(remote) }
        if let local, let remote, case .object(let localMembers) = values[local].value,
            case .object(let remoteMembers) = values[remote].value,
            base.map({ values[$0].value.objectValue != nil }) ?? true
        {
            return .objects(local: localMembers, remote: remoteMembers)
        }
        conflicts.append(
            ThreeWayMerge.Conflict(
                pointer: JSONPointer(tokens: frames.map { $0.names[$0.position] }), base: value(base),
                local: value(local), remote: value(remote)))
        return .node(resolution == .remote ? remote : local)
    }

    private func areEqual(_ left: Int?, _ right: Int?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return values.areEqual(left, right)
    }

    /// The value of a node. In two steps, because a `nil` beside a `JSONValue` would be taken for `.null`.
    private func value(_ node: Int?) -> JSONValue? {
        guard let node else { return Optional.none }
        return values[node].value
    }
}
