import PalliumCore
import PalliumJSON

/// A model to be checked after it is written: by ``JSONAdapterOptions/didWrite``, or by a cluster whose choice depends
/// on values.
struct WrittenModel {
    let model: DynamicModel
    /// The index of the nearest recorded model that contains this one; -1 if there is none.
    let holder: Int
    /// The path from that model, or from the root.
    let path: [String]
    /// The cluster that must read the object as the model's schema.
    var cluster: ClusterPlan?
}

/// Finishes recorded models. The text is read once; then `didWrite` sees inner objects before outer ones, and clusters
/// see the result.
extension ModelEncoder {
    /// Passes the object of each recorded model to `didWrite`, then to its cluster.
    ///
    /// - Complexity: O(*n*) in the size of the text.
    @inline(never)
    mutating func finishRecords(from start: Int) throws(ModelError) {
        var root = try written(from: start)
        var objects: [JSONObject] = []
        for record in records {
            let holder = record.holder < 0 ? root : .object(objects[record.holder])
            objects.append(holder[JSONPointer(tokens: record.path)]?.objectValue ?? JSONObject())
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

    /// The path from the root of the document to a recorded model.
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
    /// Replaces the value at a path.
    ///
    /// Containers are taken out while they are changed, so none is copied more than once. Recursion is bounded by the
    /// nesting of kinds between two models.
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
