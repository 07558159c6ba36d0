import Foundation
import PalliumCore
import PalliumJSON
import TestSupport
import Testing

@Suite("Accessors")
struct AccessorTests {
    @Test(arguments: KindCase.all)
    func everyKindIsReadAndWrittenByAccessorAndByKey(_ kind: KindCase) throws {
        let registry = try SchemaRegistry(transformers: .ofFixtures())
        let schema = ModelSchema("Holder", ["plain": kind.schema, "needed": kind.schema.required, "last": .string])
        try registry.register(schema)
        // The accessors find the properties of the second model where those of the first one left them.
        for _ in 0..<2 {
            let model = DynamicModel(schema: schema, registry: registry)
            model.write("untouched", "last")
            try kind.check(model)
            #expect(model.read("last", as: String?.self) == "untouched")
        }
    }

    @Test func aNullablePropertyIsReadAsNilWhileUnsetAndWhileNull() throws {
        let model = try SchemaRegistry.ofFixtures().node()
        #expect(model.label == nil)
        model.label = 4
        model.label = nil
        #expect(model.label == nil)
        #expect(try model.state(of: "label") == .null)
    }

    @Test func aPropertyWithADefaultHasANonOptionalAccessor() throws {
        let model = TestModel(registry: try .ofFixtures())
        #expect(model.count == 1)
        model.count = 5
        #expect(model.count == 5)
    }

    @Test func anOptionalAccessorFitsAPropertyThatIsNeverNull() throws {
        let model = try SchemaRegistry.plainModel(["needed": .integer.required, "preset": .integer.default(3)])
        #expect(model.read("needed", as: Int?.self) == nil)
        #expect(model.read("preset", as: Int?.self) == 3)
    }

    @Test func accessorsOfDifferentTypesShareOneKey() throws {
        let model = try SchemaRegistry.plainModel([
            "width": .integer(as: Int16.self).required, "state": .enumeration(Color.self),
        ])
        for _ in 0..<2 {
            model.set(Int16(-300), "width")
            #expect(model.read("width", as: Int16.self) == -300)
            #expect(model.read("width", as: Int32.self) == -300)
            #expect(model.read("width", as: Int64.self) == -300)
            #expect(model.read("width", as: Int.self) == -300)
            #expect(model.read("width", as: Int?.self) == -300)
            model.write(Color.blue, "state")
            #expect(model.read("state", as: Color?.self) == .blue)
            #expect(model.read("state", as: String?.self) == "blue")
        }
    }

    @Test func manyAccessorTypesOfOneKeyOutgrowTheAccessorTableUnharmed() throws {
        let model = try SchemaRegistry.plainModel(["tiny": .integer(as: UInt8.self).required])
        model.set(UInt8(200), "tiny")
        for _ in 0..<3 {
            #expect(model.read("tiny", as: UInt8.self) == 200)
            #expect(model.read("tiny", as: UInt16.self) == 200)
            #expect(model.read("tiny", as: UInt32.self) == 200)
            #expect(model.read("tiny", as: UInt64.self) == 200)
            #expect(model.read("tiny", as: UInt.self) == 200)
            #expect(model.read("tiny", as: Int16.self) == 200)
            #expect(model.read("tiny", as: Int32.self) == 200)
            #expect(model.read("tiny", as: Int64.self) == 200)
            #expect(model.read("tiny", as: Int.self) == 200)
            #expect(model.read("tiny", as: UInt8?.self) == 200)
            #expect(model.read("tiny", as: UInt16?.self) == 200)
            #expect(model.read("tiny", as: UInt32?.self) == 200)
            #expect(model.read("tiny", as: UInt64?.self) == 200)
            #expect(model.read("tiny", as: UInt?.self) == 200)
            #expect(model.read("tiny", as: Int16?.self) == 200)
            #expect(model.read("tiny", as: Int32?.self) == 200)
            #expect(model.read("tiny", as: Int64?.self) == 200)
            #expect(model.read("tiny", as: Int?.self) == 200)
            #expect(model.read("tiny", as: Int??.self) == 200)
        }
    }

    @Test func aSubclassInheritsAccessorsAndAddsItsOwn() throws {
        let model = SubTestModel(registry: try .ofFixtures())
        model.name = "a"
        model.role = "b"
        model.generation = 2
        #expect(model.name == "a")
        #expect(model.count == 1)
        #expect(model.role == "b")
        #expect(model.generation == 2)
        let parent: TestModel = model
        #expect(parent.name == "a")
    }

