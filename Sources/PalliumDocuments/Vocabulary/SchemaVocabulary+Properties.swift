package import PalliumCore
import PalliumJSON

extension SchemaVocabulary {
    package static let property = SchemaTable<PropertySchema>(
        "a property",
        kinds + modifiers + rules + [
            .init(
                "messages",
                .byKey(
                    "an object of texts by rule", "messages", read: { $0.text($1, "messages") }, write: { .string($0) }),
                \.messages, "What people are told when a rule is broken, by the name of the rule."),
            .init("doc", .text, \.documentation, "What the property means, for readers."),
        ])

    /// The kind and what belongs to it. The reader begins with it.
    private static let kinds: [SchemaMember<PropertySchema>] = [
        .init(
            "kind", "What the property holds. A text that is not listed names a custom kind registered in code.",
            write: { $0.write($1.kind) }),
        .init(
            "of", "The elements of an array, set or dictionary.", .reference("element"),
            write: { $0.writeElement(of: $1.kind) }),
        .init(
            "model", "Schema of a nested model.", .reference("name"), write: { $0.writeModel(of: $1.kind) }),
        .init(
            "cases",
            "The values of an enumeration: texts, integers, or texts by case where a case has several spellings; the first is written.",
            write: { $0.writeCases(of: $1.kind) }),
        .init(
            "unknown",
            "What becomes of a value that is no case: an error, the value kept as it is, or another case.",
            write: { SchemaWriter.writeUnknownPolicy(of: $1.kind) }),
    ]

    private static let modifiers: [SchemaMember<PropertySchema>] = [
        .init(
            "required", .flag, \.isRequired,
            "Present, and not null unless nullable, in every decoded or validated model."),
        .init(
            "nullable", .nullability, \.nullability,
            "Whether null is a value: true beside required or a default, false for a member that may only be absent."),
        .init("weak", .flag, \.isWeak, "The link does not keep the other model alive."),
        .init(
            "orIdentity", .flag, \.isByIdentity,
            "Documents may have the identity of the model, a text or a number, in place of its object."),
        .init(
            "labels",
            "What the values are, such as pii. Values with a label are masked in descriptions and errors, and a redaction writes documents without them.",
            read: { $2 = $2.labels($0.list($1, "labels", expected: "a list of labels", canBeEmpty: false)) },
            write: { SchemaWriter.listUnlessEmpty($1.labels) }),
        access("readOnly", .readOnly, "Read from JSON, never written to it."),
        access("writeOnly", .writeOnly, "Written to JSON, never read from it."),
        .init(
            "only", .choice, \.only,
            "The direction of the documents that have the property: what a service takes (input), or gives (output). Adapters ignore it unless they are asked for a direction."
        ),
        .init(
            "default", "Value of an absent or null member, as JSON. It must be of the property's kind.", [:],
            read: { $2.defaultValue = .json($1.value) }, write: { $0.writeDefault(of: $1) }),
        .init(
            "json", "Where the property lives in JSON.",
            read: { $2.json = $0.readMapping($1, "json") ?? .ownKey }, write: { SchemaWriter.write($1.json) }),
        // The reader reads it before the others, too.
        .init(
            "transformer", "Converts between JSON and property; several are applied in order when reading.",
            write: { $0.writeTransformers(of: $1) }),
        .init("nil", .choice, \.nilPolicy, "How nil is written: as it was read, not at all, or always as null."),
        .init(
            "storage", .choice, \.storage, default: .permanent,
            "Whether the property takes part in equality and archives, in neither, or is documentation only."),
        .init(
            "archive", .choice, \.archive,
            "Whether the property is archived, where storage does not decide it; conditional means only if the object is in the archive anyway."
        ),
        .init(
            "index", .choice, \.index,
            "How a store finds models by the property; unique means that no two models have the same value, caseInsensitive that the case of letters does not matter."
        ),
        .init(
            "deleteRule", .choice, \.deleteRule,
            "What a store does with a row when a row that it refers to by the property is deleted: nothing, an error, the reference becomes null, or the row is deleted, too."
        ),
        .init(
            "inverse", .name("a key of the other model"), \.inverse,
            "Key of the link to the parent in the child model."),
        .init(
            "merge", "How the property is merged from another model or a partial document.",
            read: { $2.merge = $0.readMergePolicy($1) }, write: { $0.write($1.merge) }),
    ]

    private static func access(
        _ name: String, _ access: PropertySchema.Access, _ documentation: String
    ) -> SchemaMember<PropertySchema> {
        let form = MemberForm.flag
        return .init(
            name, documentation, form.schema, read: { if $0.flag($1, name) { $2.access = access } },
            write: { form.write($1.access == access) })
    }

    private static let rules = [
        rule("minimum", "Numbers are at least this.", ["type": "number"]),
        rule("maximum", "Numbers are at most this.", ["type": "number"]),
        rule("exclusiveMinimum", "Numbers are larger than this.", ["type": "number"]),
        rule("exclusiveMaximum", "Numbers are smaller than this.", ["type": "number"]),
        rule("multipleOf", "Numbers are this number times an integer.", ["type": "number", "exclusiveMinimum": 0]),
        rule("minLength", "Text has at least this many Unicode scalars.", .reference("count")),
        rule("maxLength", "Text has at most this many Unicode scalars.", .reference("count")),
        rule("pattern", "A part of the text matches this regular expression.", ["type": "string"]),
        rule("format", "Text has the format of this name.", .reference("name")),
        rule("minCount", "A collection has at least this many elements.", .reference("count")),
        rule("maxCount", "A collection has at most this many elements.", .reference("count")),
        rule("unique", "The elements of an array are all different.", ["const": true]),
    ]

    private static func rule(
        _ name: String, _ documentation: String, _ schema: JSONObject
    ) -> SchemaMember<PropertySchema> {
        .init(
            name, documentation, schema, read: { $0.readRule(name, $1, into: &$2) },
            write: { $0.writeLimit(of: name, in: $1) })
    }

    package static let mergePolicy = SchemaTable<MergePolicy>(
        "a merge policy",
        [
            .init("policy", .name("the name of a policy"), \.name, "Name of the merge policy."),
            .init(
                "by", .name("a key"), \.by,
                "For byIdentifier, the key of the elements that pairs old and new ones; for newest, the key of the property that decides."
            ),
            .init(
                "missing", .choice([.keep, .remove]), \.missing,
                "What becomes of elements and entries that the source does not have, for byIdentifier and for recurse of dictionaries."
            ),
            .init(
                "identifiers", .choice([.optional, .required]), \.identifiers,
                "Whether a list with elements that have no identifier is refused, for byIdentifier."),
        ])
}
