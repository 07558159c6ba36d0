import Foundation
import PalliumCore
import PalliumJSON
import TestSupport
import Testing

/// Accessors that are checked at start-up, without running into those that do not fit.
@Suite("Verification of accessors")
struct AccessorVerificationTests {
    private final class Fitting: DynamicModel {
        var flag: Bool { value() }
        var number: Int { value() }
        var small: UInt8 { value() }
        var ratio: Double { value() }
        var single: Float { value() }
        var price: Decimal { value() }
        var title: String { value() }
        var note: String? { value() }
        var at: Date { value() }
        var link: URL { value() }
        var id: UUID { value() }
        var bytes: Data { value() }
        var color: Color { value() }
        var shade: Color? { value() }
        var level: Level { value() }
        var any: JSONValue { value() }
        var node: Node { value() }
        var itself: Fitting { value() }
        var owner: Node? { value() }
        var tags: [String] { value() }
        var tagSet: Set<String> { value() }
        var counts: [String: Int] { value() }
        var points: [Point] { value() }
        var preset: Int { value() }
        var summary: String? { value("description") }
        var length: Int { tags.count + title.utf8.count + (itself.itself.note?.utf8.count ?? 0) }

        static let schema = ModelSchema(
            Fitting.self,
            [
                "flag": .bool.required, "number": .integer.required, "small": .integer(as: UInt8.self).required,
                "ratio": .double.required, "single": .float.required, "price": .decimal.required,
                "title": .string.required, "note": .string, "at": .date.required, "link": .url.required,
                "id": .uuid.required, "bytes": .data.required, "color": .enumeration("red", "blue").required,
                "shade": .enumeration("red", "mauve").required, "level": .enumeration(Level.self).required,
                "any": .jsonValue.required, "node": .model(Node.self).required, "itself": .model(Fitting.self).required,
                "owner": .model(Node.self).weak, "tags": .array(of: .string).required,
                "tagSet": .set(of: .string).required, "counts": .dictionary(of: .integer).required,
                "points": .array(of: .custom(Point.self, transformer: "Point")).required,
                "preset": .integer.default(7), "description": .string,
            ])
    }

    @Test func accessorsThatFitAreAccepted() throws {
        let registry = try SchemaRegistry.ofFixtures()
        try registry.register(Fitting.schema)
        try registry.verifyAccessors(
            of: Fitting.self, \.flag, \.number, \.small, \.ratio, \.single, \.price, \.title, \.note, \.at, \.link,
            \.id,
            \.bytes, \.color, \.shade, \.level, \.any, \.node, \.itself, \.owner, \.tags, \.tagSet, \.counts, \.points,
            \.preset, \.summary, \.length)
        // Again, now that the accessors are known.
        try registry.verifyAccessors(of: Fitting.self, \.title, \.length)
    }

    private final class Wrong: DynamicModel {
        var title: String { value() }
        var titel: String? { value() }
        var number: Int { value() }
        var flag: Int { value() }
        var ratio: Date { value() }
        var link: Decimal { value() }
        var id: URL { value() }
        var bytes: UUID { value() }
        var any: Data { value() }
        var at: JSONValue { value() }
        var color: Color { value() }
        var colors: [Color] { value() }
        var kept: Color { value() }
        var node: User { value() }
        var tags: Set<Int> { value() }
        var counts: [String: String] { value() }
        var point: Range { value() }
        var points: [Range] { value() }
        var byKey: String? { self["number", as: String.self] }
        var byWrongKey: String? { self["nubmer", as: String.self] }
        var deep: Int { node.rank }
        var float: Float { value("number") }
        var text: Int32 { value("title") }

        static let schema = ModelSchema(
            Wrong.self,
            [
                "title": .string, "number": .integer.required, "flag": .bool.required, "ratio": .double.required,
                "link": .url.required, "id": .uuid.required, "bytes": .data.required, "any": .jsonValue.required,
                "at": .date.required, "color": .enumeration("red", "mauve", "puce").required,
                "colors": .array(of: .enumeration("red", "mauve")).required,
                "kept": .enumeration("red", unknown: .keep).required,
                "node": .model(Node.self).required, "tags": .set(of: .string).required,
                "counts": .dictionary(of: .integer).required,
                "point": .custom(Point.self, transformer: "Point").required,
                "points": .array(of: .custom(Point.self, transformer: "Point")).required,
            ])
    }