    @Test func oneAccessorServesThePropertiesOfParentAndChild() throws {
        // The same accessor of the parent class is used over two layouts.
        let registry = try SchemaRegistry.ofFixtures()
        let models = [TestModel(registry: registry), SubTestModel(registry: registry), TestModel(registry: registry)]
        for (index, model) in models.enumerated() { model.nestedName = "\(index)" }
        #expect(models.map(\.nestedName) == ["0", "1", "2"])
    }

    @Test func anAccessorOfAnotherNameNamesItsKey() throws {
        final class Article: DynamicModel {
            var summary: String? {
                get { value("description") }
                set { set(newValue, "description") }
            }
        }
        let registry = try SchemaRegistry.of(ModelSchema(Article.self, ["description": .string]))
        let article = Article(registry: registry)
        article.summary = "short"
        #expect(article.summary == "short")
        #expect(try article.value(forKey: "description") as? String == "short")
        #expect(article.description == "Article(description: \"short\")")
    }

    @Test func aModelIsReadThroughASuperclassAccessor() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let holder = ModelSchema("Holder", ["model": .model(SubTestModel.self)])
        try registry.register(holder)
        let model = DynamicModel(schema: holder, registry: registry)
        let child = SubTestModel(registry: registry)
        model.write(child, "model")
        #expect(model.read("model", as: SubTestModel?.self) === child)
        #expect(model.read("model", as: TestModel?.self) === child)
        #expect(model.read("model", as: DynamicModel?.self) === child)
    }

    @Test func aDescendantStandsWhereItsParentIsAskedFor() throws {
        let registry = try SchemaRegistry.ofFixtures()
        let holder = ModelSchema("Holder", ["models": .array(of: .model(TestModel.self))])
        try registry.register(holder)
        let model = DynamicModel(schema: holder, registry: registry)
        let models = [TestModel(registry: registry), SubTestModel(registry: registry)]
        model.write(models, "models")
        let read = model.read("models", as: [TestModel]?.self)
        #expect(read?.map { ObjectIdentifier($0) } == models.map { ObjectIdentifier($0) })
    }

    @Test func aStoredPropertyOfASubclassKeepsItsOwnValue() throws {
        final class Cached: DynamicModel {
            var cache: [String]
            required init(storage: consuming ModelStorage) {
                cache = ["fresh"]
                super.init(storage: storage)
            }
            var title: String? {
                get { value() }
                set { set(newValue) }
            }
        }
        let registry = try SchemaRegistry.of(ModelSchema(Cached.self, ["title": .string]))
        let model = Cached(registry: registry)
        model.cache.append("more")
        model.title = "t"
        #expect(model.cache == ["fresh", "more"])
        #expect(model.copy().cache == ["fresh"])
        #expect(model.copy().title == "t")
    }

    @Test func unknownCasesOfAnOpenEnumerationReadAsNilAndAsTheirText() throws {
        let model = try SchemaRegistry.plainModel([
            "color": .enumeration(Color.self, unknown: .keep), "level": .enumeration(Level.self, unknown: .keep),
        ])
        model.write("mauve", "color")
        model.write(99, "level")
        #expect(model.read("color", as: Color?.self) == nil)
        #expect(model.read("color", as: String?.self) == "mauve")
        #expect(try model.value(forKey: "color") as? String == "mauve")
        #expect(model.read("level", as: Level?.self) == nil)
        #expect(model.read("level", as: Int?.self) == 99)
        model.write(Color.red, "color")
        #expect(model.read("color", as: Color?.self) == .red)
    }

    @Test func unknownCasesBecomeTheFallback() throws {
        let model = try SchemaRegistry.plainModel([
            "color": .enumeration(Color.self, unknown: .fallback(.green)).required
        ])
        model.set("mauve", "color")
        #expect(model.read("color", as: Color.self) == .green)
        #expect(try model.value(forKey: "color") as? Color == .green)
    }

    @Test func aliasesOfACaseReadAsTheCase() throws {
        let schema = EnumerationSchema(cases: [.init(.text("green"), aliases: [.text("lime"), .text("GREEN")])])
        let model = try SchemaRegistry.plainModel(["color": .enumeration(schema)])
        for text in ["green", "lime", "GREEN"] {
            model.write(text, "color")
            #expect(model.read("color", as: String?.self) == "green")
        }
    }
}
