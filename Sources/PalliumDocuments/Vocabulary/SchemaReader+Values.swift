import PalliumCore
import PalliumJSON

/// Reads values of one kind each. Each function reports a mismatch and then returns nil, or the valid part.
extension SchemaReader {
    /// The members of an object with a fixed vocabulary.
    struct KnownMembers {
        fileprivate var members: [LocatedJSON.Member] = []

        // There are at most as many as the vocabulary has, so a search is as good as a table.
        subscript(name: String) -> LocatedJSON? { members.first { UTF8Text.equal($0.name, name) }?.value }
    }

    /// How many Unicode characters (code points) a key or the name of a schema may have. Names occur in messages about
    /// one another, whose length would otherwise be quadratic, and in Swift dictionaries, which compare text by
    /// canonical equivalence.
    package static let maximumNameLength = 256

    /// Reads the members of an object with a table.
    mutating func knownMembers<Subject>(of value: LocatedJSON, in table: SchemaTable<Subject>) -> KnownMembers? {
        knownMembers(of: value, table.title, table.names)
    }

    /// Lets each member change what the object describes, in the order of the table.
    ///
    /// - Returns: The names of the members with problems.
    @discardableResult
    mutating func read<Subject>(
        _ members: KnownMembers, _ table: SchemaTable<Subject>, into subject: inout Subject
    ) -> [String] {
        var broken: [String] = []
        for member in table.members {
            guard let read = member.read, let value = members[member.name] else { continue }
            let problemsBefore = problems.count
            read(&self, value, &subject)
            if problems.count > problemsBefore { broken.append(member.name) }
        }
        return broken
    }

    /// Reads the members of an object; all must be known and none may occur twice.
    mutating func knownMembers(of value: LocatedJSON, _ what: String, _ known: [String]) -> KnownMembers? {
        guard case .object(let members) = value.content else {
            report(value.offset, "expected \(what), which is an object, but found \(value.summary)")
            return nil
        }
        var result = KnownMembers()
        for member in members {
            if !known.contains(where: { UTF8Text.equal($0, member.name) }) {
                report(
                    member.nameOffset, "unknown member \(ModelError.quote(member.name))",
                    fix: DocumentProblem.suggestion(for: member.name, among: known)
                        ?? "\(what) can have \(known.joined(separator: ", "))")
            } else if result[member.name] != nil {
                report(member.nameOffset, "the member \"\(member.name)\" occurs twice", fix: "keep one")
            } else {
                result.members.append(member)
            }
        }
        return result
    }

    /// Reads the members of an object with free names; none may occur twice.
    mutating func entries(of value: LocatedJSON, _ member: String, expected: String) -> [LocatedJSON.Member]? {
        guard case .object(let members) = value.content else {
            mismatch(value, member, expected)
            return nil
        }
        var visited: Set<UTF8Key> = []
        return members.filter { entry in
            if visited.insert(UTF8Key(entry.name)).inserted { return true }
            report(entry.nameOffset, "\(member): \(ModelError.quote(entry.name)) occurs twice", fix: "keep one")
            return false
        }
    }

    mutating func mismatch(_ value: LocatedJSON, _ member: String, _ expected: String, fix: String? = nil) {
        report(value.offset, "\(member): expected \(expected) but found \(value.summary)", fix: fix)
    }

    mutating func text(_ value: LocatedJSON, _ member: String, expected: String = "text") -> String? {
        if let text = value.text { return text }
        mismatch(value, member, expected)
        return nil
    }

    /// Reads a name: text that is neither empty nor unreasonably long.
    mutating func name(_ value: LocatedJSON, _ member: String, expected: String) -> String? {
        guard let text = self.text(value, member, expected: expected) else { return nil }
        return checkName(text, at: value.offset, member) ? text : nil
    }

    @discardableResult
    mutating func checkName(_ text: String, at offset: Int, _ member: String) -> Bool {
        if text.utf8.isEmpty {
            report(offset, "\(member): a name cannot be empty")
            return false
        }
        // There are no more characters than bytes.
        if text.utf8.count > Self.maximumNameLength, text.unicodeScalars.count > Self.maximumNameLength {
            report(
                offset,
                "\(member): the name \(ModelError.quote(text)) has \(text.unicodeScalars.count.counted("character"))",
                fix: "\(Self.maximumNameLength) are allowed")
            return false
        }
        return true
    }

    /// Reads the name of a schema.
    mutating func reference(_ value: LocatedJSON, _ member: String) -> ModelReference? {
        name(value, member, expected: "the name of a schema").map { .named($0) }
    }

    /// Reads the version of a schema; versions count from 1.
    mutating func version(_ value: LocatedJSON, _ member: String) -> Int? {
        if case .number(let number) = value.content, let integer = number.int, integer >= 1 { return integer }
        mismatch(value, member, "an integer from 1 on")
        return nil
    }

    /// Reads the name of a transformer, or a list of names.
    mutating func transformers(_ value: LocatedJSON, _ member: String) -> [TransformerName] {
        names(value, member, expected: "the name of a transformer", canRepeat: true).map { TransformerName($0) }
    }

    /// Reads a flag; documents contain a flag only if it is set.
    mutating func flag(_ value: LocatedJSON, _ member: String) -> Bool {
        if case .bool(true) = value.content { return true }
        mismatch(value, member, "true", fix: "leave the member out for the opposite")
        return false
    }

    /// Reads one of a few texts.
    mutating func choice<Choice: RawRepresentable<String>>(
        _ value: LocatedJSON, _ member: String, _ choices: [Choice]
    ) -> Choice? {
        if let text = value.text, let choice = choices.first(where: { UTF8Text.equal($0.rawValue, text) }) {
            return choice
        }
        let known = choices.map(\.rawValue)
        mismatch(
            value, member, "one of " + known.map { "\"\($0)\"" }.joined(separator: ", "),
            fix: value.text.flatMap { DocumentProblem.suggestion(for: $0, among: known) })
        return nil
    }

    /// Reads a list of different texts.
    mutating func list(_ value: LocatedJSON, _ member: String, expected: String, canBeEmpty: Bool = true) -> [String] {
        guard case .array(let elements) = value.content else {
            mismatch(value, member, expected)
            return []
        }
        if elements.isEmpty, !canBeEmpty { report(value.offset, "\(member): the list is empty", fix: "leave it out") }
        var visited: Set<UTF8Key> = []
        var result: [String] = []
        for element in elements {
            guard let text = self.text(element, member) else { continue }
            if visited.insert(UTF8Key(text)).inserted {
                result.append(text)
            } else {
                report(element.offset, "\(member): \(ModelError.quote(text)) occurs twice", fix: "keep one")
            }
        }
        return result
    }

    /// Reads a name, or a list of names.
    mutating func names(
        _ value: LocatedJSON, _ member: String, expected: String, canRepeat: Bool = false
    ) -> [String] {
        guard case .array(let elements) = value.content else {
            return name(value, member, expected: "\(expected) or a list of them").map { [$0] } ?? []
        }
        if elements.isEmpty { report(value.offset, "\(member): the list is empty", fix: "leave it out") }
        var visited: Set<UTF8Key> = []
        var result: [String] = []
        for element in elements {
            guard let name = self.name(element, member, expected: expected) else { continue }
            if !visited.insert(UTF8Key(name)).inserted, !canRepeat {
                report(element.offset, "\(member): \(ModelError.quote(name)) occurs twice", fix: "keep one")
            } else {
                result.append(name)
            }
        }
        return result
    }
}
