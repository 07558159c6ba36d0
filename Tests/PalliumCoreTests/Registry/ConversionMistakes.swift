import Foundation
import PalliumCore
import PalliumJSON
import TestSupport

/// Transformers that cannot do what the schema asks of them, and modifiers that mean nothing.
extension SchemaMistake {
    private static func misfit(_ name: TransformerName, _ gives: String, _ property: PropertySchema, _ kind: String)
        -> SchemaMistake
    {
        SchemaMistake(
            "\(name) for \(kind)", property.transformer(name),
            "the transformer \(name) gives \(gives), which does not fit \(kind); choose a transformer or a kind that fits"
        )
    }

    static let conversions: [SchemaMistake] = [
        misfit(IntegerTextTransformerName, "Int64", .date, "a date"),
        misfit(IntegerTextTransformerName, "Int64", .url, "a URL"),
        misfit(IntegerTextTransformerName, "Int64", .string, "a string"),
        misfit(IntegerTextTransformerName, "Int64", .bool, "a bool"),
        misfit(IntegerTextTransformerName, "Int64", .enumeration("a"), "one of \"a\""),
        misfit(NumberOrTextTransformerName, "a number", .date, "a date"),
        misfit(NumberOrTextTransformerName, "a number", .string, "a string"),
        misfit(NumberOrTextTransformerName, "a number", .bool, "a bool"),
        misfit(NumberOrTextTransformerName, "a number", .array(of: .integer), "an array"),
        misfit(BooleanTransformerName, "Bool", .integer, "an integer"),
        misfit(DecimalTextTransformerName, "Decimal", .data, "data"),
        misfit(EmptyTextAsNullTransformerName, "String", .integer, "an integer"),
        misfit(EmptyTextAsNullTransformerName, "String", .enumeration(Level.self), "one of 1, 10"),
        misfit(ISO8601DateTransformerName, "Date", .string, "a string"),
        misfit(UUIDTransformerName, "UUID", .model("Other"), "a model of Other"),
        misfit(NumberOrTextTransformerName, "a number", .model("Other"), "a model of Other"),
        SchemaMistake(
            "a transformer of an element", .array(of: .date.transformer(IntegerTextTransformerName)),
            "the transformer IntegerText gives Int64, which does not fit a date; choose a transformer or a kind that fits"
        ),
        SchemaMistake(
            "a transformer that gives models of another class",
            ModelSchema("S", ["p": .model(TestModel.self).transformer("Model")]), ModelSchema(EmptyModel.self, [:]),
            TestModel.schema,
            problems: "S.p: the transformer Model gives EmptyModel, which does not fit a model of TestModel; "
                + "choose a transformer or a kind that fits"),
        SchemaMistake(
            "a transformer from a type of the program", .string.transformer("Back"),
            "the transformer Back takes Point, which does not stand in JSON; put a transformer before it that gives one"
        ),
        SchemaMistake(
            "a transformer from models that are not registered", .string.transformer("Name"),
            "the transformer Name takes models of User, which is not registered; register it in the same call"),
        SchemaMistake(
            "a custom kind with a transformer to another type", .custom(Point.self, transformer: URLTransformerName),
            "the transformer URL gives URL, which is no Point; choose a transformer that fits"),
        SchemaMistake(
            "a custom kind of a type that has a kind", .custom(Date.self, name: "Stamp", transformer: .iso8601Date),
            "is of the custom kind Stamp, but Date has a kind of its own; use the kind date"),
        SchemaMistake(
            "elements of a custom kind of a type that has a kind",
            .array(of: .custom(URL.self, name: "Link", transformer: .url)),
            "is of the custom kind Link, but URL has a kind of its own; use the kind url"),
        SchemaMistake(
            "a custom kind without a transformer", ModelSchema("S", ["p": .custom(Point.self)]),
            problems: "S.p: is in JSON, but the kind Point has no transformer; name one, or make the property local",
            "S.p: is archived, but the kind Point has no transformer; name one, or add .archive(.excluded)"),
        SchemaMistake(
            "elements of a custom kind without a transformer", ModelSchema("S", ["p": .array(of: .custom(Point.self))]),
            problems: "S.p: is in JSON, but the kind Point has no transformer; name one, or make the property local",
            "S.p: is archived, but the kind Point has no transformer; name one, or add .archive(.excluded)"),
        SchemaMistake(
            "a local custom kind that is archived", .array(of: .custom(Point.self)).local,
            "is archived, but the kind Point has no transformer; name one, or add .archive(.excluded)"),
    ]

