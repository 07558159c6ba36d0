public import PalliumCore
public import PalliumJSON

extension JSONPatch {
    /// How much `copy` operations may add to a document, in bytes: 64 MiB. A value counts for 8 and the bytes of its text
    /// or names. Without a limit, thirty operations that copy the document into itself would make a billion of it.
    public static var maximumCopiedBytes: Int { PatchedTree.maximumCopiedBytes }

    /// The document that a patch makes of a value.
    ///
    /// - Throws: ``ModelError`` with the pointer into the value and the number of the operation, counted from 0:
    ///   `missingTarget` where a pointer leads nowhere, `testFailed`, `invalidValue` for the removal of the root and for
    ///   a value that is moved into itself, `limitExceeded` for copies above ``maximumCopiedBytes`` and for nesting that
    ///   no reader with the default limits takes.
    /// - Complexity: O(*n*) in the size of the patch and of the containers it steps through, which are looked into once
    ///   however many operations there are.
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
            // What was found may be a secret; that it is not what it should be, is not.
            throw Failure(
                .testFailed, expected: "the value to be \(expected.kindName) as given",
                found: found.kindName == expected.kindName ? "another" : found.kindName, path.tokens)
        }
    }
}
