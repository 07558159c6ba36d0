import ModelTestSupport
import Pallium
import Testing

/// What every policy makes of {nothing, null, the value before, another value} that comes to a property that is clean or
/// was edited: merged and rebased, as a model and as a document.
struct PolicyTableTests {
    /// A property that began with a value, the program's edit of it, and what comes.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let property: PropertySchema
        let base: String
        let edit: String
        let other: String
        /// The stamp of what comes; the own one is 1.
        var stamp = 2
        /// The values that merging gives for nothing, null, the same and another value: of a clean and an edited property.
        let merged: (clean: [String], edited: [String])
        /// As `merged`; behind an edited value, whether it is pending and whether both sides had changed it.
        let rebased: (clean: [String], edited: [String])

        func incoming(_ number: Int) -> String {
            let value = [nil, "null", base, other][number]
            return #"{"stamp":\#(stamp)\#(value.map { #","value":\#($0)"# } ?? "")}"#
        }
    }

    private func adapter(_ row: Row) throws -> JSONAdapter<DynamicModel> {
        let holder = ModelSchema("Holder", ["stamp": .integer, "value": row.property])
        let element = ModelSchema("Element", ["id": .integer, "name": .string], identity: ["id"])
        let sum = Merger(Int.self) { ($0.target ?? 0) + ($0.source ?? 0) - ($0.base ?? 0) }
        return try JSONAdapter(schema: holder, registry: .of(holder, element, mergers: ["sum": sum]))
    }

    /// A tracked model with the base of a row, or the edit of it.
    private func model(_ row: Row, isEdited: Bool, _ adapter: JSONAdapter<DynamicModel>) throws -> DynamicModel {
        let model = try adapter.model(from: #"{"stamp":1,"value":\#(row.base)}"#)
        model.trackChanges()
        if isEdited {
            let edited = try adapter.model(from: #"{"value":\#(row.edit)}"#)
            try model.setValue(Self.edited(model["value"], as: edited["value"]), forKey: "value")
        }
        return model
    }

    /// What a program makes of a value that is to be as another: models with the same identity stay the same objects.
    private static func edited(_ own: (any PropertyValue)?, as wanted: (any PropertyValue)?) throws -> (
        any PropertyValue
    )? {
        if let own = own as? DynamicModel, let wanted = wanted as? DynamicModel {
            for (key, value) in wanted.values { try own.setValue(value, forKey: key) }
            return own
        }
        guard let own = own as? [DynamicModel], let wanted = wanted as? [DynamicModel] else { return wanted }
        return try wanted.map { wanted in
            let same = own.first { $0["id", as: Int.self] == wanted["id", as: Int.self] }
            return try edited(same, as: wanted) as? DynamicModel ?? wanted
        }
    }

    private func value(_ model: DynamicModel, _ adapter: JSONAdapter<DynamicModel>) throws -> String {
        try canonicalText(adapter.jsonValue(from: model)["value"] ?? "absent")
    }

    @Test(arguments: rows)
    func everyPolicyDecidesAboutEveryCase(_ row: Row) throws {
        let adapter = try adapter(row)
        for isEdited in [false, true] {
            let merged = isEdited ? row.merged.edited : row.merged.clean
            let rebased = isEdited ? row.rebased.edited : row.rebased.clean
            var found: ([String], [String]) = ([], [])
            for number in 0..<4 {
                let document = row.incoming(number)
                let merges: [(DynamicModel) throws -> ModelChanges] = [
                    { try adapter.merge(document, into: $0) }, { try $0.merge(from: adapter.model(from: document)) },
                ]
                let results = try merges.map { merge in
                    let model = try model(row, isEdited: isEdited, adapter)
                    _ = try merge(model)
                    return try value(model, adapter)
                }
                #expect(results[0] == results[1])
                found.0.append(results[0])
                let rebases: [(DynamicModel) throws -> ModelChanges] = [
                    { try adapter.rebase($0, onto: document) },
                    { try $0.rebase(onto: adapter.model(from: document)) },
                ]
                let outcomes = try rebases.map { rebase in
                    let model = try model(row, isEdited: isEdited, adapter)
                    let conflicts = try rebase(model).conflicts
                    return try value(model, adapter) + (model.changedKeys.contains("value") ? " pending" : "")
                        + (conflicts.isEmpty ? "" : " conflict")
                }
                #expect(outcomes[0] == outcomes[1])
                found.1.append(outcomes[0])
            }
            #expect(found.0 == merged, "merged\(isEdited ? " after an edit" : "")")
            #expect(found.1 == rebased, "rebased\(isEdited ? " after an edit" : "")")
        }
    }
}

extension PolicyTableTests {
    static let rows = [
        Row(
            testDescription: "no policy", property: .integer, base: "5", edit: "7", other: "9",
            merged: (["5", "null", "5", "9"], ["7", "null", "5", "9"]),
            rebased: (["5", "null", "5", "9"], ["7 pending", "7 pending conflict", "7 pending", "7 pending conflict"])),
        Row(
            testDescription: "no policy, the same edit on both sides", property: .integer, base: "5", edit: "7",
            other: "7",
            merged: (["5", "null", "5", "7"], ["7", "null", "5", "7"]),
            rebased: (["5", "null", "5", "7"], ["7 pending", "7 pending conflict", "7 pending", "7"])),
        Row(
            testDescription: "replace", property: .integer.merge(.replace), base: "5", edit: "7", other: "9",
            merged: (["5", "null", "5", "9"], ["7", "null", "5", "9"]),
            rebased: (["5", "null", "5", "9"], ["7 pending", "null conflict", "7 pending", "9 conflict"])),
        Row(
            testDescription: "keep", property: .integer.merge(.keep), base: "5", edit: "7", other: "9",
            merged: (["5", "5", "5", "5"], ["7", "7", "7", "7"]),
            rebased: (
                ["5", "null", "5", "9"],
                ["7 pending", "7 pending conflict", "7 pending", "7 pending conflict"]
            )),
        Row(
            testDescription: "skipNull", property: .integer.merge(.skipNull), base: "5", edit: "7", other: "9",
            merged: (["5", "5", "5", "9"], ["7", "7", "5", "9"]),
            rebased: (["5", "5", "5", "9"], ["7 pending", "7 pending", "7 pending", "7 pending conflict"])),
        Row(
            testDescription: "newest, later", property: .integer.merge(.newest(by: "stamp")), base: "5", edit: "7",
            other: "9",
            merged: (["5", "null", "5", "9"], ["7", "null", "5", "9"]),
            rebased: (["5", "null", "5", "9"], ["7 pending", "null conflict", "7 pending", "9 conflict"])),
        Row(
            testDescription: "newest, at the same time", property: .integer.merge(.newest(by: "stamp")), base: "5",
            edit: "7", other: "9", stamp: 1,
            merged: (["5", "5", "5", "5"], ["7", "7", "7", "7"]),
            rebased: (
                ["5", "null", "5", "9"],
                ["7 pending", "7 pending conflict", "7 pending", "7 pending conflict"]
            )),
        Row(
            testDescription: "newest, earlier", property: .integer.merge(.newest(by: "stamp")), base: "5", edit: "7",
            other: "9", stamp: 0,
            merged: (["5", "5", "5", "5"], ["7", "7", "7", "7"]),
            rebased: (
                ["5", "null", "5", "9"],
                ["7 pending", "7 pending conflict", "7 pending", "7 pending conflict"]
            )),
        Row(
            testDescription: "max, larger", property: .integer.merge(.max), base: "5", edit: "7", other: "9",
            merged: (["5", "5", "5", "9"], ["7", "7", "7", "9"]),
            rebased: (["5", "5", "5", "9"], ["7 pending", "7 pending", "7 pending", "9 conflict"])),
        Row(
            testDescription: "max, smaller", property: .integer.merge(.max), base: "5", edit: "7", other: "3",
            merged: (["5", "5", "5", "5"], ["7", "7", "7", "7"]),
            rebased: (["5", "5", "5", "3"], ["7 pending", "7 pending", "7 pending", "7 pending conflict"])),
        Row(
            testDescription: "min, larger", property: .integer.merge(.min), base: "5", edit: "7", other: "9",
            merged: (["5", "5", "5", "5"], ["7", "7", "5", "7"]),
            rebased: (["5", "5", "5", "9"], ["7 pending", "7 pending", "7 pending", "7 pending conflict"])),
        Row(
            testDescription: "min, smaller", property: .integer.merge(.min), base: "5", edit: "7", other: "3",
            merged: (["5", "5", "5", "3"], ["7", "7", "5", "3"]),
            rebased: (["5", "5", "5", "3"], ["7 pending", "7 pending", "7 pending", "3 conflict"])),
        Row(
            testDescription: "union of arrays", property: .array(of: .integer).merge(.union), base: "[1,2]",
            edit: "[2,3]", other: "[2,4]",
            merged: (["[1,2]", "[1,2]", "[1,2]", "[1,2,4]"], ["[2,3]", "[2,3]", "[2,3,1]", "[2,3,4]"]),
            rebased: (
                ["[1,2]", "[1,2]", "[1,2]", "[2,4]"],
                ["[2,3] pending", "[2,3] pending", "[2,3] pending", "[2,3,4] pending conflict"]
            )),
        Row(
            testDescription: "union of sets", property: .set(of: .integer).merge(.union), base: "[1,2]", edit: "[2,3]",
            other: "[2,4]",
            merged: (["[1,2]", "[1,2]", "[1,2]", "[1,2,4]"], ["[2,3]", "[2,3]", "[2,3,1]", "[2,3,4]"]),
            rebased: (
                ["[1,2]", "[1,2]", "[1,2]", "[2,4]"],
                ["[2,3] pending", "[2,3] pending", "[2,3] pending", "[2,3,4] pending conflict"]
            )),
        Row(
            testDescription: "union of dictionaries", property: .dictionary(of: .integer).merge(.union),
            base: #"{"a":1,"b":2}"#, edit: #"{"b":3,"c":3}"#, other: #"{"a":1,"b":4,"d":4}"#,
            merged: (
                [#"{"a":1,"b":2}"#, #"{"a":1,"b":2}"#, #"{"a":1,"b":2}"#, #"{"a":1,"b":4,"d":4}"#],
                [#"{"b":3,"c":3}"#, #"{"b":3,"c":3}"#, #"{"a":1,"b":2,"c":3}"#, #"{"a":1,"b":4,"c":3,"d":4}"#]
            ),
            rebased: (
                [#"{"a":1,"b":2}"#, #"{"a":1,"b":2}"#, #"{"a":1,"b":2}"#, #"{"a":1,"b":4,"d":4}"#],
                [
                    #"{"b":3,"c":3} pending"#, #"{"b":3,"c":3} pending"#, #"{"b":3,"c":3} pending"#,
                    #"{"b":4,"c":3,"d":4} pending conflict"#,
                ]
            )),
        Row(
            testDescription: "append", property: .array(of: .integer).merge(.append), base: "[1,2]", edit: "[2,3]",
            other: "[2,4]",
            merged: (["[1,2]", "[1,2]", "[1,2,1,2]", "[1,2,2,4]"], ["[2,3]", "[2,3]", "[2,3,1,2]", "[2,3,2,4]"]),
            rebased: (
                ["[1,2]", "[1,2]", "[1,2]", "[2,4]"],
                ["[2,3] pending", "[2,3] pending", "[2,3] pending", "[2,3,2,4] pending conflict"]
            )),
        Row(
            testDescription: "recurse", property: .model("Element").merge(.recurse), base: #"{"id":1,"name":"a"}"#,
            edit: #"{"id":1,"name":"b"}"#, other: #"{"id":1,"name":"c"}"#,
            merged: (
                [#"{"id":1,"name":"a"}"#, "null", #"{"id":1,"name":"a"}"#, #"{"id":1,"name":"c"}"#],
                [#"{"id":1,"name":"b"}"#, "null", #"{"id":1,"name":"a"}"#, #"{"id":1,"name":"c"}"#]
            ),
            rebased: (
                [#"{"id":1,"name":"a"}"#, "null", #"{"id":1,"name":"a"}"#, #"{"id":1,"name":"c"}"#],
                [
                    #"{"id":1,"name":"b"} pending"#, #"{"id":1,"name":"b"} pending conflict"#,
                    #"{"id":1,"name":"b"} pending"#, #"{"id":1,"name":"b"} pending conflict"#,
                ]
            )),
        Row(
            testDescription: "recurse, another identity", property: .model("Element").merge(.recurse),
            base: #"{"id":1,"name":"a"}"#, edit: #"{"id":1,"name":"b"}"#, other: #"{"id":2,"name":"c"}"#,
            merged: (
                [#"{"id":1,"name":"a"}"#, "null", #"{"id":1,"name":"a"}"#, #"{"id":2,"name":"c"}"#],
                [#"{"id":1,"name":"b"}"#, "null", #"{"id":1,"name":"a"}"#, #"{"id":2,"name":"c"}"#]
            ),
            rebased: (
                [#"{"id":1,"name":"a"}"#, "null", #"{"id":1,"name":"a"}"#, #"{"id":2,"name":"c"}"#],
                [
                    #"{"id":1,"name":"b"} pending"#, #"{"id":1,"name":"b"} pending conflict"#,
                    #"{"id":1,"name":"b"} pending"#, #"{"id":1,"name":"b"} pending conflict"#,
                ]
            )),
        Row(
            testDescription: "byIdentifier, keeping", property: .array(of: .model("Element")).merge(.byIdentifier()),
            base: #"[{"id":1,"name":"a"},{"id":2}]"#, edit: #"[{"id":1,"name":"b"},{"id":3}]"#,
            other: #"[{"id":1,"name":"c"},{"id":4}]"#,
            merged: (
                [
                    #"[{"id":1,"name":"a"},{"id":2}]"#, "null", #"[{"id":1,"name":"a"},{"id":2}]"#,
                    #"[{"id":1,"name":"c"},{"id":2},{"id":4}]"#,
                ],
                [
                    #"[{"id":1,"name":"b"},{"id":3}]"#, "null", #"[{"id":1,"name":"a"},{"id":3},{"id":2}]"#,
                    #"[{"id":1,"name":"c"},{"id":3},{"id":4}]"#,
                ]
            ),
            rebased: (
                [
                    #"[{"id":1,"name":"a"},{"id":2}]"#, "null", #"[{"id":1,"name":"a"},{"id":2}]"#,
                    #"[{"id":1,"name":"c"},{"id":2},{"id":4}]"#,
                ],
                [
                    #"[{"id":1,"name":"b"},{"id":3}] pending"#, #"[{"id":1,"name":"b"},{"id":3}] pending conflict"#,
                    #"[{"id":1,"name":"b"},{"id":3}] pending"#,
                    #"[{"id":1,"name":"b"},{"id":3},{"id":4}] pending conflict"#,
                ]
            )),
        Row(
            testDescription: "byIdentifier, removing",
            property: .array(of: .model("Element")).merge(.byIdentifier(missing: .remove)),
            base: #"[{"id":1,"name":"a"},{"id":2}]"#, edit: #"[{"id":1,"name":"b"},{"id":3}]"#,
            other: #"[{"id":1,"name":"c"},{"id":4}]"#,
            merged: (
                [
                    #"[{"id":1,"name":"a"},{"id":2}]"#, "null", #"[{"id":1,"name":"a"},{"id":2}]"#,
                    #"[{"id":1,"name":"c"},{"id":4}]"#,
                ],
                [
                    #"[{"id":1,"name":"b"},{"id":3}]"#, "null", #"[{"id":1,"name":"a"},{"id":2}]"#,
                    #"[{"id":1,"name":"c"},{"id":4}]"#,
                ]
            ),
            rebased: (
                [
                    #"[{"id":1,"name":"a"},{"id":2}]"#, "null", #"[{"id":1,"name":"a"},{"id":2}]"#,
                    #"[{"id":1,"name":"c"},{"id":4}]"#,
                ],
                [
                    #"[{"id":1,"name":"b"},{"id":3}] pending"#, #"[{"id":1,"name":"b"},{"id":3}] pending conflict"#,
                    #"[{"id":1,"name":"b"},{"id":3}] pending"#,
                    #"[{"id":1,"name":"b"},{"id":3},{"id":4}] pending conflict"#,
                ]
            )),
        Row(
            testDescription: "byIdentifier, an edited one removed",
            property: .array(of: .model("Element")).merge(.byIdentifier(missing: .remove)),
            base: #"[{"id":1,"name":"a"},{"id":2}]"#, edit: #"[{"id":1,"name":"b"},{"id":2}]"#, other: #"[{"id":2}]"#,
            merged: (
                [#"[{"id":1,"name":"a"},{"id":2}]"#, "null", #"[{"id":1,"name":"a"},{"id":2}]"#, #"[{"id":2}]"#],
                [
                    #"[{"id":1,"name":"b"},{"id":2,"name":null}]"#, "null",
                    #"[{"id":1,"name":"a"},{"id":2,"name":null}]"#, #"[{"id":2,"name":null}]"#,
                ]
            ),
            rebased: (
                [#"[{"id":1,"name":"a"},{"id":2}]"#, "null", #"[{"id":1,"name":"a"},{"id":2}]"#, #"[{"id":2}]"#],
                [
                    #"[{"id":1,"name":"b"},{"id":2,"name":null}] pending"#,
                    #"[{"id":1,"name":"b"},{"id":2,"name":null}] pending conflict"#,
                    #"[{"id":1,"name":"b"},{"id":2,"name":null}] pending"#,
                    #"[{"id":1,"name":"b"},{"id":2,"name":null}] pending conflict"#,
                ]
            )),
        Row(
            testDescription: "byIdentifier, a removed one changed",
            property: .array(of: .model("Element")).merge(.byIdentifier()), base: #"[{"id":1,"name":"a"},{"id":2}]"#,
            edit: #"[{"id":2}]"#, other: #"[{"id":1,"name":"c"}]"#,
            merged: (
                [
                    #"[{"id":1,"name":"a"},{"id":2}]"#, "null", #"[{"id":1,"name":"a"},{"id":2}]"#,
                    #"[{"id":1,"name":"c"},{"id":2}]"#,
                ],
                [
                    #"[{"id":2,"name":null}]"#, "null", #"[{"id":2,"name":null},{"id":1,"name":"a"}]"#,
                    #"[{"id":2,"name":null},{"id":1,"name":"c"}]"#,
                ]
            ),
            rebased: (
                [
                    #"[{"id":1,"name":"a"},{"id":2}]"#, "null", #"[{"id":1,"name":"a"},{"id":2}]"#,
                    #"[{"id":1,"name":"c"},{"id":2}]"#,
                ],
                [
                    #"[{"id":2,"name":null}] pending"#, #"[{"id":2,"name":null}] pending conflict"#,
                    #"[{"id":2,"name":null}] pending"#, #"[{"id":2,"name":null}] pending conflict"#,
                ]
            )),
        Row(
            testDescription: "a merger that adds up", property: .integer.merge(MergePolicy("sum")), base: "5",
            edit: "7", other: "9",
            merged: (["5", "5", "10", "14"], ["7", "7", "12", "16"]),
            rebased: (
                ["5", "null", "5", "9"], ["7 pending", "2 pending conflict", "7 pending", "11 pending conflict"]
            )),
    ]
}
