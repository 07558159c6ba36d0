import PalliumCore
import PalliumJSON

/// A model that is looked at again when everything is written: by ``JSONAdapterOptions/didWrite``, or by a cluster whose
/// choice depends on values.
struct WrittenModel {
    let model: DynamicModel
    /// The noted model around this one; -1 when there is none.
    let holder: Int
    /// The way from there, or from the root.
    let path: [String]
    /// Who is asked whether the object is read as the model's schema.
    var cluster: ClusterProgram?
}

/// What happens with the models that are looked at again: the text is read once, then inner objects are shown to the
/// program before outer ones, and clusters see the result.
///
/// Safety: a frame is used while it is on the stack of frames.
extension ModelEncoder {
    /// Notes a model that is about to begin: chooses its properties, and remembers it for the program's last word.
    @inline(never)
    mutating func noteModel(_ model: DynamicModel, _ frame: inout EncodingFrame) {
        if let filter {
            // Code of the program may choose.
            holdFrames()
            hold(model)
            let selection: PropertyFilter.Selection?
            if let holder = self.holder(of: frameCount) {
                let around = unsafe frames[holder.frame].selection
                selection = around < 0 ? nil : selections[around].inside(holder.key)
            } else {
                selection = filter.whole
            }
            if var selection {
                let output = unsafe frame.node!.takeUnretainedValue()
                selection.choose(of: model, output.slots)
                // What the model keeps of unknown members is none of the chosen ones.
                if selection.isLimited { unsafe frame.preserved = -1 }
                selections.append(selection)
                unsafe frame.selection = selections.count - 1
            }
        }
        if options.didWrite != nil { unsafe frame.record = note(model, at: frameCount) }
    }

    /// The property in which the object of a frame stands, directly or in lists; nil for roots.
    private func holder(of place: Int) -> (frame: Int, key: String)? {
        var owner = place - 1
        while owner >= 0, unsafe frames[owner].kind == .array || frames[owner].kind == .dictionary { owner -= 1 }
        guard owner >= 0 else { return nil }
        let frame = unsafe frames[owner]
        let slot = unsafe frame.node!.takeUnretainedValue().members[frame.index - 1].slot
        var model = owner
        while unsafe frames[model].kind == .path { model -= 1 }
        // Below the frames of a path stands that of a model.
        let layout = unsafe unsafeDowncast(frames[model].object!.takeUnretainedValue(), to: DynamicModel.self).layout
        return (owner, layout.properties[slot].key)
    }

    private mutating func note(_ model: DynamicModel, at place: Int) -> Int {
        var holder = place - 1
        while holder >= 0, unsafe frames[holder].record < 0 { holder -= 1 }
        records.append(
            WrittenModel(
                model: model, holder: unsafe holder < 0 ? -1 : frames[holder].record,
                path: tokens(from: max(0, holder), upTo: place)))
        return records.count - 1
    }

    /// Takes note of the model of a frame when the cluster that is asked in its place may not read it back.
    mutating func noteForClusters(_ frame: UnsafeMutablePointer<EncodingFrame>) throws(ModelError) {
        if unsafe isPartial || frame.pointee.selection >= 0 { return }
        let verdicts = unsafe frame.pointee.node!.takeUnretainedValue().members[0].verdicts
        let asked = unsafe frame.pointee.element?.pointee.model?.takeUnretainedValue() ?? programs.root
        guard let verdict = verdicts[ObjectIdentifier(asked.layout)], let cluster = asked.cluster else { return }
        // The object of a model's frame is the model.
        let model = unsafe unsafeDowncast(frame.pointee.object!.takeUnretainedValue(), to: DynamicModel.self)
        if verdict == .never {
            throw ModelError(
                .unknownModel, expected: "a model that the cluster of \(asked.layout.schema.name) names",
                found: "a \(model.schema.name)", schema: model.schema.name
            ).at(pointerTokens()).located()
        }
        if unsafe frame.pointee.record < 0 { unsafe frame.pointee.record = note(model, at: frameCount - 1) }
        unsafe records[frame.pointee.record].cluster = cluster
    }

    /// Shows the program what was written of each model, then asks the clusters.
    ///
    /// - Complexity: O(*n*) in the size of the text.
    mutating func finishRecords(from start: Int) throws(ModelError) {
        var root = try written(from: start)
        var objects: [JSONObject] = []
        for record in records {
            let holder = record.holder < 0 ? root : .object(objects[record.holder])
            objects.append(holder.value(at: record.path)?.objectValue ?? JSONObject())
        }
        if let didWrite = options.didWrite {
            for index in records.indices.reversed() {
                let record = records[index]
                do { try didWrite(record.model, &objects[index]) } catch {
                    throw
                        (error as? ModelError
                        ?? ModelError(
                            .hookFailed, expected: "an object that didWrite accepts", found: "another",
                            schema: record.model.schema.name, underlying: error)).at(path(of: index)).located()
                }
                let object = JSONValue.object(objects[index])
                if record.holder < 0 {
                    root.replaceValue(at: record.path[...], with: object)
                } else {
                    var holder = JSONValue.object(objects[record.holder])
                    objects[record.holder] = JSONObject()
                    holder.replaceValue(at: record.path[...], with: object)
                    objects[record.holder] = holder.objectValue ?? JSONObject()
                }
            }
            buffer.truncate(to: start)
            try write(root)
        }
        for (index, record) in records.enumerated() {
            if let problem = record.cluster?.problem(writing: objects[index], of: record.model.layout) {
                throw problem.at(path(of: index)).located()
            }
        }
    }

    /// The way from the root of the document to a noted model.
    private func path(of record: Int) -> [String] {
        var parts: [[String]] = []
        var current = record
        while current >= 0 {
            parts.append(records[current].path)
            current = records[current].holder
        }
        return (element >= 0 ? ["\(element)"] : []) + parts.reversed().joined()
    }
}

extension JSONValue {
    /// The value at a path of member names and positions.
    fileprivate func value(at path: [String]) -> JSONValue? {
        var current = self
        for token in path {
            switch current {
            case .object(let object):
                guard let next = object[token] else { return nil }
                current = next
            case .array(let elements):
                guard let index = Int(token), elements.indices.contains(index) else { return nil }
                current = elements[index]
            default: return nil
            }
        }
        return current
    }

    /// Puts a value in the place of the one at a path. Containers are taken out while they are changed, so none is copied
    /// more than once. Recursion is bounded by the nesting of kinds between two models.
    fileprivate mutating func replaceValue(at path: ArraySlice<String>, with value: JSONValue) {
        guard let token = path.first else {
            self = value
            return
        }
        switch self {
        case .object(var object):
            self = .null
            if var inner = object.updateValue(.null, forKey: token) {
                inner.replaceValue(at: path.dropFirst(), with: value)
                object.updateValue(inner, forKey: token)
            }
            self = .object(object)
        case .array(var elements):
            self = .null
            if let index = Int(token), elements.indices.contains(index) {
                var inner = elements[index]
                elements[index] = .null
                inner.replaceValue(at: path.dropFirst(), with: value)
                elements[index] = inner
            }
            self = .array(elements)
        default: return
        }
    }
}
