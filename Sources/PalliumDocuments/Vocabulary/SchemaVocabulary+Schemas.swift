package import PalliumCore
import PalliumJSON

extension SchemaVocabulary {
    package static let schema = SchemaTable<ModelSchema>(
        "a schema",
        [
            .init(
                "$schema", "Address of this description, for editors.", ["type": "string"],
                read: { reader, value, _ in
                    _ = reader.text(value, "$schema", expected: "the address of a JSON Schema")
                }, write: { _, _ in nil }),
            .init(
                "name", "Name of the schema, unique in its registry.", write: { .string($1.name) }),
            .init(
                "version", .version, \.version, default: 1,
                "Version that archives carry; raise it together with an upgrade step."),
            .init("doc", .text, \.documentation, "What the model is, for readers."),
            .init(
                "extends",
                "Schema whose properties this one inherits. An inherited property may be tightened, its kind may not change.",
                .reference("name"), read: { $2.parent = $0.reference($1, "extends") },
                write: { writer, schema in schema.parent.map { writer.name(of: $0) } }),
            .init(
                "keys", .choice, \.keys, default: .identity,
                "How a property finds its JSON member when it names none: under its own name, under its name in snake case, or not at all."
            ),
            .init(
                "identity", "The property, or the properties together, that tell one object from another.",
                read: { $2.identity = $0.names($1, "identity", expected: "a key") },
                write: { SchemaWriter.oneOrList($1.identity) }),
            .init(
                "allowsStubs", .flag, \.allowsStubs,
                "Models may have nothing but their identity, although other properties are required."),
            .init(
                "observed", .flag, \.isObserved,
                "The models tell of their changes, and so do those of schemas that extend this one."),
            .init(
                "properties", "The properties by key, in the order in which they are written.",
                write: { $0.write($1.properties) }),
            .init(
                "refusesUnknownMembers", .flag, \.refusesUnknownMembers,
                "Objects of exactly this schema have no other members, whatever the option of adapters says."),
            .init(
                "ignored",
                "JSON members that are known and deliberately not mapped; they are accepted where unknown members are refused.",
                read: { $2.ignored = $0.list($1, "ignored", expected: "a list of key paths") },
                write: { SchemaWriter.listUnlessEmpty($1.ignored) }),
            .init(
                "rules", "Rules about several properties.", read: { $0.readRules($1, into: &$2) },
                write: { SchemaWriter.write($1.rules, $1.messages) }),
            .init(
                "cluster",
                "Chooses a more special schema from the JSON object. A schema named here is the cluster's own or extends it.",
                read: { $2.cluster = $0.readCluster($1, isOpen: &$2.isOpen) },
                write: { writer, schema in schema.cluster.flatMap { writer.write($0, isOpen: schema.isOpen) } }),
            .init(
                "profiles", "Alternative mappings by name. Each replaces the JSON member of the properties it lists.",
                read: { $2.profiles = $0.readProfiles($1) }, write: { $0.write($1.profiles) }),
            .init(
                "upgrades", "Steps that lead from archived versions to the current one.",
                read: { $2.upgrades = $0.readUpgrades($1) }, write: { $0.write($1.upgrades) }),
        ])

    package static let upgrade = SchemaTable<SchemaUpgrade>(
        "an upgrade",
        [
            .init("from", .version, \.from, "Version the step starts from."),
            .init(
                "rename",
                .byKey(
                    "an object of new keys by old ones", "keysByKey",
                    read: { $0.name($1, "rename", expected: "the new key") }, write: { .string($0) }),
                \.renamed, "New key by old key."),
            .init(
                "remove", "Keys that no longer exist.", .reference("names"),
                read: { $2.removed = $0.keys($1, "remove") }, write: { SchemaWriter.listUnlessEmpty($1.removed) }),
            .init(
                "default", .jsonByKey("an object of values by key"), \.defaults,
                "Value by key, for keys that did not exist."),
            .init(
                "transform",
                .byKey(
                    "an object of transformers by key", "transformersByKey",
                    read: { $0.transformers($1, "transform") },
                    write: { SchemaWriter.oneOrList($0.map(\.description)) ?? [] }),
                \.transformed, "Transformer by key, for values whose form changed."),
            .init(
                "renameSchema", .name("the name of the schema before this step"), \.oldSchemaName,
                "Name of the schema before this step."),
            .init(
                "when", .jsonByKey("an object of stored values by key"), \.when,
                "Which models of the old name are this schema's: those that were stored with these values. All, unless given."
            ),
        ])
}

extension MemberForm<[String: JSONValue]> {
    fileprivate static func jsonByKey(_ expected: String) -> MemberForm {
        .byKey(expected, "valuesByKey", read: { $1.value }, write: { $0 })
    }
}
