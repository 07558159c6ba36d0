import Pallium
import Testing

/// The initialisers of classes that a cluster chooses for one value of the discriminator.
struct GeneratedClusterTests {
    /// Returns the lines of the class `B`, a descendant of the cluster `A`.
    private func lines(discriminator: String, cluster: String, more: String = "") throws -> [String] {
        let files = try generatedFiles(
            """
            [{"name": "A", "cluster": {"discriminator": "type", \(cluster)}, "properties": {
               "type": \(discriminator), "id": {"kind": "integer", "required": true}}},
             {"name": "B", "extends": "A"}, {"name": "C", "extends": "A"}\(more)]
            """)
        return (files["B.swift"] ?? "").split(separator: "\n").map { String($0.drop { $0 == " " }) }
    }

    static let single = #""models": {"b": "B", "c": "C"}"#
    static let numbers = #""models": [{"tag": -7, "model": "B"}, {"tag": 8, "model": "C"}]"#
    static let flags = #""models": [{"tag": true, "model": "B"}, {"tag": false, "model": "C"}]"#

    @Test(arguments: [
        (#"{"kind": "string", "required": true}"#, single, #""b""#),
        (#"{"kind": "string"}"#, single, #""b""#),
        (#"{"kind": "enumeration", "cases": ["b", "c"], "required": true}"#, single, "AType.b"),
        (#"{"kind": "enumeration", "cases": [-7, 8], "required": true}"#, numbers, "AType.minus7"),
        (#"{"kind": "integer", "required": true}"#, numbers, "-7"),
        (#"{"kind": "bool", "required": true}"#, flags, "true"),
    ])
    func theInitializerSetsTheDiscriminator(discriminator: String, cluster: String, value: String) throws {
        let lines = try lines(discriminator: discriminator, cluster: cluster)
        guard discriminator.contains("required") else {
            // The parent's initialiser has the same parameters.
            #expect(!lines.contains("@available(*, unavailable)"))
            #expect(lines.contains(#"try self.init(values: ["type": \#(value), "id": id], registry: registry)"#))
            return
        }
        #expect(lines.contains("convenience init(id: Int, registry: SchemaRegistry = .shared) throws(ModelError) {"))
        #expect(lines.contains(#"try self.init(values: ["type": \#(value), "id": id], registry: registry)"#))
        // The initialiser of the parent takes any value.
        let hidden = try #require(lines.firstIndex(of: "@available(*, unavailable)"))
        #expect(lines[hidden + 1].hasPrefix("convenience init(type: "))
    }

    @Test(arguments: [
        // Several values, or any other.
        (#"{"kind": "string", "required": true}"#, #""models": {"b": "B", "d": "B", "c": "C"}"#),
        (#"{"kind": "string", "required": true}"#, #""models": {"c": "C"}, "default": "B""#),
        (#"{"kind": "string", "required": true}"#, #""models": {"b": "B", "c": "C"}, "default": "B""#),
        (#"{"kind": "string", "required": true}"#, #""models": {"c": "C"}"#),
        // Values that the source code cannot name.
        (#"{"kind": "enumeration", "cases": ["c"], "unknown": "keep", "required": true}"#, single),
        (#"{"kind": "json", "required": true}"#, single),
        (#"{"kind": "integer", "transformer": "IntegerText", "required": true}"#, #""models": {"1": "B", "2": "C"}"#),
    ])
    func otherDiscriminatorsAreParameters(discriminator: String, cluster: String) throws {
        #expect(try lines(discriminator: discriminator, cluster: cluster).last == "nonisolated final class B: A {}")
    }

    @Test func aDescendantWithAValueOfItsOwnSetsThat() throws {
        let files = try generatedFiles(
            #"""
            [{"name": "D", "extends": "B"}, {"name": "E", "extends": "B"}, {"name": "F", "extends": "B"},
             {"name": "A", "cluster": {"discriminator": "type", "models": {"b": "B", "d": "D", "e": "E", "f": "E"}},
              "properties": {"type": {"kind": "string", "required": true}, "id": {"kind": "uuid", "required": true}}},
             {"name": "B", "extends": "A"}]
            """#)
        #expect(files["B.swift"]?.contains(#"["type": "b", "id": id]"#) == true)
        let own = try #require(files["D.swift"])
        #expect(own.contains(#"["type": "d", "id": id]"#) && !own.contains("unavailable"))
        // It takes any value, and not that of its parent.
        let any = try #require(files["E.swift"])
        #expect(any.contains("init(type: String, id: UUID, registry: ") && any.contains("unavailable"))
        // The cluster does not know it.
        #expect(files["F.swift"]?.contains("final class F: B {}") == true)
    }

    @Test func withoutAnotherParameterTheDiscriminatorIsOne() throws {
        let files = try generatedFiles(
            #"""
            [{"name": "A", "cluster": {"discriminator": "type", "models": {"b": "B"}},
              "properties": {"type": {"kind": "string", "required": true}}},
             {"name": "B", "extends": "A"}]
            """#)
        #expect(files["A.swift"]?.contains("init(type: String, registry: SchemaRegistry = .shared)") == true)
        #expect(files["B.swift"]?.contains("nonisolated final class B: A {}") == true)
    }
}
