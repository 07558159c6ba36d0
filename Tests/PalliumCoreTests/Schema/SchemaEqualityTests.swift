import PalliumCore
import PalliumJSON
import TestSupport
import Testing

@Suite("Equality of schemas")
struct SchemaEqualityTests {
    /// Values made anew are equal to the first ones, hash alike, and all differ from each other.
    private func check<Value: Hashable>(_ make: () -> [Value]) {
        let (values, again) = (make(), make())
        for (index, value) in values.enumerated() {
            for (other, second) in again.enumerated() {
                #expect((value == second) == (index == other), "\(index) and \(other)")
            }
            #expect(hash(value) == hash(again[index]))
        }
        #expect(Set(values + again).count == values.count)
    }

    @Test func schemasAreEqualWhenEveryPartIs() {
        let rule: @Sendable (DynamicModel) throws -> Void = { _ in }
        let base = ModelSchema("S", ["a": .string])
        let (validated, hooked) = (base.validate(rule), base.didDecode(rule))
        check {
            var upgraded = ModelSchema("S", ["a": .string])
            upgraded.upgrades = [SchemaUpgrade(from: 1)]
            var profiled = ModelSchema("S", ["a": .string])
            profiled.profiles = [ModelSchema.Profile("web", ["a": .path("b")])]
            return [
                ModelSchema("S", ["a": .string]), ModelSchema("T", ["a": .string]), ModelSchema("S", ["b": .string]),
                ModelSchema("S", ["a": .string.required]), ModelSchema("S", ["a": .string, "b": .bool]),
                ModelSchema(EmptyModel.self, ["a": .string], name: "S"),
                ModelSchema("S", ["a": .string], extends: "P"),
                ModelSchema("S", ["a": .string], extends: .modelClass(EmptyModel.self)),
                ModelSchema("S", ["a": .string], isOpen: true), ModelSchema("S", ["a": .string], isObserved: true),
                ModelSchema("S", ["a": .string], keys: .snakeCase),
                ModelSchema("S", ["a": .string], identity: ["a"]),
                ModelSchema("S", ["a": .string], ignored: ["x"]),
                ModelSchema("S", ["a": .string], cluster: .discriminator("type", ["x": "X"])),
                ModelSchema("S", ["a": .string], version: 2), ModelSchema("S", ["a": .string], doc: "d"), upgraded,
                profiled, validated, hooked,
            ]
        }
        // Closures cannot be compared: made twice, they are two.
        #expect(base.validate(rule) != base.validate(rule))
        #expect(base.didDecode(rule) != base.didDecode(rule))
    }

