import Foundation
import Pallium

// The Swift examples of the article about clusters, word for word, like those in `ArticleExamples.swift`.

enum ClusterExamples {
    class Shape: DynamicModel {
        var name: String? { value() }
    }
    final class Circle: Shape {
        var radius: Double { value() }
    }
    final class Square: Shape {
        var side: Double { value() }
    }

    static func classes(_ registry: SchemaRegistry) throws -> (adapter: JSONAdapter<Shape>, circle: Circle?) {
        try registry.register(
            ModelSchema(
                Shape.self, ["name": .string],
                cluster: .discriminator(
                    "kind",
                    ["circle": Circle.self, "square": Square.self])),
            ModelSchema(
                Circle.self, ["radius": .double.required],
                extends: Shape.self),
            ModelSchema(
                Square.self, ["side": .double.required],
                extends: Shape.self))

        let adapter = JSONAdapter(Shape.self, registry: registry)
        let shapes = try adapter.models(
            from: """
                [{"kind": "circle", "radius": 1},
                 {"kind": "square", "side": 2}]
                """)
        let circle = shapes[0] as? Circle

        return (adapter, circle)
    }

    static func rules() -> ModelSchema {
        let message = ModelSchema(
            "Message", ["id": .integer.required],
            cluster: .rules(
                [
                    .init(
                        [.equals("type", "mail"), .present("attachments")],
                        "Parcel"),
                    .init([.equals("type", "mail")], "Mail"),
                    .init([.kind("number", .string)], "Call"),
                ],
                default: "Message"))

        return message
    }

    static func resolver() -> ModelSchema {
        let polygon = ModelSchema(
            "Polygon", ["sides": .array(of: .integer).required],
            cluster: .resolver { object in
                switch object["sides"]?.arrayValue?.count {
                case 3: "Triangle"
                case 4: "Rectangle"
                default: nil
                }
            })

        return polygon
    }

    static func besideTheObject() -> [ModelSchema] {
        let drawing = ModelSchema(
            "Drawing",
            ["shape": .model("Figure").json(allOf: ["type", "shape"])])
        let figure = ModelSchema(
            "Figure", [:],
            cluster: .discriminator(
                "type", ["circle": "Disc", "square": "Tile"]))
        let disc = ModelSchema(
            "Disc", ["radius": .double.json("shape.radius")],
            extends: "Figure")
        let tile = ModelSchema(
            "Tile", ["side": .double.json("shape.side")],
            extends: "Figure")

        return [drawing, figure, disc, tile]
    }

    static func withoutAnObject() -> [ModelSchema] {
        let button = ModelSchema(
            "Button",
            [
                "id": .integer.required,
                "form": .model("Form")
                    .json(allOf: ["kind", "radius", "side"]),
            ])
        let form = ModelSchema(
            "Form", [:],
            cluster: .discriminator(
                "kind", ["circle": "Round", "square": "Square"]))
        let round = ModelSchema(
            "Round", ["radius": .double.required], extends: "Form")
        let square = ModelSchema(
            "Square", ["side": .double.required], extends: "Form")

        return [button, form, round, square]
    }

    static func numbers(_ registry: SchemaRegistry) throws {
        try registry.register(
            ModelSchema(
                "Message", ["id": .integer],
                cluster: .discriminator("op", [10: "Hello", 11: "Beat"])),
            ModelSchema("Hello", ["version": .integer], extends: "Message"),
            ModelSchema("Beat", [:], extends: "Message"))
    }

    static func references(_ registry: SchemaRegistry) throws -> [DynamicModel] {
        let account = ModelSchema(
            "Account", ["id": .integer.required, "login": .string],
            identity: ["id"],
            cluster: .discriminator(
                "kind", ["person": "Person", "team": "Team"],
                default: "Account"))
        let person = ModelSchema(
            "Person", ["email": .string], extends: "Account")
        let team = ModelSchema(
            "Team", ["members": .array(of: .model("Account"))],
            extends: "Account")
        try registry.register(account, person, team)

        let accounts = try JSONAdapter(schema: account, registry: registry)
        let map = IdentityMap()
        let page = try map.import(
            """
            [{"kind": "team", "id": 2, "members": [{"id": 1}]},
             {"kind": "person", "id": 1, "login": "ada"}]
            """,
            using: accounts)

        return Array(page)
    }
}
