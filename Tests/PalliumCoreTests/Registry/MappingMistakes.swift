import PalliumCore
import PalliumJSON

extension SchemaMistake {
    private static func collision(_ name: String, _ first: PropertySchema, _ second: PropertySchema, _ claim: String)
        -> SchemaMistake
    {
        SchemaMistake(
            name, ModelSchema("S", ["a": first, "b": second]),
            problems:
                "S.b: would be written over a: both claim \(claim); change a key path, or make one of them readOnly")
    }

    private static func cluster(_ name: String, _ cluster: ModelCluster, _ problem: String) -> SchemaMistake {
        SchemaMistake(
            name, ModelSchema("S", [:], cluster: cluster), ModelSchema("Child", [:], extends: "S"),
            ModelSchema("Other", [:]),
            problems: "S: " + problem)
    }

    static let mapping: [SchemaMistake] = [
        collision("equal paths", .string.json("x"), .string.json("x"), "x"),
        collision("a path and the own key", .string, .string.json("a"), "a"),
        collision("a path below a value", .string.json("x"), .string.json("x.y"), "x.y"),
        collision("a path above a value", .string.json("x.y"), .string.json("x"), "x"),
        collision("far below", .string.json("x.y"), .string.json("x.y.z.w"), "x.y.z.w"),
        collision("an escaped dot", .string.json(#"x\.y"#), .string.json(#"x\.y"#), #"x\.y"#),
        collision("the first of several", .string.json(firstOf: ["x", "y"]), .string.json("x"), "x"),
        collision("one of all", .jsonValue.json(allOf: ["x", "y"]), .string.json("y"), "y"),
        SchemaMistake(
            "a path above several",
            ModelSchema("S", ["a": .string.json("x.y"), "b": .bool.json("x.z"), "c": .jsonValue.json("x")]),
            problems: "S.c: would be written over a: both claim x; change a key path, or make one of them readOnly"),
        SchemaMistake(
            "a key with a dot",
            ModelSchema("S", ["x.y": .string, "b": .string.json(#"x\.y"#), "c": .string.json("x.y")]),
            problems: #"S.b: would be written over x.y: both claim x\.y; "#
                + "change a key path, or make one of them readOnly"),
        SchemaMistake(
            "a collision with an inherited path", ModelSchema("P", ["a": .string.json("x")]),
            ModelSchema("S", ["b": .string.json("x.y")], extends: "P"),
            problems: "S.b: would be written over a: both claim x.y; change a key path, or make one of them readOnly"),
        SchemaMistake(
            "an element that is written", .string.json("x[0]"),
            "the key path x[0] steps into an array, which cannot be written; make the property readOnly"),
        SchemaMistake(
            "several paths without a transformer", .integer.json(allOf: ["x", "y"]),
            "combines several paths, which needs a transformer from an object; "
                + "add a transformer, or use firstOf to take one of them"),
        SchemaMistake("no path", .string.json(firstOf: []), "maps to no path; name one"),
        SchemaMistake("a path twice", .string.json(firstOf: ["d.x", "d.x"]), "names the path d.x twice; keep one"),
        SchemaMistake("a part twice", .jsonValue.json(allOf: ["d", "e", "d"]), "names the path d twice; keep one"),
        cluster(
            "an unknown model", .discriminator("type", ["x": "Chidl", "c": "Child"]),
            "the cluster names Chidl, which is not registered; did you mean Child?"),
        cluster(
            "a model that does not descend", .discriminator("type", ["x": "Other"]),
            "the cluster names Other, which does not descend from S; let it extend S"),
        cluster(
            "a default that does not descend", .discriminator("type", ["x": "Child"], default: "Other"),
            "the cluster names Other, which does not descend from S; let it extend S"),
        cluster(
            "a text twice", .discriminator("type", ["x": "Child", "x": "S"]), "the cluster lists \"x\" twice; keep one"),
        cluster("no models", .discriminator("type", [:]), "the cluster lists no models"),
        cluster(
            "a malformed discriminator", .discriminator("a..b", ["x": "Child"]),
            "cluster: key path \"a..b\" has an empty step"),
        cluster(
            "a malformed condition", .rules([.init([.present("")], "Child")], default: nil),
            "cluster: key path \"\" has an empty step"),
        cluster("no condition", .rules([.init([], "Child")], default: nil), "rule 1 of the cluster has no condition"),
        cluster(
            "a rule that never gets its turn",
            .rules([.init([.present("a")], "Child"), .init([.present("b"), .present("a")], "S")], default: nil),
            "rule 2 of the cluster can never match: rule 1 matches first; put the stricter rule first"),
        cluster(
            "two values at one path", .rules([.init([.equals("a", 1), .equals("a", 2)], "Child")], default: nil),
            "rule 1 of the cluster contradicts itself"),
        cluster(
            "a value of another kind", .rules([.init([.equals("a", 1), .kind("a", .string)], "Child")], default: nil),
            "rule 1 of the cluster contradicts itself"),
        cluster(
            "a bool of another kind", .rules([.init([.equals("a", true), .kind("a", .null)], "Child")], default: nil),
            "rule 1 of the cluster contradicts itself"),
        cluster(
            "an array of another kind",
            .rules([.init([.kind("a", .object), .equals("a", [])], "Child")], default: nil),
            "rule 1 of the cluster contradicts itself"),
        cluster(
            "an object of another kind",
            .rules([.init([.equals("a", [:]), .kind("a", .array)], "Child")], default: nil),
            "rule 1 of the cluster contradicts itself"),
        cluster(
            "null of another kind",
            .rules([.init([.present("a"), .equals("a", nil), .kind("a", .bool)], "Child")], default: nil),
            "rule 1 of the cluster contradicts itself"),
        cluster(
            "two kinds at one path", .rules([.init([.kind("a", .bool), .kind("a", .string)], "Child")], default: nil),
            "rule 1 of the cluster contradicts itself"),
    ]

    private static func upgrades(_ name: String, version: Int, _ steps: [SchemaUpgrade], _ problems: String...)
        -> SchemaMistake
    {
        var schema = ModelSchema("S", ["a": .string], version: version)
        schema.upgrades = steps
        return SchemaMistake(name, schemas: [schema], problems: problems.map { "S: " + $0 })
    }

    static let upgrades: [SchemaMistake] = [
        upgrades("a version before the first", version: 0, [], "versions count from 1"),
        upgrades(
            "a gap", version: 4, [SchemaUpgrade(from: 1), SchemaUpgrade(from: 3)],
            "the upgrade from version 2 is missing; declare a step, even an empty one"),
        upgrades(
            "a gap before a high version", version: 10_000, [SchemaUpgrade(from: 9_997), SchemaUpgrade(from: 9_999)],
            "the upgrade from version 9998 is missing; declare a step, even an empty one"),
        upgrades(
            "no last step", version: 3, [SchemaUpgrade(from: 1)],
            "the upgrade from version 2 is missing; declare a step, even an empty one"),
        upgrades(
            "two steps from one version", version: 2, [SchemaUpgrade(from: 1), SchemaUpgrade(from: 1)],
            "two upgrades start from the same version"),
        upgrades(
            "a step from the present version", version: 2, [SchemaUpgrade(from: 1), SchemaUpgrade(from: 2)],
            "an upgrade starts from version 2, but the schema has version 2"),
        upgrades(
            "a step from before the first", version: 2, [SchemaUpgrade(from: 0), SchemaUpgrade(from: 1)],
            "an upgrade starts from version 0, but the schema has version 2"),
        upgrades(
            "a step from the last integer", version: 2,
            [SchemaUpgrade(from: 1), SchemaUpgrade(from: .max, oldSchemaName: "T")],
            "an upgrade starts from version 9223372036854775807, but the schema has version 2"),
        upgrades(
            "an unknown transformer", version: 2, [SchemaUpgrade(from: 1, transformed: ["a": ["Nothing"]])],
            "the upgrade of a names the transformer Nothing, which is not registered; register it before the schema"),
    ]
}
