public import PalliumAdapter
public import PalliumCore
public import PalliumJSON

/// Reads and writes patches as JSON documents.
extension JSONPatch {
    /// Reads a patch from JSON text or another form of a document.
    ///
    /// - Throws: ``ModelError`` with line:column for text that is not JSON or has a member twice (RFC 6902 A.13), and as
    ///   ``init(_:)-(JSONValue)`` otherwise.
    public init(
        parsing input: some JSONInput, options: JSONReadingOptions = JSONReadingOptions()
    ) throws(ModelError) {
        var options = options
        options.duplicateMembers = .error
        try self.init(input._withJSONDocument { document throws(ModelError) in try document.tree(options) })
    }

    /// Reads a patch from a document: an array of objects with the members `op`, `path` and, depending on the
    /// operation, `value` or `from`.
    ///
    /// Other members are ignored (RFC 6902 §4).
    ///
    /// - Throws: ``ModelError`` with the pointer of the missing or wrong member.
    public init(_ document: JSONValue) throws(ModelError) {
        guard case .array(let elements) = document else {
            throw ModelError(.typeMismatch, expected: "an array of operations", found: document.summary).at([])
        }
        operations = []
        operations.reserveCapacity(elements.count)
        for (position, element) in elements.enumerated() {
            do throws(ModelError) { operations.append(try Operation(element)) } catch {
                throw error.under(index: position)
            }
        }
    }

    /// The patch as a document. O(*n*).
    public var jsonValue: JSONValue { .array(operations.map { .object($0.jsonObject) }) }
}

extension JSONPatch.Operation {
    fileprivate init(_ element: JSONValue) throws(ModelError) {
        guard case .object(let members) = element else {
            throw ModelError(.typeMismatch, expected: "an object with an operation", found: element.summary).at([])
        }
        let name = try Self.text("op", in: members)
        guard let operation = Name.allCases.first(where: { name.utf8.elementsEqual($0.rawValue.utf8) }) else {
            let names = Name.allCases.map(\.rawValue)
            throw ModelError(
                .unknownCase, expected: "one of \(names.joined(separator: ", "))", found: ModelError.quote(name)
            ).suggesting(ModelError.nearest(to: name, among: names)).under(key: "op")
        }
        let path = try Self.pointer("path", in: members)
        switch operation {
        case .add: self = .add(path, try Self.required("value", in: members))
        case .remove: self = .remove(path)
        case .replace: self = .replace(path, try Self.required("value", in: members))
        case .move: self = .move(from: try Self.pointer("from", in: members), to: path)
        case .copy: self = .copy(from: try Self.pointer("from", in: members), to: path)
        case .test: self = .test(path, try Self.required("value", in: members))
        }
    }

    /// The names of the operations in RFC 6902 §4.
    enum Name: String, CaseIterable { case add, remove, replace, move, copy, test }

    var name: Name {
        switch self {
        case .add: .add
        case .remove: .remove
        case .replace: .replace
        case .move: .move
        case .copy: .copy
        case .test: .test
        }
    }

    fileprivate var jsonObject: JSONObject {
        var members: JSONObject = ["op": .string(name.rawValue)]
        switch self {
        case .add(let path, let value), .replace(let path, let value), .test(let path, let value):
            members["path"] = .string(path.description)
            members["value"] = value
        case .remove(let path): members["path"] = .string(path.description)
        case .move(let source, let path), .copy(let source, let path):
            members["from"] = .string(source.description)
            members["path"] = .string(path.description)
        }
        return members
    }

    private static func required(_ name: String, in members: JSONObject) throws(ModelError) -> JSONValue {
        if let value = members[name] { return value }
        throw ModelError(
            .missingProperty, expected: "the member \(ModelError.quote(name)) of the operation", found: "none"
        ).at([])
    }

    private static func text(_ name: String, in members: JSONObject) throws(ModelError) -> String {
        let value = try required(name, in: members)
        guard case .string(let text) = value else {
            throw ModelError(.typeMismatch, expected: "a string", found: value.summary).under(key: name)
        }
        return text
    }

    private static func pointer(_ name: String, in members: JSONObject) throws(ModelError) -> JSONPointer {
        let text = try text(name, in: members)
        if let pointer = JSONPointer(text) { return pointer }
        throw ModelError(.invalidValue, expected: "a JSON Pointer", found: ModelError.quote(text)).under(key: name)
    }
}
