import Foundation
import Pallium
import TestSupport
import Testing

/// Merges and rebases of the library compared with a slow reference that was written from the articles alone.
///
/// `PALLIUM_MERGE_CASES` is the number of cases of the whole suite.
@Suite("The reference of merging")
struct MergeReferenceTests {
    /// The number of cases of one theme and operation.
    static let count = max(
        1, (ProcessInfo.processInfo.environment["PALLIUM_MERGE_CASES"].flatMap(Int.init) ?? 5000) / 25)

    /// `PALLIUM_MERGE_SEED` is the only seed that is tried.
    static let seeds: Swift.Range<Int> =
        ProcessInfo.processInfo.environment["PALLIUM_MERGE_SEED"].flatMap(Int.init).map { $0..<$0 + 1 } ?? 0..<count

    private func compare(_ operation: MergeCase.Operation, _ theme: MergeTheme, hasHooks: Bool = false) throws {
        var report = CaseReport()
        for seed in Self.seeds {
            var merge = MergeCase(operation, theme, seed: seed)
            merge.hasHooks = hasHooks
            try report.add(merge)
        }
        report.finish(Self.seeds.count, "\(operation.rawValue) of \(theme)")
    }

    @Test(arguments: MergeTheme.allCases)
    func merging(_ theme: MergeTheme) throws { try compare(.merge, theme) }

    @Test(arguments: MergeTheme.allCases)
    func rebasing(_ theme: MergeTheme) throws { try compare(.rebase, theme) }

    @Test(arguments: [MergeCase.Operation.merge, .rebase])
    func hooks(_ operation: MergeCase.Operation) throws { try compare(operation, .everything, hasHooks: true) }
}

/// What came of many cases.
struct CaseReport {
    /// `PALLIUM_MERGE_SHOWN` is the number of different cases that a test shows.
    private static let shown = ProcessInfo.processInfo.environment["PALLIUM_MERGE_SHOWN"].flatMap(Int.init) ?? 3
    private var refused = 0
    private var different = 0
    private var open: [String: Int] = [:]

    mutating func add(_ merge: MergeCase) throws {
        switch try merge.outcome() {
        case .agreed: break
        case .refused: refused += 1
        case .open(let question): open[question, default: 0] += 1
        case .different:
            different += 1
            if different <= Self.shown { Issue.record("\(try merge.smallest().text())") }
        }
    }

    /// Most cases must be such as say something.
    func finish(_ count: Int, _ title: String) {
        if different > 0 { Issue.record("\(different) of \(count) cases differ: \(title)") }
        let unsaid = refused + open.values.reduce(0, +)
        #expect(unsaid * 2 <= count + 10, "\(title): \(refused) refused, \(open)")
        if ProcessInfo.processInfo.environment["PALLIUM_MERGE_REPORT"] != nil {
            print("\(title): \(count) cases, \(different) differ, \(refused) refused, open: \(open)")
        }
    }
}

extension MergeCase {
    /// The case for people.
    func text() throws -> String {
        var lines = ["\(operation.rawValue) of \(theme), seed \(seed)", schemas.description]
        lines.append("target: \(try target.text())")
        if operation == .rebase { lines.append("edited: \(try editedText())") }
        lines.append("document: \(try document.text())")
        if case .different(let differences) = try outcome() {
            lines += ["- is of the reference, + of the library:"] + differences
        }
        return lines.joined(separator: "\n")
    }

    func editedText() throws -> String {
        let library = try library()
        return try library.adapter.jsonValue(from: models(library).model).text()
    }

    /// A smaller case that differs as well: without members and properties that do not matter.
    func smallest() throws -> MergeCase {
        var smallest = self
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            for candidate in smallest.smaller() {
                guard case .different(let lines)? = try? candidate.outcome(), lines.count > 1, lines[1] != "before:"
                else {
                    continue
                }
                smallest = candidate
                isSmaller = true
                break
            }
        }
        return smallest
    }

    private func smaller() -> [MergeCase] {
        let documents = document.smaller().map { document in
            var copy = self
            copy.document = document
            return copy
        }
        let targets = target.smaller().map { target in
            var copy = self
            copy.target = target
            return copy
        }
        let classes = schemas.classes.values.sorted { $0.name < $1.name }.flatMap { description in
            description.properties.indices.map { index in
                var copy = self
                copy.schemas.classes[description.name]?.properties.remove(at: index)
                return copy
            }
        }
        return documents + targets + classes
    }
}

extension JSONValue {
    /// The same value without one part of it.
    fileprivate func smaller() -> [JSONValue] {
        switch self {
        case .object(let object):
            let members = Array(object)
            return members.indices.flatMap { index -> [JSONValue] in
                var without = members
                let removed = without.remove(at: index)
                return [.object(JSONObject(without))]
                    + removed.value.smaller().map { value in
                        var with = members
                        with[index].value = value
                        return .object(JSONObject(with))
                    }
            }
        case .array(let elements):
            return elements.indices.flatMap { index -> [JSONValue] in
                var without = elements
                let removed = without.remove(at: index)
                return [.array(without)]
                    + removed.smaller().map { value in
                        var with = elements
                        with[index] = value
                        return .array(with)
                    }
            }
        default: return []
        }
    }
}

extension PlainSchemas: CustomStringConvertible {
    var description: String {
        classes.values.sorted { $0.name < $1.name }.filter { used.contains($0.name) }.map { description in
            var text = description.name
            if let parent = description.parent { text += ": \(parent)" }
            if let identity = description.identity { text += " by \(identity)" }
            if !description.choices.isEmpty { text += ", standard \(description.standardChoice ?? "none")" }
            return "\(text) { \(description.properties.map(\.description).joined(separator: "; ")) }"
        }.joined(separator: "\n")
    }

    /// The classes that a root can hold.
    private var used: Set<String> {
        var used: Set<String> = [root]
        var count = 0
        while count < used.count {
            count = used.count
            for description in classes.values {
                let isHeld = used.contains { holder in
                    properties(of: holder).contains { $0.kind.modelName == description.name }
                }
                if isHeld || description.parent.map(used.contains) == true { used.insert(description.name) }
            }
        }
        return used
    }
}

extension PlainProperty: CustomStringConvertible {
    var description: String {
        var text = "\(key) \(kind)"
        if isRequired { text += " required" }
        if let standard { text += " default \(standard)" }
        if takesNullBesideDefault { text += " nullable" }
        if policy != .none { text += ", \(policy)" }
        return text
    }
}
