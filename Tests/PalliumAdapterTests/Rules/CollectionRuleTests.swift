import ModelTestSupport
import Pallium
import Testing

/// Rules of collections count and compare elements; elements have rules of their own.
struct CollectionRuleTests {
    private static let counts: [RuleRow] = [
        RuleRow(.array(of: .integer).rules(.minCount(2)), kept: ["[1,2]", "[1,1]", "[1,2,3]"], broken: ["[]", "[1]"]),
        RuleRow(
            .array(of: .integer).rules(.maxCount(2)), kept: ["[]", "[1]", "[1,2]"], broken: ["[1,2,3]", "[1,1,1]"]),
        RuleRow(.array(of: .integer).rules(.maxCount(0)), kept: ["[]"], broken: ["[1]"]),
        RuleRow(.array(of: .integer).rules(.minCount(0), .maxCount(Int.max)), kept: ["[]", "[1]"], broken: []),
        RuleRow(.array(of: .integer.nullable).rules(.minCount(2)), kept: ["[null,null]"], broken: ["[null]"]),
        RuleRow(.array(of: .jsonValue).rules(.maxCount(1)), kept: ["[[1,2,3]]"], broken: ["[1,2]"]),
        // Repeated elements of a set are gone before they are counted.
        RuleRow(
            .set(of: .integer).rules(.minCount(2)), kept: ["[1,2]", "[1,2,1]"],
            broken: ["[]", "[1]", "[1,1]", "[1,1,1]"]),
        RuleRow(.set(of: .integer).rules(.maxCount(2)), kept: ["[1,2]", "[1,2,2,1]"], broken: ["[1,2,3]"]),
        RuleRow(
            .set(of: .string).rules(.maxCount(1)), kept: [#"["a","a"]"#, #"["\u0061","a"]"#],
            broken: [#"["a","b"]"#, #"["é","e\u0301"]"#]),
        RuleRow(.dictionary(of: .integer).rules(.minCount(1)), kept: [#"{"a":1}"#], broken: ["{}"]),
        RuleRow(
            .dictionary(of: .integer).rules(.maxCount(1)), kept: ["{}", #"{"a":1}"#],
            broken: [#"{"a":1,"b":1}"#, #"{"é":1,"e\u0301":1}"#]),
    ]

    private static let unique: [RuleRow] = [
        RuleRow(
            .array(of: .integer).rules(.unique), kept: ["[]", "[1]", "[1,2,3]", "[0,-1]"],
            broken: ["[1,1]", "[1,2,1]", "[2,1,1]", "[0,-0]"]),
        RuleRow(
            .array(of: .double).rules(.unique), kept: ["[1,1.5]", "[1,1.0000000000000002]"],
            broken: ["[1,1.0]", "[100,1e2]", "[0.1,0.10000000000000001]", "[0.0,-0.0]"]),
        RuleRow(
            .array(of: .jsonValue.nullable).rules(.unique),
            kept: [#"[1,"1",true,null]"#, "[[1,2],[2,1]]", #"[{"a":1},{"a":2}]"#],
            broken: ["[1,1.0]", "[null,null]", "[[1],[1.0]]", #"[{"a":1,"b":2},{"b":2,"a":1}]"#]),
        RuleRow(
            .array(of: .string).rules(.unique), kept: [#"["a","A","",  "a "]"#, #"["é","e\u0301"]"#],
            broken: [#"["a","b","a"]"#, #"["\u0061","a"]"#, #"["",""]"#]),
        RuleRow(.array(of: .bool).rules(.unique), kept: ["[true,false]"], broken: ["[true,false,true]"]),
        RuleRow(
            .array(of: .decimal).rules(.unique), kept: ["[1,1.00000000000000000000000000000000000001]"],
            broken: ["[1,1.00]"]),
        RuleRow(
            .array(of: .date).rules(.unique), kept: [#"["2026-01-01T00:00:00Z","2026-01-01T00:00:01Z"]"#],
            broken: [#"["2026-01-01T00:00:00Z","2026-01-01T01:00:00+01:00"]"#]),
        RuleRow(.array(of: .integer.nullable).rules(.unique), kept: ["[null,0]"], broken: ["[null,0,null]"]),
        RuleRow(
            .array(of: .array(of: .integer)).rules(.unique), kept: ["[[1,2],[2,1]]", "[[],[1]]"],
            broken: ["[[],[]]", "[[1,2],[3],[1,2]]"]),
        RuleRow(
            .array(of: .set(of: .integer)).rules(.unique), kept: ["[[1,2],[1,3]]"],
            broken: ["[[1,2],[2,1]]", "[[1],[1,1]]"]),
        RuleRow(
            .array(of: .dictionary(of: .integer)).rules(.unique), kept: [#"[{"a":1},{"b":1}]"#],
            broken: [#"[{"a":1,"b":2},{"b":2,"a":1}]"#]),
        RuleRow(.array(of: .enumeration("x", "y")).rules(.unique), kept: [#"["x","y"]"#], broken: [#"["x","x"]"#]),
    ]

    private static let elements: [RuleRow] = [
        RuleRow(.array(of: .integer.rules(.minimum(0))), kept: ["[]", "[0,1]"], broken: ["[0,-1]", "[-1,0]"]),
        RuleRow(.array(of: .integer.nullable.rules(.minimum(1))), kept: ["[null,1]"], broken: ["[null,0]"]),
        RuleRow(.array(of: .array(of: .integer).rules(.maxCount(1))), kept: ["[[],[1],[2]]"], broken: ["[[1],[1,2]]"]),
        RuleRow(.set(of: .string.rules(.minLength(2))), kept: [#"["ab","cd"]"#], broken: [#"["ab","c"]"#]),
        RuleRow(
            .dictionary(of: .double.rules(.exclusiveMinimum(0))), kept: [#"{"a":0.5}"#], broken: [#"{"a":0.5,"b":0}"#]),
        RuleRow(.set(of: .array(of: .integer).rules(.unique)), kept: ["[[1,2],[2,1]]"], broken: ["[[1,2],[1,1]]"]),
    ]

    @Test(arguments: counts) func elementsAreCounted(row: RuleRow) throws { try row.check() }

    @Test(arguments: unique) func elementsAreDifferent(row: RuleRow) throws { try row.check() }

    @Test(arguments: elements) func elementsHaveRules(row: RuleRow) throws { try row.check() }

    @Test(arguments: [
        (PropertySchema.array(of: .array(of: .integer.rules(.minimum(0)))), "[[0],[1,-1]]", "/p/1/1"),
        (.array(of: .array(of: .integer).rules(.minCount(1))), "[[0],[]]", "/p/1"),
        (
            .array(of: .array(of: .array(of: .string.rules(.maxLength(1))))), #"[[["a"]],[["b"],["c","dd"]]]"#,
            "/p/1/1/1"
        ),
        (.dictionary(of: .integer.rules(.minimum(0))), #"{"a/b":-1}"#, "/p/a~1b"),
        (.dictionary(of: .integer.rules(.minimum(0))), #"{"x":1,"~":-1}"#, "/p/~0"),
        (.dictionary(of: .integer.rules(.minimum(0))), #"{"":-1}"#, "/p/"),
        (.dictionary(of: .dictionary(of: .string.rules(.pattern("a")))), #"{"k":{"é":"b"}}"#, "/p/k/é"),
        (.dictionary(of: .array(of: .integer.rules(.multipleOf(2)))), #"{"k":[2,3]}"#, "/p/k/1"),
        (.array(of: .dictionary(of: .integer).rules(.maxCount(0))), #"[{},{"a":1}]"#, "/p/1"),
        (.set(of: .integer.rules(.minimum(0))), "[5,-1]", "/p"),
        (.array(of: .integer).rules(.unique), "[4,5,4]", "/p/2"),
        (.array(of: .integer).rules(.maxCount(1)), "[4,5]", "/p"),
    ])
    func theErrorPointsAtTheElement(property: PropertySchema, value: String, pointer: String) throws {
        let adapter = try Plain.adapter(["p": property])
        let error = try #require(adapter.problem(of: #"{"p": \#(value)}"#))
        #expect(error.code == .ruleBroken)
        #expect(error.pointer?.description == pointer)
    }

    @Test(arguments: [
        (PropertySchema.set(of: .integer.rules(.minimum(0))), "[5,5,-1]", "/p", "1:7"),
        (.dictionary(of: .set(of: .integer.rules(.minimum(0)))), #"{"k":[1,1,-1]}"#, "/p/k", "1:12"),
    ])
    func elementsOfASetAreReportedAtTheSet(
        property: PropertySchema, value: String, pointer: String, location: String
    ) throws {
        let error = try Plain.adapter(["p": property]).problem(of: #"{"p": \#(value)}"#)
        #expect(error?.pointer?.description == pointer)
        #expect(error?.location?.description == location)
    }

    @Test func theIndexCountsTheElementsThatWereKept() throws {
        let adapter = try Plain.adapter(
            ["p": .array(of: .integer.rules(.minimum(0)))], options: .with { $0.elements = .skip })
        let report = adapter.report(from: #"{"p": [1, "x", -1]}"#)
        #expect(report.problems.map { $0.pointer?.description } == ["/p/1", "/p/1"])
    }

    @Test func aRedeclaredCollectionKeepsTheRulesOfItsElements() throws {
        let own = PropertySchema.array(of: .integer.rules(.minimum(0)))
        let child = ModelSchema("Child", ["p": own.required.rules(.maxCount(2))], extends: "Parent")
        let adapter = try Plain.adapter([child, ModelSchema("Parent", ["p": own])])
        for text in ["[-1]", "[1,2,3]"] { #expect(adapter.problem(of: #"{"p":\#(text)}"#)?.code == .ruleBroken) }
        // Rules of elements that are added hold, or are refused; they are not passed over.
        let element = PropertySchema.integer.rules(.minimum(0), .maximum(9))
        let strict = [
            ModelSchema("Child", ["p": .array(of: element)], extends: "Parent"), ModelSchema("Parent", ["p": own]),
        ]
        if Plain.problems(strict).isEmpty {
            #expect(try Plain.adapter(strict).problem(of: #"{"p":[10]}"#)?.code == .ruleBroken)
        }
        let added = [
            ModelSchema("Child", ["p": own], extends: "Parent"), ModelSchema("Parent", ["p": .array(of: .integer)]),
        ]
        if Plain.problems(added).isEmpty {
            #expect(try Plain.adapter(added).problem(of: #"{"p":[-1]}"#)?.code == .ruleBroken)
        }
    }

    private func pages(_ rules: PropertySchema) throws -> Entrances<DynamicModel> {
        try Plain.adapter([
            ModelSchema("Page", ["items": rules]),
            ModelSchema(
                "Item",
                ["id": .integer, "size": .double, "note": .string.storage(.transitory), "child": .model("Item")]),
        ])
    }

    @Test func equalModelsAreNotDifferent() throws {
        let adapter = try pages(.array(of: .model("Item")).rules(.unique))
        for kept in [
            "[]", #"[{"id":1},{"id":2}]"#, #"[{"id":1},{}]"#, #"[{"id":1},{"id":1,"size":0}]"#,
            #"[{"child":{"id":1}},{"child":{"id":2}}]"#,
        ] {
            #expect(throws: Never.self, "\(kept)") { try adapter.model(from: #"{"items":\#(kept)}"#) }
        }
        for (broken, pointer) in [
            (#"[{"id":1},{"id":1}]"#, "/items/1"), (#"[{"size":1},{"id":2},{"size":1.0}]"#, "/items/2"),
            ("[{},{}]", "/items/1"), (#"[{"child":{"id":1}},{"child":{"id":1}}]"#, "/items/1"),
            // What is transitory takes no part in equality.
            (#"[{"id":1,"note":"a"},{"id":1,"note":"b"}]"#, "/items/1"),
        ] {
            let error = adapter.problem(of: #"{"items":\#(broken)}"#)
            #expect(places(error) == ["ruleBroken at \(pointer)"], "\(broken)")
        }
    }

    @Test func manyElementsAreCompared() throws {
        let adapter = try Plain.adapter(["p": .array(of: .integer).rules(.unique)])
        let numbers = (0..<2000).map { "\($0 * 7919 % 100_003)" }
        #expect(throws: Never.self) { try adapter.model(from: "{\"p\":[\(numbers.joined(separator: ","))]}") }
        let repeated = numbers + [numbers[1234]]
        let error = try #require(adapter.problem(of: "{\"p\":[\(repeated.joined(separator: ","))]}"))
        #expect(error.pointer?.description == "/p/2000")
        #expect(error.found == "an element that equals the one at index 1234")
    }
}
