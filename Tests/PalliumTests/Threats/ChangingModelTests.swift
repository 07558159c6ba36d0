import Foundation
import ModelTestSupport
import Pallium
import Synchronization
import Testing

/// Transformers that change the models while these are written.
struct ChangingModelTests {
    /// Where in a document the value stands whose transformer takes it out of its model.
    enum Place: String, CaseIterable, Sendable {
        case array, set, dictionary, model, path, nested, null, part, plainArray, plainDictionary

        var property: PropertySchema {
            switch self {
            case .array: .array(of: .model("Child"))
            case .set: .set(of: .model("Child"))
            case .dictionary: .dictionary(of: .model("Child"))
            case .model, .null: .model("Child")
            case .path: .model("Child").json("x.y")
            case .nested: .array(of: .dictionary(of: .array(of: .model("Child"))))
            case .part: .dictionary(of: .model("Child")).json(allOf: ["k", "l"])
            case .plainArray: .array(of: .string.transformer("Removing"))
            case .plainDictionary: .dictionary(of: .string.transformer("Removing"))
            }
        }

        /// Text that is too long to stand in a slot itself.
        private static let long = String(repeating: "0123456789", count: 8)

        var text: String {
            let child = #"{"a":"1","b":"\#(Self.long)","c":["\#(Self.long)","3"]}"#
            let texts = (0..<40).map { #""\#(Self.long)\#($0)""# }
            return switch self {
            case .array, .set: #"{"m":[\#(child),{"a":"2"}],"n":"\#(Self.long)"}"#
            case .dictionary: #"{"m":{"\#(Self.long)":\#(child),"l":{"a":"2"}},"n":"4"}"#
            case .model: #"{"m":\#(child),"n":"4"}"#
            case .null: #"{"m":{"a":null,"b":"\#(Self.long)"},"n":"4"}"#
            case .path: #"{"x":{"y":\#(child)},"n":"4"}"#
            case .nested: #"{"m":[{},{"\#(Self.long)":[\#(child)],"l":[]},{}],"n":"4"}"#
            case .part: #"{"k":\#(child),"l":{"a":"2"},"n":"4"}"#
            case .plainArray: #"{"m":[\#(texts.joined(separator: ","))],"n":"4"}"#
            case .plainDictionary:
                #"{"m":{\#(texts.map { "\($0):\($0)" }.joined(separator: ","))},"n":"4"}"#
            }
        }
    }

    /// What the transformer of one test changes, and how.
    private final class Change: @unchecked Sendable {
        // @unchecked: used by the thread of one test.
        weak var child: DynamicModel?
        var model: DynamicModel?
        var throwing = false
        var wasReleased = false

        func happen() throws {
            guard let model else { return }
            self.model = nil
            let hadChild = child != nil
            try model.setValue(nil, forKey: "m")
            wasReleased = hadChild && child == nil
            if throwing { throw FixtureError.refused }
        }
    }

    private static func setting(_ place: Place) throws -> (adapter: Entrances<DynamicModel>, change: Change) {
        let change = Change()
        let removing = Transformer(handlingNullFrom: String.self, to: String.self) { text, _ in
            text
        } reverse: { text, _ in
            try change.happen()
            return text
        }
        let adapter = try Plain.adapter(
            [
                ModelSchema("Parent", ["m": place.property, "n": .string]),
                ModelSchema(
                    "Child", ["a": .string.transformer("Removing"), "b": .string, "c": .array(of: .string)]),
            ], transformers: ["Removing": removing])
        return (adapter, change)
    }

    /// Finds the first child, however deep it stands.
    private static func firstChild(_ value: Any?) -> DynamicModel? {
        switch value {
        case let model as DynamicModel: model
        case let list as [Any]: list.lazy.compactMap(firstChild).first
        case let members as [String: Any]: members.values.lazy.compactMap(firstChild).first
        default: nil
        }
    }

    @Test(.threat(.reentrancy), arguments: Place.allCases)
    func whatIsBeingWrittenIsWrittenToTheEnd(place: Place) throws {
        let (adapter, change) = try Self.setting(place)
        let model = try adapter.model(from: place.text)
        change.child = Self.firstChild(try model.value(forKey: "m"))
        change.model = model
        #expect(try adapter.text(of: model) == place.text)
        #expect(!change.wasReleased)
        #expect(change.child == nil)
        #expect(try model.state(of: "m") == .null)
    }

