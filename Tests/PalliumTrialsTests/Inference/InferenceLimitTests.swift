import Pallium
import PalliumTrials
import TestSupport
import Testing

/// Bad input, and input beyond the limits.
struct InferenceLimitTests {
    private func problem(_ document: String) -> String? {
        do {
            _ = try inferred(document)
            return nil
        } catch { return "\(error)" }
    }

    @Test func badInputIsRefused() {
        #expect(problem("") == "expected a value but found the end of the text (1:1)")
        #expect(problem("{\"a\":1,\n\"b\":}") == "expected a value but found '}' (2:5)")
        #expect(problem("7") == "expected an object or an array of objects but found the number 7 at the root")
        #expect(problem(#"[{"a":1}, 2]"#) == "expected an object but found the number 2 at /1")
        #expect(problem("[]") == "expected a sample but found none")
        #expect(problem("[{},{}]") == "expected a sample with members but found empty objects only")
        #expect(problem(#"{"":1}"#) == #"expected members whose names have 1 to 120 bytes but found """#)
    }

    @Test func aRefusedDocumentAddsNoSample() throws {
        var inference = SchemaInference(name: "Root")
        try inference.add(Array(#"{"a":1}"#.utf8))
        #expect(throws: ModelError.self) { try inference.add(Array(#"[{"b":1}, 2]"#.utf8)) }
        #expect(throws: ModelError.self) { try inference.add(Array(#"[{"b":1}, "#.utf8)) }
        #expect(inference.sampleCount == 1)
        #expect(try inference.schemas() == inferred(#"{"a":1}"#))
    }

    @Test func deepValuesAreAnyJSON() throws {
        for depth in [20, 31, 32, 33, 100, 400] {
            let open = String(repeating: #"{"a":["#, count: depth / 2)
            let close = String(repeating: "]}", count: depth / 2)
            try expectTheLaw(open + close)
        }
        // Nothing on the way is shared, because each level has members of its own.
        let open = (0..<60).map { #"{"x\#($0)":1,"a\#($0)":"# }.joined()
        let schemas = try expectTheLaw(open + "1" + String(repeating: "}", count: 60))
        #expect(schemas.count == 32)
        #expect(schemas.last?.properties.last?.schema.kind == .json)
    }

    @Test func objectsWithTooManyNamesAreDictionaries() throws {
        let names = (0..<1025).map { #""name\#($0)x":\#($0 % 2 == 0 ? "1" : "true")"# }
        func kind(_ count: Int) throws -> PropertyKind? {
            try expectTheLaw(#"{"a":{\#(names.prefix(count).joined(separator: ","))}}"#)[0].property("a")?.kind
        }
        #expect(try kind(1024) == .model("A"))
        #expect(try kind(1025) == .dictionary(.jsonValue))
    }

    @Test func longNamesAreData() throws {
        func kind(_ count: Int) throws -> PropertyKind? {
            try expectTheLaw(#"{"a":{"\#(String(repeating: ".", count: count))x":1,"b":2}}"#)[0].property("a")?.kind
        }
        #expect(try kind(119) == .model("A"))
        #expect(try kind(120) == .dictionary(.integer))
    }

    /// The second type has the name of the first, so its own begins with the parent's, and the part's with both.
    @Test func namesOfSchemasStayWithinTheirLimit() throws {
        func object(_ type: String, _ members: String) -> String {
            #"{"type":"\#(String(repeating: type, count: 60))","\#(String(repeating: "p", count: 110))":{\#(members)}}"#
        }
        let objects = [object("a", #""x":1,"y":2"#), object("A", #""v":1,"w":2"#)]
        var inference = SchemaInference(name: String(repeating: "R", count: 100))
        for object in objects + objects { try inference.add(Array(object.utf8)) }
        let schemas = try inference.schemas()
        #expect(schemas.map(\.name.utf8.count) == [100, 60, 170, 160, 240])
        try SchemaRegistry().load(Array(try SchemaRegistry().document(of: schemas).text().utf8))
    }

    @Test func aRootWithTooManyMembersIsRefused() throws {
        let members = (0...10_000).map { #""m\#($0)":1"# }
        #expect(problem("{\(members.dropLast().joined(separator: ","))}") == nil)
        #expect(
            problem("{\(members.joined(separator: ","))}")
                == "expected samples with at most 10000 members but found more")
    }

    /// Beyond the last place, objects with new members become any JSON; the law holds all the same.
    @Test func thereAreOnlySoManyPlaces() throws {
        let objects = (0..<400).map { outer in
            let members = (0..<70).map { #""m\#(outer)_\#($0)":\#($0)"# }.joined(separator: ",")
            return #""o\#(outer)":{\#(members)}"#
        }
        let schemas = try expectTheLaw("{\(objects.joined(separator: ","))}")
        // The 400 members of the root do not count.
        #expect(schemas.map(\.properties.count).reduce(0, +) <= 20_400)
        #expect(schemas[0].properties.contains { $0.schema.kind == .json })
    }

    /// Places that were joined are used again, for places that are joined in turn.
    @Test func severalDictionariesDoNotDisturbOneAnother() throws {
        let dictionaries = ["a", "b", "c", "d"].map { name in
            let entries = (0..<300).map { entry in
                let members = (0..<(4 + entry % 3)).map { member in
                    let values = ["1", "\"x\"", "true", "[1.5]", "{\"y\":null}"]
                    return "\"\(name)\(member)\":\(values[member % 5])"
                }
                return "\"\(entry)\":{\(members.joined(separator: ","))}"
            }
            return "\"\(name)\":{\(entries.joined(separator: ","))}"
        }
        let schemas = try expectTheLaw("{\(dictionaries.joined(separator: ","))}")
        #expect(schemas.map(\.name) == ["Root", "A", "B", "C", "D", "A4"])
        #expect(
            schemas[1...4].map { $0.properties.map(\.schema.kind.name) }.allSatisfy {
                $0 == ["integer", "string", "bool", "array", "model", "integer"]
            })
    }

    @Test func manyDataNamesNeedFewPlaces() throws {
        let entries = (0..<30_000).map { #""\#($0)":{"id":\#($0),"name":"n","size":1}"# }
        let schemas = try expectTheLaw(#"{"a":{\#(entries.joined(separator: ","))}}"#)
        #expect(schemas.map(\.name) == ["Root", "A"])
        #expect(schemas[0].property("a")?.kind == .dictionary(.model("A")))
    }
}
