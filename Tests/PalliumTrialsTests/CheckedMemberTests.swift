import Foundation
import Pallium
import TestSupport
import Testing

/// Problems point at the member that has to change, in documents with a line for each member.
@Suite struct CheckedMemberTests {
    private func places(in document: String) throws -> [String] {
        let folder = try TemporaryFolder()
        _ = try folder.write("a.json", document)
        var found: [SchemaError.Problem]
        do throws(SchemaError) { found = try SchemaRegistry().check(contentsOf: folder.url) } catch {
            found = error.problems
        }
        return found.map { ($0.source ?? "").replacing(folder.path + "/", with: "").replacing("a.json:", with: "") }
    }

    /// A schema with one property, of which each member has its own line from 6 on.
    private func document(members: [String], others: [String] = []) -> String {
        let lines = members.map { "      " + $0 }.joined(separator: ",\n")
        let more = others.map { ",\n  " + $0 }.joined()
        return
            "{\n  \"name\": \"A\",\n  \"version\": 2,\n  \"properties\": {\n    \"a\": {\n\(lines)\n    }\n  }\(more)\n}\n"
    }

    @Test(
        arguments: [
            ([#""kind": "date""#, #""transformer": "UnixMiliseconds""#], ["7:22"]),
            ([#""kind": "date""#, #""required": true"#, #""transformer": "ISO8601""#], ["8:22"]),
            ([#""kind": "integer""#, #""maximum": 3"#, #""default": 5"#], ["8:18"]),
            ([#""doc": "text""#, #""format": "emial""#, #""kind": "string""#], ["7:17"]),
            ([#""merge": "max""#, #""kind": "bool""#], ["6:16"]),
            ([#""kind": "integer""#, #""json": "a..b""#], ["7:15"]),
            ([#""kind": "json""#, #""index": "ordinary""#], ["7:16"]),
            ([#""kind": "model""#, #""model": "Nowhere""#], ["7:16"]),
            ([#""kind": "array""#, #""of": {"kind": "string", "format": "emial"}"#], ["7:42"]),
            ([#""kind": "integer""#, #""nil": "omit""#, #""json": null"#], ["7:14"]),
        ] as [([String], [String])]) func aProblemOfAPropertyIsAtItsMember(
            members: [String], places: [String]
        ) throws
    {
        #expect(try self.places(in: document(members: members)) == places)
    }

    @Test(arguments: [
        (#""extends": "Nowhere""#, "9:14"), (#""identity": ["b"]"#, "9:15"),
        (#""profiles": {"v2": {"b": "x"}}"#, "9:28"), (#""rules": [{"before": ["a", "b"]}]"#, "9:12"),
        (#""upgrades": [{"from": 1}, {"from": 1}]"#, "9:15"),
        (#""upgrades": [{"from": 1, "transform": {"a": "Nowhere"}}]"#, "9:16"),
        (#""ignored": ["x..y"]"#, "9:14"),
        (#""cluster": {"discriminator": "a", "models": {"x": "Nowhere"}, "default": "A"}"#, "9:14"),
    ]) func aProblemOfASchemaIsAtItsMember(member: String, place: String) throws {
        #expect(try places(in: document(members: [#""kind": "string""#], others: [member])) == [place])
    }

    @Test func problemsOfOnePropertyAreInReadingOrder() throws {
        let members = [#""default": "x""#, #""transformer": "Nowhere""#, #""format": "emial""#, #""kind": "string""#]
        #expect(try places(in: document(members: members)) == ["7:22", "8:17"])
    }
}