    @Test func aParentMayBeNamedByItsClassAlone() {
        let cluster = ModelCluster.discriminator("type", ["x": "X"])
        #expect(
            ModelSchema(EmptyModel.self, [:], name: "S", extends: EmptyModel.self, cluster: cluster, isOpen: true)
                == ModelSchema(
                    EmptyModel.self, [:], name: "S", extends: .modelClass(EmptyModel.self), cluster: cluster,
                    isOpen: true))
    }

    @Test func namesAreComparedAsBytes() {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        check { [ModelSchema(composed, [:]), ModelSchema(decomposed, [:])] }
        check { [ModelSchema.Property(composed, .bool), ModelSchema.Property(decomposed, .bool)] }
        check { [ModelReference.named(composed), .named(decomposed)] }
        check { [ModelCluster.Entry(.string(composed), "S"), ModelCluster.Entry(.string(decomposed), "S")] }
        check { [EnumerationSchema.RawValue.text(composed), .text(decomposed)] }
        check { [JSONKeyPath(member: composed).steps, JSONKeyPath(member: decomposed).steps] }
    }

    @Test func namesInTheirPartsAreComparedAsBytes() {
        func schemas(_ name: String) -> [ModelSchema] {
            var profiled = ModelSchema("S", ["a": .bool])
            profiled.profiles = [ModelSchema.Profile("p", ["a": .path(name)])]
            var upgraded = ModelSchema("S", [:])
            upgraded.upgrades = [SchemaUpgrade(from: 1, renamed: ["a": name])]
            return [
                ModelSchema("S", ["a": .bool.json(name)]), ModelSchema("S", ["a": .bool.merge(.newest(by: name))]),
                ModelSchema("S", ["a": .array(of: .bool.merge(.newest(by: name)))]),
                ModelSchema("S", [:], identity: [name]), ModelSchema("S", [:], ignored: [name]),
                ModelSchema("S", [:], cluster: .discriminator(name, [1: "S"])),
                ModelSchema("S", [:]).rules(.exactlyOneOf([name])), profiled, upgraded,
            ]
        }
        check { schemas("caf\u{E9}") + schemas("cafe\u{301}") }
    }

    @Test func propertiesAreEqualWhenKeyKindAndModifiersAre() {
        let check: @Sendable (inout String?, PropertySchema.ValidationContext) throws -> Void = { _, _ in }
        let validated = PropertySchema.string.validate(check)
        let hooked = PropertySchema.string.unarchived { _ in nil }
        self.check {
            [
                .string, .bool, .integer, .integer(as: Int32.self), .integer(as: UInt32.self),
                .string.required, .string.default("a"), .string.default("b"), .string.default(json: "a"),
                .string.default(json: "b"), .string.json("a"), .string.json(firstOf: ["a"]), .string.secret,
                .string.merge(.keep), .string.transformer("T"), .array(of: .string), .set(of: .string),
                .dictionary(of: .string), .model("M"), .model(EmptyModel.self), .model(TestModel.self),
                .enumeration(Color.self), .enumeration(Color.self, unknown: .keep),
                .enumeration(Color.self, unknown: .fallback(.red)), .custom(Point.self, transformer: "Point"),
                .custom(Point.self, transformer: "Other"), .custom(Point.self, name: "P", transformer: "Point"),
                .custom(Range.self, name: "Point", transformer: "Point"), validated, hooked,
            ].map { ModelSchema.Property("p", $0) } + [ModelSchema.Property("q", .string)]
        }
        #expect(validated != PropertySchema.string.validate(check))
        #expect(hooked != PropertySchema.string.unarchived { _ in nil })
    }

    /// Many properties of one key are told apart without comparing all of them.
    @Test func theHashOfAPropertyMixesItsKeyAndItsSchema() {
        let properties = [
            ModelSchema.Property("p", .string), ModelSchema.Property("p", .bool), ModelSchema.Property("q", .string),
        ]
        #expect(Set(properties.map(hash)).count == 3)
    }

    @Test func theHashTellsMostSchemasApart() {
        let schemas = (0..<1000).map { number in
            let properties: KeyValuePairs<String, PropertySchema> = number.isMultiple(of: 2) ? ["a": .bool] : [:]
            return ModelSchema("S\(number / 4)", properties, version: number % 4 / 2 + 1)
        }
        #expect(Set(schemas.map(\.hashValue)).count > 900)
    }

    @Test func clustersAreEqualWhenTheirChoicesAre() {
        let resolver = ModelCluster.resolver { _ in nil }
        check {
            [
                .discriminator("type", ["x": "X"]), .discriminator("kind", ["x": "X"]),
                .discriminator("type", ["y": "X"]), .discriminator("type", ["x": "Y"]),
                .discriminator("type", ["x": .modelClass(EmptyModel.self)]),
                .discriminator("type", ["x": .modelClass(TestModel.self)]),
                .discriminator("type", ["x": "X"], default: "X"),
                .rules([.init([.present("a")], "X")], default: nil),
                .rules([.init([.kind("a", .null)], "X")], default: nil),
                .rules([.init([.equals("a", nil)], "X")], default: nil), resolver,
            ]
        }
        #expect(resolver != .resolver { _ in nil })
    }

    @Test func upgradesAreEqualWhenTheirPartsAre() {
        let code = SchemaUpgrade(from: 1) { _ in }
        check {
            [
                SchemaUpgrade(from: 1), SchemaUpgrade(from: 2), SchemaUpgrade(from: 1, renamed: ["a": "b"]),
                SchemaUpgrade(from: 1, removed: ["a"]),
                SchemaUpgrade(from: 1, defaults: ["a": 1]),
                SchemaUpgrade(from: 1, transformed: ["a": ["T"]]), SchemaUpgrade(from: 1, oldSchemaName: "O"), code,
            ]
        }
        #expect(code != SchemaUpgrade(from: 1) { _ in })
    }

    @Test func keyPathsAreEqualWhenTheirStepsAre() throws {
        let texts = ["a", "b", "a[0]", "a[1]", "a.b"]
        let paths = try texts.map { try JSONKeyPath($0) }
        check { paths.map(\.steps) }
        #expect(JSONKeyPath(steps: paths[3].steps).description == "a[1]")
    }

    @Test func anIntegerHasTheWidthAndSignOfItsType() {
        let kinds: [(PropertySchema, PropertyKind)] = [
            (.integer(as: Int8.self), .integer(.bits8)), (.integer(as: UInt32.self), .unsigned(.bits32)),
            (.integer(as: Int.self), .integer(.bits64)), (.integer(as: UInt64.self), .unsigned(.bits64)),
        ]
        for (schema, kind) in kinds { #expect(schema.kind == kind) }
    }

    @Test func closuresAreWhatNoDocumentCanHold() throws {
        let plain = ModelSchema("S", ["a": .string])
        var upgraded = plain
        upgraded.upgrades = [SchemaUpgrade(from: 1)]
        for schema in [plain, upgraded, ModelSchema("S", [:], cluster: .discriminator("type", ["x": "X"]))] {
            #expect(!schema.hasClosures)
        }
        var converting = plain
        converting.upgrades = [SchemaUpgrade(from: 1) { _ in }]
        var transforming = plain
        let inline = PropertySchema.string.transformer(.validating(String.self) { _ in true }).transformers
        transforming.upgrades = [SchemaUpgrade(from: 1, transformed: ["a": inline])]
        for schema in [
            plain.validate { _ in }, plain.didDecode { _ in }, converting, transforming,
            ModelSchema("S", [:], cluster: .resolver { _ in nil }),
            ModelSchema("S", ["a": .string.validate { (_: inout String?, _) in }]),
            ModelSchema("S", ["a": .string.unarchived { _ in nil }]),
        ] {
            #expect(schema.hasClosures)
        }
    }

    @Test func aSchemaIsDescribedByItsNameParentAndSize() {
        #expect("\(ModelSchema("S", ["a": .bool]))" == "S (1 property)")
        #expect("\(ModelSchema("S", [:], extends: "P"))" == "S (0 properties, extends P)")
    }
}
