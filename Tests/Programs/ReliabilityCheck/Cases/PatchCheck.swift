import Pallium
import RunSupport

/// Patches of documents: recorded cases, and laws over generated documents.
enum PatchCheck {
    static func run(_ arguments: Arguments, _ tally: inout Tally) throws {
        for path in arguments.operands {
            for item in try CaseFile(path).cases { try check(item, &tally) }
        }
        guard arguments.operands.isEmpty else { return }
        var documents = GeneratedDocuments(seed: arguments.seed)
        for number in 0..<20_000 {
            let old = documents.next()
            laws(old, documents.changed(old), "pair \(number)", &tally)
            // Documents that have nothing to do with each other.
            if number % 4 == 0 { laws(old, documents.next(), "strangers \(number)", &tally) }
        }
        try MergeCost.check(&tally)
    }

    // MARK: Cases

    private static func check(_ item: CaseFile.Case, _ tally: inout Tally) throws {
        func member(_ name: String) throws -> JSONValue {
            try item.required(name) { .some($0) }
        }
        let name = "line \(item.line)"
        if item.members["target"] != nil {
            let target = try member("target")
            let patch = JSONMergePatch(try member("patch"))
            let result = try member("result")
            let found = patch.applied(to: target)
            tally.check(found == result, "\(name): \(found) instead of \(result)")
            tally.check(patch.applied(to: found) == found, "\(name): the second time it is another")
            laws(target, result, name, &tally)
            return
        }
        guard item.members["disabled"] != .some(true) else { return }
        let document = try member("doc")
        let found = Result { try JSONPatch(member("patch")).applied(to: document) }
        switch (found, item.members["expected"]) {
        case (.success(let found), let expected?):
            tally.check(found == expected, "\(name): \(found) instead of \(expected)")
            laws(document, expected, name, &tally)
        case (.success(let found), nil):
            tally.check(item.members["error"] == nil, "\(name): \(found) instead of an error")
        case (.failure(let error), let expected):
            tally.check(expected == nil, "\(name): \(error)")
            tally.check(
                (error as? ModelError)?.pointer != nil && "\(error)".utf8.count <= 512,
                "\(name): the error tells no place, or is too long: \(error)")
        }
    }

    // MARK: Laws

    private static func laws(
        _ old: JSONValue, _ new: JSONValue, _ name: @autoclosure () -> String, _ tally: inout Tally
    ) {
        let patch = JSONPatch(from: old, to: new)
        tally.check((try? patch.applied(to: old)) == .some(new), "\(name()): \(patch.jsonValue) for \(old) to \(new)")
        tally.check((try? JSONPatch(patch.jsonValue)) == patch, "\(name()): \(patch.jsonValue), written and read")
        let merge = JSONMergePatch(from: old, to: new)
        tally.check(
            withoutNulls(merge.applied(to: old)) == withoutNulls(new),
            "\(name()): \(merge.jsonValue) for \(old) to \(new)")
    }

    /// The document without members that are null: what merge patches can say. The generated documents are not deep.
    private static func withoutNulls(_ value: JSONValue) -> JSONValue {
        guard case .object(let members) = value else { return value }
        return .object(JSONObject(members.filter { !$0.value.isNull }.map { ($0.key, withoutNulls($0.value)) }))
    }
}

/// Small documents, and later states of them.
struct GeneratedDocuments {
    private var bits: SeededGenerator

    init(seed: UInt64) { bits = SeededGenerator(seed: seed) }

    mutating func next() -> JSONValue { value(depth: 4) }

    /// The document with something added, removed or replaced here and there.
    mutating func changed(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(var elements):
            for _ in 0..<bits.below(3) {
                let position = bits.below(elements.count + 1)
                if position == elements.count || bits.below(3) == 0 {
                    elements.insert(self.value(depth: 2), at: position)
                } else if bits.below(2) == 0 {
                    elements.remove(at: position)
                } else {
                    elements[position] = changed(elements[position])
                }
            }
            return .array(elements)
        case .object(var members):
            for _ in 0..<1 + bits.below(2) {
                let position = bits.below(members.count + 1)
                if position == members.count {
                    members.updateValue(self.value(depth: 2), forKey: name())
                } else if bits.below(4) == 0 {
                    members.removeValue(forKey: members[position].key)
                } else {
                    members.updateValue(changed(members[position].value), forKey: members[position].key)
                }
            }
            return .object(members)
        default: return self.value(depth: 1)
        }
    }

    private mutating func value(depth: Int) -> JSONValue {
        switch bits.below(depth > 0 ? 10 : 6) {
        case 0: return .null
        case 1: return .bool(bits.below(2) == 0)
        case 2: return .number(JSONNumber(bits.below(4)))
        case 3:
            return JSONNumber(text: ["1.50", "-0", "1e400", "18446744073709551615"][bits.below(4)]).map { .number($0) }
                ?? 0
        case 4, 5: return .string(name())
        case 6, 7: return .array((0..<bits.below(8)).map { _ in value(depth: depth - 1) })
        default:
            var members = JSONObject()
            for _ in 0..<bits.below(6) { members.updateValue(value(depth: depth - 1), forKey: name()) }
            return .object(members)
        }
    }

    private mutating func name() -> String {
        ["a", "b", "c/d", "e~f", "", "0", "-", "\u{E9}", "e\u{301}", "long name"][bits.below(10)]
    }
}
