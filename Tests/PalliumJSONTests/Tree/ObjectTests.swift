import PalliumJSON
import TestSupport
import Testing

struct ObjectTests {
    private func names(_ object: JSONObject?) -> [[UInt8]] { object?.keys.map { Array($0.utf8) } ?? [] }

    @Test(.threat(.duplicateMembers), arguments: [#"{"a":1,"b":2,"a":3}"#, #"{"a":1,"b":2,"\u0061":3}"#])
    func membersOfTheSameNameFollowTheOption(text: String) throws {
        var options = JSONReadingOptions()
        #expect(try JSONValue(parsing: text, options: options) == ["a": 3, "b": 2])
        #expect(try JSONValue(parsing: text, options: options).text() == #"{"a":3,"b":2}"#)
        options.duplicateMembers = .firstWins
        #expect(try JSONValue(parsing: text, options: options) == ["a": 1, "b": 2])
        options.duplicateMembers = .error
        for verdict in [verdictOfReading, verdictOfSkipping] {
            #expect(verdict(Array(text.utf8), options)?.code == .duplicateMember)
            #expect(verdict(Array(text.utf8), options)?.offset == 14)
        }
    }

    @Test(.threat(.duplicateMembers), arguments: [2, 15, 16, 17, 18, 40, 1000])
    func membersOfTheSameNameAreFoundInObjectsOfEverySize(count: Int) throws {
        var members = (0..<count).map { "\"key number \($0)\":\($0)" }
        members.append("\"key number \(count / 2)\":\"again\"")
        let text = "{\(members.joined(separator: ","))}"
        let value = try #require(try JSONValue(parsing: text).objectValue)
        #expect(value.count == count)
        #expect(value["key number \(count / 2)"] == "again")
        #expect(value[count / 2].value == "again")
        var options = JSONReadingOptions()
        options.duplicateMembers = .firstWins
        #expect(
            try JSONValue(parsing: text, options: options)["key number \(count / 2)"] == .number(JSONNumber(count / 2)))
        options.duplicateMembers = .error
        #expect(verdictOfReading(Array(text.utf8), options)?.code == .duplicateMember)
        members.removeLast()
        #expect(verdictOfReading(Array("{\(members.joined(separator: ","))}".utf8), options) == nil)
    }

    @Test(.threat(.duplicateMembers, .normalization)) func composedAndDecomposedNamesAreDifferent() throws {
        let value = try JSONValue(parsing: "{\"\u{E9}\":1,\"e\u{301}\":2}")
        #expect(names(value.objectValue) == [Array("\u{E9}".utf8), Array("e\u{301}".utf8)])
        #expect(value["\u{E9}"] == 1)
        #expect(value["e\u{301}"] == 2)
        #expect(JSONValue.string("\u{E9}") != JSONValue.string("e\u{301}"))
        #expect(JSONPointer(tokens: ["\u{E9}"]) != JSONPointer(tokens: ["e\u{301}"]))
    }

    @Test(.threat(.normalization)) func longRunsOfCombiningMarksAreOrdinaryNames() throws {
        let marks = (0..<200_000).map { $0 % 2 == 0 ? "\u{301}" : "\u{316}" }.joined()
        var options = JSONReadingOptions()
        options.maximumNameBytes = 1 << 20
        let value = try JSONValue(parsing: "{\"\(marks)a\":1,\"\(marks)b\":2}", options: options)
        #expect(value["\(marks)b"] == 2)
        #expect(value.hashValue == value.hashValue)
        #expect(value == value)
    }

    @Test(arguments: [3, 16, 17, 100])
    func membersAreSetReplacedAndRemoved(count: Int) {
        var object = JSONObject()
        for number in 0..<count { object["k\(number)"] = .number(JSONNumber(number)) }
        #expect(object.count == count)
        #expect(object.keys == (0..<count).map { "k\($0)" })
        #expect(object.updateValue("new", forKey: "k1") == 1)
        #expect(object[1].key == "k1" && object[1].value == "new")
        #expect(object.removeValue(forKey: "k0") == 0)
        #expect(object.removeValue(forKey: "k0") == nil)
        object["k2"] = nil
        #expect(object.count == count - 2)
        #expect(object["k2"] == nil)
        for number in 3..<count { #expect(object["k\(number)"] == .number(JSONNumber(number))) }
        #expect(object["missing"] == nil)
        object["k0"] = .null
        #expect(object.keys.last == "k0")
        #expect(object["k0"] == .some(.null))
    }

    @Test func equalityDoesNotDependOnTheOrderOfMembers() {
        let left: JSONValue = ["a": 1, "b": [true, nil, ["c": 2.5]]]
        let right: JSONValue = ["b": [true, nil, ["c": 2.5]], "a": 1]
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(left != ["a": 1, "b": [nil, true, ["c": 2.5]]])
        #expect(left != ["a": 1])
        #expect(left != ["a": 1, "c": [true, nil, ["c": 2.5]]])
        #expect(JSONObject([(key: "a", value: 1)]) == ["a": 1.0])
        #expect(Set([left, right]).count == 1)
        #expect(Set([["a": 1, "b": 2], ["b": 2, "a": 1], ["a": 1]] as [JSONObject]).count == 2)
    }

    @Test func differentValuesHaveDifferentHashes() {
        let values: [JSONValue] = [
            nil, true, false, 0, 1, "", "0", "null", [], [[]], [nil], [nil, nil], [:], ["a": nil], ["a": [:]],
            ["a": []],
            ["b": nil], ["a": 1, "b": 2], ["a": 2, "b": 1], [1, 2], [2, 1], [[1], 2], [1, [2]], [[1, 2]],
        ]
        #expect(Set(values).count == values.count)
        #expect(Set(values.map(\.hashValue)).count == values.count)
        for (position, left) in values.enumerated() {
            for (otherPosition, right) in values.enumerated() {
                #expect((left == right) == (position == otherPosition))
            }
        }
    }

    /// Repeated names are dropped while a large object is read, and the outcome is that of a small one.
    @Test(arguments: [1, 2, 1000, 1500, 5000]) func repeatedNamesOfLargeObjectsFollowThePolicy(names: Int) throws {
        let count = 6000
        let text = "{" + (0..<count).map { #""k\#($0 % names)":{"inner":\#($0)}"# }.joined(separator: ",") + "}"
        for policy in [JSONReadingOptions.DuplicateMembers.lastWins, .firstWins] {
            var options = JSONReadingOptions()
            options.duplicateMembers = policy
            let object = try #require(JSONValue(parsing: text, options: options).objectValue)
            #expect(object.keys == (0..<names).map { "k\($0)" })
            for name in 0..<names {
                let last = (count - 1 - name) / names * names + name
                #expect(object["k\(name)"] == ["inner": .number(JSONNumber(policy == .firstWins ? name : last))])
            }
        }
        var options = JSONReadingOptions()
        options.duplicateMembers = .error
        let error = #expect(throws: JSONSyntaxError.self) { _ = try JSONValue(parsing: text, options: options) }
        #expect(error?.code == .duplicateMember)
        let before = "{" + (0..<names).map { #""k\#($0)":{"inner":\#($0)},"# }.joined()
        #expect(error?.offset == before.utf8.count + 1)
    }
}
