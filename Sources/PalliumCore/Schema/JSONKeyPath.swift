/// A path to a value in a JSON document, relative to the object of a model: `user.login`, `a\.b`, `labels[0].name`.
///
/// The steps are names of object members, and element numbers for arrays. A backslash takes the meaning from the
/// character after it, so that names with dots and brackets can be addressed.
public struct JSONKeyPath: Sendable, Hashable, CustomStringConvertible {
    /// One step.
    public enum Step: Sendable, Hashable {
        case member(String)
        case element(Int)

        /// Whether the two say the same.
        public static func == (left: Step, right: Step) -> Bool {
            switch (left, right) {
            case (.member(let left), .member(let right)): UTF8Text.equal(left, right)
            case (.element(let left), .element(let right)): left == right
            default: false
            }
        }

        /// Mixes what `==` compares.
        public func hash(into hasher: inout Hasher) {
            switch self {
            case .member(let name): hasher.combine(UTF8Key(name))
            case .element(let index): hasher.combine(index)
            }
        }
    }

    /// What is wrong with the text of a path.
    public struct Malformed: Error, Sendable, CustomStringConvertible {
        /// What is wrong.
        public let description: String
    }

    /// The steps, never empty; the first is a member.
    public let steps: [Step]
    /// The path as it was written.
    public let description: String

    /// A path of one member whose name is taken as it is.
    public init(member name: String) {
        steps = [.member(name)]
        description = name
    }

    /// A path of given steps.
    package init(steps: [Step]) {
        self.steps = steps
        description = steps.map { step in
            switch step {
            case .member(let name): name
            case .element(let index): "[\(index)]"
            }
        }.joined(separator: ".")
    }

    /// Reads a path.
    ///
    /// - Throws: ``Malformed`` for an empty path or step (conformance C105), a bracket that holds no number, a path that
    ///   begins with one, or a backslash at the end.
    public init(_ text: String) throws(Malformed) {
        var steps: [Step] = []
        var name: [UInt8] = []
        // A step is open after the beginning and after a dot; a bracket closes it.
        var isOpen = true
        var bytes = ArraySlice(text.utf8)
        func close() throws(Malformed) {
            guard !name.isEmpty else { throw Malformed(description: "key path \"\(text)\" has an empty step") }
            steps.append(.member(String(decoding: name, as: UTF8.self)))
            name = []
        }
        while let byte = bytes.popFirst() {
            switch byte {
            case UInt8(ascii: "\\"):
                guard let next = bytes.popFirst() else {
                    throw Malformed(description: "key path \"\(text)\" ends in a backslash")
                }
                guard isOpen else { throw Malformed(description: "key path \"\(text)\" lacks a dot after a bracket") }
                name.append(next)
            case UInt8(ascii: "."):
                if isOpen { try close() }
                isOpen = true
            case UInt8(ascii: "["):
                if isOpen { try close() }
                isOpen = false
                let digits = bytes.prefix { $0 != UInt8(ascii: "]") }
                bytes = bytes.dropFirst(digits.count)
                guard bytes.popFirst() != nil, !digits.isEmpty, digits.count <= 9,
                    digits.allSatisfy({ $0 >= 48 && $0 <= 57 }),
                    let index = Int(String(decoding: digits, as: UTF8.self))
                else { throw Malformed(description: "key path \"\(text)\" has a bracket without an element number") }
                steps.append(.element(index))
            default:
                guard isOpen else { throw Malformed(description: "key path \"\(text)\" lacks a dot after a bracket") }
                name.append(byte)
            }
        }
        if isOpen { try close() }
        self.steps = steps
        self.description = text
    }

    /// The names, when the path walks objects only.
    package var members: [String]? {
        var names: [String] = []
        for step in steps {
            guard case .member(let name) = step else { return nil }
            names.append(name)
        }
        return names
    }
}

/// How a schema makes a JSON member name of a property's key.
public enum KeyStrategy: String, Sendable, Hashable, CaseIterable {
    /// The key itself.
    case identity
    /// `htmlURL` becomes `html_url`: a run of capitals is one word.
    case snakeCase
    /// No name: only properties with a JSON key path of their own are mapped, as in Mantle 2 (conformance C125).
    case explicit

    /// The member name for a key, or nil where keys are not mapped by themselves.
    public func memberName(for key: String) -> String? {
        switch self {
        case .identity: key
        case .snakeCase: Self.snakeCase(key)
        case .explicit: nil
        }
    }

    private static func snakeCase(_ key: String) -> String {
        let bytes = Array(key.utf8)
        func isCapital(_ index: Int) -> Bool { bytes[index] >= 65 && bytes[index] <= 90 }
        var result: [UInt8] = []
        for index in bytes.indices {
            if isCapital(index) {
                let startsWord =
                    index > 0 && (!isCapital(index - 1) || (index + 1 < bytes.count && !isCapital(index + 1)))
                if startsWord, result.last != UInt8(ascii: "_") { result.append(UInt8(ascii: "_")) }
                result.append(bytes[index] | 0x20)
            } else {
                result.append(bytes[index])
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
