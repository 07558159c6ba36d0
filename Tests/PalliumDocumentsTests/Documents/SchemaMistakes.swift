/// Mistakes in the members of a schema.
extension DocumentProblemTests {
    static let schemaRows = [
        Row("", "test.json:1:1: the document is not valid JSON: expected a value but the text ended"),
        Row(
            #"{"name": "A",,}"#, "test.json:1:14: the document is not valid JSON: expected a member name but found ','"),
        Row(
            "{\"name\": \"A\",\r\n \"doc\": \"\u{1}\"}",
            "test.json:2:10: the document is not valid JSON: "
                + "expected an escape for the control character but found byte 0x01"),
        Row("7", "test.json:1:1: expected a schema, which is an object, but found the number 7"),
        Row(#"[{"name": "A"}, null]"#, "test.json:1:17: expected a schema, which is an object, but found null"),
        Row("{}", #"test.json:1:1: the schema has no name; add the member "name""#),
        Row(#"{"name": 1}"#, "test.json:1:10: name: expected the name of the schema but found the number 1"),
        Row(#"{"name": ""}"#, "test.json:1:10: name: a name cannot be empty"),
        Row(
            #"{"name": "A", "propertys": {}}"#,
            #"test.json:1:15: A: unknown member "propertys"; did you mean "properties"?"#),
        Row(
            #"{"name": "A", "zzzzzz": 1}"#,
            #"test.json:1:15: A: unknown member "zzzzzz"; a schema can have $schema, name, version, doc, extends, keys, "#
                + "identity, allowsStubs, observed, properties, refusesUnknownMembers, ignored, rules, cluster, profiles, upgrades"
        ),
        Row(#"{"name": "A", "doc": "", "doc": ""}"#, #"test.json:1:26: A: the member "doc" occurs twice; keep one"#),
        Row(
            #"{"version": "1", "name": "A"}"#,
            #"test.json:1:13: A: version: expected an integer from 1 on but found "1""#),
        Row(
            #"{"name": "A", "version": 1.5}"#,
            "test.json:1:26: A: version: expected an integer from 1 on but found the number 1.5"),
        Row(
            #"{"name": "A", "version": 0}"#,
            "test.json:1:26: A: version: expected an integer from 1 on but found the number 0"),
        Row(#"{"name": "A", "doc": []}"#, "test.json:1:22: A: doc: expected text but found an array"),
        Row(
            #"{"name": "A", "extends": true}"#,
            "test.json:1:26: A: extends: expected the name of a schema but found true"),
        Row(
            #"{"name": "A", "extends": "Base"}"#,
            "test.json:1:26: A: extends Base, which is not registered; register it in the same call"),
        Row(
            #"{"name": "A", "keys": "snake"}"#,
            #"test.json:1:23: A: keys: expected one of "identity", "snakeCase", "explicit" but found "snake""#),
        Row(
            #"{"name": "A", "keys": "snakecase"}"#,
            #"test.json:1:23: A: keys: expected one of "identity", "snakeCase", "explicit" but found "snakecase"; "#
                + #"did you mean "snakeCase"?"#),
        Row(
            #"{"name": "A", "identity": 1}"#,
            "test.json:1:27: A: identity: expected a key or a list of them but found the number 1"),
        Row(#"{"name": "A", "identity": []}"#, "test.json:1:27: A: identity: the list is empty; leave it out"),
        Row(#"{"name": "A", "identity": [null]}"#, "test.json:1:28: A: identity: expected a key but found null"),
        Row(
            #"{"name": "A", "identity": "id"}"#,
            "test.json:1:27: A.id: the identity names a key that does not exist"),
        Row(
            #"{"name": "A", "observed": 1}"#,
            "test.json:1:27: A: observed: expected true but found the number 1; leave the member out for the opposite"),
        Row(
            #"{"name": "A", "observed": false}"#,
            "test.json:1:27: A: observed: expected true but found false; leave the member out for the opposite"),
        Row(
            #"{"name": "A", "observd": true}"#,
            #"test.json:1:15: A: unknown member "observd"; did you mean "observed"?"#),
        Row(
            #"{"name": "A", "properties": []}"#,
            "test.json:1:29: A: properties: expected an object of properties but found an array"),
        Row(
            #"{"name": "A", "ignored": "x"}"#,
            #"test.json:1:26: A: ignored: expected a list of key paths but found "x""#),
        Row(#"{"name": "A", "ignored": ["x", 1]}"#, "test.json:1:32: A: ignored: expected text but found the number 1"),
        Row(#"{"name": "A", "ignored": ["x", "x"]}"#, #"test.json:1:32: A: ignored: "x" occurs twice; keep one"#),
        Row(#"{"name": "A", "ignored": ["x."]}"#, #"test.json:1:26: A: ignored: key path "x." has an empty step"#),
        Row(#"{"name": "A", "extends": "A"}"#, "test.json:1:26: A: extends itself through A; break the cycle"),
        Row(
            #"[{"name": "A"}, {"name": "A", "doc": "x"}]"#,
            "test.json:1:26: A: another schema of this name is at test.json:1:11; choose another name"),
        Row(
            #"{"name": "A", "identity": ["id", "id"], "properties": {"id": {"kind": "string"}}}"#,
            #"test.json:1:34: A: identity: "id" occurs twice; keep one"#),
    ]

    /// Clusters, profiles and upgrades.
    static let structureRows = [
        Row(
            #"{"name": "A", "cluster": "type"}"#,
            #"test.json:1:26: A: expected a cluster, which is an object, but found "type""#),
        Row(
            #"{"name": "A", "cluster": {}}"#,
            #"test.json:1:26: A: cluster: expected one of "discriminator" and "rules"; name one of them"#),
        Row(
            #"{"name": "A", "cluster": {"discriminator": 1, "models": {"x": "A"}}}"#,
            "test.json:1:44: A: discriminator: expected a key path but found the number 1"),
        Row(
            #"{"name": "A", "cluster": {"discriminator": "t"}}"#,
            #"test.json:1:26: A: cluster: the discriminator has no models; add the member "models""#),
        Row(
            #"{"name": "A", "cluster": {"discriminator": "t", "models": {}}}"#,
            "test.json:1:59: A: models: the cluster lists no models"),
        Row(
            #"{"name": "A", "cluster": {"discriminator": "t", "models": {"x": 1}}}"#,
            "test.json:1:65: A: models: expected the name of a schema but found the number 1"),
        Row(
            #"{"name": "A", "cluster": {"discriminator": "t", "models": {"x": "A", "x": "A"}}}"#,
            #"test.json:1:70: A: models: "x" occurs twice; keep one"#),
        Row(
            #"{"name": "A", "cluster": {"discriminator": "t", "models": {"x": "Circle"}}}"#,
            "test.json:1:26: A: the cluster names Circle, which is not registered; register it in the same call"),
        Row(
            #"[{"name": "A", "cluster": {"discriminator": "t", "models": {"x": "B"}}}, {"name": "B"}]"#,
            "test.json:1:27: A: the cluster names B, which does not descend from A; let it extend A"),
        Row(
            #"{"name": "A", "cluster": {"rules": []}}"#,
            "test.json:1:36: A: rules: the list is empty; leave it out"),
        Row(
            #"{"name": "A", "cluster": {"rules": [{"model": "A"}]}}"#,
            #"test.json:1:37: A: rules: a rule has one of "present", "equals" and "kind""#),
        Row(
            #"{"name": "A", "cluster": {"rules": [{"present": "x"}]}}"#,
            #"test.json:1:37: A: rules: the rule chooses no model; add the member "model""#),
        Row(
            #"{"name": "A", "cluster": {"rules": [{"equals": {"x": 1, "y": 2}, "model": "A"}]}}"#,
            "test.json:1:48: A: equals: expected an object with one member, a value by its key path but found an object"
        ),
        Row(
            #"{"name": "A", "cluster": {"rules": [{"kind": {"x": "text"}, "model": "A"}]}}"#,
            #"test.json:1:52: A: kind: expected one of "null", "bool", "number", "string", "array", "object" but found "text""#
        ),
        Row(
            #"{"name": "A", "cluster": {"rules": [{"present": "x", "model": "A"}, {"present": "x", "model": "A"}]}}"#,
            "test.json:1:69: A: rule 2 of the cluster can never match: rule 1 matches first; put the stricter rule first"
        ),
        Row(
            #"{"name": "A", "cluster": {"discriminator": "t", "models": {"x": "A"}, "default": null}}"#,
            "test.json:1:82: A: default: expected the name of a schema but found null"),
        Row(
            #"{"name": "A", "profiles": []}"#,
            "test.json:1:27: A: profiles: expected an object of profiles by name but found an array"),
        Row(#"{"name": "A", "profiles": {"": {}}}"#, "test.json:1:28: A: profiles: a name cannot be empty"),
        Row(
            #"{"name": "A", "profiles": {"x": 1}}"#,
            "test.json:1:33: A: profiles: expected an object of key paths by key but found the number 1"),
        Row(
            #"{"name": "A", "profiles": {"x": {"k": 1}}}"#,
            #"test.json:1:39: A: profiles: expected a key path, a list of names, null, {"firstOf": paths} or {"allOf": paths} but found the number 1"#
        ),
        Row(
            #"{"name": "A", "profiles": {"x": {"k": "y"}}}"#,
            "test.json:1:39: A.k: the profile x names a key that does not exist"),
        Row(
            #"{"name": "A", "upgrades": {}}"#,
            "test.json:1:27: A: upgrades: expected a list of steps but found an object"),
        Row(
            #"{"name": "A", "upgrades": [{}]}"#,
            #"test.json:1:28: A: upgrades: the step does not say from which version; add the member "from""#),
        Row(
            #"{"name": "A", "version": 2, "upgrades": [{"from": "1"}]}"#,
            #"test.json:1:51: A: from: expected an integer from 1 on but found "1""#),
        Row(
            #"{"name": "A", "version": 2, "upgrades": [{"from": 1, "rename": {"a": 1}}]}"#,
            "test.json:1:70: A: rename: expected the new key but found the number 1"),
        Row(
            #"{"name": "A", "version": 2, "upgrades": [{"from": 1, "remove": "a"}]}"#,
            #"test.json:1:64: A: remove: expected a list of keys but found "a""#),
        Row(
            #"{"name": "A", "version": 2, "upgrades": [{"from": 1, "default": 1}]}"#,
            "test.json:1:65: A: default: expected an object of values by key but found the number 1"),
        Row(
            #"{"name": "A", "version": 2, "upgrades": [{"from": 1, "transform": {"a": 1}}]}"#,
            "test.json:1:73: A: transform: expected the name of a transformer or a list of them but found the number 1"),
        Row(
            #"{"name": "A", "version": 2, "properties": {"a": {"kind": "json"}}, "upgrades": [{"from": 1, "transform": {"a": "Nothing"}}]}"#,
            "test.json:1:81: A: the upgrade of a names the transformer Nothing, which is not registered; "
                + "register it before the schema"),
        Row(
            #"{"name": "A", "version": 2, "upgrades": [{"from": 1, "when": {"a": 1}}]}"#,
            "test.json:1:42: A: the upgrade from version 1 chooses models of no old schema name; name the schema whose models they were"
        ),
        Row(
            #"{"name": "A", "version": 2, "upgrades": [{"from": 1, "renameSchema": 1}]}"#,
            "test.json:1:70: A: renameSchema: expected the name of the schema before this step but found the number 1"),
        Row(
            #"{"name": "A", "version": 3, "upgrades": [{"from": 1}]}"#,
            "test.json:1:41: A: the upgrade from version 2 is missing; declare a step, even an empty one"),
        Row(
            #"{"name": "A", "version": 2, "upgrades": [{"from": 1, "rename": {"\u00e9": "a", "e\u0301": "b"}}]}"#,
            "test.json:1:80: A: rename: \"e\u{301}\" differs from another key in its spelling only; spell accents in one way"
        ),
        Row(
            #"{"name": "A", "cluster": {"rules": [{"present": "x", "model": "A"}], "models": {}}}"#,
            #"test.json:1:80: A: models: rules name their models themselves; leave it out"#),
        Row(
            #"{"name": "A", "cluster": {"discriminator": "t", "models": []}}"#,
            #"test.json:1:59: A: models: the cluster lists no models"#),
        Row(
            #"{"name": "A", "cluster": {"rules": [5]}}"#,
            #"test.json:1:37: A: expected a rule, which is an object, but found the number 5"#),
        Row(
            #"{"name": "A", "upgrades": [5]}"#,
            #"test.json:1:28: A: expected an upgrade, which is an object, but found the number 5"#),
    ]
}
