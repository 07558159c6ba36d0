import Pallium
import TestSupport
import Testing

struct ThreeWayMergeTests {
    /// Base, local, remote, and what comes of them without a conflict.
    static let merges = [
        (#"{"a":1,"b":2}"#, #"{"a":9,"b":2}"#, #"{"a":1,"b":8}"#, #"{"a":9,"b":8}"#),
        (#"{"a":1}"#, #"{"a":1,"b":2}"#, #"{"a":1,"c":3}"#, #"{"a":1,"b":2,"c":3}"#),
        (#"{"a":1,"b":2}"#, #"{"b":2}"#, #"{"a":1,"b":3}"#, #"{"b":3}"#),
        (#"{"a":1}"#, "{}", "{}", "{}"),
        (
            #"{"a":{"b":{"c":1,"d":2}}}"#, #"{"a":{"b":{"c":5,"d":2}}}"#, #"{"a":{"b":{"c":1,"d":6}}}"#,
            #"{"a":{"b":{"c":5,"d":6}}}"#
        ),
        ("{}", #"{"a":{"b":1}}"#, #"{"a":{"c":2}}"#, #"{"a":{"b":1,"c":2}}"#),
        (#"{"a":[1,2]}"#, #"{"a":[1,2,3]}"#, #"{"a":[1.0,2]}"#, #"{"a":[1,2,3]}"#),
        (#"{"a":null}"#, #"{"a":null}"#, "{}", "{}"),
        ("{}", #"{"a":null}"#, "{}", #"{"a":null}"#),
        ("1", "2", "1", "2"), ("1", "1", "[]", "[]"), ("1", "{}", "{}", "{}"),
    ]

    @Test(arguments: merges)
    func changesOfBothSidesComeTogether(base: String, local: String, remote: String, result: String) throws {
        let values = try [base, local, remote].map { try JSONValue(parsing: $0) }
        let merge = try JSONValue.merge(base: values[0], local: values[1], remote: values[2])
        #expect(try merge.value.text() == result)
        #expect(merge.conflicts.isEmpty)
    }

    /// Base, local, remote, where they conflict, what comes of it when the local or the remote side wins.
    static let conflicts = [
        (#"{"a":1}"#, #"{"a":2}"#, #"{"a":3}"#, ["/a"], #"{"a":2}"#, #"{"a":3}"#),
        (#"{"a":1,"b":1}"#, #"{"b":2}"#, #"{"a":3,"b":1}"#, ["/a"], #"{"b":2}"#, #"{"b":2,"a":3}"#),
        ("{}", #"{"a":1}"#, #"{"a":null}"#, ["/a"], #"{"a":1}"#, #"{"a":null}"#),
        (
            #"{"a":{"b":1,"c":[1]}}"#, #"{"a":{"b":2,"c":[2]}}"#, #"{"a":{"b":3,"c":[3]}}"#, ["/a/b", "/a/c"],
            #"{"a":{"b":2,"c":[2]}}"#, #"{"a":{"b":3,"c":[3]}}"#
        ),
        (#"{"a":{"b":1}}"#, "{}", #"{"a":{"b":2}}"#, ["/a"], "{}", #"{"a":{"b":2}}"#),
        (#"{"a":1}"#, #"{"a":{"b":1}}"#, #"{"a":{"c":1}}"#, ["/a"], #"{"a":{"b":1}}"#, #"{"a":{"c":1}}"#),
        ("1", "2", "3", [""], "2", "3"),
    ]

    @Test(arguments: conflicts)
    func conflictsAreToldByPointerAndDecidedByTheCaller(
        base: String, local: String, remote: String, places: [String], ofLocal: String, ofRemote: String
    ) throws {
        let values = try [base, local, remote].map { try JSONValue(parsing: $0) }
        for (resolution, result) in [(ThreeWayMerge.Resolution.local, ofLocal), (.remote, ofRemote)] {
            let merge = try JSONValue.merge(
                base: values[0], local: values[1], remote: values[2], resolving: resolution)
            #expect(merge.conflicts.map(\.pointer.description) == places)
            #expect(try merge.value == JSONValue(parsing: result))
        }
        let error = try #require(throws: ModelError.self) {
            try JSONValue.merge(base: values[0], local: values[1], remote: values[2])
        }
        #expect(error.problems.map { $0.pointer?.description } == places)
        #expect(error.problems.allSatisfy { $0.code == .conflict && $0.category == .unexpectedData })
    }

    @Test func conflictsTellWhatIsNotThereFromNull() throws {
        let merge = try JSONValue.merge(base: ["a": 1], local: ["a": nil], remote: [:], resolving: .local)
        #expect(merge.conflicts.first?.base == .some(1))
        #expect(merge.conflicts.first?.local == .some(.null))
        #expect(merge.conflicts.first?.remote == Optional.none)
        #expect(merge.value == ["a": nil])
        let error = #expect(throws: ModelError.self) {
            try JSONValue.merge(base: ["a": 1], local: ["a": nil], remote: [:])
        }
        #expect(error?.description == "expected a change of one side only but found null and nothing at /a")
    }

    @Test func lawsHoldForRandomDocuments() throws {
        var documents = RandomDocuments(seed: 4, nulls: true)
        for number in sampled(0..<3000) {
            let (base, local) = documents.pair(number)
            let remote = documents.changed(base)
            #expect(try JSONValue.merge(base: base, local: local, remote: base).value == local)
            #expect(try JSONValue.merge(base: base, local: base, remote: remote).value == remote)
            #expect(try JSONValue.merge(base: base, local: local, remote: local).value == local)
            let merge = try JSONValue.merge(base: base, local: local, remote: remote, resolving: .local)
            let mirrored = try JSONValue.merge(base: base, local: remote, remote: local, resolving: .remote)
            #expect(merge.value == mirrored.value)
            #expect(Set(merge.conflicts.map(\.pointer)) == Set(mirrored.conflicts.map(\.pointer)))
            for conflict in merge.conflicts {
                #expect(local[conflict.pointer] == conflict.local && remote[conflict.pointer] == conflict.remote)
                #expect(conflict.local != conflict.remote && conflict.base != conflict.local)
            }
        }
    }
}
