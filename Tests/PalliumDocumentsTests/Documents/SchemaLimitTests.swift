import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Schemas of which a part is larger than *Limits* in *SchemaDocuments* allows.
@Suite(.threat(.schemaDocuments))
struct SchemaLimitTests {
    struct Limit: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let limit: Int
        let message: String
        /// A document in which the part has a number of elements.
        let document: @Sendable (Int) -> String

        init(_ description: String, _ limit: Int, _ message: String, _ document: @escaping @Sendable (Int) -> String) {
            testDescription = description
            self.limit = limit
            self.message = message
            self.document = document
        }

        static func list(_ count: Int, separator: String = ",", _ element: (Int) -> String) -> String {
            (0..<count).map(element).joined(separator: separator)
        }

        static func property(_ members: String) -> String { #"{"name":"A","properties":{"p":{\#(members)}}}"# }
    }

    static let limits = [
        Limit("steps of a path", SchemaLimits.stepsOfPath, "has more than 64 steps") { count in
            Limit.property(#""kind":"string","json":"\#(Limit.list(count, separator: ".") { "s\($0)" })""#)
        },
        Limit("steps of an ignored path", SchemaLimits.stepsOfPath, "has more than 64 steps") { count in
            #"{"name":"A","ignored":["\#(Limit.list(count, separator: ".") { "s\($0)" })"]}"#
        },
        Limit("steps of a discriminator", SchemaLimits.stepsOfPath, "has more than 64 steps") { count in
            let path = Limit.list(count, separator: ".") { "s\($0)" }
            return #"{"name":"A","cluster":{"discriminator":"\#(path)","models":{"a":"A"}}}"#
        },
        Limit("steps of a condition", SchemaLimits.stepsOfPath, "has more than 64 steps") { count in
            let path = Limit.list(count, separator: ".") { "s\($0)" }
            return #"{"name":"A","cluster":{"rules":[{"present":"\#(path)","model":"A"}]}}"#
        },
        Limit("paths of a property", SchemaLimits.pathsOfProperty, "has more than 1000 key paths") { count in
            Limit.property(#""kind":"string","json":{"firstOf":[\#(Limit.list(count) { #""a\#($0)""# })]}"#)
        },
        Limit("ignored members", SchemaLimits.ignoredMembers, "has more than 100000 ignored members") { count in
            #"{"name":"A","ignored":[\#(Limit.list(count) { #""a\#($0)""# })]}"#
        },
        Limit("cases", SchemaLimits.cases, "has more than 100000 cases") { count in
            Limit.property(#""kind":"enumeration","cases":[\#(Limit.list(count) { #""a\#($0)""# })]"#)
        },
        Limit("labels", SchemaLimits.labels, "has more than 64 labels") { count in
            Limit.property(#""kind":"string","labels":[\#(Limit.list(count) { #""a\#($0)""# })]"#)
        },
        Limit("rules", SchemaLimits.rules, "has more than 10000 rules") { count in
            #"{"name":"A","properties":{"a":{"kind":"string"},"b":{"kind":"string"}},"rules":["#
                + Limit.list(count) { _ in #"{"exactlyOneOf":["a","b"]}"# } + "]}"
        },
        Limit("discriminators", SchemaLimits.casesOfCluster, "has more than 100000 discriminators") { count in
            #"{"name":"A","cluster":{"discriminator":"t","models":{\#(Limit.list(count) { #""a\#($0)":"A""# })}}}"#
        },
        Limit("rules of a cluster", SchemaLimits.casesOfCluster, "has more than 100000 rules of the cluster") { count in
            #"{"name":"A","cluster":{"rules":[\#(Limit.list(count) { #"{"present":"a\#($0)","model":"A"}"# })]}}"#
        },
        Limit("profiles", SchemaLimits.profiles, "has more than 64 profiles") { count in
            #"{"name":"A","properties":{"p":{"kind":"string"}},"profiles":{"#
                + Limit.list(count) { #""f\#($0)":{"p":"x\#($0)"}"# } + "}}"
        },
        Limit("upgrades", SchemaLimits.upgrades, "has more than 10000 upgrades") { count in
            #"{"name":"A","version":\#(count + 1),"properties":{"p":{"kind":"string"}},"upgrades":["#
                + Limit.list(count) { #"{"from":\#($0 + 1)}"# } + "]}"
        },
    ]

    @Test(arguments: limits) func asManyAsTheLimitAreTakenAndOneMoreIsRefused(limit: Limit) throws {
        #expect(problems(of: limit.document(limit.limit)) == [])
        let found = problems(of: limit.document(limit.limit + 1))
        #expect(found.count == 1 && found[0].contains(limit.message), "\(found.map { $0.prefix(200) })")
    }

    @Test func tooManyLevelsOfElementsAreRefused() throws {
        var property = PropertySchema.integer
        for _ in 0...SchemaLimits.levelsOfElements { property = .array(of: property) }
        let error = try #require(throws: SchemaError.self) {
            try SchemaRegistry().register(ModelSchema("A", ["p": property]))
        }
        #expect(error.problems.map(\.message) == ["has more than 64 levels of elements"])
    }

    @Test func aDescendantOfTooLargeASchemaIsRefusedWithIt() {
        let paths = Limit.list(SchemaLimits.ignoredMembers + 1) { #""a\#($0)""# }
        let found = problems(of: #"[{"name":"A","ignored":[\#(paths)]},{"name":"B","extends":"A"}]"#)
        #expect(found.count == 1 && found[0].contains("A: has more than 100000 ignored members"))
    }

    /// Members that only rules of a cluster read are known to all its models, at every level.
    @Test(arguments: [
        (#"{"data":{"b":1},"x":"y"}"#, [String]()), (#"{"data":{"b":1,"other":2}}"#, ["/data/other"]),
        (#"{"flag":1,"nothing":2}"#, ["/nothing"]), (#"{"flag":{"deep":true}}"#, []),
    ])
    func membersThatRulesReadAreKnown(document: String, unknown: [String]) throws {
        let registry = SchemaRegistry()
        try registry.load(
            Data(
                #"""
                [{"name": "S", "properties": {"x": {"kind": "string"}}, "cluster": {"default": "S", "rules": [
                    {"present": "data.a", "model": "A"}, {"present": "data.b", "model": "B"},
                    {"present": "flag", "model": "B"}]}},
                 {"name": "A", "extends": "S"},
                 {"name": "B", "extends": "S", "properties": {"own": {"kind": "integer", "json": "data.own"}}}]
                """#.utf8))
        var options = JSONAdapterOptions()
        options.unknownMembers = .refuse
        for name in ["S", "B"] {
            let adapter = try JSONAdapter(
                schema: registry.schema(named: name), registry: registry, options: options)
            let problems = adapter.report(from: document).problems
            #expect(problems.map { $0.pointer?.description } == unknown)
            #expect(problems.allSatisfy { $0.code == .unknownMember })
        }
    }
}
