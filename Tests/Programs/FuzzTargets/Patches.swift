import Foundation
import Pallium

/// Patches between documents lead from one to the other; documents that are patches are applied or refused.
///
/// The first two lines of the input are documents: an old one and a new one.
enum Patches {
    static func check(_ bytes: [UInt8]) throws {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        let documents = lines.compactMap { try? JSONValue(parsing: Array($0)) }
        guard documents.count == lines.count, lines.count > 1 else { return }
        let (old, new) = (documents[0], documents[1])
        try checkDifferences(old, new)
        try checkPatch(new, of: old)
        try checkModels(old, new)
    }

    private static func checkDifferences(_ old: JSONValue, _ new: JSONValue) throws {
        let patch = JSONPatch(from: old, to: new)
        try promise(try patch.applied(to: old) == new, "the patch \(patch.jsonValue) does not lead to the new document")
        try promise(patch.operations.isEmpty == (old == new), "\(patch.jsonValue) between equal or different documents")
        try promise(try JSONPatch(patch.jsonValue) == patch, "another patch after writing \(patch.jsonValue)")
        let merge = JSONMergePatch(from: old, to: new)
        let merged = merge.applied(to: old)
        try promise(merge.applied(to: merged) == merged, "\(merge.jsonValue) changes more the second time")
        if !contains(null: new) {
            try promise(merged == new, "the merge patch \(merge.jsonValue) does not lead to the new document")
        }
    }

    /// A document as a patch of both kinds.
    private static func checkPatch(_ document: JSONValue, of target: JSONValue) throws {
        let merged = JSONMergePatch(document).applied(to: target)
        try promise(
            JSONMergePatch(document).applied(to: merged) == merged, "a merge patch changes more the second time")
        let changed: JSONValue
        do throws(ModelError) { changed = try JSONPatch(document).applied(to: target) } catch {
            try promise("\(error)".utf8.count <= 512, "an error of more than 512 bytes: \(error)")
            return try promise(error.pointer != nil, "an error without a place: \(error)")
        }
        guard let text = try? changed.bytes() else {
            throw BrokenPromise(description: "a patched document that is too deep to be written")
        }
        try promise(try JSONValue(parsing: text) == changed, "another document after writing")
    }

    /// A model becomes another one by the patch between their documents, and tells that patch.
    private static func checkModels(_ old: JSONValue, _ new: JSONValue) throws {
        for adapter in FuzzedModels.adapters {
            guard let model = try? adapter.model(from: old), let other = try? adapter.model(from: new) else { continue }
            let (before, after) = (try adapter.jsonValue(from: model), try adapter.jsonValue(from: other))
            try checkMerging(after, into: old, adapter)
            model.trackChanges()
            try adapter.apply(JSONPatch(from: before, to: after), to: model)
            let found = try adapter.jsonValue(from: model)
            try promise(found == after, "patched to \(after), the model is \(found)")
            let body = try adapter.jsonPatch(for: model)
            try promise(try body.applied(to: before) == after, "the body \(body.jsonValue) does not lead there")
        }
    }

    /// Bytes share with the model what both say, trees do not: what comes out is the same.
    private static func checkMerging(
        _ document: JSONValue, into old: JSONValue, _ adapter: JSONAdapter<DynamicModel>
    ) throws {
        let (first, second) = (try adapter.model(from: old), try adapter.model(from: old))
        let changes = try adapter.merge(document.bytes(), into: first)
        let others = try adapter.merge(document, into: second)
        try promise(changes.description == others.description, "bytes changed \(changes), a tree \(others)")
        let (found, expected) = (try adapter.jsonValue(from: first), try adapter.jsonValue(from: second))
        try promise(found == expected, "bytes were merged to \(found), a tree to \(expected)")
    }

    private static func contains(null document: JSONValue) -> Bool {
        var pending = [document]
        while let value = pending.popLast() {
            switch value {
            case .null: return true
            case .array(let elements): pending += elements
            case .object(let members): pending += members.values
            default: break
            }
        }
        return false
    }
}
