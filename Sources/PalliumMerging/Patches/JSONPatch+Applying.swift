public import PalliumCore
public import PalliumJSON

// Applies patches to JSON values.
extension JSONPatch {
    /// How many bytes `copy` operations may add to a document: 64 MiB.
    ///
    /// A value counts as 8 bytes and the bytes of its text or names. Without a limit, thirty operations that copy the
    /// document into itself would make it a billion times as large.
    package static var maximumCopiedBytes: Int { PatchedTree.maximumCopiedBytes }

    /// Applies the patch to a value.
    ///
    /// - Throws: ``ModelError`` with the pointer into the value and the number of the operation, counted from 0:
    ///   `missingTarget` if a pointer leads nowhere, `testFailed`, `invalidValue` for the removal of the root and for a
    ///   value that is moved into itself, `limitExceeded` for too many copied bytes and for nesting
    ///   deeper than the reader's default limit.
    /// - Complexity: O(*n*) in the size of the patch and of the containers on its paths, each of which is converted
    ///   once.
    public func applied(to value: JSONValue) throws(ModelError) -> JSONValue {
        var tree = PatchedTree(value)
        for (number, operation) in operations.enumerated() {
            do throws(PatchedTree.Failure) { try tree.apply(operation) } catch {
                throw ModelError(
                    error.code, expected: "\(error.expected) by operation \(number) (\(operation.name.rawValue))",
                    found: error.found
                ).at(error.tokens)
            }
        }
        do throws(PatchedTree.Failure) { return try tree.value(of: tree.root, []) } catch {
            throw ModelError(error.code, expected: error.expected, found: error.found).at(error.tokens)
        }
    }
}

extension PatchedTree {
    fileprivate mutating func apply(_ operation: JSONPatch.Operation) throws(Failure) {
        switch operation {
        case .add(let path, let value): try add(make(value), at: path.tokens)
        case .remove(let path): _ = try remove(at: path.tokens)
        case .replace(let path, let value): replace(try find(path.tokens), by: value)
        case .move(let source, let path):
            let (from, to) = (source.tokens, path.tokens)
            let isSame = from.count <= to.count && zip(from, to).allSatisfy { UTF8Text.equal($0, $1) }
            if isSame {
                _ = try find(from)
                if from.count == to.count { return }
                throw Failure(
                    .invalidValue, expected: "a place outside the value that is moved", found: "one in it", to)
            }
            try add(remove(at: from), at: to)
        case .copy(let source, let path):
            try add(copy(find(source.tokens), source.tokens), at: path.tokens)
        case .test(let path, let expected):
            let node = try find(path.tokens)
            let found = try value(of: node, path.tokens)
            if found == expected { return }
            // The found value may be a secret; that the test failed is none.
            throw Failure(
                .testFailed, expected: "the value to be \(expected.kindName) as given",
                found: found.kindName == expected.kindName ? "another" : found.kindName, path.tokens)
        }
    }
}