    private final class User: DynamicModel {
        var rank: Int { value() }
    }

    @Test func everyMistakeIsToldAtOnce() throws {
        let registry = try SchemaRegistry.ofFixtures()
        try registry.register(Wrong.schema)
        let error = #expect(throws: SchemaError.self) {
            try registry.verifyAccessors(
                of: Wrong.self, \.title, \.titel, \.number, \.flag, \.ratio, \.link, \.id, \.bytes, \.any, \.at,
                \.color,
                \.colors, \.kept, \.node, \.tags, \.counts, \.point, \.points, \.byKey, \.byWrongKey, \.float, \.text,
                samples: [Point(x: 1, y: 2), Range(location: 1, length: 2)])
        }
        #expect(
            error?.problems.map(\.description)
                == [
                    "Wrong.title: is nullable, so its accessor must be optional; declare String? instead of String, or make "
                        + "the property required or give it a default",
                    #"Wrong.titel: is no property of the schema; did you mean "title"? "#
                        + #"Declare var titel: String? { value("title") }"#,
                    "Wrong.flag: holds a bool, which an accessor of the type Int cannot read; declare Bool",
                    "Wrong.ratio: holds a number, which an accessor of the type Date cannot read; declare Double",
                    "Wrong.link: holds a URL, which an accessor of the type NSDecimal cannot read; declare URL",
                    "Wrong.id: holds a UUID, which an accessor of the type URL cannot read; declare UUID",
                    "Wrong.bytes: holds data, which an accessor of the type UUID cannot read; declare Data",
                    "Wrong.any: holds a JSON value, which an accessor of the type Data cannot read; declare JSONValue",
                    "Wrong.at: holds a date, which an accessor of the type JSONValue cannot read; declare Date",
                    #"Wrong.color: has the case "mauve" and 1 more, which Color lacks; "#
                        + "declare Color? instead of Color, or add the case",
                    #"Wrong.colors: has the case "mauve", which Color lacks; "#
                        + "declare Color? instead of Color, or add the case",
                    "Wrong.kept: keeps unknown cases, which Color lacks; declare Color? instead of Color",
                    "Wrong.node: holds a model of Node, which an accessor of the type User cannot read; declare Node",
                    "Wrong.tags: holds a set, which an accessor of the type Set<Int> cannot read; declare Array<String>",
                    "Wrong.counts: holds a dictionary, which an accessor of the type Dictionary<String, String> cannot read; "
                        + "declare Dictionary<String, Int>",
                    "Wrong.point: holds a value of Point, which an accessor of the type Range cannot read; declare Point",
                    "Wrong.points: holds an array, which an accessor of the type Array<Range> cannot read; "
                        + "declare Array<Point>",
                    "Wrong.number: Wrong.number holds an integer, not String",
                    #"Wrong.nubmer: expected a key of Wrong but found "nubmer"; did you mean "number"?"#,
                    "Wrong.number: holds an integer, which an accessor of the type Float cannot read; declare Int",
                    "Wrong.title: holds a string, which an accessor of the type Int32 cannot read; declare String?",
                ].map { $0.replacing("NSDecimal", with: "\(Decimal.self)") })
    }

    @Test func mistakesBehindAModelThatDoesNotFitAreToldToo() throws {
        let registry = try SchemaRegistry.ofFixtures()
        try registry.register(Wrong.schema)
        let error = #expect(throws: SchemaError.self) { try registry.verifyAccessors(of: Wrong.self, \.deep) }
        #expect(error?.problems.map(\.property) == ["node", "rank"])
        #expect(error?.problems.last?.message == "is no property of the schema")
    }

    @Test func aModelThatDoesNotFitIsReadByTheSchemaOfItsClass() throws {
        let registry = try SchemaRegistry.ofFixtures()
        try registry.register(Wrong.schema, ModelSchema(User.self, ["rank": .integer.required], name: "Ranked"))
        let error = #expect(throws: SchemaError.self) { try registry.verifyAccessors(of: Wrong.self, \.deep) }
        #expect(error?.problems.map(\.property) == ["node"])
    }

    private final class Located: DynamicModel {
        var point: Point { value() }
        var origin: Point { value() }
    }

    @Test func aValueOfATypeOfTheProgramIsTakenFromTheSamplesOrADefault() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let point = PropertySchema.custom(Point.self, transformer: "Point")
        try registry.register(ModelSchema(Located.self, ["point": point.required]))
        let error = #expect(throws: SchemaError.self) { try registry.verifyAccessors(of: Located.self, \.point) }
        #expect(
            error?.description
                == "Located: an accessor gives Point, of which no value can be made up; pass one in samples")
        try registry.verifyAccessors(of: Located.self, \.point, samples: [Point(x: 1, y: 2)])
        let other = try SchemaRegistry.ofFixtures()
        try other.register(
            ModelSchema(Located.self, ["point": point.required, "origin": point.default(Point(x: 0, y: 0))]))
        try other.verifyAccessors(of: Located.self, \.point, \.origin)
    }

    @Test func aClassWithoutASchemaIsAMistakeToo() {
        let error = #expect(throws: SchemaError.self) {
            try SchemaRegistry().verifyAccessors(of: Fitting.self, \.title)
        }
        #expect(error?.description == "no schema is registered for the class Fitting; register one before")
    }

    @Test func theModelsOfTheVerificationAreReleased() throws {
        final class Counted: DynamicModel {
            nonisolated(unsafe) static weak var last: Counted?
            var itself: Counted { value() }
            var itslef: Counted { value() }
            required init(storage: consuming ModelStorage) {
                super.init(storage: storage)
                Self.last = self
            }
        }
        let registry = try SchemaRegistry.of(
            ModelSchema(Counted.self, ["itself": .model(Counted.self).required]))
        let error = #expect(throws: SchemaError.self) {
            try registry.verifyAccessors(of: Counted.self, \.itself, \.itslef)
        }
        #expect(error?.problems.count == 1)
        #expect(Counted.last == nil)
    }
}

