import Foundation
import ModelTestSupport
import Pallium
import Testing

/// Values that archives hold, and those that have no form there.
@Suite struct ArchivedValueTests {
    private static func deep(_ levels: Int) -> JSONValue { (0..<levels).reduce(1) { value, _ in [value] } }

    @Test(arguments: [
        (
            PropertySchema.dictionary(of: .array(of: .jsonValue)), ["k": [deep(600)]] as any PropertyValue & Sendable,
            "/k/0", ModelError.Code.depthLimit
        ),
        (.jsonValue, deep(600), "", .depthLimit), (.array(of: .jsonValue), [deep(1), deep(600)], "/1", .depthLimit),
    ])
    func valuesWithoutAFormInTheArchiveAreRefusedWithTheirPlace(
        kind: PropertySchema, value: any PropertyValue & Sendable, place: String, code: ModelError.Code
    ) throws {
        let schema = ModelSchema("Model", ["a": kind, "next": .model("Model")])
        let registry = try SchemaRegistry.of(schema)
        let root = DynamicModel(schema: schema, registry: registry)
        let model = DynamicModel(schema: schema, registry: registry)
        try model.setValue(value, forKey: "a")
        try root.setValue(model, forKey: "next")
        let error = try #require(throws: ModelError.self) { try ModelArchiver().archive(root) }
        #expect(error.code == code && error.pointer?.description == "/objects/1/a\(place)")
    }

    @Test func preservedMembersAreRefusedWhenTheyAreTooDeep() throws {
        let schema = ModelSchema("Model", ["a": .integer])
        let model = DynamicModel(schema: schema, registry: try .of(schema))
        model.unknownMembers = ["x": Self.deep(600)]
        let error = try #require(throws: ModelError.self) { try ModelArchiver().archive(model) }
        #expect(error.code == .depthLimit && error.pointer?.description == "/objects/0")
        model.unknownMembers = [:]
        #expect(try ArchiveParts(ModelArchiver().archive(model)).index == [1, 0, 0, 0, 1, 0])
    }

    @Test(arguments: [
        (Transformer(from: String.self, to: Point.self) { _, _ in Point(x: 0, y: 0) }, ModelError.Code.notReversible),
        (
            Transformer(from: Date.self, to: Point.self) { _, _ in
                Point(x: 0, y: 0)
            } reverse: { _, _ in
                Date(timeIntervalSince1970: 0)
            }, .notConvertible
        ),
    ])
    func customValuesNeedAFormInJSON(transformer: Transformer, code: ModelError.Code) throws {
        let schema = ModelSchema("Model", ["a": .custom(Point.self, transformer: "Point")])
        let registry = try SchemaRegistry.of(schema, transformers: ["Point": transformer])
        let model = try DynamicModel(schema: schema, values: ["a": Point(x: 1, y: 2)], registry: registry)
        let error = try #require(throws: ModelError.self) { try ModelArchiver().archive(model) }
        #expect(error.code == code && error.pointer?.description == "/objects/0/a")
    }

    @Test func customValuesMayStandForNullAndForAnyJSON() throws {
        let transformer = Transformer(handlingNullFrom: JSONValue.self, to: Point.self) { json, _ in
            json.flatMap { json in json["x"]?.intValue.map { Point(x: $0, y: 0) } } ?? Point(x: -1, y: -1)
        } reverse: { point, _ in
            point.flatMap { $0.x < 0 ? nil : ["x": .number(JSONNumber($0.x))] }
        }
        let schema = ModelSchema("Model", ["a": .array(of: .custom(Point.self, transformer: "Point"))])
        let registry = try SchemaRegistry.of(schema, transformers: ["Point": transformer])
        let points = [Point(x: 7, y: 0), Point(x: -1, y: -1)]
        let model = try DynamicModel(schema: schema, values: ["a": points], registry: registry)
        #expect(try roundTrip(model, registry)["a", as: [Point].self] == points)
    }
}
