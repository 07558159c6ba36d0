import PalliumCore
import PalliumJSON
import Testing

/// The choice of a model for an object, as *Clusters* describes it.
@Suite struct DocumentClusterTests {
    struct Choice: CustomTestStringConvertible {
        let object: JSONObject
        /// The name of the model; nil if the object is refused.
        let model: String?
        let declared: String

        init(_ declared: String, _ object: JSONObject, _ model: String?) {
            (self.declared, self.object, self.model) = (declared, object, model)
        }

        var testDescription: String { "\(JSONValue.object(object)) as \(declared)" }
    }

    private static func registry() throws -> SchemaRegistry {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema(
                "Shape", [:],
                cluster: .discriminator("info.kind", ["circle": "Circle", "square": "Square", 1: "Circle"])),
            ModelSchema("Circle", [:], extends: "Shape"),
            ModelSchema(
                "Square", [:], extends: "Shape",
                cluster: .rules([.init([.present("size"), .kind("name", .string)], "Named")], default: "Square")),
            ModelSchema("Named", [:], extends: "Square"),
            ModelSchema("Event", [:], cluster: .discriminator("type", ["start": "Start"], default: "Event")),
            ModelSchema("Start", [:], extends: "Event"),
            ModelSchema(
                "Message", [:],
                cluster: .rules(
                    [
                        .init([.equals("type", "mail"), .present("parts")], "Parcel"),
                        .init([.equals("type", "mail")], "Mail"),
                    ], default: nil)
            ),
            ModelSchema("Mail", [:], extends: "Message"), ModelSchema("Parcel", [:], extends: "Message"),
            ModelSchema(
                "Polygon", [:],
                cluster: .resolver { object in
                    switch object["sides"]?.intValue {
                    case 3: "Triangle"
                    case 4: "Circle"
                    default: nil
                    }
                }), ModelSchema("Triangle", [:], extends: "Polygon"), ModelSchema("Plain", [:]))
        return registry
    }

    static let choices: [Choice] = [
        Choice("Plain", ["kind": "circle"], "Plain"),
        Choice("Shape", ["info": ["kind": "circle"]], "Circle"),
        Choice("Shape", ["info": ["kind": 1]], "Circle"),
        Choice("Shape", ["info": ["kind": "1"]], nil),
        Choice("Shape", ["info": ["kind": "triangle"]], nil),
        Choice("Shape", ["info": ["kind": nil]], nil),
        Choice("Shape", ["info": ["kind": []]], nil),
        Choice("Shape", [:], nil),
        // A chosen descendant chooses again.
        Choice("Shape", ["info": ["kind": "square"]], "Square"),
        Choice("Shape", ["info": ["kind": "square"], "name": "a", "size": nil], "Named"),
        Choice("Shape", ["info": ["kind": "square"], "name": 1, "size": 1], "Square"),
        Choice("Square", ["name": "a", "size": 1], "Named"),
        // With a default, null says as little as an absent member.
        Choice("Event", ["type": "start"], "Start"),
        Choice("Event", ["type": "stop"], "Event"),
        Choice("Event", ["type": nil], "Event"),
        Choice("Event", [:], "Event"),
        Choice("Event", ["type": [:]], nil),
        // The first rule whose conditions all hold.
        Choice("Message", ["type": "mail", "parts": nil], "Parcel"),
        Choice("Message", ["type": "mail"], "Mail"),
        Choice("Message", ["type": "post"], nil),
        // A resolver may return only descendants.
        Choice("Polygon", ["sides": 3], "Triangle"),
        Choice("Polygon", ["sides": 4], nil),
        Choice("Polygon", [:], nil),
    ]

    @Test(arguments: choices) func objectIsOfTheModelThatClustersChoose(_ choice: Choice) throws {
        let registry = try Self.registry()
        let clusters = DocumentClusters(registry)
        let declared = try registry.layout(named: choice.declared)
        if let model = choice.model {
            #expect(try clusters.model(for: choice.object, as: declared).schema.name == model)
        } else {
            #expect(throws: ModelError.self) { try clusters.model(for: choice.object, as: declared) }
        }
    }

    @Test func errorsListTagsAndHideThoseOfSecrets() throws {
        for isSecret in [false, true] {
            let registry = SchemaRegistry()
            let kind = PropertySchema.string
            try registry.register(
                ModelSchema(
                    "Base", ["kind": isSecret ? kind.secret : kind],
                    cluster: .discriminator("kind", ["circle": "Child"])),
                ModelSchema("Child", [:], extends: "Base"))
            let base = try registry.layout(named: "Base")
            let error = #expect(throws: ModelError.self) {
                try DocumentClusters(registry).model(for: ["kind": "cirkle"], as: base)
            }
            #expect(error?.code == .unknownModel)
            #expect(error?.expected.contains(#"one of "circle" as the discriminator "kind""#) == true)
            #expect(error?.found.contains("cirkle") == !isSecret)
            #expect("\(try #require(error))".contains("did you mean") == !isSecret)
        }
    }

    @Test func discriminatorKnowsTagsByModel() throws {
        let registry = try Self.registry()
        let shape = try registry.layout(named: "Shape")
        let discriminator = try #require(try DocumentClusters(registry).discriminator(of: shape))
        #expect(discriminator.choices.map(\.model.schema.name) == ["Circle", "Square"])
        #expect(discriminator.choices.map(\.tags) == [["circle", 1], ["square"]])
        let named = try registry.layout(named: "Named")
        #expect(Array(discriminator.tags(of: named)).isEmpty)
        #expect(discriminator.firstTag(of: named) == "square")
        #expect(discriminator.firstTag(of: shape) == nil)
    }
}