/// Schemas of documents list cases by themselves, which may be more than those of the Swift type.
@Suite("Enumerations whose schema has other cases")
struct LackingCaseTests {
    private func model(_ property: PropertySchema, _ value: String) throws -> DynamicModel {
        let model = try SchemaRegistry.plainModel(["color": property, "colors": .array(of: property)])
        try model.setValue(value, forKey: "color")
        try model.setValue([value, "red"], forKey: "colors")
        return model
    }

    @Test func anOptionalAccessorReadsNilForACaseThatItsTypeLacks() throws {
        let model = try model(.enumeration("red", "mauve"), "mauve")
        #expect(model.read("color", as: Color?.self) == nil)
        #expect(model["color", as: Color.self] == nil)
        #expect(model.read("colors", as: [Color?]?.self) == [nil, .red])
        try model.setValue("red", forKey: "color")
        #expect(model.read("color", as: Color?.self) == .red)
    }

    @Test func theFallbackOfTheSchemaStandsForACaseThatTheTypeLacks() throws {
        let property = PropertySchema.enumeration("red", "mauve", unknown: .fallback("red")).required
        let model = try SchemaRegistry.plainModel(["color": property])
        try model.setValue("mauve", forKey: "color")
        #expect(model.read("color", as: Color.self) == .red)
        #expect(model.read("color", as: Color?.self) == .red)
        #expect(model["color", as: String.self] == "mauve")
    }

    @Test func aTypeCanBeStoredAsFarAsTheSchemaHasItsCases() throws {
        let model = try model(.enumeration("red", "mauve"), "mauve")
        model.write(Color.red, "color")
        #expect(model["color", as: String.self] == "red")
        let error = #expect(throws: ModelError.self) { try model.setValue(Color.blue, forKey: "color") }
        #expect(error?.description == #"expected one of "red", "mauve" but found "blue" at /color"#)
    }

    @Test func aTypeWithoutACommonCaseIsAnotherEnumeration() throws {
        let model = try SchemaRegistry.plainModel(["color": .enumeration("mauve")])
        let error = #expect(throws: ModelError.self) { try model.setValue(Color.red, forKey: "color") }
        #expect(error?.code == .typeMismatch)
    }
}