    @Test(.threat(.reentrancy, .throwingUserCode), arguments: Place.allCases)
    func theErrorNamesThePlaceThatWas(place: Place) throws {
        let (adapter, change) = try Self.setting(place)
        let model = try adapter.model(from: place.text)
        change.child = Self.firstChild(try model.value(forKey: "m"))
        change.model = model
        change.throwing = true
        let problem = try #require(throws: ModelError.self) { try adapter.text(of: model) }
        #expect(problem.code == .transformerFailed)
        let key = String(repeating: "0123456789", count: 8)
        let expected =
            switch place {
            case .array, .set: "/m/0/a"
            case .dictionary: "/m/\(key)/a"
            case .model, .null: "/m/a"
            case .path: "/x/y/a"
            case .nested: "/m/1/\(key)/0/a"
            case .part: "/k/a"
            case .plainArray: "/m/0"
            case .plainDictionary: "/m/\(key)0"
            }
        #expect(problem.pointer?.description == expected)
        #expect(!change.wasReleased)
        #expect(change.child == nil)
    }

    // MARK: Archives

    /// A model, how the transformer of its property `a` changes it, and the property that tells; nil where nothing is
    /// wrong with the archive.
    private struct Archived: Sendable {
        let schema: ModelSchema
        let change: @Sendable (DynamicModel) throws -> Void
        let refused: String?

        init(
            _ properties: KeyValuePairs<String, PropertySchema>, refused: String?,
            change: @escaping @Sendable (DynamicModel) throws -> Void
        ) {
            schema = ModelSchema("Model", properties)
            self.refused = refused
            self.change = change
        }
    }

    private static let point = PropertySchema.custom(Point.self, transformer: "Point")

    private static let archived = [
        Archived(["a": point, "b": .string, "c": .integer], refused: "b") { try $0.setValue(nil, forKey: "b") },
        Archived(["b": .string, "a": point, "c": .integer], refused: nil) { try $0.setValue(nil, forKey: "b") },
        Archived(["a": .array(of: point), "n": .string, "c": .integer], refused: "n") { $0["n"] = "was unset" },
        Archived(
            ["m": .array(of: .model("Model")).archive(.conditional), "a": point, "d": .model("Model")], refused: nil
        ) { try $0.setValue(nil, forKey: "m") },
        Archived(
            ["a": point, "m": .array(of: .model("Model")).archive(.conditional), "d": .model("Model")], refused: "d"
        ) { try $0.setValue(nil, forKey: "d") },
    ]

    /// An archive is as the reader expects it, or there is none.
    @Test(.threat(.reentrancy), arguments: archived.indices)
    func aModelThatChangesWhileItIsArchivedMakesNoBrokenArchive(index: Int) throws {
        let (row, change) = (Self.archived[index], Change())
        let transformer = Transformer(from: Int.self, to: Point.self) { number, _ in
            Point(x: number, y: 0)
        } reverse: { point, _ in
            if let model = change.model {
                change.model = nil
                try row.change(model)
            }
            return point.x
        }
        let registry = try SchemaRegistry.of(row.schema, transformers: ["Point": transformer])
        let model = DynamicModel(schema: row.schema, registry: registry)
        let long = String(repeating: "0123456789", count: 8)
        for property in row.schema.properties {
            switch property.key {
            case "a":
                if case .array = property.schema.kind {
                    model["a"] = [Point(x: 1, y: 0), Point(x: 2, y: 0)]
                } else {
                    model["a"] = Point(x: 1, y: 0)
                }
            case "b": model["b"] = long
            case "c": model["c"] = 7
            case "d": model["d"] = DynamicModel(schema: row.schema, registry: registry)
            default: break
            }
        }
        if row.schema.property("m") != nil { model["m"] = [try #require(model.model("d"))] }
        change.model = model
        do throws(ModelError) {
            let archive = try ModelArchiver().archive(model)
            #expect(row.refused == nil)
            let back = try ModelUnarchiver(registry: registry).unarchive(row.schema, from: archive)
            for property in row.schema.properties {
                // What was written before the change is in the archive as it was.
                let state = property.key == "b" ? .value : try model.state(of: property.key)
                #expect(try back.state(of: property.key) == state)
            }
        } catch {
            #expect(error.code == .transformerFailed)
            #expect(error.property == row.refused)
            #expect(error.pointer?.tokens == row.refused.map { ["objects", "0", $0] })
        }
        #expect(change.model == nil)
    }
}
