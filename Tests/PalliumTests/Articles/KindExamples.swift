import Foundation
import Pallium

// The examples of the articles about custom kinds, clusters and models made in code, word for word, like those in
// `ArticleExamples.swift`.

enum KindExamples {
    struct Point: Hashable, Sendable, PropertyValue {
        let x: Int
        let y: Int
    }

    struct NotAPoint: Error {}

    final class Place: DynamicModel {
        var location: Point { value() }
    }

    static func customKinds(_ registry: SchemaRegistry) throws -> String {
        let point = Transformer(
            from: String.self, to: Point.self
        ) { text, _ in
            let parts = text.split(separator: ",").compactMap { Int($0) }
            guard parts.count == 2 else { throw NotAPoint() }
            return Point(x: parts[0], y: parts[1])
        } reverse: { point, _ in
            "\(point.x),\(point.y)"
        }
        try registry.transformers.register(point, as: "Point")
        try registry.register(
            ModelSchema(
                Place.self,
                [
                    "location": .custom(Point.self, transformer: "Point")
                        .required
                ]))
        let places = JSONAdapter(Place.self, registry: registry)
        let place = try places.model(from: #"{"location": "3,4"}"#)
        let sum = place.location.x + place.location.y  // 7

        try registry.register(
            PropertyKind.Custom(Point.self, transformer: "Point"))
        let document = """
            {"name": "Route",
             "properties":
               {"stops": {"kind": "array", "of": {"kind": "Point"}}}}
            """
        try registry.load(Data(document.utf8))

        let route = try JSONAdapter(schema: registry.schema(named: "Route"), registry: registry)
            .model(from: #"{"stops": ["1,2", "3,4"]}"#)
        return "\(sum) \(route["stops", as: [Point].self]?.count ?? 0)"
    }

    final class Draft: DynamicModel {
        var title: String {
            get { value() }
            set { set(newValue) }
        }
        var stars: Int { value() }
        var openedAt: Date? { value() }

        convenience init(title: String) throws(ModelError) {
            try self.init(values: ["title": title, "openedAt": Date()])
        }

        override func didDecode() { print("decoded \(title)") }
    }

    nonisolated(unsafe) static var printed: [String] = []
    static func print(_ text: String) { printed.append(text) }

    static func makingModels() throws -> String {
        try SchemaRegistry.shared.register(
            ModelSchema(
                Draft.self,
                [
                    "title": .string.required,
                    "stars": .integer.default(1),
                    "openedAt": .date.local,
                ]))

        let draft = try Draft(values: ["title": "Crash", "stars": 5])
        let today = try Draft(title: "Crash on launch")
        let blank = Draft()  // the defaults, and everything else unset
        blank.title = "Later"

        return "\(draft.stars) \(today.stars) \(today.openedAt != nil) \(blank.title)"
    }
}