    /// The transformers that the mistakes name.
    static func transformers() throws -> TransformerRegistry {
        let registry = TransformerRegistry()
        try registry.register(
            Transformer(from: String.self, to: EmptyModel.self) { _, _ in throw ModelError([]) }, as: "Model")
        try registry.register(Transformer(from: Point.self, to: String.self) { point, _ in "\(point.x)" }, as: "Back")
        try registry.register(Transformer(from: User.self, to: String.self) { _, _ in "" }, as: "Name")
        try registry.register(Transformer(from: String.self, to: String.self) { text, _ in text }, as: "OneWay")
        return registry
    }

    private static func unstored(_ property: PropertySchema, _ names: String) -> SchemaMistake {
        SchemaMistake(
            "not stored with \(names)", property.storage(.notStored),
            "is not stored, so \(names) means nothing; drop it, or store the property")
    }

    static let modifiers: [SchemaMistake] = [
        unstored(.string.json("a"), ".json"), unstored(.string.json(firstOf: ["a", "b"]), ".json"),
        unstored(.string.local, ".local"), unstored(.integer.default(1), ".default"),
        unstored(.string.archive(.excluded), ".archive"), unstored(.string.nullable, ".nullable"),
        unstored(.string.validate { (_: inout String?, _) in }, ".validate"),
        unstored(.string.labels("pii"), ".labels"), unstored(.string.indexed(), ".indexed"),
        unstored(.date.transformer(DateOnlyTransformerName), ".transformer"), unstored(.string.readOnly, ".readOnly"),
        unstored(.string.writeOnly, ".writeOnly"), unstored(.string.nilPolicy(.omit), ".nilPolicy"),
        unstored(.string.merge(.keep), ".merge"), unstored(.string.unarchived { _ in nil }, ".unarchived"),
        unstored(.model("Other").weak, ".weak"),
        SchemaMistake(
            "not stored with several", .string.storage(.notStored).labels("pii").local,
            "is not stored, so .local, .labels mean nothing; drop them, or store the property"),
        SchemaMistake(
            "a weak reference with a path", .model("Other").weak.json("a"),
            "is weak, and weak references are not in JSON, so .json means nothing; drop it"),
        SchemaMistake(
            "a weak reference that is only read", .model("Other").weak.readOnly.nilPolicy(.write),
            "is weak, and weak references are not in JSON, so .readOnly, .nilPolicy mean nothing; drop them"),
        SchemaMistake(
            "a local property that is only read", .string.local.readOnly,
            "is not in JSON, so .readOnly means nothing; drop it"),
        SchemaMistake(
            "a local property with a transformer", .date.local.transformer(DateOnlyTransformerName),
            "is not in JSON, so .transformer means nothing; drop it"),
        SchemaMistake(
            "a policy for a local property", .string.local.nilPolicy(.omit),
            "is not in JSON, so .nilPolicy means nothing; drop it"),
        SchemaMistake(
            "a transformer of a property that an explicit schema does not map",
            ModelSchema("S", ["p": .date.transformer(DateOnlyTransformerName)], keys: .explicit),
            problems: "S.p: is not in JSON, so .transformer means nothing; drop it"),
        SchemaMistake(
            "a policy for a property that is only read", .string.readOnly.nilPolicy(.write),
            "is never written, so .nilPolicy means nothing; drop it"),
        SchemaMistake(
            "a policy for a required property", .string.required.nilPolicy(.omit),
            "is required and never nil, so .nilPolicy means nothing; drop it"),
        SchemaMistake(
            "several paths that are only written", .string.json(firstOf: ["a", "b"]).writeOnly,
            "is never read, so every path but the first means nothing; drop it"),
        SchemaMistake(
            "a transformer without a reverse of a property that is only written",
            .string.transformer("OneWay").writeOnly,
            "is only written, but the transformer OneWay has no reverse; give it one, or drop writeOnly"),
        SchemaMistake(
            "an indexed duration", .duration.indexed(),
            "is indexed, but values of the kind duration have no column; drop the index"),
        SchemaMistake(
            "indexed data", .data.indexed(.unique),
            "is indexed, but values of the kind data have no column; drop the index"),
        SchemaMistake(
            "a number indexed without case", .integer.indexed(.caseInsensitive),
            "is indexed without case, but values of the kind integer are no texts; choose .indexed()"),
        SchemaMistake(
            "an indexed property that is not archived", .string.indexed().archive(.excluded),
            "is indexed, but stores and archives do not hold it; drop the index, or add .archive(.included)"),
        SchemaMistake(
            "a unique reference",
            ModelSchema("S", ["id": .integer.required, "p": .model("S").indexed(.unique)], identity: ["id"]),
            problems: "S.p: is indexed, but unique references have no index; drop the index"),
        SchemaMistake(
            "an index of models without an identity", ModelSchema("S", ["p": .array(of: .model("S")).indexed()]),
            problems:
                "S.p: is indexed, but models of S have no identity, so that none refers to them; drop the index"),
        SchemaMistake(
            "a delete rule of a text", .string.indexed().deleteRule(.cascade),
            "has the delete rule cascade, but no index of references; make it a reference with .indexed()"),
        SchemaMistake(
            "a delete rule without an index",
            ModelSchema("S", ["id": .integer.required, "p": .model("S").deleteRule(.deny)], identity: ["id"]),
            problems: "S.p: has the delete rule deny, but no index of references; make it a reference with .indexed()"),
        SchemaMistake(
            "a required reference that would become null",
            ModelSchema(
                "S", ["id": .integer.required, "p": .model("S").required.indexed().deleteRule(.nullify)],
                identity: ["id"]),
            problems:
                "S.p: has the delete rule nullify, but is never null; choose another rule, or let it be null"),
        SchemaMistake(
            "a text that is archived conditionally", .string.archive(.conditional),
            "is archived conditionally, which only properties that hold models can be; "
                + "choose .archive(.included) or .archive(.excluded)"),
        SchemaMistake(
            "a profile for a property without storage",
            schemas: [profile("web", ["p": .path("q")], .string.storage(.notStored))],
            problems: ["S.p: the profile web names a key that does not exist"]),
        element(.string.required), element(.string.readOnly), element(.string.secret),
        element(.string.indexed()),
        element(.string.nilPolicy(.omit)), element(.string.unarchived { _ in nil }),
    ]

