import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Rules that cannot hold are errors when the schema is registered.
struct RuleRegistrationTests {
    private enum Family { case number, text, collection, array }

    private static let kinds: [(String, PropertySchema, Set<Family>)] = [
        ("bool", .bool, []), ("integer", .integer, [.number]), ("int8", .integer(as: Int8.self), [.number]),
        ("unsigned", .unsigned, [.number]), ("uint16", .integer(as: UInt16.self), [.number]),
        ("double", .double, [.number]),
        ("float", .float, [.number]), ("decimal", .decimal, [.number]), ("string", .string, [.text]),
        ("date", .date, []),
        ("duration", .duration, []), ("url", .url, []), ("uuid", .uuid, []), ("data", .data, []),
        ("enumeration", .enumeration("a", "b"), []), ("model", .model("Plain"), []),
        ("array", .array(of: .integer), [.collection, .array]), ("set", .set(of: .string), [.collection]),
        ("dictionary", .dictionary(of: .string), [.collection]), ("json", .jsonValue, []),
    ]

    private static let rules: [(PropertySchema.Rule, Family)] = [
        (.minimum(1), .number), (.maximum(1), .number), (.exclusiveMinimum(1), .number),
        (.exclusiveMaximum(1), .number),
        (.multipleOf(1), .number), (.minLength(1), .text), (.maxLength(1), .text), (.pattern("a"), .text),
        (.format("email"), .text), (.minCount(1), .collection), (.maxCount(1), .collection), (.unique, .array),
    ]

