import Foundation
import Pallium
import TestSupport
import Testing

struct PatchLimitTests {
    @Test(.threat(.memoryBlowUp)) func copiesOfCopiesEndAtTheLimit() throws {
        let operations = (0..<40).map { number in
            JSONPatch.Operation.copy(from: JSONPointer(), to: ["\(number)"])
        }
        let error = try #require(throws: ModelError.self) { try JSONPatch(operations).applied(to: [:]) }
        #expect(error.code == .limitExceeded)
        #expect(JSONPatch.maximumCopiedBytes == 64 << 20)
        let long = JSONValue.string(String(repeating: "x", count: 1 << 20))
        let copies = (0..<70).map {
            JSONPatch.Operation.copy(from: ["a"], to: ["\($0)"])
        }
        #expect(throws: ModelError.self) { try JSONPatch(copies).applied(to: ["a": long]) }
        #expect(try JSONPatch(Array(copies.prefix(60))).applied(to: ["a": long]).objectValue?.count == 61)
    }

    /// Every removed member would be walked over by every test.
    @Test func membersThatWereRemovedCostNothing() throws {
        let count = 20_000
        let path: JSONPointer = ["a", "x"]
        let changes: [JSONPatch.Operation] = (0..<count).flatMap { _ in [.add(path, 1), .remove(path)] }
        let tests: [JSONPatch.Operation] = (0..<count).map { _ in .test(["a"], ["kept": true]) }
        let last: [JSONPatch.Operation] = [.add(["a", "y"], 2), .remove(["a", "kept"]), .add(["a", "kept"], 3)]
        let document = try JSONPatch(changes + tests + last).applied(to: ["a": ["kept": true]])
        #expect(try document.text() == #"{"a":{"y":2,"kept":3}}"#)
    }

    private static func tower(_ depth: Int) -> JSONValue {
        (0..<depth).reduce(JSONValue.null) { value, _ in ["a": value] }
    }

    @Test(.threat(.readerWriterDepth)) func nestingEndsAtTheLimitOfTheReader() throws {
        let path = JSONPointer(tokens: Array(repeating: "a", count: 12))
        for (depth, fits) in [(500, true), (501, false)] {
            let patch = JSONPatch([.add(path, Self.tower(depth))])
            if fits {
                let document = try patch.applied(to: Self.tower(12))
                #expect(try JSONValue(parsing: document.bytes()) == document)
            } else {
                let error = try #require(throws: ModelError.self) { try patch.applied(to: Self.tower(12)) }
                #expect(error.code == .limitExceeded)
            }
        }
    }

    @Test func whatWasDeeperBeforeMayStay() throws {
        let deep = Self.tower(600)
        let patch = JSONPatch([.add(["b"], 1), .add(["a", "b"], [2])])
        let patched = try patch.applied(to: deep)
        #expect(patched["b"] == 1)
        #expect(patched[JSONPointer(tokens: Array(repeating: "a", count: 600))] == .some(.null))
        #expect(throws: ModelError.self) { try JSONPatch([.move(from: ["a", "a"], to: ["a"])]).applied(to: deep) }
    }

    @Test func nestingInArraysEndsThereTooAndIsTold() throws {
        let tower = (0..<511).reduce(JSONValue.null) { value, _ in [value] }
        #expect(throws: Never.self) { try JSONPatch([.add(["-"], tower)]).applied(to: [1]) }
        let error = try #require(throws: ModelError.self) {
            try JSONPatch([.add(["1", "-"], tower)]).applied(to: [1, []])
        }
        #expect(error.code == .limitExceeded && error.pointer?.tokens.first == "1")
    }

    @Test func towersThatOperationsBuildAreRefusedOnASmallStack() {
        onStack(kilobytes: 256) {
            // Each move puts everything one level deeper.
            var moves: [JSONPatch.Operation] = []
            for _ in 0..<20_000 {
                moves.append(.add(["b"], [:]))
                moves.append(.move(from: ["a"], to: ["b", "a"]))
                moves.append(.move(from: ["b"], to: ["a"]))
            }
            let error = #expect(throws: ModelError.self) { try JSONPatch(moves).applied(to: ["a": 1]) }
            #expect(error?.code == .limitExceeded)
            // In between it may be deeper than what comes out.
            moves.append(.remove(["a"]))
            #expect((try? JSONPatch(moves).applied(to: ["a": 1])) == [:])
        }
    }

    @Test func thousandsOfOperationsGoIntoOneContainer() throws {
        let count = 50_000
        let members = JSONObject((0..<count).map { (key: "\($0)", value: JSONValue.number(JSONNumber($0))) })
        let removals = (0..<count).map { JSONPatch.Operation.remove(["\($0)"]) }
        #expect(try JSONPatch(removals).applied(to: .object(members)) == [:])
        let front: JSONPointer = ["0"]
        let insertions = (0..<count).map { JSONPatch.Operation.add(front, .number(JSONNumber($0))) }
        let filled = try JSONPatch(insertions).applied(to: [])
        #expect(filled == .array((0..<count).reversed().map { .number(JSONNumber($0)) }))
        let half = Array(repeating: JSONPatch.Operation.remove(["\(count / 2)"]), count: count / 2)
        #expect(try JSONPatch(half).applied(to: filled).arrayValue?.count == count / 2)
    }

    @Test func aPatchThatFailsLeavesTheDocumentAsItWas() throws {
        let document: JSONValue = ["a": [1, ["b": 2]]]
        let patch = try JSONPatch(
            parsing:
                #"[{"op":"remove","path":"/a/0"},{"op":"add","path":"/a/0/c","value":3},{"op":"remove","path":"/x"}]"#)
        #expect(throws: ModelError.self) { try patch.applied(to: document) }
        #expect(document == ["a": [1, ["b": 2]]])
    }
}
