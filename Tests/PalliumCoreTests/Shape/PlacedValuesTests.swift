import PalliumCore
import PalliumJSON
import Testing

/// Setting a value at a key path: in samples, which make all that is on the way, and in upgrades, which refuse to.
@Suite struct PlacedValuesTests {
    struct Change: CustomTestStringConvertible {
        let object: JSONObject
        let path: String
        let value: JSONValue?
        let placed: JSONObject
        /// The result of an upgrade; nil if it throws.
        let upgraded: JSONObject?

        init(_ object: JSONObject, _ path: String, _ value: JSONValue?, _ placed: JSONObject, upgraded: JSONObject?) {
            (self.object, self.path, self.value, self.placed, self.upgraded) = (object, path, value, placed, upgraded)
        }

        init(_ object: JSONObject, _ path: String, _ value: JSONValue?, _ changed: JSONObject) {
            self.init(object, path, value, changed, upgraded: changed)
        }

        var testDescription: String { "\(path) in \(JSONValue.object(object))" }
    }

    static let changes: [Change] = [
        Change([:], "a", 1, ["a": 1]),
        Change(["a": 0, "b": 0], "a", 1, ["a": 1, "b": 0]),
        Change([:], "a.b", 1, ["a": ["b": 1]]),
        Change(["a": nil], "a.b", nil as JSONValue?, ["a": nil]),
        Change(["a": nil], "a.b", 1, ["a": ["b": 1]]),
        Change(["a": ["b": 0, "c": 0]], "a.b", 1, ["a": ["b": 1, "c": 0]]),
        Change(["a": [0, ["b": 0]]], "a[1].b", 1, ["a": [0, ["b": 1]]]),
        Change([:], "a.b", .null, ["a": ["b": nil]]),
        // Removing.
        Change(["a": 0, "b": 0], "a", nil, ["b": 0]),
        Change(["a": ["b": 0]], "a.b", nil, ["a": [:]]),
        Change([:], "a.b", nil, [:]),
        Change(["a": 5], "a.b", nil, ["a": 5]),
        Change(["a": [0, 1]], "a[0]", nil, ["a": [nil, 1]]),
        Change(["a": [0]], "a[1]", nil, ["a": [0]]),
        Change(["a": [["b": 0]]], "a[0].b", nil, ["a": [[:]]]),
        // On the way is something else.
        Change(["a": 5], "a.b", 1, ["a": ["b": 1]], upgraded: nil),
        Change(["a": []], "a.b", 1, ["a": ["b": 1]], upgraded: nil),
        Change(["a": [0]], "a[2]", 1, ["a": [0, nil, 1]], upgraded: nil),
        Change([:], "a[0].b", 1, ["a": [["b": 1]]], upgraded: nil),
        Change(["a": ["b": 0]], "a[0]", 1, ["a": [1]], upgraded: nil),
        Change([:], "a[1000]", 1, ["a": nil], upgraded: nil),
    ]

    @Test(arguments: changes) func valueIsSetAtThePath(_ change: Change) throws {
        let path = try JSONKeyPath(change.path)
        var placed = change.object
        placed.place(change.value, at: path)
        #expect(placed == change.placed)
        var upgraded = change.object
        if let expected = change.upgraded {
            try upgraded.set(change.value, at: path)
            #expect(upgraded == expected)
        } else {
            let error = #expect(throws: ModelError.self) { try upgraded.set(change.value, at: path) }
            #expect(error?.code == .upgradeFailed)
        }
    }
}
