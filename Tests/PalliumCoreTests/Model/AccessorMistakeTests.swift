import Foundation
public import PalliumCore
import PalliumJSON
import TestSupport
import Testing

/// Mistakes of a program that end it, with the place and the mend on standard error, in optimised builds as well.
@Suite("Mistakes in accessors")
struct AccessorMistakeTests {
    enum Mistake: String, Codable, CaseIterable, Sendable {
        case nonOptionalOverNullable, wrongType, wrongWidth, wrongSign, unknownName, misspelledName, unfilledRequired
        case unfilledText, unfilledList
        case openEnumeration, elementNullability, refusedValue, refusedNull, weakNonOptional, setOverArray, siblingClass
        case subclassOfModel, unknownSubscript, refusedSubscript, wrongTypedSubscript, narrowTypedSubscript
        case otherModelTypedSubscript, unregisteredClass, unregisteredSchema, classOfAnotherSchema, requiredInCollection
        case lackingCase, lackingElementCase, misspelledSubscript, wideInteger, wrongTypeAfterTheRightOne

        var message: String {
            switch self {
            case .nonOptionalOverNullable:
                "Plain.title: is nullable, so its accessor must be optional; declare String? instead of String, or make "
                    + "the property required or give it a default"
            case .wrongType, .wrongTypeAfterTheRightOne:
                "Plain.title: holds a string, which an accessor of the type Optional<Int> cannot read; declare String?"
            case .wrongWidth:
                "Plain.width: holds an integer of 32 bits, which an accessor of the type Int16 cannot read; declare Int32"
            case .wrongSign:
                "Plain.width: holds an integer of 32 bits, which an accessor of the type UInt cannot read; declare Int32"
            case .unknownName: "Plain.absolutelyOther: is no property of the schema"
            case .misspelledName:
                "Plain.titel: is no property of the schema; did you mean \"title\"? Declare var titel: String? { value(\"title\") }"
            case .unfilledRequired:
                "Plain.width is read through a non-optional accessor but was never set on this model; set it first, give "
                    + "the property a default, or make the accessor optional"
            case .unfilledText: "Plain.name is read through a non-optional accessor but was never set on this model"
            case .unfilledList: "Plain.words is read through a non-optional accessor but was never set on this model"
            case .openEnumeration:
                "Plain.color: keeps unknown cases, which Color lacks; declare Color? instead of Color"
            case .elementNullability:
                "Plain.gaps: holds an array, which an accessor of the type Optional<Array<String>> cannot read; "
                    + "declare Array<Optional<String>>?"
            case .refusedValue: "expected an integer of 32 bits but found 4294967296 at /width"
            case .refusedNull: "expected an integer of 32 bits but found null at /width"
            case .weakNonOptional: "Plain.owner: is nullable, so its accessor must be optional"
            case .setOverArray:
                "Plain.gaps: holds an array, which an accessor of the type Optional<Set<Optional<String>>> cannot read"
            case .siblingClass:
                "Plain.model: holds a model of TestModel, which an accessor of the type Optional<EmptyModel> cannot read"
            case .subclassOfModel:
                "Plain.model: holds a model of TestModel, which an accessor of the type Optional<SubTestModel> cannot read"
            case .unknownSubscript: "expected a key of Plain but found \"titel\"; did you mean \"title\"?"
            case .refusedSubscript: "expected a string but found a value of the type Int at /title"
            case .wrongTypedSubscript: "Plain.title holds a string, not Int"
            case .narrowTypedSubscript: "Plain.width holds an integer of 32 bits, not Int8"
            case .otherModelTypedSubscript: "Plain.model holds a model of TestModel, not EmptyModel"
            case .unregisteredClass: "no schema is registered for the class UnregisteredModel"
            case .unregisteredSchema: "the schema Nowhere is not registered; register it before making models"
            case .classOfAnotherSchema: "the schema TestModel describes the class TestModel, not EmptyModel"
            case .requiredInCollection: "expected a string but found null at /names/1"
            case .lackingCase:
                "Plain.shade: has the case \"mauve\" and 1 more, which Color lacks; declare Color? instead of Color, or "
                    + "add the case"
            case .lackingElementCase: "Plain.shades: has the case \"mauve\", which Color lacks; declare Color? instead"
            case .misspelledSubscript: "expected a key of Plain but found \"titel\"; did you mean \"title\"?"
            case .wideInteger: "integers of 128 bits (Int128) are no kind of property; use at most 64 bits"
            }
        }

