import Foundation
import Pallium
import TestSupport
import Testing

struct PatchDifferenceTests {
    /// Old document, new one, the patch between them.
    static let differences = [
        (#"{"a":1,"b":[1,2]}"#, #"{"b":[1.0,2],"a":1e0}"#, "[]"),
        ("1", "[]", #"[{"op":"replace","path":"","value":[]}]"#),
        (
            #"{"a":1,"b":2}"#, #"{"b":3,"c~/":null}"#,
            #"[{"op":"remove","path":"/a"},{"op":"add","path":"/c~0~1","value":null},{"op":"replace","path":"/b","value":3}]"#
        ),
        (#"{"a":{"b":{"c":1}}}"#, #"{"a":{"b":{"c":2}}}"#, #"[{"op":"replace","path":"/a/b/c","value":2}]"#),
        ("[1,2,3]", "[1,2,2.5,3]", #"[{"op":"add","path":"/2","value":2.5}]"#),
        (
            #"[{"a":1,"b":2},1,2]"#, #"[0,{"b":2,"a":1},1,2]"#, #"[{"op":"add","path":"/0","value":0}]"#
        ),
        ("[1,2,3]", "[2,3]", #"[{"op":"remove","path":"/0"}]"#),
        ("[1,1,1]", "[1,1]", #"[{"op":"remove","path":"/2"}]"#),
        ("[1,2,3]", "[1,5,3]", #"[{"op":"replace","path":"/1","value":5}]"#),
        ("[1,2,3]", "[3,1,2]", #"[{"op":"add","path":"/0","value":3},{"op":"remove","path":"/3"}]"#),
        (
            #"[{"id":1},{"id":2,"x":1}]"#, #"[{"id":0},{"id":1},{"id":2,"x":2}]"#,
            #"[{"op":"add","path":"/0","value":{"id":0}},{"op":"replace","path":"/2/x","value":2}]"#
        ),
        (
            "[[1,2],[3]]", "[[1],[3,4]]",
            #"[{"op":"remove","path":"/0/1"},{"op":"add","path":"/1/1","value":4}]"#
        ),
    ]

    @Test(arguments: differences)
    func differencesAreShort(old: String, new: String, patch: String) throws {
        let (old, new) = (try JSONValue(parsing: old), try JSONValue(parsing: new))
        let found = JSONPatch(from: old, to: new)
        #expect(try found.jsonValue.text() == patch)
        #expect(try found.applied(to: old) == new)
    }

    @Test(.trials) func differencesOfRandomDocumentsLeadToTheNewOne() throws {
        for seed in Trials(29) {
            var documents = RandomDocuments(seed: seed, nulls: true)
            let (old, new) = documents.pair(seed)
            let patch = JSONPatch(from: old, to: new)
            #expect(try patch.applied(to: old) == new, "\(old) to \(new): \(patch.jsonValue)")
            #expect(patch.operations.isEmpty == (old == new))
            #expect(try JSONPatch(patch.jsonValue) == patch)
        }
    }

    @Test func repeatedElementsBetweenChangesStay() throws {
        // Before the only element that occurs once on both sides stand two that occur twice.
        let (old, new): (JSONValue, JSONValue) = ([9, 1, 1, "a", 8], [7, 5, 1, 1, "a", 6])
        let patch = JSONPatch(from: old, to: new)
        #expect(patch.operations.count == 3)
        #expect(try patch.applied(to: old) == new)
    }

    @Test(arguments: [10, 3000, 20_000])
    func editsOfLongArraysAreFoundOneByOne(count: Int) throws {
        let old = (0..<count).map { JSONValue.number(JSONNumber($0 * 2)) }
        var new = old
        for position in stride(from: count - 1, through: 0, by: -10) {
            new.insert(.string("\(position)"), at: position)
        }
        new.removeFirst()
        let patch = JSONPatch(from: .array(old), to: .array(new))
        #expect(patch.operations.count <= count / 10 + 1)
        #expect(try patch.applied(to: .array(old)) == .array(new))
    }

    @Test func longArraysWithoutAnythingToHoldOnToAreStillRight() throws {
        let old = JSONValue.array((0..<30_000).map { .number(JSONNumber($0 * 7919 % 13)) })
        let new = JSONValue.array((0..<29_000).map { .number(JSONNumber($0 * 104_729 % 11)) })
        #expect(try JSONPatch(from: old, to: new).applied(to: old) == new)
    }

    @Test func documentsDeeperThanTheStackHasRoomForAreCompared() {
        onStack(kilobytes: 256) {
            func tower(_ leaf: JSONValue) -> JSONValue {
                (0..<511).reduce(leaf) { value, level in level % 2 == 0 ? [value] : ["a": value] }
            }
            let patch = JSONPatch(from: tower(1), to: tower(2))
            #expect(patch.operations.count == 1)
            #expect((try? patch.applied(to: tower(1))) == tower(2))
        }
    }

    @Test(.trials) func differencesOfArraysWithoutUniqueElementsAreTheShortest() throws {
        for seed in Trials(4) {
            var generator = SeededGenerator(seed: seed)
            func side() -> [Int] { (0..<4 + generator.below(9)).map { _ in generator.below(2) } }
            var (old, new) = (side(), side())
            while holdsUniqueElement(old, new) { (old, new) = (side(), side()) }
            let patch = JSONPatch(
                from: .array(old.map { .number(JSONNumber($0)) }), to: .array(new.map { .number(JSONNumber($0)) }))
            let shortest = old.count + new.count - 2 * commonSubsequence(old, new)
            #expect(patch.operations.count <= shortest, "\(old) to \(new): \(patch.jsonValue)")
        }
    }

    /// What tables cost is counted for the whole document: the first four arrays exhaust it, what follows is replaced.
    @Test func manyArraysTogetherCostNoMoreThanOne() throws {
        func sides(_ seed: Int) -> [JSONValue] {
            var generator = SeededGenerator(seed: seed)
            return (0..<1000).map { _ in .number(JSONNumber(Int.random(in: 0...2, using: &generator))) }
        }
        let keys = ["a", "b", "c", "d", "e"]
        let old = JSONObject(keys.map { (key: $0, value: JSONValue.array(sides(1))) })
        let new = JSONObject(keys.map { (key: $0, value: JSONValue.array(sides(2))) })
        let patch = JSONPatch(from: .object(old), to: .object(new))
        let counts = keys.map { key in
            patch.jsonValue.arrayValue?.count { $0["path"]?.stringValue?.hasPrefix("/\(key)") ?? false } ?? 0
        }
        #expect(Set(counts.prefix(4)).count == 1)
        #expect(counts[4] != counts[0])
        #expect(try patch.applied(to: .object(old)) == .object(new))
    }

    /// Whether between a common beginning and end something stands once on each side: such elements are matched before
    /// others, which need not be the shortest way.
    private func holdsUniqueElement(_ old: [Int], _ new: [Int]) -> Bool {
        let start = zip(old, new).prefix { $0 == $1 }.count
        let (old, new) = (old[start...], new[start...])
        let end = zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.count
        return [0, 1].contains { value in
            [old, new].allSatisfy { $0.dropLast(end).count { $0 == value } == 1 }
        }
    }

    /// The length of the longest common subsequence, as it is defined.
    private func commonSubsequence(_ old: [Int], _ new: [Int]) -> Int {
        var lengths = Array(repeating: Array(repeating: 0, count: new.count + 1), count: old.count + 1)
        for row in old.indices {
            for column in new.indices {
                lengths[row + 1][column + 1] =
                    old[row] == new[column]
                    ? lengths[row][column] + 1 : max(lengths[row][column + 1], lengths[row + 1][column])
            }
        }
        return lengths[old.count][new.count]
    }
}
