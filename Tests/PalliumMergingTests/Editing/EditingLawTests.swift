import Foundation
import ModelTestSupport
import Pallium
import Testing

/// What holds for edits of whatever texts.
///
/// Domain: the models of ``GeneratedThings``, texts in any style with unknown, repeated and escaped members, and any edits.
struct EditingLawTests {
    private static let seeds = Trials(3)
    private static let documentsOfASeed = 10

    @Test(.trials) func nothingChangesWithoutAChange() throws {
        for seed in Self.seeds {
            var things = try GeneratedThings(seed: seed)
            var spelling = SpelledText(seed: seed)
            for _ in 0..<Self.documentsOfASeed {
                let text = Data(spelling.text(of: things.document()).utf8)
                let model = try things.adapter.model(from: text)
                #expect(try things.adapter.data(from: model, editing: text) == text, "\(seed)")
            }
        }
    }

    @Test(.trials, arguments: [JSONAdapterOptions.UnknownMembers.ignore, .keep])
    func onlyWhatChangedChanges(unknown: JSONAdapterOptions.UnknownMembers) throws {
        for seed in Self.seeds {
            var things = try GeneratedThings(seed: seed)
            let adapter = things.adapter.with { $0.unknownMembers = unknown }
            var spelling = SpelledText(seed: seed)
            for _ in 0..<Self.documentsOfASeed {
                let text = spelling.text(of: things.document())
                let model = try adapter.model(from: text)
                let before = try adapter.jsonValue(from: model)
                try things.edit(model)
                try check(text, before, model, adapter, "\(seed)")
            }
        }
    }

    private func check(
        _ text: String, _ before: JSONValue, _ model: DynamicModel, _ adapter: JSONAdapter<DynamicModel>, _ seed: String
    ) throws {
        let edited = String(decoding: try adapter.data(from: model, editing: Data(text.utf8)), as: UTF8.self)
        let found = try adapter.model(from: edited)
        let expected = try adapter.model(from: adapter.data(from: model))
        let isSame = try found == expected && adapter.jsonPatch(from: found, to: expected).operations.isEmpty
        #expect(isSame, "\(seed)\n\(text)\n\(edited)")
        let problem = Self.problem(
            Self.trimmed(text), Self.trimmed(edited), before, try adapter.jsonValue(from: model), "")
        #expect(problem == nil, "\(seed)\n\(text)\n\(edited)")
    }

    private static func trimmed(_ text: String) -> String {
        var text = text
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Compares two texts as the article says, given what the models write: the first place where the new text is not as
    /// it must be.
    private static func problem(
        _ old: String, _ new: String, _ before: JSONValue?, _ after: JSONValue, _ path: String
    ) -> String? {
        if before == after { return old == new ? nil : "\(path): \(old) → \(new)" }
        guard let oldText = SplitText(old), let newText = SplitText(new), oldText.isObject == newText.isObject else {
            return nil
        }
        switch (before, after) {
        case (.object(let before), .object(let after)):
            var kept: [String] = []
            for (index, child) in oldText.children.enumerated() {
                guard let name = child.name else { return "\(path): no name" }
                let counts = !oldText.children[(index + 1)...].contains { $0.name == name }
                if before[name] != nil, after[name] == nil {
                    if newText[name] != nil { return "\(path)/\(name): still there" }
                    continue
                }
                kept.append(child.raw)
                guard counts, let value = after[name], let now = newText[name] else { continue }
                kept[kept.count - 1] = now.raw
                if let problem = problem(
                    child.value, now.value, before[name], value, "\(path)/\(name)")
                {
                    return problem
                }
            }
            let found = newText.children.prefix(kept.count).map(\.raw)
            return found == kept ? nil : "\(path): \(kept) → \(found)"
        case (.array(let before), .array(let after)):
            guard before.count == oldText.children.count, after.count == newText.children.count else { return nil }
            // Elements with an identity, and values that occur once.
            for (index, element) in before.enumerated() {
                let isSame: (JSONValue) -> Bool = { other in
                    if let id = element["id"] { other["id"] == id } else { other == element }
                }
                let positions = after.indices.filter { isSame(after[$0]) }
                // Other sets may have another order in the text.
                guard positions.count == 1, before.count(where: isSame) == 1 else { continue }
                let candidates = newText.children.map(\.value)
                let problems = candidates.map { candidate in
                    problem(
                        oldText.children[index].value, candidate, element, after[positions[0]], "\(path)/\(index)")
                }
                if problems.allSatisfy({ $0 != nil }) { return problems.first ?? "nothing" }
            }
            return nil
        default: return nil
        }
    }
}