    @Test func everyRuleFitsItsKindsOnly() {
        for (name, property, families) in Self.kinds {
            for (rule, family) in Self.rules {
                let found = Plain.problems(["p": property.rules(rule)])
                if families.contains(family) {
                    #expect(found == [], "\(name) \(rule)")
                } else {
                    #expect(found.count == 1, "\(name) \(rule): \(found)")
                    #expect(
                        found.allSatisfy { $0.hasPrefix("Plain.p: ") && $0.contains(rule.name) },
                        "\(name) \(rule): \(found)")
                }
                // As an element, a property has the same rules.
                if property.kind != .model("Plain") {
                    let nested = Plain.problems(["p": .array(of: .dictionary(of: property.rules(rule)))])
                    #expect(nested.isEmpty == families.contains(family), "\(name) \(rule): \(nested)")
                }
            }
        }
    }

    @Test(arguments: [
        // Divisors are above zero.
        PropertySchema.integer.rules(.multipleOf(0)), .integer.rules(.multipleOf(-2)), .double.rules(.multipleOf(0.0)),
        .double.rules(.multipleOf(-0.0)), .double.rules(.multipleOf(-0.5)), .decimal.rules(.multipleOf(number("0e5"))),
        .unsigned.rules(.multipleOf(0)), .float.rules(.multipleOf(0)),
        // Limits that the kind cannot hold.
        .integer.rules(.maximum(JSONNumber(UInt64.max))),
        .integer.rules(.minimum(number("-9223372036854775809"))),
        .unsigned.rules(.exclusiveMaximum(number("18446744073709551616"))),
        .double.rules(.maximum(number("1e400"))), .double.rules(.minimum(number("-1e400"))),
        .double.rules(.minimum(number("9007199254740993"))), .double.rules(.maximum(number("0.10000000000000000001"))),
        .double.rules(.exclusiveMinimum(number("1e-400"))), .float.rules(.maximum(number("1e39"))),
        .float.rules(.minimum(number("0.123456789"))), .float.rules(.maximum(16_777_217)),
        .decimal.rules(.maximum(number("1e200"))),
        .decimal.rules(.minimum(number("1234567890123456789012345678901234567890.5"))),
        // Bad patterns.
        .string.rules(.pattern("(")), .string.rules(.pattern("a**")), .string.rules(.pattern("[z-a]")),
        .string.rules(.pattern(#"(a)\1"#)), .string.rules(.pattern("a(?=b)")), .string.rules(.pattern("a(?!b)")),
        .string.rules(.pattern("(?<=a)b")), .string.rules(.pattern(#"\p{L}"#)), .string.rules(.pattern("(?i)a")),
        .string.rules(.pattern("a{3,2}")), .string.rules(.pattern("]")), .string.rules(.pattern("{")),
        .string.rules(.pattern(#"\"#)), .string.rules(.pattern(#"\q"#)), .string.rules(.pattern("(a|b)*a(a|b){20}")),
        .string.rules(.pattern(String(repeating: "a", count: 4097))),
        // Unknown formats.
        .string.rules(.format("")), .string.rules(.format("Email")), .string.rules(.format("phone")),
        // A rule twice.
        .integer.rules(.minimum(1), .minimum(2)), .integer.rules(.minimum(1), .minimum(1)),
        .string.rules(.pattern("a")).rules(.pattern("b")), .array(of: .bool).rules(.unique, .unique),
    ])
    func rulesThatCannotHoldAreRefused(property: PropertySchema) {
        let found = Plain.problems(["p": property])
        #expect(found.count == 1, "\(property.rules): \(found)")
        #expect(found.allSatisfy { $0.hasPrefix("Plain.p: ") }, "\(found)")
        let nested = Plain.problems(["p": .array(of: property)])
        #expect(nested.count == 1, "\(property.rules): \(nested)")
    }

    @Test(arguments: [
        PropertySchema.integer.rules(.minimum(1.0)), .integer.rules(.maximum(number("1e3"))),
        .unsigned.rules(.minimum(0)),
        .unsigned.rules(.maximum(JSONNumber(UInt64.max))), .float.rules(.maximum(0.1)), .float.rules(.minimum(1.1)),
        .float.rules(.multipleOf(0.01)), .double.rules(.maximum(0.1)), .double.rules(.minimum(number("1e308"))),
        .decimal.rules(.minimum(number("12345678901234567890123456789012345678"))),
        .decimal.rules(.multipleOf(number("1e-100"))),
        .integer.rules(.minimum(1), .exclusiveMinimum(0)), .string.rules(.minLength(0), .maxLength(Int.max)),
        .string.rules(.pattern("a(?:b|c)*?(?<n>d){2,3}")),
    ])
    func rulesThatCanHoldAreAccepted(property: PropertySchema) { #expect(Plain.problems(["p": property]) == []) }

    @Test(arguments: [
        PropertySchema.string.rules(.minLength(-1)), .string.rules(.maxLength(-1)), .string.rules(.maxLength(Int.min)),
        .array(of: .bool).rules(.minCount(-1)), .set(of: .bool).rules(.maxCount(-5)),
    ])
    func countsBelowZeroAreRefused(property: PropertySchema) {
        #expect(Plain.problems(["p": property]).count == 1)
    }

    @Test(arguments: [
        PropertySchema.integer.rules(.minimum(0.5)), .integer.rules(.multipleOf(0.5)),
        .integer(as: Int8.self).rules(.maximum(128)), .integer(as: Int8.self).rules(.minimum(-129)),
        .integer(as: UInt8.self).rules(.maximum(256)), .unsigned.rules(.minimum(-1)),
    ])
    func integersCanHaveAnyLimit(property: PropertySchema) {
        #expect(Plain.problems(["p": property]) == [])
    }

    @Test func aPatternMayHaveAsManyBytesAsTheArticleSays() {
        let letters = String(repeating: "a", count: 4000)
        #expect(Plain.problems(["p": .string.rules(.pattern("^" + letters))]) == [])
        #expect(Plain.problems(["p": .string.rules(.pattern(letters))]).count == 1)
        #expect(Plain.problems(["p": .string.rules(.pattern(String(repeating: "a", count: 256)))]) == [])
    }

    @Test func unknownFormatsAreExplained() {
        let found = Plain.problems(["p": .string.rules(.format("emial"))])
        #expect(found.count == 1 && found[0].contains("emial") && found[0].contains("did you mean"), "\(found)")
        #expect(found.first?.contains("email") == true)
    }

    @Test func theMistakeOfAPatternHasItsPosition() {
        // The position is where the construct begins or is seen to be wrong.
        for (pattern, positions) in [
            ("abcdefghijkl(?=x)", ["12", "13", "14"]), ("abcdefghijkl[z-a]", ["12", "13", "14"]),
            (#"abcdefghijkl\p{L}"#, ["12", "13", "14"]), (#"(a)bcdefghij\1"#, ["12", "13", "14"]),
        ] {
            let found = Plain.problems(["p": .string.rules(.pattern(pattern))])
            let message = found.first?.replacingOccurrences(of: pattern, with: "") ?? ""
            #expect(found.count == 1 && positions.contains { message.contains($0) }, "\(pattern): \(found)")
        }
    }

    @Test(arguments: [
        (PropertySchema.integer.default(0).rules(.minimum(1)), 1), (.integer.default(1).rules(.minimum(1)), 0),
        (.string.default("").rules(.minLength(1)), 1), (.array(of: .string).default([]).rules(.minCount(1)), 1),
        (.array(of: .integer.rules(.minimum(1))).default([1, 0]), 1),
    ])
    func aDefaultKeepsTheRulesOfItsProperty(property: PropertySchema, problems: Int) {
        let found = Plain.problems(["p": property])
        #expect(
            found.count == problems && found.allSatisfy { $0.contains("the default value does not fit") }, "\(found)")
    }

    @Test func everyBadRuleIsReported() {
        let found = Plain.problems([
            "a": .integer.rules(.minLength(1), .multipleOf(0)), "b": .string.rules(.format("x"), .minimum(1)),
        ])
        #expect(found.count == 4, "\(found)")
    }

    @Test func aRedeclaredPropertyKeepsTheRulesOfItsParent() throws {
        let parent = ModelSchema("Parent", ["n": .integer.rules(.minimum(1))])
        func problems(_ property: PropertySchema) -> [String] {
            Plain.problems([ModelSchema("Child", ["n": property], extends: "Parent"), parent])
        }
        #expect(problems(.integer.required.rules(.maximum(9))) == [])
        #expect(problems(.integer.required) == [])
        for (own, broken) in [(JSONNumber(2), [0, 1]), (JSONNumber(0), [0])] {
            let child = ModelSchema("Child", ["n": .integer.rules(.minimum(own))], extends: "Parent")
            let adapter = try Plain.adapter([child, parent])
            for number in 0...2 {
                var problems: [ModelError] = []
                do throws(ModelError) { _ = try adapter.model(from: #"{"n": \#(number)}"#) } catch {
                    problems = error.problems
                }
                #expect(problems.allSatisfy { $0.code == .ruleBroken })
                #expect(problems.isEmpty != broken.contains(number))
            }
        }
    }

    // MARK: Rules about several properties

    private static let properties: KeyValuePairs<String, PropertySchema> = [
        "openedAt": .date, "closedAt": .date, "n": .integer, "d": .double, "state": .enumeration("open", "closed"),
        "flag": .bool, "tags": .array(of: .string), "child": .model("Plain"), "text": .string, "any": .jsonValue,
        "id": .uuid, "otherID": .uuid, "otherFlag": .bool, "otherTags": .array(of: .string),
        "otherChild": .model("Plain"),
        "otherState": .enumeration("open", "closed"), "u": .unsigned, "m": .integer,
    ]

    static let refused: [ModelSchema.Rule] = [
        .required(["closed"], when: ["state": "closed"]), .required(["closedAt"], when: ["stat": "closed"]),
        .required([], when: ["state": "closed"]), .required(["closedAt"], when: [:]), .exactlyOneOf([]),
        .exactlyOneOf(["n"]),
        .exactlyOneOf(["n", "x"]), .before("openedAt", "x"), .notAfter("x", "openedAt"),
        // Values that do not fit.
        .required(["n"], when: ["state": "shut"]), .required(["n"], when: ["state": 1]),
        .required(["n"], when: ["d": "x"]),
        .required(["n"], when: ["m": 1.5]), .required(["n"], when: ["flag": "true"]),
        .required(["n"], when: ["openedAt": "yesterday"]),
        .required(["n"], when: ["u": -1]),
        // What is no scalar is not compared.
        .required(["n"], when: ["tags": []]), .required(["n"], when: ["tags": ["a"]]),
        .required(["n"], when: ["child": [:]]),
        // Two kinds, and kinds without an order.
        .before("openedAt", "n"), .before("n", "d"), .notAfter("n", "u"), .before("text", "n"),
        .before("flag", "otherFlag"),
        .before("tags", "otherTags"), .notAfter("child", "otherChild"), .before("id", "otherID"),
    ]

    @Test(arguments: refused) func rulesAboutSeveralPropertiesAreRefused(rule: ModelSchema.Rule) {
        let found = Plain.problems([ModelSchema("Plain", Self.properties).rules(rule)])
        #expect(found.count == 1, "\(rule): \(found)")
        #expect(found.allSatisfy { $0.hasPrefix("Plain") }, "\(found)")
    }

    @Test(arguments: [
        ModelSchema.Rule.required(["closedAt", "n"], when: ["state": "closed", "flag": true]),
        .required(["n"], when: ["tags": nil]),
        .required(["n"], when: ["child": nil]), .required(["n"], when: ["d": 1]), .required(["n"], when: ["m": 1.0]),
        .exactlyOneOf(["tags", "child", "any", "state"]), .before("openedAt", "closedAt"), .notAfter("n", "m"),
    ])
    func otherRulesAreAccepted(rule: ModelSchema.Rule) {
        #expect(Plain.problems([ModelSchema("Plain", Self.properties).rules(rule)]) == [])
    }

    @Test(arguments: [
        ModelSchema.Rule.exactlyOneOf(["n", "n"]), .required(["n", "n"], when: ["m": 1]), .before("n", "n"),
    ])
    func whatNoDocumentCanSayIsRefused(rule: ModelSchema.Rule) throws {
        let schema = ModelSchema("Plain", ["n": .integer, "m": .integer]).rules(rule)
        let error = #expect(throws: SchemaError.self) { try SchemaRegistry().register(schema) }
        #expect(error?.problems.first?.message == "the rule \(rule.name) names a key twice")
    }

    @Test func unknownKeysAreExplained() {
        for rule in [
            ModelSchema.Rule.required(["closedAtt"], when: ["n": 1]), .required(["n"], when: ["closedAtt": nil]),
            .exactlyOneOf(["n", "closedAtt"]), .before("openedAt", "closedAtt"),
        ] {
            let found = Plain.problems([ModelSchema("Plain", Self.properties).rules(rule)])
            #expect(found.count == 1 && found[0].contains("closedAtt") && found[0].contains("did you mean"), "\(found)")
        }
    }
}
