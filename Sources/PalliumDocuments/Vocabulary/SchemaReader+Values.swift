import PalliumCore
import PalliumJSON

/// Reads values of one kind each. Each function reports a mismatch and then returns nil, or the valid part.
extension SchemaReader {
    /// How many Unicode characters (code points) a key or the name of a schema may have. Names occur in messages about
    /// one another, whose length would otherwise be quadratic, and in Swift dictionaries, which compare text by
    /// canonical equivalence.
    package static let maximumNameLength = 256

    /// Reads the members of an object with a table.
    mutating func knownMembers<Subject>(of value: LocatedJSON, in table: SchemaTable<Subject>) -> LocatedJSON? {
        knownMembers(of: value, table.title, table.names)
    }

    /// Lets each member change what the object describes, in the order of the table.
    ///
    /// - Returns: The names of the members with problems.
    @discardableResult
    mutating func read<Subject>(
        _ members: LocatedJSON, _ table: SchemaTable<Subject>, into subject: inout Subject
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

    /// Checks the names of the members of an object: all must be known, and none may occur twice.
    ///
    /// - Returns: The object; nil for another kind of value.
    mutating func knownMembers(of value: LocatedJSON, _ title: String, _ known: [String]) -> LocatedJSON? {
        guard case .object(let members) = value.content else {
            problems.report(
                at: value.offset, "expected \(title), which is an object, but found \(value.summary)")
            return nil
        }
        // There are at most as many as the vocabulary has, so a search is as good as a table.
        var visited: [String] = []
        for member in members {
            if !known.contains(where: { UTF8Text.equal($0, member.name) }) {
                problems.report(
                    at: member.nameOffset, "unknown member \(ModelError.quote(member.name))",
                    fix: SchemaError.Problem.suggestion(for: member.name, among: known)
                        ?? "\(title) can have \(known.joined(separator: ", "))")
            } else if visited.contains(where: { UTF8Text.equal($0, member.name) }) {
                problems.reportRepetition(at: member.nameOffset, of: "the member \"\(member.name)\"")
            } else {
                visited.append(member.name)
            }
        }
        return value
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
            problems.reportRepetition(at: entry.nameOffset, of: "\(member): \(ModelError.quote(entry.name))")
            return false
        }
    }

    mutating func mismatch(_ value: LocatedJSON, _ member: String, _ expected: String, fix: String? = nil) {
        problems.report(at: value.offset, "\(member): expected \(expected) but found \(value.summary)", fix: fix)
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
            problems.report(at: offset, "\(member): a name cannot be empty")
            return false
        }
        // There are no more characters than bytes.
        if text.utf8.count > Self.maximumNameLength, text.unicodeScalars.count > Self.maximumNameLength {
            problems.report(
                at: offset,
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
            fix: value.text.flatMap { SchemaError.Problem.suggestion(for: $0, among: known) })
        return nil
    }

    /// Reads a list of different texts.
    mutating func list(_ value: LocatedJSON, _ member: String, expected: String, canBeEmpty: Bool = true) -> [String] {
        guard value.elements != nil else {
            mismatch(value, member, expected)
            return []
        }
        return elements(of: value, member, canBeEmpty: canBeEmpty) { $0.text($1, member) }
    }

    /// Reads a name, or a list of names.
    mutating func names(
        _ value: LocatedJSON, _ member: String, expected: String, canRepeat: Bool = false
    ) -> [String] {
        guard value.elements != nil else {
            return name(value, member, expected: "\(expected) or a list of them").map { [$0] } ?? []
        }
        return elements(of: value, member, canRepeat: canRepeat) { $0.name($1, member, expected: expected) }
    }

    private mutating func elements(
        of list: LocatedJSON, _ member: String, canBeEmpty: Bool = false, canRepeat: Bool = false,
        _ read: (inout SchemaReader, LocatedJSON) -> String?
    ) -> [String] {
        let elements = list.elements ?? []
        if elements.isEmpty, !canBeEmpty {
            problems.report(at: list.offset, "\(member): the list is empty", fix: "leave it out")
        }
        var visited: Set<UTF8Key> = []
        return elements.compactMap { element in
            guard let text = read(&self, element) else { return nil }
            if visited.insert(UTF8Key(text)).inserted || canRepeat { return text }
            problems.reportRepetition(at: element.offset, of: "\(member): \(ModelError.quote(text))")
            return nil
        }
    }
}