        func make() throws {
            let registry = try SchemaRegistry.ofFixtures()
            let schema = ModelSchema(
                "Plain",
                [
                    "title": .string, "name": .string.required, "width": .integer(as: Int32.self).required,
                    "color": .enumeration(Color.self, unknown: .keep).required,
                    "gaps": .array(of: .string.nullable), "names": .array(of: .string),
                    "words": .array(of: .string).required,
                    "owner": .model(EmptyModel.self).weak, "model": .model(TestModel.self),
                    "shade": .enumeration("red", "mauve", "puce").required,
                    "shades": .array(of: .enumeration("red", "mauve")),
                ])
            try registry.register(schema)
            let model = DynamicModel(schema: schema, registry: registry)
            switch self {
            case .nonOptionalOverNullable: _ = model.read("title", as: String.self)
            case .wrongType: _ = model.read("title", as: Int?.self)
            case .wrongWidth: _ = model.read("width", as: Int16.self)
            case .wrongSign: _ = model.read("width", as: UInt.self)
            case .unknownName: _ = model.read("absolutelyOther", as: String?.self)
            case .misspelledName: _ = model.read("titel", as: String?.self)
            case .unfilledRequired: _ = model.read("width", as: Int.self)
            case .unfilledText: _ = model.read("name", as: String.self)
            case .unfilledList: _ = model.read("words", as: [String].self)
            case .openEnumeration: _ = model.read("color", as: Color.self)
            case .elementNullability: _ = model.read("gaps", as: [String]?.self)
            case .refusedValue: model.set(1 << 32, "width")
            case .refusedNull: model.set(Int?.none, "width")
            case .weakNonOptional: _ = model.read("owner", as: EmptyModel.self)
            case .setOverArray: _ = model.read("gaps", as: Set<String?>?.self)
            case .siblingClass: _ = model.read("model", as: EmptyModel?.self)
            case .subclassOfModel: _ = model.read("model", as: SubTestModel?.self)
            case .unknownSubscript: _ = model["titel"]
            case .refusedSubscript: model["title"] = 5
            case .wrongTypedSubscript: _ = model["title", as: Int.self]
            case .narrowTypedSubscript:
                model["width"] = 300
                _ = model["width", as: Int8.self]
            case .otherModelTypedSubscript:
                model["model"] = TestModel(registry: registry)
                _ = model["model", as: EmptyModel.self]
            case .unregisteredClass: _ = UnregisteredModel(registry: registry)
            case .unregisteredSchema: _ = DynamicModel(schema: ModelSchema("Nowhere", [:]), registry: registry)
            case .classOfAnotherSchema: _ = EmptyModel(schema: TestModel.schema, registry: registry)
            case .requiredInCollection: model.write(["a", nil], "names")
            case .lackingCase:
                try model.setValue("red", forKey: "shade")
                _ = model.read("shade", as: Color.self)
            case .lackingElementCase: _ = model.read("shades", as: [Color]?.self)
            case .misspelledSubscript: _ = model["titel", as: String.self]
            case .wideInteger: _ = PropertySchema.integer(as: Int128.self)
            case .wrongTypeAfterTheRightOne:
                // The same literal, so that the name is found.
                for isRight in [true, false] {
                    let name: StaticString = "title"
                    if isRight { _ = model.read(name, as: String?.self) } else { _ = model.read(name, as: Int?.self) }
                }
            }
        }
    }

    @Test(.row("C031", "C032", "C369"), arguments: Mistake.allCases)
    func aMistakeEndsTheProgramAndSaysHowToMendIt(_ mistake: Mistake) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [mistake] in
            try mistake.make()
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let line = output.split(separator: "\n").first { $0.hasPrefix("PalliumCore/") } ?? ""
        #expect(line.contains(mistake.message))
    }

    /// Kinds whose values are read each in a way of its own.
    enum Unfilled: String, Codable, CaseIterable, Sendable {
        case bool, double, float, decimal, date, url, uuid, json, color, place, set, dictionary, model

        func read() throws {
            let registry = SchemaRegistry(transformers: try .ofFixtures())
            let kinds: KeyValuePairs<String, PropertySchema> = [
                "bool": .bool.required, "double": .double.required, "float": .float.required,
                "decimal": .decimal.required, "date": .date.required, "url": .url.required, "uuid": .uuid.required,
                "json": .jsonValue.required, "color": .enumeration(Color.self).required,
                "place": .custom(Point.self, transformer: "Point").required, "set": .set(of: .string).required,
                "dictionary": .dictionary(of: .string).required, "model": .model("Plain").required,
            ]
            let schema = ModelSchema("Plain", kinds)
            try registry.register(schema)
            let model = DynamicModel(schema: schema, registry: registry)
            switch self {
            case .bool: _ = model.read("bool", as: Bool.self)
            case .double: _ = model.read("double", as: Double.self)
            case .float: _ = model.read("float", as: Float.self)
            case .decimal: _ = model.read("decimal", as: Decimal.self)
            case .date: _ = model.read("date", as: Date.self)
            case .url: _ = model.read("url", as: URL.self)
            case .uuid: _ = model.read("uuid", as: UUID.self)
            case .json: _ = model.read("json", as: JSONValue.self)
            case .color: _ = model.read("color", as: Color.self)
            case .place: _ = model.read("place", as: Point.self)
            case .set: _ = model.read("set", as: Set<String>.self)
            case .dictionary: _ = model.read("dictionary", as: [String: String].self)
            case .model: _ = model.read("model", as: DynamicModel.self)
            }
        }
    }

    @Test(arguments: Unfilled.allCases)
    func aRequiredPropertyThatWasNeverSetEndsTheProgram(_ kind: Unfilled) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [kind] in
            try kind.read()
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("Plain.\(kind) is read through a non-optional accessor but was never set"))
    }

    final class UnregisteredModel: DynamicModel {}
}

/// A program can make wider integers property values.
extension Int128: PropertyValue {}
