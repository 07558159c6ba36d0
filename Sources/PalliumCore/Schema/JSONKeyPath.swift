package import PalliumJSON

/// A path to a value in a JSON document, relative to the object of a model: `user.login`, `a\.b`, `labels[0].name`.
///
/// The steps are names of object members and indices of array elements. A backslash escapes the next character, so
/// names may contain dots and brackets. The member with the empty name is `[""]`, as in `labels[""]` and `[""].name`.
package struct JSONKeyPath: Sendable, Hashable, CustomStringConvertible {
    /// One step.
    package enum Step: Sendable, Hashable {
        case member(String)
        case element(Int)

        /// Whether the two are equal.
        package static func == (left: Step, right: Step) -> Bool {
            switch (left, right) {
            case (.member(let left), .member(let right)): UTF8Text.equal(left, right)
            case (.element(let left), .element(let right)): left == right
            default: false
            }
        }

        /// Hashes what `==` compares.
        package func hash(into hasher: inout Hasher) {
            switch self {
            case .member(let name): hasher.combine(UTF8Key(name))
            case .element(let index): hasher.combine(index)
            }
        }
    }

    /// The error for a malformed path.
    package struct Malformed: Error, Sendable, CustomStringConvertible {
        /// A description of the mistake.
        package let description: String
    }

    /// The steps. There is at least one, and the first is a member.
    package let steps: [Step]
    /// The path as it was written.
    package let description: String

    /// Creates a path of one member; the name is used unchanged.
    package init(member name: String) {
        steps = [.member(name)]
        description = name
    }

    /// Creates a path of these steps.
    package init(steps: [Step]) {
        self.steps = steps
        description = steps.reduce(into: "") { text, step in
            switch step {
            case .member(let name):
                text += (text.isEmpty || name.utf8.isEmpty ? "" : ".") + Self.escape(name)
            case .element(let index): text += "[\(index)]"
            }
        }
    }

    /// Parses a path.
    ///
    /// - Throws: ``Malformed`` for an empty path or an empty step (conformance C105), a bracket without a number, a path that
    ///   begins with a bracket, or a backslash at the end. Also for a JSON Pointer (`/user/login`) or JSONPath
    ///   (`$.user.login`), unless a backslash before the first character makes it part of a name.
    package init(_ text: String) throws(Malformed) {
        if let mistake = Self.otherNotation(text) { throw Malformed(description: mistake) }
        var steps: [Step] = []
        var name: [UInt8] = []
        // A step is open at the beginning and after a dot; a bracket closes it.
        var isOpen = true
        var bytes = ArraySlice(text.utf8)
        func close() throws(Malformed) {
            guard !name.isEmpty else {
                throw Malformed(description: "key path \(ModelError.quote(text)) has an empty step")
            }
            steps.append(.member(String(decoding: name, as: UTF8.self)))
            name = []
        }
        while let byte = bytes.popFirst() {
            switch byte {
            case UInt8(ascii: "\\"):
                guard let next = bytes.popFirst() else {
                    throw Malformed(description: "key path \(ModelError.quote(text)) ends in a backslash")
                }
                guard isOpen else {
                    throw Malformed(description: "key path \(ModelError.quote(text)) lacks a dot after a bracket")
                }
                name.append(next)
            case UInt8(ascii: "."):
                if isOpen { try close() }
                isOpen = true
            case UInt8(ascii: "[") where bytes.starts(with: Self.emptyName.utf8.dropFirst()):
                if !name.isEmpty { try close() }
                isOpen = false
                bytes = bytes.dropFirst(Self.emptyName.utf8.count - 1)
                steps.append(.member(""))
            case UInt8(ascii: "["):
                if isOpen { try close() }
                isOpen = false
                let digits = bytes.prefix { $0 != UInt8(ascii: "]") }
                bytes = bytes.dropFirst(digits.count)
                guard bytes.popFirst() != nil, !digits.isEmpty, digits.count <= 9,
                    digits.allSatisfy({ $0 >= 48 && $0 <= 57 }),
                    let index = Int(String(decoding: digits, as: UTF8.self))
                else {
                    throw Malformed(
                        description: "key path \(ModelError.quote(text)) has a bracket without an element number")
                }
                steps.append(.element(index))
            default:
                guard isOpen else {
                    throw Malformed(description: "key path \(ModelError.quote(text)) lacks a dot after a bracket")
                }
                name.append(byte)
            }
        }
        if isOpen { try close() }
        guard steps.count <= SchemaLimits.stepsOfPath else {
            throw Malformed(
                description:
                    "key path \(ModelError.quote(text)) has more than \(SchemaLimits.stepsOfPath.counted("step"))")
        }
        self.steps = steps
        self.description = text
    }

    /// Returns the error message for a path written as JSON Pointer or JSONPath; nil for other paths.
    ///
    /// Only the beginning decides, so that names with slashes and dollars need no escape anywhere else.
    private static func otherNotation(_ text: String) -> String? {
        let bytes = text.utf8
        guard let first = bytes.first, "$/#".utf8.contains(first) else { return nil }
        if bytes.starts(with: "$.".utf8) || bytes.starts(with: "$[".utf8) {
            let rest = String(decoding: bytes.dropFirst(bytes.starts(with: "$.".utf8) ? 2 : 1), as: UTF8.self)
            // The rest is a valid key path, unless JSONPath selects several values or quotes a name.
            let isPlain = rest.utf8.first.map { !"$/#".utf8.contains($0) } ?? false
            let advice =
                isPlain && (try? JSONKeyPath(rest)) != nil
                ? "write \(ModelError.quote(rest))" : "write names with dots between them"
            return "key path \(ModelError.quote(text)) is JSONPath: \(advice), or \"\\$…\" for a name that begins so"
        }
        guard bytes.starts(with: "/".utf8) || bytes.starts(with: "#/".utf8) else { return nil }
        let isFragment = first == UInt8(ascii: "#")
        let pointer = JSONPointer(String(decoding: bytes.dropFirst(isFragment ? 1 : 0), as: UTF8.self))
        var advice = "write names with dots between them"
        if let tokens = pointer?.tokens, let path = Self.path(of: tokens) { advice = "write \(ModelError.quote(path))" }
        let escaped = isFragment ? "\\#…" : "\\/…"
        return
            "key path \(ModelError.quote(text)) is a JSON Pointer: \(advice), or \"\(escaped)\" for a name that begins so"
    }

    /// Returns the key path of a pointer. Digits are taken for an index, since that is their usual meaning.
    private static func path(of tokens: [String]) -> String? {
        if tokens.isEmpty { return nil }
        let steps = tokens.enumerated().map { position, token in
            let isIndex = position > 0 && token.utf8.count <= 9 && token.utf8.allSatisfy { $0 >= 48 && $0 <= 57 }
            return (isIndex ? Int(token) : nil).map { Step.element($0) } ?? .member(token)
        }
        return JSONKeyPath(steps: steps).description
    }

    /// The key path of the member with the empty name.
    private static let emptyName = #"[""]"#

    /// Returns the key path of one member with this name.
    package static func escape(_ name: String) -> String {
        if name.utf8.isEmpty { return emptyName }
        var bytes: [UInt8] = []
        if name.utf8.starts(with: "/".utf8) || name.utf8.starts(with: "#/".utf8) { bytes.append(UInt8(ascii: "\\")) }
        for byte in name.utf8 {
            if byte == UInt8(ascii: ".") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "\\") {
                bytes.append(UInt8(ascii: "\\"))
            }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The path as tokens of a JSON Pointer.
    package var tokens: [String] {
        steps.map { step in
            switch step {
            case .member(let name): name
            case .element(let index): "\(index)"
            }
        }
    }

    /// Returns the names between the dots of a text; nil if it is not made of names.
    package static func members(in text: String) -> [String]? { (try? JSONKeyPath(text))?.members }

    /// The names, when all steps are members.
    package var members: [String]? {
        let members = leadingMembers
        return members.count == steps.count ? members : nil
    }

    /// The names before the first index.
    package var leadingMembers: [String] {
        var names: [String] = []
        for step in steps {
            guard case .member(let name) = step else { break }
            names.append(name)
        }
        return names
    }
}

extension JSONKeyPath {
    /// The result of following a path in a document.
    package enum End {
        case value(JSONValue)
        /// No member or element has the name or index of a step.
        case missing
        /// The value before the step at a position has no members or elements, a null for example.
        case blocked(JSONValue, position: Int)
    }

    package func end(in document: JSONObject) -> End {
        var current = JSONValue.object(document)
        for (position, step) in steps.enumerated() {
            switch (step, current) {
            case (.member(let name), .object(let members)):
                guard let next = members[name] else { return .missing }
                current = next
            case (.element(let index), .array(let elements)):
                guard index < elements.count else { return .missing }
                current = elements[index]
            default: return .blocked(current, position: position)
            }
        }
        return .value(current)
    }

    /// Returns the value at the path; nil if the path ends early.
    package func value(in document: JSONObject) -> JSONValue? {
        if case .value(let value) = end(in: document) { value } else { nil }
    }
}