    private static func element(_ element: PropertySchema) -> SchemaMistake {
        SchemaMistake(
            "a modifier of an element", .array(of: element),
            "elements of a collection have a kind, null, rules, transformers and byIdentity only; put the other modifiers on the property"
        )
    }

    private static func profile(
        _ name: String, _ mappings: [String: PropertySchema.JSONMapping], _ property: PropertySchema
    )
        -> ModelSchema
    {
        var schema = ModelSchema("S", ["p": property])
        schema.profiles = [ModelSchema.Profile(name, mappings)]
        return schema
    }

    static let unmapped: [SchemaMistake] = [
        SchemaMistake(
            "required and local", .integer.required.local,
            "is required, but nothing in JSON maps it; map it, or make it nullable"),
        SchemaMistake(
            "required in an explicit schema", ModelSchema("S", ["p": .integer.required], keys: .explicit),
            problems: "S.p: is required, but nothing in JSON maps it; map it, or make it nullable"),
        SchemaMistake(
            "tightened in an explicit schema", ModelSchema("P", ["p": .integer]),
            ModelSchema("S", ["p": .integer.required], extends: "P", keys: .explicit),
            problems: "S.p: is required, but nothing in JSON maps it; map it, or make it nullable"),
        SchemaMistake(
            "tightened and local", ModelSchema("P", ["p": .integer]),
            ModelSchema("S", ["p": .integer.required.local], extends: "P"),
            problems: "S.p: is required, but nothing in JSON maps it; map it, or make it nullable"),
        SchemaMistake(
            "mapped by a profile only",
            schemas: [profile("web", ["p": .path("q")], .integer.required.local)],
            problems: ["S.p: is required, but nothing in JSON maps it; map it, or make it nullable"]),
        SchemaMistake(
            "left out by a profile", schemas: [profile("web", ["p": .none], .integer.required)],
            problems: ["S.p: profile web: is required, but the profile does not map it; map it, or make it nullable"]),
    ]
}
